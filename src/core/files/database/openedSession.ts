/** A session of a database that was opened: its facts, and the problems of the lines that are read of it. */
import { problem, type Problem } from '../../format/entry/problem';
import type { OutsideFacts } from '../../format/session/outsideFacts';
import type { Steps } from '../../format/session/steps';
import type { FileVersion } from '../read/versions/fileVersion';
import { archivePath } from './lines/coldArchive';
import { CorruptDatabase, damagedSession } from './sqlite/databaseErrors';
import { archiveOf, estimateSize, measuredSize, outsideFacts, requireOpened, sameSessionVersion, sessionVersion } from './databaseSession';
import type { DatabaseView, OpenedSession, OpenResult } from './databaseView';
import { KnownLines } from './lines/knownLines';
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
  /** A line whose place is known, from which on others are read. */
  private mark: { readonly line: number; readonly offset: number } | undefined;
  /** The places of the lines from that on. */
  private marked: KnownLines | undefined;
  /** The places of the last lines, with a guess for where they begin. */
  private guessed: KnownLines | undefined;

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
    return measuredSize(this.opened) === undefined ? undefined : sessionVersion(this.opened);
  }

  /** The size, or a guess for lines that weren't read or measured. */
  get approximateSize(): number {
    const { last, lines } = this.opened.transcript;
    return lines.end + estimateSize(last ? last.seq + 1 - lines.next : 0);
  }

  /** Returns an earlier version if it's still the same; see `sameSessionVersion`. */
  sameVersion(before: FileVersion | undefined): FileVersion | undefined {
    return sameSessionVersion({ ...this.opened, last: this.opened.transcript.last }, before);
  }

  /**
   * Finds the places of the last lines, without measuring those in front of them: as if they had the usual length.
   *
   * @param length bytes of the last lines
   * @returns the size; a guess if there are other lines
   */
  *locateEnd(view: DatabaseView, length: number): Steps<number> {
    const { lines, last } = this.opened.transcript;
    const ending = yield* this.located(view.lastLines(this.opened, length));
    const [first] = ending;
    // A session that fits in those bytes is measured, as is one whose other lines are known.
    const size = ending.reduce((sum, one) => sum + one.length + 1, 0);
    if (!first || !last || size < length || first.seq <= lines.lastSeq + 1) return (yield* this.measure(view)).size;
    const start = lines.end + estimateSize(first.seq - lines.next);
    this.guessed = new KnownLines(first.seq, start, first.seq - 1);
    return start + size;
  }

  /** Returns the version. */
  *measure(view: DatabaseView): Steps<FileVersion> {
    if (!this.version) yield* this.located(view.measure(this.opened));
    return sessionVersion(this.opened);
  }

  /** Fills `bytes` with the session's lines from `position` on. Returns the number of bytes. */
  *read(view: DatabaseView, bytes: Buffer, position: number): Steps<number> {
    const lines = yield* this.located(this.linesAt(view, position));
    const { count, damaged } = yield* this.located(view.read(this.opened, bytes, position, lines));
    for (const [line, damage] of damaged) this.damaged.set(line, problem(damage, { line }));
    return count;
  }

  /** Says where a line begins, so that the lines in front of it needn't be measured. @param line from 1 */
  expectLine(line: number, offset: number): void {
    this.mark = { line: line - 1, offset };
  }

  /** Returns the known places from which a position is found soonest. */
  private *linesAt(view: DatabaseView, position: number): Steps<KnownLines> {
    const { lines } = this.opened.transcript;
    if (this.guessed && position >= this.guessed.start) return this.guessed;
    const { mark } = this;
    if (!mark || position < lines.end || position < mark.offset) return lines;
    if (this.marked?.first !== mark.line || this.marked.start !== mark.offset)
      this.marked = new KnownLines(mark.line, mark.offset, (yield* view.seqOfLine(this.opened, mark.line)) - 1);
    return this.marked;
  }

  /** Returns the problems of the lines that were read so far and aren't what they were. */
  problems(): readonly Problem[] {
    return [...this.damaged.values()];
  }

  /** Says in which session the damage is that `reading` finds. */
  private *located<T>(reading: Steps<T>): Steps<T> {
    try {
      return yield* reading;
    } catch (error) {
      throw error instanceof CorruptDatabase ? damagedSession(error, this.path) : error;
    }
  }
}
