/** The rows of the File Versions view. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { DIALECT_FACTS, uiLine, type FileRevision, type RevisionKind, type Turn } from '../core/index';
import { localizeTitle } from '../ui/localize';

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

/** UTF-16 units of a prompt in a label, so that a narrow side bar has room for the lines and the age, and in other texts. */
const MAX_LABEL = 24;
const MAX_PROMPT = 300;

const ICONS: Readonly<Record<RevisionKind, string>> = { edit: 'edit', write: 'new-file', move: 'file-symlink-file', deletion: 'trash' };

/** Texts about the time of a version. */
interface VersionAge {
  /** The age in a few characters; empty if it's unknown. */
  readonly age: string;
  /** The same in words. */
  readonly ago: string;
  /** The URI by which the editor shows the age as a badge; absent if it's a part of the row's text. */
  readonly badge: vscode.Uri | undefined;
}

/** @param show the command that a click runs */
export function versionItem(row: VersionRow, { age, ago, badge }: VersionAge, show: string): vscode.TreeItem {
  const { path, entryId, version } = row;
  const item = new vscode.TreeItem(labelOf(row, MAX_LABEL));
  item.id = `${path}\n${entryId}`;
  item.iconPath = new vscode.ThemeIcon(ICONS[version.kind]);
  if (badge) item.resourceUri = badge;
  item.description = [badge ? '' : age, linesText(version)].filter((part) => part !== '').join(' · ');
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

const labelOf = ({ path, turn }: VersionRow, max = MAX_PROMPT): string =>
  uiLine(turn ? (turn.prompt ?? localizeTitle(turn.title)) : basename(path), max);

const linesText = ({ added, removed }: FileRevision): string => `+${added} −${removed}`;

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
