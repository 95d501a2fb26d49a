/** A session of a database that was opened: its facts, and the problems of the lines that are read of it. */
import { problem, type Problem } from '../../format/entry/problem';
import type { OutsideFacts } from '../../format/session/outsideFacts';
import type { FileVersion } from '../read/fileVersion';
import { archivePath } from './coldArchive';
import { CorruptDatabase, damagedSession } from './databaseErrors';
import { archiveOf, estimateSize, lastEventOf, outsideFacts, requireOpened, sameSessionVersion, sessionVersion } from './databaseSession';
import type { DatabaseView, OpenedSession, OpenResult } from './databaseView';
import { LineEnds } from './lineEnds';
import type { Reading } from './pages/diskRequests';
import type { ColdArchive } from './storedSessions';

/** An archive, with the path of its file; `undefined` if the database holds the bytes itself. */
export interface LocatedArchive extends ColdArchive {
  readonly path: string | undefined;
}

export class DatabaseSession {
  readonly facts: OutsideFacts;
  /** The archive that holds the events; `undefined` if they're in the database's table. */
  readonly archive: LocatedArchive | undefined;
  private readonly opened: OpenedSession;
  private readonly damaged = new Map<number, Problem>();
  /** The ends of lines behind one whose place was known. */
  private marked: LineEnds | undefined;
  /** The ends of the last lines, with a guess for where they begin. */
  private guessed: LineEnds | undefined;

  /** @throws {SessionError} `not-found`; `not-a-session` if it's damaged; `invalid` for an archive's name that can't be one. */
  constructor(
    private readonly path: string,
    database: string,
    result: OpenResult,
  ) {
    const opened = requireOpened(result, path);
    this.opened = opened;
    this.facts = outsideFacts(database, opened);
    const archive = archiveOf(opened);
    this.archive = archive && { ...archive, path: archive.fileName === undefined ? undefined : archivePath(database, archive.fileName) };
  }

  /** The version; `undefined` until all lines were read or measured. */
  get version(): FileVersion | undefined {
    const { transcript } = this.opened;
    return transcript.ends.next >= transcript.seqs.length ? sessionVersion(this.opened) : undefined;
  }

  /** The size, or a guess for lines that weren't read or measured. */
  get approximateSize(): number {
    const { ends, seqs } = this.opened.transcript;
    return ends.end + estimateSize(seqs.length - ends.next);
  }

  /** Returns an earlier version if it's still the same; see `sameSessionVersion`. */
  sameVersion(before: FileVersion | undefined): FileVersion | undefined {
    return sameSessionVersion({ ...this.opened, last: lastEventOf(this.opened.transcript) }, before);
  }

  /**
   * Finds the places of the last lines, without measuring those in front of them: as if they had the usual length.
   *
   * @param length bytes of the last lines
   * @returns the size; a guess if there are other lines
   */
  *locateEnd(view: DatabaseView, length: number): Reading<number> {
    const { rowids, ends } = this.opened.transcript;
    const lengths = yield* this.located(view.lastLengths(this.opened, length));
    const first = rowids.length - lengths.length;
    if (first <= ends.next) return (yield* this.measure(view)).size;
    const start = ends.end + estimateSize(first - ends.next);
    if (lengths.length > 0) this.guessed = new LineEnds(first, start);
    return lengths.reduce((sum, one) => sum + one + 1, start);
  }

  /** Returns the version. */
  *measure(view: DatabaseView): Reading<FileVersion> {
    if (!this.version) yield* this.located(view.measure(this.opened));
    return sessionVersion(this.opened);
  }

  /** Fills `bytes` with the session's lines from `position` on. Returns the number of bytes. */
  *read(view: DatabaseView, bytes: Buffer, position: number): Reading<number> {
    const { ends } = this.opened.transcript;
    const marked = this.marked && position >= ends.end && position >= this.marked.start ? this.marked : ends;
    const from = this.guessed && position >= this.guessed.start ? this.guessed : marked;
    const { count, damaged } = yield* this.located(view.read(this.opened, bytes, position, from));
    for (const [line, damage] of damaged) this.damaged.set(line, problem(damage, { line }));
    return count;
  }

  /** Says where a line begins, so that the lines in front of it needn't be measured. @param line from 1 */
  expectLine(line: number, offset: number): void {
    this.marked = new LineEnds(line - 1, offset);
  }

  /** Returns the problems of the lines that were read so far and aren't what they were. */
  problems(): readonly Problem[] {
    return [...this.damaged.values()];
  }

  /** Says in which session the damage is that `reading` finds. */
  private *located<T>(reading: Reading<T>): Reading<T> {
    try {
      return yield* reading;
    } catch (error) {
      throw error instanceof CorruptDatabase ? damagedSession(error, this.path) : error;
    }
  }
}
