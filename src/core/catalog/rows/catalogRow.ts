/** What the catalog knows of a file: a row for lists, and what it was read from. Plain data, for the database and between threads. */
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import { SessionError, type MessageArgs, type SessionErrorCode } from '../../format/entry/problem';
import type { FileVersion } from '../../files/read/sessionFile';
import type { SessionInfo } from '../../files/api/listSessions';
import { DamagedDatabase, parseStoredJson } from '../database/databaseErrors';

/** Why a file can't be read; its sentence as a template, to be shown in the person's language. */
export interface RowProblem {
  readonly code: SessionErrorCode | 'error';
  readonly template: string;
  readonly args: MessageArgs;
  readonly message: string;
}

export interface CatalogRow extends Omit<SessionInfo, 'allMessagesText'> {
  readonly dialect: Dialect;
  /** The file can't be read, or is no session. */
  readonly problem?: RowProblem;
  /** Whether the whole file was read. Before that, what its beginning and end tell. */
  readonly complete: boolean;
  /** The session whose subagent wrote this one. */
  readonly owner?: string;
  /** How much is odd about the file. */
  readonly problems: number;
  readonly writable: boolean;
  readonly isOld: boolean;
  /** The tip that the session probably should be at, where its leaf looks like an accident. */
  readonly suspectedTip?: string;
}

/** A row as it is stored: times in milliseconds, `null` for none. */
export type StoredRow = Omit<CatalogRow, 'path' | 'owner' | 'complete' | 'created' | 'modified'> & { readonly created: number | null; readonly modified: number };

/** A file in one of its states. */
export interface FileState {
  readonly path: string;
  readonly owner?: string;
  readonly version: FileVersion;
}

export interface KnownFile extends FileState {
  readonly row: StoredRow;
  readonly complete: boolean;
}

/** Short, because lists read thousands of them: the values without their names, those that may be absent last. */
export function encodeRow(row: StoredRow): string {
  const { id, cwd, created, modified, messageCount, firstMessage, dialect, problems, writable, isOld, name, parentSessionPath, suspectedTip, problem } = row;
  const values: unknown[] = [id, cwd, created, modified, messageCount, firstMessage, dialect, problems, writable ? 1 : 0, isOld ? 1 : 0, name, parentSessionPath, suspectedTip, problem];
  while (values.at(-1) === undefined) values.pop();
  return JSON.stringify(values);
}

/** @throws {DamagedDatabase} if the text is none of `encodeRow`. */
export function decodeRow(text: string): StoredRow {
  const values = parseStoredJson(text);
  if (!isStoredRow(values)) throw new DamagedDatabase('A stored row isn’t one.');
  const [id, cwd, created, modified, messageCount, firstMessage, dialect, problems, writable, isOld, name, parentSessionPath, suspectedTip, problem] = values;
  const row: MutableRow = { id, cwd, created, modified, messageCount, firstMessage, dialect, problems, writable: writable === 1, isOld: isOld === 1 };
  if (values.length <= 10) return row;
  if (typeof name === 'string') row.name = name;
  if (typeof parentSessionPath === 'string') row.parentSessionPath = parentSessionPath;
  if (typeof suspectedTip === 'string') row.suspectedTip = suspectedTip;
  if (problem) row.problem = problem;
  return row;
}

type StoredRowValues = [string, string, number | null, number, number, string, Dialect, number, number, number, (string | null)?, (string | null)?, (string | null)?, RowProblem?];

/** Rows are shown before the database is checked. */
function isStoredRow(values: unknown): values is StoredRowValues {
  if (!Array.isArray(values)) return false;
  const [id, cwd, created, modified, messageCount, firstMessage, dialect, problems] = values as unknown[];
  return typeof id === 'string' && typeof cwd === 'string' && (created === null || typeof created === 'number') && typeof modified === 'number' &&
    typeof messageCount === 'number' && typeof firstMessage === 'string' && typeof dialect === 'string' && Object.hasOwn(DIALECT_FACTS, dialect) && typeof problems === 'number' &&
    isProblem((values as unknown[])[13]);
}

function isProblem(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const { code, template, args, message } = value as { [K in keyof RowProblem]: unknown };
  return typeof code === 'string' && typeof template === 'string' && typeof args === 'object' && args !== null && typeof message === 'string';
}

type MutableRow = { -readonly [K in keyof StoredRow]: StoredRow[K] };

export const NO_MESSAGES = '(no messages)';

export function toCatalogRow({ path, owner, row, complete }: KnownFile): CatalogRow {
  return {
    ...row,
    path,
    created: new Date(row.created ?? Number.NaN),
    modified: new Date(row.modified),
    complete,
    ...(owner === undefined ? {} : { owner }),
  };
}

/** The row of a file that can't be read. */
export function unreadableRow(error: unknown, dialect: Dialect, modified: number): StoredRow {
  return { id: '', cwd: '', created: null, modified, messageCount: 0, firstMessage: NO_MESSAGES, dialect, problem: problemOf(error), problems: 0, writable: false, isOld: false };
}

function problemOf(error: unknown): RowProblem {
  if (error instanceof SessionError) return { code: error.code, template: error.template, args: error.args, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'error', template: '{message}', args: { message }, message };
}

/** The error that a problem was. */
export const errorFromProblem = ({ code, template, args, message }: RowProblem): Error => (code === 'error' ? new Error(message) : new SessionError(code, template, args));
