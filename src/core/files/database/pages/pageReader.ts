/**
 * Reads pages of a database that another program may be writing: one consistent state of it, without a lock and without
 * writing a byte. SQLite itself can't do that: a connection writes the shared-memory file beside the database, creates it
 * if it's missing, and its read lock keeps checkpoints from finishing.
 *
 * Without a lock, the bytes may change while they are read. Frames of the write-ahead log are never overwritten before its
 * header is. A page in the database is only overwritten by a checkpoint, with a frame that was in the log before. So what was
 * read is one state if the log still has the same header afterwards, and no later frame in it has a page that was read from
 * the database. Otherwise everything is read again.
 *
 * Without a log, a write shows only in the modification time, so a database that was just written is read a tick later.
 *
 * The format: https://www.sqlite.org/fileformat2.html
 */
import { asCorrupt, CorruptDatabase, DatabaseMoved } from '../databaseErrors';
import { CLOCK_TICK, readBytes, readStamps, type DatabaseStamps, type FileStamp, type Reading, type TimedStamps } from './diskRequests';
import { PageCache } from './pageCache';
import { WalIndex } from './walIndex';

const MAGIC = 'SQLite format 3\0';
const HEADER = 100;
/** Writers that commit at the same moment make an attempt fail; several in a row are rare. */
const MAX_ATTEMPTS = 20;

/** A value that was derived from pages. It holds as long as none of them changes. */
export interface Derived<T> {
  readonly value: T;
  /** The reader's generation when it was derived. */
  readonly generation: number;
  readonly pages: readonly number[];
}

export class PageReader {
  /** Changes whenever the content may have changed. */
  generation = 0;
  /** The generation since which nothing is known of earlier pages. */
  private begun = 0;
  /** The generation of the last change of a page since then. */
  private readonly changes = new Map<number, number>();
  /** The pages that are used by each `derive` that runs. */
  private readonly users: Set<number>[] = [];
  private pageSize = 0;
  private pageCount = 0;
  private usable = 0;
  private wal: WalIndex | undefined;
  private stamps: TimedStamps | undefined;
  private cache = new PageCache(0);
  /** The groups that the current attempt read, and the pages of them that it used. */
  private readonly readNow = new Set<number>();
  private readonly fromMain = new Set<number>();

  /** The number of bytes of a page that hold content. */
  get usableSize(): number {
    return this.usable;
  }

  /** Device and inode. */
  get ino(): string {
    return this.stamps?.main.ino ?? '';
  }

  /** The number of pages of the current state. */
  get count(): number {
    return this.pageCount;
  }

  /** The bytes of content that the current state has room for. */
  get size(): number {
    return this.pageCount * this.usable;
  }

