/**
 * The thread that reads the database for whoever asks: how long a search takes grows with the store, and nobody who has a
 * tree to show may wait for it.
 */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { yieldToEventLoop } from '../../files/io/eventLoop';
import { expandPath, rootOf, type Root } from '../../files/locate/roots';
import { DamagedDatabase, mapDatabaseError } from '../database/databaseErrors';
import type { DatabaseLocation } from '../database/database';
import { createQuickScanBuffer } from '../rows/quickScan';
import { quickScanSync } from '../rows/quickScanSync';
import { serializeError, type SerializedError, type StaleFile } from './workerProtocol';
import type { StoredRow } from '../rows/catalogRow';
import { search, type SearchHit, type SearchOptions } from '../search/search';
import { CatalogReader } from '../database/catalogReader';
import type { SessionUsage } from '../rows/usageBy';
import { fileVersionsSync, type SyncVersion } from '../refresh/fileVersionsSync';

/** What can be asked, and what is told. */
export interface WorkerMethods {
  readonly search: { readonly of: { readonly query: string; readonly options: Omit<SearchOptions, 'signal'> }; readonly told: SearchHit[] };
  readonly tools: { readonly of: undefined; readonly told: string[] };
  readonly touching: { readonly of: string; readonly told: { path: string; entryId: string; kind: 'read' | 'write' }[] };
  readonly usage: { readonly of: undefined; readonly told: SessionUsage[] };
  /** Of each file what its beginning and end tell. */
  readonly looks: { readonly of: readonly StaleFile[]; readonly told: StoredRow[] };
  /** The states of files. */
  readonly versions: { readonly of: readonly string[]; readonly told: SyncVersion[] };
  readonly close: { readonly of: undefined; readonly told: undefined };
}

export type WorkerRequest = { readonly [K in keyof WorkerMethods]: { readonly id: number; readonly kind: K; readonly of: WorkerMethods[K]['of'] } }[keyof WorkerMethods];

/** `stop`: nobody waits for the answer any more. */
export type WorkerMessage = WorkerRequest | { readonly id: number; readonly kind: 'stop' };

/** `damaged`: number of the file in which damage was met. `ended`: it was stopped. */
export type WorkerResponse =
  | { readonly id: number; readonly told: WorkerMethods[keyof WorkerMethods]['told'] }
  | { readonly id: number; readonly error: SerializedError }
  | { readonly id: number; readonly damaged: bigint | undefined }
  | { readonly id: number; readonly ended: true };

/** Where it reads, and whose files it tells of: the database may hold what other windows' roots have. */
export interface SearchWorkerData {
  readonly answering: DatabaseLocation;
  readonly roots: readonly Root[];
}

export function runSearchWorker(port: MessagePort, { answering: place, roots }: SearchWorkerData): void {
  const stored = new CatalogReader(place);
  const asked = new Map<number, AbortController>();
  const isOurs = (path: string): boolean => rootOf(path, roots) !== undefined;

  async function answer(question: WorkerRequest, signal: AbortSignal): Promise<WorkerMethods[keyof WorkerMethods]['told']> {
    switch (question.kind) {
      case 'search':
        return search({ reader: stored, isInRoots: isOurs, indexed: place.indexed }, question.of.query, { ...question.of.options, signal });
      case 'tools':
        return stored.tools();
      case 'touching':
        return stored.touching(resolve(expandPath(question.of, homedir())));
      case 'usage':
        return stored.usage();
      case 'looks': {
        const room = createQuickScanBuffer();
        return question.of.map((file) => quickScanSync(file, room));
      }
      case 'versions':
        return fileVersionsSync(question.of);
      case 'close':
        stored.close();
        return undefined;
    }
  }

  function failure(id: number, isStopped: boolean, error: unknown): WorkerResponse {
    if (isStopped) return { id, ended: true };
    const located = stored.locateDamage(error);
    return located instanceof DamagedDatabase ? { id, damaged: located.ino } : { id, error: serializeError(mapDatabaseError(error, place.cacheDir)) };
  }

  async function serve(question: WorkerRequest): Promise<void> {
    const { id } = question;
    const stop = new AbortController();
    asked.set(id, stop);
    try {
      // Of letters typed fast only the last is worth an answer.
      await yieldToEventLoop();
      stop.signal.throwIfAborted();
      port.postMessage({ id, told: await answer(question, stop.signal) } satisfies WorkerResponse);
    } catch (error) {
      port.postMessage(failure(id, stop.signal.aborted, error));
    } finally {
      asked.delete(id);
    }
  }

  port.on('message', (message: WorkerMessage) => {
    if (message.kind === 'stop') asked.get(message.id)?.abort();
    else void serve(message);
  });
}
