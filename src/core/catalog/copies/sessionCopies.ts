/**
 * Finds sessions that are on several machines: files of roots with different machines that have the same session id. The
 * longest file represents the session. A file whose bytes are its beginning is a copy of it; any other file has diverged.
 */
import type { Dialect } from '../../format/entry/dialect';
import { hasGrown, sameVersion } from '../../files/read/versions/compareVersions';
import type { FileVersion } from '../../files/read/versions/fileVersion';
import { haveSameBytes } from './haveSameBytes';
import { appendAll } from '../../format/values/lists';

/** A file that may be a copy of another file. */
interface CopyCandidate {
  readonly path: string;
  readonly id: string;
  readonly dialect: Dialect;
  /** The label of its root. */
  readonly machine: string | undefined;
  readonly version: FileVersion;
}

/** The main file of a session with several files. */
export interface CopyOf {
  /** The longest file of the session. */
  readonly path: string;
  /** True if this file has lines that the longest file lacks: it's a fork with the same id. */
  readonly hasDiverged: boolean;
}

/** Files of one id that are compared; there are no more machines. */
const MAX_FILES = 32;

/**
 * Bytes before the end of an earlier comparison that are compared again. A file that is longer now may have been overwritten,
 * as `cp` does, and may no longer share its earlier bytes with the other file.
 */
const OVERLAP = 4096;

/** The result of comparing two files. */
interface Comparison {
  readonly shorter: FileVersion;
  readonly longer: FileVersion;
  readonly isCopy: boolean;
}

export class SessionCopies {
  private readonly files = new Map<string, CopyCandidate>();
  private readonly byId = new Map<string, Set<string>>();
  private readonly comparisons = new Map<string, Comparison>();
  private readonly due = new Set<string>();
  private readonly owners = new Map<string, CopyOf>();
  /** Files that have diverged from a session in a database. */
  private diverged: ReadonlyMap<string, CopyOf> = new Map();
  /** Files whose session id has changed since the last `update`. */
  private readonly moved = new Set<string>();
  private listener: (paths: readonly string[]) => void = () => undefined;
  private work: Promise<void> = Promise.resolve();

  /** @param compare compares two files; see {@link haveSameBytes} */
  constructor(private readonly compare: typeof haveSameBytes = haveSameBytes) {}

  /** Sets the listener for files whose copies have changed. */
  onChange(listener: (paths: readonly string[]) => void): void {
    this.listener = listener;
  }

  /** Adds a file, or its new version. It's compared by the next `update`. One whose size is a guess is added once it was read. */
  set(file: CopyCandidate): void {
    if (file.version.isEstimate) return;
    const before = this.files.get(file.path);
    if (before && isSameCandidate(before, file)) return;
    if (before) this.remove(before);
    if (before && before.id !== file.id) this.moved.add(file.path);
    this.files.set(file.path, file);
    const same = this.byId.get(file.id) ?? new Set();
    this.byId.set(file.id, same.add(file.path));
    if (same.size > 1) this.due.add(file.id);
  }

  delete(path: string): void {
    const file = this.files.get(path);
    if (!file) return;
    this.remove(file);
    this.moved.delete(path);
    this.owners.delete(path);
  }

  /** Returns the file that this one is a copy of; `undefined` if it isn't a copy. */
  ownerOf(path: string): CopyOf | undefined {
    return this.owners.get(path) ?? this.diverged.get(path);
  }

  /** Sets the files that have lines which the session in a database lacks that they are copies of. */
  setDiverged(now: ReadonlyMap<string, string>): void {
    const before = this.diverged;
    if (before.size + now.size === 0) return;
    const ownerFor = (path: string, stored: string): CopyOf => {
      const known = before.get(path);
      return known?.path === stored ? known : { path: stored, hasDiverged: true };
    };
    this.diverged = new Map([...now].map(([path, stored]) => [path, ownerFor(path, stored)]));
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter((path) => before.get(path) !== this.diverged.get(path));
    if (changed.length > 0) this.listener(changed);
  }

  /** True if files have diverged from sessions in databases. */
  get hasDiverged(): boolean {
    return this.diverged.size > 0;
  }

