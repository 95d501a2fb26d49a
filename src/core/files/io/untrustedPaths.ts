/**
 * Looks at paths that a file merely names: a header's `cwd`, a tool's argument, a breadcrumb's session. Whoever wrote the
 * file chose them, so they may lead to a server that is dead or that wants to be contacted.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { mayContactServer, parseMounts, type Mount } from '../../format/text/remotePath';
import { withDeadline } from './deadline';

export interface UntrustedPathsOptions {
  readonly platform?: NodeJS.Platform;
  /** The mounts as they are now. By default `/proc/self/mountinfo`, and none where there is no such file. */
  readonly mounts?: () => Promise<readonly Mount[]>;
  /** Milliseconds after which a path counts as one that doesn't answer. */
  readonly deadline?: number;
  /** The calls to the disk; tests replace them. */
  readonly disk?: { readonly realpath: (path: string) => Promise<string>; readonly stat: (path: string) => Promise<{ isFile(): boolean }> };
}

/** Calls in flight at once: Node has four threads for file calls, which all extensions share. */
const MAX_IN_FLIGHT = 2;
const DEADLINE = 2000;
/** Milliseconds for which the list of mounts is used. */
const MOUNTS_MS = 10_000;

/**
 * Shared by everything that looks at such paths. No call leads to a share or to what an automounter would mount. At most
 * two are in flight. A path that doesn't answer in time isn't looked at again until it does, and while both calls are
 * stuck there is no further one: every answer is then `undefined`.
 */
export class UntrustedPaths {
  /** By what is asked, until the disk answers: whoever asks the same meanwhile gets the same answer. */
  private readonly asked = new Map<string, Promise<unknown>>();
  /** Calls in flight, and those of them that didn't answer in time. */
  private running = 0;
  private stuck = 0;
  /** Those that wait for a call to end; each is told whether it may begin one. */
  private readonly waiting: ((mayBegin: boolean) => void)[] = [];
  private mounted: { readonly at: number; readonly list: Promise<readonly Mount[]> } | undefined;

  constructor(private readonly options: UntrustedPathsOptions = {}) {}

  /** The path with its links resolved; `undefined` if that isn't known. */
  realPath(path: string): Promise<string | undefined> {
    return this.ask(`real ${path}`, path, this.options.disk?.realpath ?? ((at) => realpath(at)));
  }

  /** Whether a regular file, or a link to one, is there. */
  async isFile(path: string): Promise<boolean> {
    return (await this.ask(`stat ${path}`, path, this.options.disk?.stat ?? ((at) => stat(at))))?.isFile() === true;
  }

  /** Whether a path isn't looked at: a relative one, a share, or what an automounter serves. */
  async isRefused(path: string): Promise<boolean> {
    return !isAbsolute(path) || mayContactServer(path, this.options.platform ?? process.platform, await this.mounts());
  }

  private async ask<T>(key: string, path: string, look: (path: string) => Promise<T>): Promise<T | undefined> {
    if (await this.isRefused(path)) return undefined;
    const before = this.asked.get(key);
    if (before) return before as Promise<T | undefined>;
    const answer = this.inTurn(key, () => look(path));
    this.asked.set(key, answer);
    return answer;
  }

  private async inTurn<T>(key: string, look: () => Promise<T>): Promise<T | undefined> {
    if (!(await this.begin())) {
      this.asked.delete(key);
      return undefined;
    }
    let isStuck = false;
    const work = look();
    const ended = (): void => {
      if (isStuck) this.stuck--;
      this.asked.delete(key);
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
    // A path that can't be looked at is as good as one that isn't there.
    return withDeadline(work, this.options.deadline ?? DEADLINE, late).catch(() => undefined);
  }

  /** Resolves to whether a call may begin now. */
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

/** The kernel answers from memory, without asking any of the mounts. */
const readMounts = (): Promise<readonly Mount[]> => readFile('/proc/self/mountinfo', 'utf8').then(parseMounts, () => []);
