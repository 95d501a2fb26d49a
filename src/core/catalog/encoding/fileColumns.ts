/** Codec between a file's record and the columns of the table `sessions`. */
import { basename } from 'node:path';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import type { SessionMarks, SessionState } from '../../format/session/session';
import { DamagedDatabase, parseStoredJson } from '../database/databaseErrors';
import { FACTS_DIGITS } from '../../files/read/fileVersion';
import { NO_MESSAGES } from '../../format/session/sessionTitle';
import type { SharedStrings } from './sharedStrings';
import type { KnownFile, RowProblem, StoredRow } from '../rows/catalogRow';
import { firstMessageLine, foldersOf, type SessionSummary } from '../rows/sessionSummary';

/** The columns in the order of `FileColumns`. */
export const FILE_COLUMNS = 'size, mtime, ino, owner, row';

export type FileColumns = readonly [size: number, mtime: number, ino: string, owner: string | null, row: string];

/** The columns of a file that was read in full. */
export function encodeFile({ version: { size, mtimeMs, ino, facts }, owner, row }: KnownFile): FileColumns {
  return [size, mtimeMs, facts === undefined ? ino : `${FACTS}${facts}${ino}`, owner ?? null, encodeRow(row)];
}

/** Stands before the digest of facts that a database tells of a session. No inode begins with it. */
const FACTS = '#';

/** @throws {DamagedDatabase} if the row isn't one of `encodeFile`. */
export function decodeFile(
  path: string,
  { 0: size, 1: mtimeMs, 2: ino, 3: owner, 4: row }: FileColumns,
  strings?: SharedStrings,
): KnownFile {
  const end = FACTS.length + FACTS_DIGITS;
  const version = ino.startsWith(FACTS)
    ? { size, mtimeMs, ino: ino.slice(end), facts: ino.slice(FACTS.length, end) }
    : { size, mtimeMs, ino };
  const file = { path, version, complete: true, row: decodeRow(path, row, strings) };
  return owner === null ? file : { ...file, owner };
}

/** Short, because lists read thousands of rows: a JSON array of the values without their names, the optional ones last. */
function encodeRow({ summary, firstMessage = NO_MESSAGES, problem }: StoredRow): string {
  const { id, cwd, created, modified, messageCount, dialect, problems, writable, isOld, name, title } = summary;
  const { parentSession, suspectedTip, marks, additionalDirectories } = summary;
  const values: unknown[] = [
    id === idInName(summary.path) ? null : id,
    cwd,
    created === 0 ? null : created,
    modified,
    messageCount,
    firstMessage,
    dialect,
    problems,
    writable ? 1 : 0,
    isOld ? 1 : 0,
    name,
    parentSession,
    suspectedTip,
    problem,
    title === usualTitle(summary) ? undefined : title,
    marks,
    additionalDirectories,
  ];
  while (values.at(-1) === undefined) values.pop();
  return JSON.stringify(values);
}

/** Their names, which the rows share. */
const DIALECTS = Object.keys(DIALECT_FACTS) as Dialect[];

/** The id that isn't stored: the programs name a file `<time>_<id>.jsonl` or `<id>.jsonl`. */
const idInName = (path: string): string => {
  const name = basename(path, '.jsonl');
  return name.slice(name.indexOf('_') + 1);
};

/** The title that isn't stored. */
const usualTitle = ({ name, firstMessage }: Pick<SessionSummary, 'name' | 'firstMessage'>): string => name ?? firstMessage ?? NO_MESSAGES;

/** @throws {DamagedDatabase} if the text isn't one of `encodeRow`. */
export function decodeRow(path: string, text: string, strings?: SharedStrings): StoredRow {
  const values = parseStoredJson(text);
  if (!isRowValues(values)) throw new DamagedDatabase('A stored row isn’t one.');
  // Read by index: thousands of rows are decoded at a start, and destructuring an array runs its iterator.
  const summary: MutableSummary = {
    path,
    dialect: DIALECTS.find((one) => one === values[6]) ?? values[6],
    id: values[0] ?? idInName(path),
    cwd: strings?.of(values[1]) ?? values[1],
    title: NO_MESSAGES,
    created: values[2] ?? 0,
    modified: values[3],
    messageCount: values[4],
    problems: values[7],
    writable: values[8] === 1,
    isOld: values[9] === 1,
  };
  const { 5: firstMessage, 10: name, 11: parentSession, 12: suspectedTip, 13: problem, 14: title, 15: marks, 16: folders } = values;
  if (typeof name === 'string') summary.name = name;
  if (typeof parentSession === 'string' && parentSession !== '') summary.parentSession = parentSession;
  if (typeof suspectedTip === 'string') summary.suspectedTip = suspectedTip;
  if (marks) summary.marks = marksOf(marks);
  const { additionalDirectories } = foldersOf({ additionalDirectories: folders });
  if (additionalDirectories) summary.additionalDirectories = additionalDirectories;
  const line = firstMessage === NO_MESSAGES ? undefined : firstMessageLine(firstMessage);
  if (line !== undefined) summary.firstMessage = line;
  summary.title = title ?? usualTitle(summary);
  if (firstMessage === NO_MESSAGES) return problem ? { summary, problem } : { summary };
  return problem ? { summary, firstMessage, problem } : { summary, firstMessage };
}

type RowValues = [
  string | null,
  string,
  number | null,
  number,
  number,
  string,
  Dialect,
  number,
  number,
  number,
  (string | null)?,
  (string | null)?,
  (string | null)?,
  (RowProblem | null)?,
  (string | null)?,
  (SessionMarks | null)?,
  (readonly string[])?,
];
type MutableSummary = { -readonly [K in keyof SessionSummary]: SessionSummary[K] };

const STATES: readonly SessionState[] = ['working', 'waiting', 'failed', 'idle'];

function marksOf({ state, isPinned, isArchived }: { readonly [K in keyof SessionMarks]: unknown }): SessionMarks {
  const known = STATES.find((one) => one === state);
  return {
    // eslint-disable-next-line local/optional-property -- `defined` costs more, and this runs for each stored file.
    ...(known ? { state: known } : {}),
    ...(isPinned === true ? { isPinned } : {}),
    ...(isArchived === true ? { isArchived } : {}),
  };
}

/** Checked, because rows are shown before the database is verified. */
function isRowValues(values: unknown): values is RowValues {
  if (!Array.isArray(values)) return false;
  const {
    0: id,
    1: cwd,
    2: created,
    3: modified,
    4: messageCount,
    5: firstMessage,
    6: dialect,
    7: problems,
    13: problem,
    14: title,
  } = values as unknown[];
  return (
    (id === null || typeof id === 'string') &&
    typeof cwd === 'string' &&
    (created === null || typeof created === 'number') &&
    typeof modified === 'number' &&
    typeof messageCount === 'number' &&
    typeof firstMessage === 'string' &&
    typeof dialect === 'string' &&
    Object.hasOwn(DIALECT_FACTS, dialect) &&
    typeof problems === 'number' &&
    isProblem(problem) &&
    (title === undefined || title === null || typeof title === 'string')
  );
}

function isProblem(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const { code, template, args, message } = value as { [K in keyof RowProblem]: unknown };
  return (
    typeof code === 'string' && typeof template === 'string' && typeof args === 'object' && args !== null && typeof message === 'string'
  );
}
