/** Codec between a file's record and the columns of the table `sessions`. */
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import { DamagedDatabase, parseStoredJson } from '../database/databaseErrors';
import { NO_MESSAGES, readableRow, type KnownFile, type RowProblem, type StoredRow } from '../rows/catalogRow';
import type { SessionSummary } from '../rows/sessionSummary';

/** The columns in the order of `FileColumns`. */
export const FILE_COLUMNS = 'size, mtime, ino, owner, row';

export type FileColumns = readonly [size: number, mtime: number, ino: string, owner: string | null, row: string];

/** The columns of a file that was read in full. */
export function encodeFile({ version: { size, mtimeMs, ino }, owner, row }: KnownFile): FileColumns {
  return [size, mtimeMs, ino, owner ?? null, encodeRow(row)];
}

/** @throws {DamagedDatabase} if the row isn't one of `encodeFile`. */
export function decodeFile(path: string, [size, mtimeMs, ino, owner, row]: FileColumns): KnownFile {
  return { path, version: { size, mtimeMs, ino }, complete: true, row: decodeRow(path, row), ...(owner === null ? {} : { owner }) };
}

/** Short, because lists read thousands of rows: a JSON array of the values without their names, the optional ones last. */
function encodeRow({ summary, firstMessage = NO_MESSAGES, problem }: StoredRow): string {
  const { id, cwd, created, modified, messageCount, dialect, problems, writable, isOld, name, parentSession, suspectedTip } = summary;
  const values: unknown[] = [
    id,
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
  ];
  while (values.at(-1) === undefined) values.pop();
  return JSON.stringify(values);
}

/** @throws {DamagedDatabase} if the text isn't one of `encodeRow`. */
export function decodeRow(path: string, text: string): StoredRow {
  const values = parseStoredJson(text);
  if (!isRowValues(values)) throw new DamagedDatabase('A stored row isn’t one.');
  const [
    id,
    cwd,
    created,
    modified,
    messageCount,
    firstMessage,
    dialect,
    problems,
    writable,
    isOld,
    name,
    parentSession,
    suspectedTip,
    problem,
  ] = values;
  const summary: MutableSummary = {
    path,
    dialect,
    id,
    cwd,
    created: created ?? 0,
    modified,
    messageCount,
    problems,
    writable: writable === 1,
    isOld: isOld === 1,
  };
  if (typeof name === 'string') summary.name = name;
  if (typeof parentSession === 'string' && parentSession !== '') summary.parentSession = parentSession;
  if (typeof suspectedTip === 'string') summary.suspectedTip = suspectedTip;
  const row = readableRow(summary, firstMessage);
  return problem ? { ...row, problem } : row;
}

type RowValues = [
  string,
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
  RowProblem?,
];
type MutableSummary = { -readonly [K in keyof SessionSummary]: SessionSummary[K] };

/** Checked, because rows are shown before the database is verified. */
function isRowValues(values: unknown): values is RowValues {
  if (!Array.isArray(values)) return false;
  const [id, cwd, created, modified, messageCount, firstMessage, dialect, problems] = values as unknown[];
  return (
    typeof id === 'string' &&
    typeof cwd === 'string' &&
    (created === null || typeof created === 'number') &&
    typeof modified === 'number' &&
    typeof messageCount === 'number' &&
    typeof firstMessage === 'string' &&
    typeof dialect === 'string' &&
    Object.hasOwn(DIALECT_FACTS, dialect) &&
    typeof problems === 'number' &&
    isProblem((values as unknown[])[13])
  );
}

function isProblem(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const { code, template, args, message } = value as { [K in keyof RowProblem]: unknown };
  return (
    typeof code === 'string' && typeof template === 'string' && typeof args === 'object' && args !== null && typeof message === 'string'
  );
}