  /**
   * Runs `work` on one state of the database. Pages, and what lies in them, are valid until it ends.
   *
   * @throws {CorruptDatabase}
   * @throws {DatabaseMoved} if it changed during each of many attempts.
   * @throws the errors of `work`.
   */
  *read<T>(work: () => Reading<T>): Reading<T> {
    this.cache.reuseDropped();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      this.readNow.clear();
      this.fromMain.clear();
      yield* this.refresh();
      let outcome: { readonly value: T } | { readonly error: unknown };
      try {
        outcome = { value: yield* work() };
      } catch (error) {
        // Pages of different states can look like anything.
        outcome = { error: asCorrupt(error) };
      }
      if (yield* this.isUnchanged()) {
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      }
    }
    throw new DatabaseMoved();
  }

  /** Runs `work`, and records the pages that it uses. Its result must depend on nothing else. */
  *derive<T>(work: () => Reading<T>): Reading<Derived<T>> {
    const pages = new Set<number>();
    const { generation } = this;
    this.users.push(pages);
    try {
      return { value: yield* work(), generation, pages: [...pages] };
    } finally {
      this.users.pop();
      for (const page of pages) this.users.at(-1)?.add(page);
    }
  }

  /** Returns true if a value would be derived anew without a difference. */
  holds({ generation, pages }: Derived<unknown>): boolean {
    return (
      generation >= this.begun && (generation === this.generation || pages.every((page) => (this.changes.get(page) ?? 0) <= generation))
    );
  }

  /** Drops pages, so that at most some bytes of them are kept. */
  trim(bytes: number): void {
    this.cache.trim(bytes);
  }

  /** Records that the `derive` that runs depends on a page, which it has already. */
  recordUse(number: number): void {
    this.users.at(-1)?.add(number);
  }

  /** Returns a page, whose content must not be changed. */
  *page(number: number): Reading<Buffer> {
    const kept = this.keptPage(number);
    if (kept) return kept;
    const offset = this.wal?.offsets.get(number);
    if (offset === undefined) yield* this.readGroups(this.cache.groupOf(number));
    else yield* this.readLogged(number, offset);
    const page = this.keptPage(number);
    if (!page) throw new CorruptDatabase(`page ${number} is cut off`);
    return page;
  }

  /** Returns the same page; `undefined` if it must be read. A plain function, because it runs for each page of each row. */
  keptPage(number: number): Buffer | undefined {
    this.recordUse(number);
    if (!(number >= 1 && number <= this.pageCount)) throw new CorruptDatabase(`there is no page ${number}`);
    if (this.wal?.offsets.has(number) === true) return this.cache.loggedPage(number);
    const page = this.cache.mainPage(number);
    if (page && this.readNow.has(this.cache.groupOf(number))) this.fromMain.add(number);
    return page;
  }

  private *readLogged(number: number, offset: number): Reading<void> {
    const page = yield* readBytes({ file: 'wal', offset, length: this.pageSize });
    if (page.length === this.pageSize) this.cache.keepLogged(number, page);
  }

  private *readGroups(first: number): Reading<void> {
    const { offset, room } = this.cache.nextRead(first);
    const length = Math.min(room.length, this.pageCount * this.pageSize - offset);
    const bytes = yield* readBytes({ file: 'main', offset, length, room });
    const count = this.cache.keepGroups(first, bytes, room);
    for (let at = first; at < first + count; at++) this.readNow.add(at);
  }

  /** Takes over what was committed since the last call. */
  private *refresh(): Reading<void> {
    const stamps = yield* settledStamps();
    const before = this.stamps;
    if (this.wal && before && before.main.ino === stamps.main.ino && stamps.wal?.ino === before.wal?.ino && (yield* this.wal.isCurrent())) {
      this.takeOver(yield* this.wal.advance(), this.wal);
    } else if (!(before && !this.wal && isSettled(before) && isSameState(before, stamps))) {
      yield* this.start(stamps);
    }
    this.stamps = stamps;
  }

  private *start({ main, wal }: DatabaseStamps): Reading<void> {
    this.generation++;
    this.begun = this.generation;
    this.changes.clear();
    this.wal = undefined;
    const header = yield* readBytes({ file: 'main', offset: 0, length: HEADER });
    if (header.length < HEADER || header.toString('latin1', 0, 16) !== MAGIC) throw new CorruptDatabase('it isn’t an SQLite database');
    const size = header.readUInt16BE(16);
    this.pageSize = size === 1 ? 65536 : size;
    this.usable = this.pageSize - header[20]!;
    this.cache = new PageCache(this.pageSize);
    if (this.pageSize < 512 || (this.pageSize & (this.pageSize - 1)) !== 0 || this.usable < 480)
      throw new CorruptDatabase('its header is damaged');
    if (header.readUInt32BE(56) > 1) throw new CorruptDatabase('its texts aren’t UTF-8');
    if (wal) this.wal = yield* WalIndex.open(this.pageSize);
    if (this.wal) yield* this.wal.advance();
    this.pageCount = this.wal?.pageCount ?? Math.floor(main.size / this.pageSize);
  }

  /** Returns true if everything that this attempt has read belongs to one state. */
  private *isUnchanged(): Reading<boolean> {
    const { stamps } = this;
    if (!stamps) return false;
    const { main, wal } = stamps;
    const now = yield* readStamps();
    if (now.main.ino !== main.ino || now.wal?.ino !== wal?.ino) return this.forget();
    if (!this.wal) return (isSettled(stamps) && isSameState(now, stamps)) || this.forget();
    const later = yield* this.wal.advance();
    // Only now: a log that is begun anew before doesn't have the frames of a checkpoint any more.
    if (!(yield* this.wal.isCurrent())) return this.forget();
    if (later.size === 0) return true;
    this.takeOver(later, this.wal);
    // Without a checkpoint meanwhile, the database itself has stayed as it was.
    const hasNoCheckpoint = isSameStamp(now.main, main) && isSettled(stamps);
    let overlaps = false;
    for (const page of later) overlaps ||= this.fromMain.has(page);
    return hasNoCheckpoint || !overlaps;
  }

  /** Takes over pages that were committed. */
  private takeOver(added: ReadonlySet<number>, wal: WalIndex): void {
    if (added.size === 0) return;
    this.generation++;
    for (const page of added) {
      this.cache.forgetLogged(page);
      this.changes.set(page, this.generation);
    }
    this.pageCount = wal.pageCount ?? this.pageCount;
  }

  private forget(): false {
    this.stamps = undefined;
    this.wal = undefined;
    return false;
  }
}

const isSameState = (a: DatabaseStamps, b: DatabaseStamps): boolean => isSameStamp(a.main, b.main) && isSameStamp(a.wal, b.wal);

const isSameStamp = (a: FileStamp | undefined, b: FileStamp | undefined): boolean =>
  a?.size === b?.size && a?.mtimeNs === b?.mtimeNs && a?.ino === b?.ino;

/** True if a write to the database after the stamps were taken changes its modification time. */
const isSettled = ({ main, takenAt }: TimedStamps): boolean => Math.abs(takenAt - Number(main.mtimeNs / 1_000_000n)) > CLOCK_TICK;

/** Returns the present stamps; of a database that was just written, those after a tick. */
function* settledStamps(): Reading<TimedStamps> {
  const stamps = yield* readStamps();
  if (isSettled(stamps)) return stamps;
  yield 'tick';
  return yield* readStamps();
}
