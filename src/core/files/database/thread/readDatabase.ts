/** Reads databases: with pauses between the parts in the thread that serves the extension host, and at once in others. */
import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { finishSteps, type Steps } from '../../../format/session/steps';
import { Yielder } from '../../concurrency/eventLoop';
import { fileError } from '../../io/fileErrors';
import { DatabaseBusy, databaseError } from '../sqlite/databaseErrors';
import { CLOCK_TICK } from '../sqlite/databaseStamps';
import { DatabaseView } from '../databaseView';

/** Databases whose content is kept as far as it was read; each agent has one. */
const MAX_KEPT = 64;
/** Several commits of a database without a log, or several locked moments, in a row are rare. */
const MAX_ATTEMPTS = 20;
/** Milliseconds after the last request. OpenClaw leaves its log beside the database if it ends while a connection is open. */
const IDLE = 500;

/** The databases of this thread by path. The one that was used last is the last. */
const views = new Map<string, DatabaseView>();
let idle: NodeJS.Timeout | undefined;

/** A request: reads in steps, and may be done again from the beginning. */
export type DatabaseRequest<T> = (view: DatabaseView) => Steps<T>;

/**
 * Reads from a database.
 *
 * @throws {SessionError} `not-found`, `permission`, `not-a-session` for anything but a database of OpenClaw, `changed`.
 */
export async function readDatabase<T>(path: string, request: DatabaseRequest<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      // A disk that hangs is met here, where only this request waits.
      const view = viewOf(path, await realpath(path));
      return await new Yielder(undefined).run(request(view));
    } catch (error) {
      throwUnlessBusy(error, path, attempt);
      await delay(CLOCK_TICK);
    }
  }
}

/** Reads from a database while the thread waits. @throws as `readDatabase`. */
export function readDatabaseSync<T>(path: string, request: DatabaseRequest<T>): T {
  for (let attempt = 1; ; attempt++) {
    try {
      return finishSteps(request(viewOf(path, realpathSync(path))));
    } catch (error) {
      throwUnlessBusy(error, path, attempt);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CLOCK_TICK);
    }
  }
}

/** Closes all connections of this thread, which are opened again when they're needed. */
export function closeDatabases(): void {
  for (const view of views.values()) view.close();
}

function viewOf(path: string, realPath: string): DatabaseView {
  const view = views.get(path) ?? new DatabaseView();
  views.delete(path);
  views.set(path, view);
  for (const [oldest, other] of views) {
    if (views.size <= MAX_KEPT) break;
    other.close();
    views.delete(oldest);
  }
  view.moveTo(realPath);
  idle ??= setTimeout(closeDatabases, IDLE).unref();
  idle.refresh();
  return view;
}

function throwUnlessBusy(error: unknown, path: string, attempt: number): void {
  if (!(error instanceof DatabaseBusy) || attempt === MAX_ATTEMPTS) throw fileError(databaseError(error, path), path);
}
