/** Reads session files for the store: whole sessions, whose heads are kept while they are open or growing, and rows. */
import { defined } from '../../format/values/defined';
import { turnEnd } from '../../format/ends/turnEnd';
import type { Session } from '../../format/session/session';
import { rootOf } from '../../files/locate/roots';
import type { JsonObject } from '../../format/values/jsonValues';
import { readBodies, type FileVersion } from '../../files/read/sessionFile';
import type { DiskInventory } from '../refresh/diskInventory';
import type { InventoryFile } from '../rows/inventoryFile';
import { readableRow, unreadableRow, type KnownFile } from '../rows/catalogRow';
import { readFamilyFacts, type FamilyFacts } from '../rows/familyFacts';
import { summarize, withFileTime, withTurnEnd } from '../rows/sessionSummary';
import { SessionCache } from './sessionCache';

export class SessionFileReader {
  private readonly cache = new SessionCache();
  /** The facts of the cached sessions that start subagents. */
  private readonly families = new Map<string, FamilyFacts>();

  /** @param home see `PathBases`. */
  constructor(
    private readonly disk: Pick<DiskInventory, 'roots'>,
    private readonly home: string | undefined,
  ) {}

  /** True if the session's heads are kept. */
  has(path: string): boolean {
    return this.cache.has(path);
  }

  delete(path: string): void {
    this.families.delete(path);
    this.cache.delete(path);
  }

  /**
   * Reads a session, and keeps its heads for the next call.
   *
   * @throws {SessionError} as `readSession`.
   */
  async session(path: string, version: FileVersion): Promise<Session> {
    const { session } = await this.cache.open(path, version, { ...this.readOptions(path), keep: true });
    return session;
  }

  /**
   * Reads a file's record.
   *
   * @param keep true to keep the heads for the next call
   * @returns `undefined` if the file is gone.
   */
  async record({ path, root, owner, version }: InventoryFile, keep: boolean): Promise<KnownFile | undefined> {
    const file = { path, version, complete: true, ...defined({ owner }) };
    try {
      const { session, tally } = await this.cache.open(path, version, { ...this.readOptions(path, root), keep });
      const family = await this.familyOf(session);
      const end = await turnEnd(session, entryReader(session));
      const summary = { ...withTurnEnd(withFileTime(summarize(session, tally), version), end), ...family };
      const record = { ...file, row: readableRow(summary, summary.firstMessage) };
      // A guess of the size isn't needed any more.
      return version.isEstimate ? { ...record, version: withoutEstimate(version, session) } : record;
    } catch (failure) {
      return isNotFound(failure) ? undefined : { ...file, row: unreadableRow(path, failure, root.dialect, version.mtimeMs) };
    }
  }

  /** Reads the facts that need bodies, for a session that grows only those of the added entries. */
  private async familyOf(session: Session): Promise<FamilyFacts> {
    const facts = await readFamilyFacts(session, entryReader(session), this.families.get(session.path));
    this.families.delete(session.path);
    if (this.cache.has(session.path) && facts.calls) this.families.set(session.path, facts);
    return facts;
  }

  private readOptions(path: string, root = rootOf(path, this.disk.roots())) {
    return defined({ dialect: root?.dialect, home: this.home });
  }
}

/** Reads entries of a session. One of a file that changes meanwhile is missing; the file is read again. */
const entryReader =
  (session: Session) =>
  ({ id }: { readonly id: string }): Promise<JsonObject | undefined> =>
    readBodies(session, [id]).then(
      ([entry]) => entry && { ...entry },
      () => undefined,
    );

const withoutEstimate = ({ mtimeMs, ino, facts }: FileVersion, { size }: Session): FileVersion => ({
  size,
  mtimeMs,
  ino,
  ...defined({ facts }),
});

const isNotFound = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'not-found';
