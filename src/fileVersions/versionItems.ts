/** The rows of the File Versions view. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { DIALECT_FACTS, uiLine, type FileRevision, type RevisionKind, type Turn } from '../core/index';
import { localizeTitle } from '../ui/localize';
import type { ItemAge } from '../ui/rowAges';

/** A version. The property `row` makes commands treat it as the message that made the version. */
export interface VersionRow {
  readonly row: 'entry';
  readonly path: string;
  readonly entryId: string;
  /** The absolute path of the file that the view shows. */
  readonly file: string;
  readonly version: FileRevision;
  /** Absent if the session can't be read. */
  readonly turn: Turn | undefined;
}

/** The last row of a list that has more. */
export interface MoreVersionsRow {
  readonly row: 'more';
  readonly path: '';
  /** Versions that aren't shown. */
  readonly left: number;
}

/** UTF-16 units of a prompt. */
const MAX_PROMPT = 300;

const ICONS: Readonly<Record<RevisionKind, string>> = { edit: 'edit', write: 'new-file', move: 'file-symlink-file', deletion: 'trash' };

/** @param show the command that a click runs */
export function versionItem(row: VersionRow, { age, ago, badge }: ItemAge, show: string): vscode.TreeItem {
  const { path, entryId, version } = row;
  // The editor cuts the end off, whatever room there is.
  const item = new vscode.TreeItem(joined([badge ? '' : age, linesText(version), labelOf(row)]));
  item.id = `${path}\n${entryId}`;
  item.iconPath = new vscode.ThemeIcon(ICONS[version.kind]);
  if (badge) item.resourceUri = badge;
  item.contextValue = 'version entry';
  item.command = { command: show, title: vscode.l10n.t('Show the Change'), arguments: [row, { preserveFocus: true }] };
  const { added, removed } = version;
  item.accessibilityInformation = {
    label: [
      labelOf(row),
      kindText(version.kind),
      vscode.l10n.t('lines added: {added}, removed: {removed}', { added, removed }),
      version.certainty === 'exact' ? '' : vscode.l10n.t('not exact'),
      ago,
    ]
      .filter((part) => part !== '')
      .join(', '),
  };
  return item;
}

/** @param more the command that a click runs */
export function moreItem({ left }: MoreVersionsRow, more: string): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show More'));
  item.id = 'more';
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.description = String(left);
  item.command = { command: more, title: vscode.l10n.t('Show More') };
  return item;
}

/** @param escaped escapes text for Markdown */
export function versionTooltip(row: VersionRow, escaped: (text: string) => string): vscode.MarkdownString {
  const { turn, version } = row;
  const model = turn?.model;
  const time =
    version.time === 0 ? '' : new Date(version.time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const session = turn && [
    localizeTitle(turn.title),
    DIALECT_FACTS[turn.dialect].label,
    turn.isActive ? '' : vscode.l10n.t('on an abandoned branch'),
  ];
  const certainty =
    version.certainty === 'exact'
      ? vscode.l10n.t('These counts come from what the session recorded.')
      : vscode.l10n.t('These counts are estimates, because the session didn’t record the earlier text or the result.');
  const parts = [
    `**${escaped(labelOf(row))}**`,
    escaped(joined([kindText(version.kind), linesText(version), time])),
    escaped(joined([...(session ?? [basename(row.path)]), model?.modelId ?? ''])),
    escaped(certainty),
  ];
  return new vscode.MarkdownString(parts.join('\n\n'));
}

const labelOf = ({ path, turn }: VersionRow): string =>
  uiLine(turn ? (turn.prompt ?? localizeTitle(turn.title)) : basename(path), MAX_PROMPT);

/** Numbers of lines, without those that are 0. */
const linesText = ({ added, removed }: FileRevision): string =>
  [added === 0 ? '' : `+${added}`, removed === 0 ? '' : `−${removed}`].filter((part) => part !== '').join(' ');

function kindText(kind: RevisionKind): string {
  switch (kind) {
    case 'edit':
      return vscode.l10n.t({ message: 'edited', comment: 'What a message did with a file; past tense' });
    case 'write':
      return vscode.l10n.t({ message: 'written', comment: 'What a message did with a file, as a whole; past tense' });
    case 'move':
      return vscode.l10n.t({ message: 'moved', comment: 'What a message did with a file; past tense' });
    case 'deletion':
      return vscode.l10n.t({ message: 'deleted', comment: 'What a message did with a file; past tense' });
  }
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');
