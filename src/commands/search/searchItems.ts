/** Items of the search list. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { defined, folderBaseName } from '../../core/index';
import type { OpenTarget } from '../open/revealHit';
import type { SearchHit, SessionSummary } from '../../core/index';
import { localizeSessionTitle } from '../../ui/localize';
import { roleIcon, roleName, type EntryKind } from '../../ui/entryRoles';
import { bracketMarks, stripMarkup } from './searchSnippet';
import type { CommandDeps } from '../handler/commandDeps';
import { sessionItem, subagentText } from '../handler/sessions/sessionPicker';

/** The action of an item when it's chosen. */
export type SearchAction =
  | { readonly kind: 'hit'; readonly hit: SearchHit }
  | { readonly kind: 'session'; readonly path: string }
  /** Replaces the query. */
  | { readonly kind: 'type'; readonly text: string }
  /** Shows all hits of a session. */
  | { readonly kind: 'expand'; readonly path: string }
  | { readonly kind: 'more' | 'clear' | 'nothing' };

export interface SearchItem extends vscode.QuickPickItem {
  readonly action: SearchAction;
}

/** A button on an item. */
interface ItemButton extends vscode.QuickInputButton {
  readonly open: OpenTarget;
}

export interface HitItemOptions {
  readonly ago: (time: number) => string;
  readonly summary: (path: string) => SessionSummary | undefined;
  /** The path of the session above, for sessions of subagents. */
  readonly parents?: ReadonlyMap<string, string>;
  readonly typed: string;
  /** Overrides the kind that the role gives. */
  readonly kind?: (hit: SearchHit) => EntryKind | undefined;
}

/** Makes the item that stands for further hits of a session. */
export const expandItem = (path: string, count: number): SearchItem => ({
  label: vscode.l10n.t('{0} more in this session', count),
  iconPath: new vscode.ThemeIcon('chevron-down'),
  alwaysShow: true,
  action: { kind: 'expand', path },
});

/** Makes the items of hits. Forks contain copies of entries; each entry is shown once, for the hit that comes first. */
export function hitItems(hits: readonly SearchHit[], options: HitItemOptions): SearchItem[] {
  const copies = new Map<string, [SearchHit, ...SearchHit[]]>();
  for (const hit of hits) {
    const key = JSON.stringify([hit.entryId, hit.time, hit.role, hit.snippet]);
    const found = copies.get(key);
    if (found) found.push(hit);
    else copies.set(key, [hit]);
  }
  const buttons = hitButtons();
  return Array.from(copies.values(), ([hit, ...others]) => hitItem(hit, others.length, options, buttons));
}

const sessionName = (path: string, row: SessionSummary | undefined): string =>
  row === undefined ? basename(path) : localizeSessionTitle(row);

/** In the detail line, short parts come first because the editor cuts the end. The session's name is last, and left out if the hit begins like it. */
function hitItem(
  hit: SearchHit,
  copies: number,
  { ago, summary, typed, parents = new Map(), kind }: HitItemOptions,
  buttons: readonly ItemButton[],
): SearchItem {
  const row = summary(hit.path);
  const { word, icon } = kind?.(hit) ?? { word: roleName(hit.role), icon: roleIcon(hit.role) };
  const isCode = hit.role === 'bashExecution' || hit.role === 'pythonExecution';
  const found = isCode ? hit : stripMarkup(hit);
  const name = stripMarkup({ snippet: sessionName(hit.path, row), marks: [] }).snippet;
  const parts = [
    word,
    hit.active ? '' : vscode.l10n.t('on an abandoned branch'),
    ago(hit.time),
    row?.cwd ? folderBaseName(row.cwd) : vscode.l10n.t('Unknown project'),
    subagentText(hit.path, parents, summary),
    hit.elsewhere ? vscode.l10n.t('also in this session: {0}', hit.elsewhere.join(', ')) : '',
    copies === 0 ? '' : copies === 1 ? vscode.l10n.t('also in a fork') : vscode.l10n.t('also in {0} forks', copies),
    name.startsWith(found.snippet.replace(/…$/, '')) ? '' : name,
  ];
  return {
    label: bracketMarks(found, typed),
    detail: parts.filter((part) => part !== '').join(' · '),
    iconPath: new vscode.ThemeIcon(icon),
    alwaysShow: true,
    buttons,
    action: { kind: 'hit', hit },
  };
}

function hitButtons(): ItemButton[] {
  return [sideButton(), { iconPath: new vscode.ThemeIcon('markdown'), tooltip: vscode.l10n.t('Open as Markdown'), open: 'markdown' }];
}

const sideButton = (): ItemButton => ({
  iconPath: new vscode.ThemeIcon('split-horizontal'),
  tooltip: vscode.l10n.t('Open to the Side'),
  open: 'side',
});

/** Makes the items of sessions. */
export function sessionItems(
  deps: Pick<CommandDeps, 'ago' | 'summary'>,
  sessions: readonly SessionSummary[],
  parents: ReadonlyMap<string, string>,
): SearchItem[] {
  const buttons = [sideButton()];
  return sessions.map((session) => ({
    ...sessionItem(deps, session, parents),
    iconPath: new vscode.ThemeIcon('comment-discussion'),
    buttons,
    action: { kind: 'session', path: session.path },
  }));
}

/** Makes a line between groups of items. */
export const separatorItem = (label: string): SearchItem => ({
  label,
  kind: vscode.QuickPickItemKind.Separator,
  action: { kind: 'nothing' },
});

/** Returns the target of a button. */
export const openTargetOf = (button: vscode.QuickInputButton): OpenTarget => (button as ItemButton).open;

export function moreItem(): SearchItem {
  return {
    label: vscode.l10n.t('Show More Results'),
    iconPath: new vscode.ThemeIcon('ellipsis'),
    alwaysShow: true,
    action: { kind: 'more' },
  };
}

export const errorItem = (sentence: string): SearchItem => messageItem(sentence, undefined, 'warning');

/** Makes an item without an action. */
export function messageItem(label: string, detail: string | undefined, icon: string): SearchItem {
  return {
    label,
    ...defined({ detail }),
    iconPath: new vscode.ThemeIcon(icon),
    alwaysShow: true,
    action: { kind: 'nothing' },
  };
}
