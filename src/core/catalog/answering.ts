/**
 * The thread that reads the database for whoever asks: how long a search takes grows with the store, and nobody who has a
 * tree to show may wait for it.
 */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { turn } from '../files/pause';
import { expandPath, type Root } from '../files/roots';
import { DamagedDatabase, databaseError } from './damage';
import type { DatabasePlace } from './database';
import { roomToLook } from './firstLook';
import { firstLookNow } from './firstLookNow';
import { rootAround } from './listing';
import { plainError, type PlainError, type StaleFile } from './protocol';
import type { StoredRow } from './row';
import { search, type SearchHit, type SearchOptions } from './search';
import { StoredCatalog } from './storedCatalog';
import type { SessionUsage } from './usageBy';
import { versionsNow, type ToldVersion } from './versionsNow';

/** What can be asked, and what is told. */
export interface Questions {
  readonly search: { readonly of: { readonly query: string; readonly options: Omit<SearchOptions, 'signal'> }; readonly told: SearchHit[] };
  readonly tools: { readonly of: undefined; readonly told: string[] };
  readonly touching: { readonly of: string; readonly told: { path: string; entryId: string; kind: 'read' | 'write' }[] };
  readonly usage: { readonly of: undefined; readonly told: SessionUsage[] };
  /** Of each file what its beginning and end tell. */
  readonly looks: { readonly of: readonly StaleFile[]; readonly told: StoredRow[] };
  /** The states of files. */
  readonly versions: { readonly of: readonly string[]; readonly told: ToldVersion[] };
  readonly close: { readonly of: undefined; readonly told: undefined };
}

export type Question = { readonly [K in keyof Questions]: { readonly id: number; readonly kind: K; readonly of: Questions[K]['of'] } }[keyof Questions];

/** `stop`: nobody waits for the answer any more. */
export type ToAnswer = Question | { readonly id: number; readonly kind: 'stop' };

/** `damaged`: number of the file in which damage was met. `ended`: it was stopped. */
export type Told =
  | { readonly id: number; readonly told: Questions[keyof Questions]['told'] }
  | { readonly id: number; readonly error: PlainError }
  | { readonly id: number; readonly damaged: bigint | undefined }
  | { readonly id: number; readonly ended: true };

/** Where it reads, and whose files it tells of: the database may hold what other windows' roots have. */
export interface Answering {
  readonly answering: DatabasePlace;
  readonly roots: readonly Root[];
}

export function answerQuestions(port: MessagePort, { answering: place, roots }: Answering): void {
  const stored = new StoredCatalog(place);
  const asked = new Map<number, AbortController>();
  const isOurs = (path: string): boolean => rootAround(roots, path) !== undefined;

  async function answer(question: Question, signal: AbortSignal): Promise<Questions[keyof Questions]['told']> {
    switch (question.kind) {
      case 'search':
        return search({ stored, isOurs, indexed: place.indexed }, question.of.query, { ...question.of.options, signal });
      case 'tools':
        return stored.tools();
      case 'touching':
        return stored.touching(resolve(expandPath(question.of, homedir())));
      case 'usage':
        return stored.usage();
      case 'looks': {
        const room = roomToLook();
        return question.of.map((file) => firstLookNow(file, room));
      }
      case 'versions':
        return versionsNow(question.of);
      case 'close':
        stored.close();
        return undefined;
    }
  }

  function failure(id: number, isStopped: boolean, error: unknown): Told {
    if (isStopped) return { id, ended: true };
    const located = stored.locate(error);
    return located instanceof DamagedDatabase ? { id, damaged: located.ino } : { id, error: plainError(databaseError(error, place.cacheDir)) };
  }

  async function serve(question: Question): Promise<void> {
    const { id } = question;
    const stop = new AbortController();
    asked.set(id, stop);
    try {
      // Of letters typed fast only the last is worth an answer.
      await turn();
      stop.signal.throwIfAborted();
      port.postMessage({ id, told: await answer(question, stop.signal) } satisfies Told);
    } catch (error) {
      port.postMessage(failure(id, stop.signal.aborted, error));
    } finally {
      asked.delete(id);
    }
  }

  port.on('message', (message: ToAnswer) => {
    if (message.kind === 'stop') asked.get(message.id)?.abort();
    else void serve(message);
  });
}
