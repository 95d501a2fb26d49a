/** Finds out whether something ran in a time that may have changed a file without a record. */
import { isWithin } from '../../../files/locate/paths/pathMatch';
import { interruptionsOf, overlaps, unitedSpans, type Interruptions } from '../../../format/restore/interruptions';
import type { Catalog } from '../../catalogApi';

/** Milliseconds that a command may run after the message that called it. */
const LONGEST_COMMAND = 24 * 60 * 60 * 1000;
/** Sessions that are looked at; if more were open at the time, a command is likely. */
const MAX_SESSIONS = 1000;

/** A command ran, or a session went on from an earlier entry. */
export type Interruption = 'commands' | 'switched';

/** Each session is looked at once, for all files and times. */
export class InterruptionFinder {
  private readonly bySession = new Map<string, Promise<Interruptions | undefined>>();
  private readonly united = new Map<string, Promise<Interruptions | undefined>>();
  private readonly folders: ReadonlyMap<string, readonly string[]>;

  constructor(
    private readonly catalog: Catalog,
    private readonly signal: AbortSignal | undefined,
  ) {
    const folders = new Map<string, string[]>();
    for (const { row } of catalog.files().values()) {
      const { path, cwd } = row.summary;
      if (cwd === '') continue;
      const here = catalog.pathHere(path, cwd, cwd);
      const others = folders.get(here);
      if (others) others.push(path);
      else folders.set(here, [path]);
    }
    this.folders = folders;
  }

  /**
   * Returns what happened from one time to another, both in milliseconds since 1970: in the given sessions, or in one whose
   * folder has the file.
   *
   * @param names of the file
   * @throws the signal's reason if aborted
   */
  async between(names: readonly string[], paths: readonly string[], since: number, until: number): Promise<Interruption | undefined> {
    if (since > until) return undefined;
    const around = [...this.folders.keys()].filter((folder) => names.some((name) => isWithin(name, folder, process.platform)));
    const inFolders = around.flatMap((folder) => this.folders.get(folder) ?? []).filter((path) => this.mayHaveRun(path, since, until));
    const known = new Set(inFolders);
    const others: Interruptions[] = [];
    // Most commands are found here, without the other sessions.
    for (const path of paths) {
      if (!this.mayHaveRun(path, since, until)) continue;
      const one = (await this.ofSession(path)) ?? (known.has(path) ? undefined : EVERYTHING);
      if (!one) continue;
      if (overlaps(one.commands, since, until)) return 'commands';
      others.push(one);
    }
    // The sessions of a folder are mostly the same for all of its files.
    const key = JSON.stringify(inFolders);
    let uniting = this.united.get(key);
    if (!uniting) this.united.set(key, (uniting = this.unite(inFolders)));
    const all = [await uniting, ...others];
    if (all.some((one) => !one || overlaps(one.commands, since, until))) return 'commands';
    return all.some((one) => one && overlaps(one.switches, since + 1, until - 1)) ? 'switched' : undefined;
  }

  private mayHaveRun(path: string, since: number, until: number): boolean {
    const summary = this.catalog.files().get(path)?.row.summary;
    if (!summary) return true;
    // A fork has entries from before it was made, and its source may be gone.
    const isYounger = summary.parentSession === undefined && summary.created > until;
    return !isYounger && summary.modified + LONGEST_COMMAND >= since;
  }

  /** Resolves to `undefined` for too many sessions. */
  private async unite(paths: readonly string[]): Promise<Interruptions | undefined> {
    if (paths.length > MAX_SESSIONS) return undefined;
    const all: Interruptions[] = [];
    for (const path of paths) {
      const one = await this.ofSession(path);
      if (one) all.push(one);
    }
    return {
      commands: unitedSpans(all.flatMap(({ commands }) => commands)),
      switches: unitedSpans(all.flatMap(({ switches }) => switches)),
    };
  }

  /** Resolves to `undefined` for a session that was deleted or torn a moment ago. */
  private async ofSession(path: string): Promise<Interruptions | undefined> {
    let found = this.bySession.get(path);
    if (!found) {
      found = this.catalog.session(path).then(interruptionsOf, () => undefined);
      this.bySession.set(path, found);
    }
    const one = await found;
    this.signal?.throwIfAborted();
    return one;
  }
}

const ALWAYS = [{ start: -Infinity, end: Infinity }];
const EVERYTHING: Interruptions = { commands: ALWAYS, switches: ALWAYS };
