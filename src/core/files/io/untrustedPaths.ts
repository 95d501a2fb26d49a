/**
 * Access to paths that are merely named in a file: a header's `cwd`, a tool's argument, a breadcrumb's session. Anyone
 * may have written that file, so its paths may lead to a server that is dead or that wants to be contacted.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { mayContactServer, parseMounts, type Mount } from '../../format/text/remotePath';
import { withDeadline } from '../concurrency/deadline';
import { isMissing } from './fileErrors';

/** Options of {@link UntrustedPaths}. */
export interface UntrustedPathsOptions {
  readonly platform?: NodeJS.Platform;
  /** The current mounts. By default from `/proc/self/mountinfo`; none where that file doesn't exist. */
  readonly mounts?: () => Promise<readonly Mount[]>;
  /** Milliseconds until a path counts as unresponsive. Two seconds by default. */
  readonly deadline?: number;
  /** The calls to the disk; replaced in tests. */
  readonly disk?: { readonly realpath: (path: string) => Promise<string>; readonly stat: (path: string) => Promise<{ isFile(): boolean }> };
}

/** Concurrent calls: Node has four threads for file calls, which all extensions share. */
const MAX_IN_FLIGHT = 2;
const DEADLINE = 2000;
/** Milliseconds for which the list of mounts is cached. */
const MOUNTS_MS = 10_000;

/**
 * Shared by all code that accesses untrusted paths. No call leads to a share or to a path that an automounter would
 * mount. At most two calls run at a time. A path that doesn't answer in time isn't accessed again until it does. While
 * both calls are stuck, no further call starts and every result is `undefined`.
 */
export class UntrustedPaths {
  /** Pending calls by operation and path. Equal requests share one call. */
  private readonly pending = new Map<string, Promise<unknown>>();
  /** Running calls, and how many of them exceeded the deadline. */
  private running = 0;
  private stuck = 0;
  /** Queued calls. Each is resolved with true when it may start, with false when both running calls are stuck. */
  private readonly waiting: ((mayBegin: boolean) => void)[] = [];
  private mounted: { readonly at: number; readonly list: Promise<readonly Mount[]> } | undefined;

  constructor(private readonly options: UntrustedPathsOptions = {}) {}

  /** Returns the path with its links resolved; `undefined` if it can't be resolved, is refused or doesn't answer. */
  realPath(path: string): Promise<string | undefined> {
    return this.sharedCall(`real ${path}`, path, this.options.disk?.realpath ?? ((at) => realpath(at)));
  }

  /** True if the path is a regular file or a link to one. */
  async isFile(path: string): Promise<boolean> {
    return (await this.sharedCall(`stat ${path}`, path, this.options.disk?.stat ?? ((at) => stat(at))))?.isFile() === true;
  }

  /** True if the path is known to be missing: not if it can't be accessed, is refused or doesn't answer. */
  async isMissing(path: string): Promise<boolean> {
    const look = (at: string): Promise<boolean> =>
      (this.options.disk?.stat ?? stat)(at).then(
        () => false,
        (error: unknown) => {
          if (isMissing(error)) return true;
          throw error;
        },
      );
    return (await this.sharedCall(`missing ${path}`, path, look)) === true;
  }

  /** True if the path is never accessed: a relative path, a share, or one that an automounter serves. */
  async isRefused(path: string): Promise<boolean> {
    return !isAbsolute(path) || mayContactServer(path, this.options.platform ?? process.platform, await this.mounts());
  }

  private async sharedCall<T>(key: string, path: string, look: (path: string) => Promise<T>): Promise<T | undefined> {
    if (await this.isRefused(path)) return undefined;
    const before = this.pending.get(key);
    // The key has the kind of the question, and so the type of the answer.
    if (before) return before as Promise<T | undefined>;
    const answer = this.inTurn(key, () => look(path));
    this.pending.set(key, answer);
    return answer;
  }

  private async inTurn<T>(key: string, look: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.begin())) {
      this.pending.delete(key);
      return undefined;
    }
    let isStuck = false;
    const work = look();
    const ended = (): void => {
      if (isStuck) this.stuck--;
      this.pending.delete(key);
      const next = this.waiting.shift();
      if (next) next(true);
      else this.running--;
    };
    work.then(ended, ended);
    const late = (): Error => {
      isStuck = true;
      if (++this.stuck === MAX_IN_FLIGHT) for (const next of this.waiting.splice(0)) next(false);
      return new Error('no answer in time');
    };
    // A path that can't be accessed is treated as missing.
    return withDeadline(work, this.options.deadline ?? DEADLINE, late).catch(() => undefined);
  }

  /** Resolves to true when a call may start, to false while both running calls are stuck. */
  private begin(): Promise<boolean> {
    if (this.running < MAX_IN_FLIGHT) {
      this.running++;
      return Promise.resolve(true);
    }
    return this.stuck === MAX_IN_FLIGHT ? Promise.resolve(false) : new Promise((resolve) => this.waiting.push(resolve));
  }

  private mounts(): Promise<readonly Mount[]> {
    const now = performance.now();
    if (!this.mounted || now - this.mounted.at > MOUNTS_MS) this.mounted = { at: now, list: (this.options.mounts ?? readMounts)() };
    return this.mounted.list;
  }
}

/** The kernel reads this from memory, without contacting any mount. */
const readMounts = (): Promise<readonly Mount[]> => readFile('/proc/self/mountinfo', 'utf8').then(parseMounts, () => []);
