/** What the catalog and its worker say to each other. Plain data. */
import type { MessagePort } from 'node:worker_threads';
import type { Dialect } from '../../format/entry/dialect';
import { SessionError, type MessageArgs, type SessionErrorCode } from '../../format/entry/problem';
import type { SearchWorkerData } from './searchWorker';
import type { DatabaseLocation } from '../database/database';
import type { FileState, KnownFile } from '../rows/catalogRow';

/** Of the thread that writes the database, of one that reads files for it, or of the one that reads the database. */
export type WorkerData = DatabaseLocation | { readonly reader: MessagePort } | SearchWorkerData;

/** A file to look at; `dialect` as its folder says. */
export interface StaleFile extends FileState {
  readonly dialect: Dialect;
}

/** From this many bytes on a second thread is worth its start. */
const LARGE_BATCH_BYTES = 16 * 1024 * 1024;

export const isLargeBatch = (files: readonly StaleFile[]): boolean => files.length > 1 && files.reduce((sum, { version }) => sum + version.size, 0) > LARGE_BATCH_BYTES;

/** What the worker is told: some of the files of an `index` that comes, since many at once take long to be copied, or what it shall do. */
export type IndexMessage = { readonly kind: 'files'; readonly id: number; readonly files: readonly StaleFile[] } | IndexRequest;

export type IndexRequest =
  /** `stop[0]` set to 1 ends it after what has been done is stored. `reader`: where another thread waits for files to read. */
  | { readonly kind: 'index'; readonly id: number; readonly gone: readonly string[]; readonly stop: Int32Array<SharedArrayBuffer>; readonly reader?: MessagePort }
  /** Opens the database where it isn't open, which checks it. `damaged`: number of the file in which a reader met damage. */
  | { readonly kind: 'check'; readonly id: number; readonly damaged?: bigint }
  | { readonly kind: 'forget'; readonly id: number; readonly paths?: readonly string[] }
  | { readonly kind: 'close'; readonly id: number };

export type IndexResponse =
  /** The database was opened for this request, and is as it was written. */
  | { readonly kind: 'checked'; readonly id: number }
  | { readonly kind: 'progress'; readonly id: number; readonly files: readonly KnownFile[]; readonly gone: readonly string[]; readonly done: number }
  /** `anew`: the database had to be made anew, so that what was in it must be read again. */
  | { readonly kind: 'done'; readonly id: number; readonly anew: boolean }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SerializedError };

export interface SerializedError {
  readonly message: string;
  readonly stack?: string;
  readonly session?: { readonly code: SessionErrorCode; readonly template: string; readonly args: MessageArgs };
}

export function serializeError(error: unknown): SerializedError {
  if (error instanceof SessionError) return { message: error.message, session: { code: error.code, template: error.template, args: error.args } };
  return error instanceof Error ? { message: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) } : { message: String(error) };
}

export function deserializeError({ message, stack, session }: SerializedError): Error {
  if (session) return new SessionError(session.code, session.template, session.args);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
