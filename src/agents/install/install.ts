/** Lets agents of other programs look up sessions by an entry in their settings, and takes it back. What isn't ours is never changed. */
import { dirname } from 'node:path';
import { isObject, SessionError } from '../../core/index';
import type { AgentFiles } from '../agentFiles';
import { entryIn, insertEntry, withoutEntry } from './editJson';
import { appendTable, mayHaveTable } from './editToml';
import { readRecord, writeRecord, type WrittenChange } from './record';
import { readSettings, writeSettings } from './settingsFile';
import type { Target } from './targets';
import { applied, takenBack, type TextChange } from './textChange';

/** `theirs`: an entry of our name that isn't ours. */
export type EntryState = 'absent' | 'ours' | 'theirs';

export interface PlannedEntry {
  readonly state: EntryState;
  /** The lines that are added. */
  readonly lines: string;
  /** The text of the file now; `undefined` if there's none. */
  readonly before: string | undefined;
  /** The text with our entry; as before unless it's absent. */
  readonly after: string;
  readonly change?: TextChange;
}

/** Reads the file, and says what would be written. @throws {SessionError} `invalid` if the file can't be changed safely */
export async function planEntry({ file, content }: Target, files: Pick<AgentFiles, 'launcher'>): Promise<PlannedEntry> {
  const before = await readSettings(file);
  const text = before ?? '';
  const lines = linesOf(content);
  const as = (state: EntryState): PlannedEntry => ({ state, lines, before, after: text });
  switch (content.form) {
    case 'json': {
      const entry = entryIn(text, content.keys, file);
      if (entry !== undefined) return as(isObject(entry) && entry['command'] === files.launcher ? 'ours' : 'theirs');
      return planned(as('absent'), insertEntry(text, content.keys, content.value, file));
    }
    case 'toml':
      if (mayHaveTable(text, content.table)) return as(text.replaceAll('\r\n', '\n').includes(content.text) ? 'ours' : 'theirs');
      return planned(as('absent'), appendTable(text, content.table, content.text, file));
    case 'file':
      if (before !== undefined) return as(before === content.text ? 'ours' : 'theirs');
      return planned(as('absent'), { offset: 0, removed: '', inserted: content.text });
  }
}

const planned = (plan: PlannedEntry, change: TextChange): PlannedEntry => ({ ...plan, after: applied(plan.after, change), change });

function linesOf(content: Target['content']): string {
  if (content.form !== 'json') return content.text;
  const nested = content.keys.toReversed().reduce<object>((value, key) => ({ [key]: value }), content.value);
  return `${JSON.stringify(nested, null, 2)}\n`;
}

/**
 * Writes the entry. The record is written first, so that nothing is there that can't be taken back.
 *
 * @param extensions see `InstalledRecord`
 * @throws {SessionError} `invalid` if there is another entry of this name, or as {@link planEntry}
 */
export async function writeEntry(target: Target, files: AgentFiles, extensions: string): Promise<void> {
  const { state, before, after, change } = await planEntry(target, files);
  const { id, file, name } = target;
  if (state === 'theirs')
    throw new SessionError('invalid', '{name} has another entry “session-tree”, which is left as it is: {path}', { name, path: file });
  if (!change) return;
  const record = await readRecord(files);
  const { removed, inserted } = change;
  const written: WrittenChange = { target: id, file, removed, inserted, isNew: before === undefined };
  await writeRecord(files, { ...record, extensions, changes: [...record.changes.filter((one) => one.file !== file), written] });
  await writeSettings(file, before, after);
}

/**
 * Takes back what was written for a program.
 *
 * @returns false if there's nothing of ours any more
 * @throws {SessionError} as {@link planEntry}, or `invalid` if our entry was changed so that it can't be told from others
 */
export async function takeBackEntry(target: Target, files: AgentFiles): Promise<boolean> {
  const { file, content } = target;
  const record = await readRecord(files);
  const written = record.changes.find((one) => one.file === file);
  const { state, before } = await planEntry(target, files);
  const isThere =
    before !== undefined && (state === 'ours' || (written !== undefined && content.form !== 'json' && before.includes(written.inserted)));
  if (isThere) {
    const after = (written && takenBack(before, written)) ?? withoutOurs(before, target);
    const isEmpty = written?.isNew === true && (after.trim() === '' || after.replaceAll(/\s/g, '') === '{}');
    await writeSettings(file, before, isEmpty ? undefined : after, content.form === 'file');
  }
  const rest = record.changes.filter((one) => one.file !== file);
  if (rest.length < record.changes.length) await writeRecord(files, { ...record, changes: rest });
  return isThere;
}

function withoutOurs(text: string, { file, content }: Target): string {
  if (content.form === 'json') return withoutEntry(text, content.keys);
  if (content.form === 'file' && text === content.text) return '';
  throw new SessionError('invalid', 'The entry “session-tree” was changed since it was written, so it’s left as it is: {path}', {
    path: file,
  });
}

/** Returns the folder of all extensions, for the record. @param extension the folder of this one */
export const extensionsFolder = (extension: string): string => dirname(extension);
