/** The messages between the catalog and its worker threads. Plain data. */
import type { MessagePort } from 'node:worker_threads';
import type { Root } from '../../../files/locate/roots';
import type { SerializedError } from '../../../files/concurrency/threadErrors';
import type { DatabaseLocation } from '../../database/database';
import type { FileColumns } from '../../encoding/fileColumns';
import type { FolderTouch, LocatedTouch } from '../../encoding/touchTable';
import type { PulseMemory } from '../../../files/concurrency/pulse';
import type { FolderRequest, ReadFolder } from './packedFolder';
import type { VersionNumbers } from './versionNumbers';
import type { StaleFile } from '../../rows/catalogRow';
import type { InventoryFile } from '../../rows/inventoryFile';
import type { PackedUsage } from '../../encoding/packedUsage';
import type { KnownWord } from '../../search/knownWords';
import type { SearchHit, SearchOptions } from '../../search/search';
import type { FileList } from './fileList';

/** Decides what a thread does: it writes the database, reads files for the writing thread, or reads the database. */
export type WorkerData = IndexWorkerData | ScanWorkerData | SearchWorkerData;

/** The usage to be packed. */
export interface UsageRequest {
  /** The time zone of the days, by default UTC. */
  readonly timeZone?: string;
  /** Milliseconds since 1970: days before that of this time needn't be complete. */
  readonly since?: number;
}

export interface IndexWorkerData extends DatabaseLocation {
  readonly pulse: PulseMemory;
}

interface ScanWorkerData {
  readonly reader: MessagePort;
  readonly pulse: PulseMemory;
}

/** The database to read, and the roots whose files count: the database may have the files of other windows' roots. */
export interface SearchWorkerData {
  readonly database: DatabaseLocation;
  readonly roots: readonly Root[];
}

/** From this many bytes on a second reading thread is worth its start. */
const LARGE_BATCH_BYTES = 16 * 1024 * 1024;

/** @param bytes the size of all files together */
export const isLargeBatch = (files: number, bytes: number): boolean => files > 1 && bytes > LARGE_BATCH_BYTES;

export type IndexRequest =
  /**
   * Setting `stop[0]` to 1 ends it once the files read so far are stored. `isComplete`: also adds all words that were left for
   * later. `reader`: port of a thread that waits for files to read. `leftOut`: files that broke down or stopped a thread, with
   * their errors; they aren't read.
   */
  | {
      readonly kind: 'index';
      readonly id: number;
      readonly files: FileList;
      readonly gone: readonly string[];
      readonly isComplete: boolean;
      readonly stop: Int32Array<SharedArrayBuffer>;
      readonly reader?: MessagePort;
      readonly leftOut?: ReadonlyMap<string, SerializedError>;
    }
  /** Checks the database if a process may have ended without closing it. `damaged`: inode of the file that a reader found damaged. */
  | { readonly kind: 'check'; readonly id: number; readonly damaged?: bigint }
  | { readonly kind: 'forget'; readonly id: number; readonly paths?: readonly string[] }
  | { readonly kind: 'close'; readonly id: number };

/** The record of a file as the database has it: a few values are sent in a fraction of the time and memory of the objects. */
export interface EncodedFile {
  /** The file's index in the request's list. */
  readonly index: number;
  readonly columns: FileColumns;
}

export type IndexResponse =
  /** The database was opened for this request, and has its last written content. */
  | {
      readonly kind: 'progress';
      readonly id: number;
      /** Files that were read in full. */
      readonly files: readonly EncodedFile[];
      /** The indexes of files that are gone. */
      readonly gone: readonly number[];
      readonly done: number;
      /** Equal to `done` when everything is searchable. */
      readonly total: number;
    }
  /** `wasRebuilt`: the database is a new one, so all its former content must be read again. */
  | { readonly kind: 'done'; readonly id: number; readonly wasRebuilt: boolean }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SerializedError };

interface SearchParams {
  readonly query: string;
  readonly options: Omit<SearchOptions, 'signal' | 'running'>;
  /** The files that aren't searched. */
  readonly without?: ReadonlySet<string>;
}

/** The search thread's methods. Searches yield to other requests while they run; the others run to their end. */
export interface WorkerMethods {
  readonly search: {
    readonly params: SearchParams;
    readonly result: SearchHit[];
  };
  /** The paths of the sessions in which `search` finds something. */
  readonly sessionsMatching: { readonly params: SearchParams; readonly result: string[] };
  /** See `knownWords`. */
  readonly knownWords: { readonly params: SearchParams; readonly result: KnownWord[] };
  readonly tools: { readonly params: undefined; readonly result: string[] };
  /** The paths are absolute ones, of any platform. */
  readonly touching: { readonly params: string; readonly result: { path: string; entryId: string; kind: 'read' | 'write' }[] };
  /** See `pathsNamed`. */
  readonly pathsNamed: { readonly params: string; readonly result: string[] };
  readonly locatedTouches: { readonly params: readonly string[]; readonly result: LocatedTouch[] };
  readonly touchesWithin: { readonly params: readonly string[]; readonly result: FolderTouch[] };
  readonly usage: { readonly params: UsageRequest; readonly result: PackedUsage };
  /** Rows from the beginnings and ends of files. */
  readonly quickScan: { readonly params: readonly StaleFile[]; readonly result: FileColumns[] };
  /** See `foldersSync`. */
  readonly folders: { readonly params: readonly FolderRequest[]; readonly result: ReadFolder[] };
  readonly versions: { readonly params: readonly string[]; readonly result: VersionNumbers };
  readonly close: { readonly params: undefined; readonly result: undefined };
}

export type WorkerRequest = {
  readonly [K in keyof WorkerMethods]: { readonly id: number; readonly kind: K; readonly params: WorkerMethods[K]['params'] };
}[keyof WorkerMethods];

/** `stop`: the response isn't needed any more. */
export type WorkerMessage = WorkerRequest | { readonly id: number; readonly kind: 'stop' };

export type WorkerResponse =
  | { readonly id: number; readonly result: WorkerMethods[keyof WorkerMethods]['result'] }
  | { readonly id: number; readonly error: SerializedError }
  /** `damaged`: inode of the damaged file. */
  | { readonly id: number; readonly damaged: bigint | undefined }
  /** The request was stopped. */
  | { readonly id: number; readonly ended: true }
  /** The request runs from now on, and nothing else runs in the thread until its response. */
  | { readonly id: number; readonly started: true };

/** The work of one request to the index. */
export interface IndexWork {
  /** Files to be read, newest first. */
  readonly files: readonly InventoryFile[];
  /** Paths of files that are gone. */
  readonly gone: readonly string[];
  /** True to make everything searchable, also sessions whose words an earlier request has left. */
  readonly isComplete: boolean;
}
