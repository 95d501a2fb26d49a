/** The thread that reads the database. The time of a search grows with the store, and the extension host must not wait for it. */
import type { MessagePort } from 'node:worker_threads';
import { yieldToEventLoop } from '../../files/concurrency/eventLoop';
import { mapPath } from '../../files/locate/paths/mapPath';
import { rootOf } from '../../files/locate/roots';
import { CACHE_KB } from '../database/readingConnection';
import { CatalogReader } from '../database/catalogReader';
import { mapDatabaseError } from '../database/databaseErrors';
import { DamagedDatabase } from '../encoding/damagedDatabase';
import { encodeFile } from '../encoding/fileColumns';
import { fileVersionsSync } from './fileVersionsSync';
import { foldersSync } from './foldersSync';
import { KeptUsage } from './keptUsage';
import { createQuickScanBuffer } from '../rows/quickScan';
import { quickScanSync } from '../rows/quickScanSync';
import { knownWords } from '../search/knownWords';
import { search } from '../search/search';
import { serializeError } from '../../files/concurrency/threadErrors';
import type { SearchWorkerData, WorkerMessage, WorkerMethods, WorkerRequest, WorkerResponse } from './protocol/workerProtocol';

type Result = WorkerMethods[keyof WorkerMethods]['result'];

export function runSearchWorker(port: MessagePort, { database: location, roots }: SearchWorkerData): void {
  const reader = new CatalogReader(location, CACHE_KB.search);
  const usage = new KeptUsage(reader);
  const running = new Map<number, AbortController>();
  const cwdOf = (path: string): string | undefined => {
    const cwd = reader.summary(path)?.cwd;
    return cwd === undefined ? undefined : mapPath(cwd, rootOf(path, roots)?.map);
  };

  function run(request: Exclude<WorkerRequest, { kind: 'search' | 'sessionsMatching' | 'knownWords' }>): Result {
    switch (request.kind) {
      case 'tools':
        return reader.tools();
      case 'touching':
        return reader.touching(request.params);
      case 'pathsNamed':
        return reader.pathsNamed(request.params);
      case 'locatedTouches':
        return reader.locatedTouches(request.params);
      case 'touchesWithin':
        return reader.touchesWithin(request.params);
      case 'usage':
        return usage.packed(request.params);
      case 'quickScan': {
        const buffer = createQuickScanBuffer();
        return request.params.map((file) => encodeFile({ ...file, row: quickScanSync(file, buffer), complete: false }));
      }
      case 'folders':
        return foldersSync(request.params);
      case 'versions':
        return fileVersionsSync(request.params);
      case 'close':
        reader.close();
        return undefined;
    }
  }

  function failure(id: number, isStopped: boolean, error: unknown): WorkerResponse {
    if (isStopped) return { id, ended: true };
    const located = reader.locateDamage(error);
    return located instanceof DamagedDatabase
      ? { id, damaged: located.ino }
      : { id, error: serializeError(mapDatabaseError(error, location.cacheDir)) };
  }

  async function serve(request: WorkerRequest): Promise<void> {
    const { id } = request;
    const stop = new AbortController();
    const respond = (response: WorkerResponse): void => port.postMessage(response);
    running.set(id, stop);
    try {
      // Typing starts several searches. All but the last are stopped before they begin.
      await yieldToEventLoop();
      stop.signal.throwIfAborted();
      if (request.kind === 'search' || request.kind === 'sessionsMatching' || request.kind === 'knownWords') {
        const { query, options, without } = request.params;
        const isSearched = (path: string): boolean => rootOf(path, roots) !== undefined && !without?.has(path);
        const scope = { reader, isSearched, cwdOf };
        if (request.kind === 'knownWords') {
          respond({ id, result: await knownWords(scope, query, { ...options, signal: stop.signal }) });
          return;
        }
        const all = { order: 'time', onePerSession: true, limit: Number.POSITIVE_INFINITY } as const;
        const isSearch = request.kind === 'search';
        const hits = await search(scope, query, { ...options, ...(isSearch ? {} : all), signal: stop.signal });
        respond({ id, result: isSearch ? hits : hits.map(({ path }) => path) });
      } else {
        respond({ id, started: true });
        respond({ id, result: run(request) });
      }
    } catch (error) {
      respond(failure(id, stop.signal.aborted, error));
    } finally {
      running.delete(id);
    }
  }

  port.on('message', (message: WorkerMessage) => {
    if (message.kind === 'stop') running.get(message.id)?.abort();
    else void serve(message);
  });
}