  /** Returns all copies, with the files that they are copies of. */
  all(): readonly (readonly [path: string, owner: CopyOf])[] {
    return [...new Map([...this.diverged, ...this.owners])];
  }

  /** Compares the files that changed. If a file only grew, only the added bytes are compared, and a few before them. */
  async update(): Promise<void> {
    if (this.due.size + this.moved.size === 0) return this.work;
    this.work = this.work.then(async () => {
      const changed = [...this.moved].filter((path) => this.setOwner(path, undefined));
      this.moved.clear();
      for (const id of this.due) {
        this.due.delete(id);
        appendAll(changed, await this.updateGroup(id));
      }
      if (changed.length > 0) this.listener(changed);
    });
    return this.work;
  }

  private remove({ path, id }: CopyCandidate): void {
    this.files.delete(path);
    const same = this.byId.get(id);
    same?.delete(path);
    if (same?.size === 0) this.byId.delete(id);
    else this.due.add(id);
  }

  /** @returns the files whose owner changed. */
  private async updateGroup(id: string): Promise<string[]> {
    const group = [...(this.byId.get(id) ?? [])].flatMap((path) => this.files.get(path) ?? []).sort(longestFirst);
    const owners = new Map<string, CopyOf>();
    for (const [at, file] of group.slice(0, MAX_FILES).entries()) {
      const longer = group.slice(0, at).filter((one) => one.machine !== file.machine && one.dialect === file.dialect);
      const [first] = longer;
      if (!first) continue;
      const owner = await this.firstWithin(file, longer);
      const path = (owner ?? first).path;
      // All files of a session are below the longest one.
      owners.set(file.path, { path: owners.get(path)?.path ?? path, hasDiverged: owner === undefined });
    }
    // A file that was replaced or has gone meanwhile may have left the group, which is due again.
    const unchanged = group.filter((file) => this.files.get(file.path) === file);
    return unchanged.flatMap(({ path }) => (this.setOwner(path, owners.get(path)) ? [path] : []));
  }

  /** @returns true if it changed. */
  private setOwner(path: string, owner: CopyOf | undefined): boolean {
    const before = this.owners.get(path);
    if (before?.path === owner?.path && before?.hasDiverged === owner?.hasDiverged) return false;
    if (owner) this.owners.set(path, owner);
    else this.owners.delete(path);
    return true;
  }

  private async firstWithin(file: CopyCandidate, longer: readonly CopyCandidate[]): Promise<CopyCandidate | undefined> {
    for (const one of longer) if (await this.isCopy(file, one)) return one;
    return undefined;
  }

  private async isCopy(shorter: CopyCandidate, longer: CopyCandidate): Promise<boolean> {
    const key = JSON.stringify([shorter.path, longer.path]);
    const known = this.comparisons.get(key);
    const both = known && isSameOrGrown(known.shorter, shorter.version) && isSameOrGrown(known.longer, longer.version) ? known : undefined;
    // Files that differ keep doing so while they grow.
    if (both && (!both.isCopy || (sameVersion(both.shorter, shorter.version) && sameVersion(both.longer, longer.version))))
      return both.isCopy;
    try {
      const from = both ? Math.max(0, both.shorter.size - OVERLAP) : 0;
      const isCopy = await this.compare(shorter.path, longer.path, shorter.dialect, from, shorter.version.size);
      this.comparisons.set(key, { shorter: shorter.version, longer: longer.version, isCopy });
      return isCopy;
    } catch {
      // A file that can't be read gets its own row with the reason, and is compared again when it changes.
      return false;
    }
  }
}

/** Puts this machine's file first among files of one length. */
const longestFirst = (a: CopyCandidate, b: CopyCandidate): number =>
  b.version.size - a.version.size || Number(a.machine !== undefined) - Number(b.machine !== undefined) || (a.path < b.path ? -1 : 1);

const isSameOrGrown = (before: FileVersion, now: FileVersion): boolean => sameVersion(before, now) || hasGrown(before, now);

const isSameCandidate = (a: CopyCandidate, b: CopyCandidate): boolean =>
  a.id === b.id && a.machine === b.machine && sameVersion(a.version, b.version);
