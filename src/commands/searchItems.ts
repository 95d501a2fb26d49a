/** The rows of the search's list. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { CatalogRow, SearchHit } from '../core/index';
import { roleIcon, roleName } from './roles';
import { folderName, marked, type Prefix } from './searchText';

/** What is done when a row is chosen. */
export type Choice =
  | { readonly kind: 'hit'; readonly hit: SearchHit }
  /** Goes on with this text. */
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'more' | 'clear' | 'nothing' };

export interface SearchItem extends vscode.QuickPickItem {
  readonly choice: Choice;
}

/** A button on a row. */
interface ItemButton extends vscode.QuickInputButton {
  readonly open: 'context' | 'markdown';
}

export interface HitWords {
  readonly ago: (time: number) => string;
  /** Rows of sessions by path. */
  readonly sessions: ReadonlyMap<string, CatalogRow>;
  readonly typed: string;
  /** Whether what was found is marked, as it is by default. */
  readonly marks?: boolean;
  /** What the entry is here, instead of its role. */
  readonly kind?: (hit: SearchHit) => { readonly word: string; readonly icon: string };
}

/** Forks hold copies of their entries; each is shown once, where it was found first. */
export function hitItems(hits: readonly SearchHit[], words: HitWords): SearchItem[] {
  const copies = new Map<string, SearchHit[]>();
  for (const hit of hits) {
    const key = JSON.stringify([hit.entryId, hit.time, hit.role, hit.snippet]);
    const found = copies.get(key);
    if (found) found.push(hit);
    else copies.set(key, [hit]);
  }
  const buttons = hitButtons();
  return Array.from(copies.values(), ([hit, ...others]) => hitItem(hit!, others.length, words, buttons));
}

export const sessionName = (path: string, row: CatalogRow | undefined): string => row?.name ?? row?.firstMessage ?? basename(path);

function hitItem(hit: SearchHit, copies: number, { ago, sessions, typed, marks = true, kind }: HitWords, buttons: readonly ItemButton[]): SearchItem {
  const row = sessions.get(hit.path);
  const { word, icon } = kind?.(hit) ?? { word: roleName(hit.role), icon: roleIcon(hit.role) };
  const parts = [
    sessionName(hit.path, row),
    word,
    row?.cwd ? folderName(row.cwd) : vscode.l10n.t('Unknown project'),
    ago(hit.time),
    hit.active ? '' : vscode.l10n.t('on a branch that was left'),
    copies === 0 ? '' : copies === 1 ? vscode.l10n.t('also in a fork') : vscode.l10n.t('also in {0} forks', copies),
  ];
  return {
    label: marked(hit.snippet, marks ? hit.marks : [], typed),
    detail: parts.filter((part) => part !== '').join(' · '),
    iconPath: new vscode.ThemeIcon(icon),
    alwaysShow: true,
    buttons,
    choice: { kind: 'hit', hit },
  };
}

function hitButtons(): ItemButton[] {
  return [
    { iconPath: new vscode.ThemeIcon('open-preview'), tooltip: vscode.l10n.t('Show Context'), open: 'context' },
    { iconPath: new vscode.ThemeIcon('markdown'), tooltip: vscode.l10n.t('Open as Markdown'), open: 'markdown' },
  ];
}

/** What the button of a row opens. */
export const opens = (button: vscode.QuickInputButton): 'context' | 'markdown' => (button as ItemButton).open;

export function moreItem(): SearchItem {
  return { label: vscode.l10n.t('Show More Results'), iconPath: new vscode.ThemeIcon('ellipsis'), alwaysShow: true, choice: { kind: 'more' } };
}

/** In place of hits. `filtered`: some of the buttons are pressed. */
export function emptyItems({ filtered, state, sessions }: { readonly filtered: boolean; readonly state: 'read' | 'reading' | 'stopped'; readonly sessions: number }): SearchItem[] {
  if (state === 'stopped') return [nothing(vscode.l10n.t('Nothing found in what was read'), vscode.l10n.t('Reading the sessions was stopped. Refresh goes on with it.'), 'info')];
  if (state === 'reading') return [nothing(vscode.l10n.t('Nothing found yet'), vscode.l10n.t('Sessions are still being read; what is found appears here.'), 'loading~spin')];
  if (sessions === 0) return [nothing(vscode.l10n.t('There are no sessions'), vscode.l10n.t('Start one with one of the programs, or name the folder of your sessions in the settings.'), 'info')];
  const detail = vscode.l10n.t('Fewer words find more. What tools answered is not searched.');
  const clear: SearchItem = { label: vscode.l10n.t('Search Without Filters'), iconPath: new vscode.ThemeIcon('clear-all'), alwaysShow: true, choice: { kind: 'clear' } };
  return [nothing(vscode.l10n.t('Nothing found'), detail, 'info'), ...(filtered ? [clear] : [])];
}

export const failedItem = (sentence: string): SearchItem => nothing(sentence, undefined, 'warning');

/** A row for which nothing is done. */
export function nothing(label: string, detail: string | undefined, icon: string): SearchItem {
  return { label, ...(detail === undefined ? {} : { detail }), iconPath: new vscode.ThemeIcon(icon), alwaysShow: true, choice: { kind: 'nothing' } };
}

/** What one may begin with. */
export function hintItems(): SearchItem[] {
  const hints: Readonly<Record<Prefix, readonly [icon: string, words: string]>> = {
    role: ['account', vscode.l10n.t('who wrote it: user, assistant, tool, command, name, label, summary')],
    tool: ['tools', vscode.l10n.t('messages that call a tool, as tool:bash')],
    file: ['file', vscode.l10n.t('what read or wrote a file, as file:src/index.ts')],
    label: ['tag', vscode.l10n.t('entries with a label, as label:fix')],
    project: ['folder', vscode.l10n.t('sessions of a project, by the beginning of its name')],
  };
  return Object.entries(hints).map(([prefix, [icon, description]]) => ({ label: `${prefix}:`, description, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true, choice: { kind: 'type', text: `${prefix}:` } }));
}

export function completionItem(label: string, text: string): SearchItem {
  return { label, iconPath: new vscode.ThemeIcon('arrow-small-right'), alwaysShow: true, choice: { kind: 'type', text } };
}
