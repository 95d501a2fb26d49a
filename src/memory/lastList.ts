/**
 * The last list of all sessions, without secrets. It's still true while nothing on the disk has changed. Otherwise it tells which titles
 * needn't be searched for secrets again, which would take most of the time.
 */
import { join } from 'node:path';
import { isArray, isObject, overwritePrivateFile, readPrivateJson } from '../core/index';
import type { SessionAnswer } from './answers/values';

/** Bytes of a list that is kept, three for each UTF-16 unit: one of about 25,000 sessions. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Milliseconds for which the state of a session may change while its file stays the same, because its program runs. */
const MAX_RUNNING = 24 * 60 * 60 * 1000;

export class LastList {
  private constructor(
    private readonly folder: string,
    private readonly key: Key,
    readonly sessions: readonly SessionAnswer[],
    private readonly isSame: boolean,
  ) {}

  /**
   * @param folder of the index
   * @param key of what is on the disk now
   * @throws {SessionError} if the file can't be read; a torn one has no sessions
   */
  static async read(folder: string, key: Key): Promise<LastList> {
    const stored = await readPrivateJson(fileIn(folder), MAX_BYTES);
    // Another version may find more secrets.
    if (!isObject(stored) || stored['version'] !== key.version || !isArray(stored['sessions'])) return new LastList(folder, key, [], false);
    const isSame = key.disk !== undefined && stored['disk'] === key.disk;
    return new LastList(folder, key, stored['sessions'].filter(isSession), isSame);
  }

  /** True if the sessions are the same now. @param hasStates true if what their programs do counts, too */
  isCurrent(hasStates: boolean, now = Date.now()): boolean {
    // A program that runs may end, and one may begin.
    const isOld = ({ modified, problem, state }: SessionAnswer): boolean =>
      state !== 'working' &&
      state !== 'waiting' &&
      (modified === undefined || problem !== undefined || now - Date.parse(modified) > MAX_RUNNING);
    return this.isSame && (!hasStates || this.sessions.every(isOld));
  }

  /** Titles in which no secret was found. */
  titles(): ReadonlySet<string> {
    return new Set(this.sessions.map(({ title }) => title));
  }

  /** Keeps a newer list. @param isLasting false if it may change while the disk stays the same @throws {SessionError} if it can't be written */
  async write(sessions: readonly SessionAnswer[], isLasting: boolean): Promise<void> {
    const { version, disk } = this.key;
    const text = JSON.stringify({ version, ...(isLasting ? { disk } : {}), sessions });
    if (text.length < MAX_BYTES / 3) await overwritePrivateFile(fileIn(this.folder), text);
  }
}

/** The version of the program, and the state of the disk if it's known. */
export interface Key {
  readonly version: string;
  readonly disk: string | undefined;
}

const fileIn = (folder: string): string => join(folder, 'list.json');

/** True for what `write` has written; others can't write into the folder. */
const isSession = (value: unknown): value is SessionAnswer =>
  isObject(value) && typeof value['ref'] === 'string' && typeof value['title'] === 'string' && typeof value['project'] === 'string';
