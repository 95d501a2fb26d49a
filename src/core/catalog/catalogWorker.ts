/** The worker: it alone writes the database. It reads files, stores what it found, and says so as it goes. */
import { parentPort, workerData } from 'node:worker_threads';
import { setImmediate as turn } from 'node:timers/promises';
import type { Session } from '../format/session';
import { databaseError, databasePath, isBroken, openForWriting, setAside } from './database';
import { Indexer } from './indexer';
import type { TableLine } from './lineTable';
import { errorOf, plainError, type Answer, type Request, type StaleFile, type WorkerData } from './protocol';
import { Report } from './report';
import { sameVersion, unreadableRow, type KnownFile } from './row';
import { ScanAhead, scanFiles, type ScanData, type ScannedFile } from './scanAhead';
import { isGone, pack, roomToScan, scanSession, type Earlier, type Packed, type ScanRoom } from './scanSession';

/** Milliseconds between two commits. */
const COMMIT_EVERY = 2000;
/** Entries of growing sessions whose heads stay here. */
const KEPT_HEADS = 100_000;
/** From this many bytes on a second thread reads, too. */
const MUCH = 16 * 1024 * 1024;
/** Bytes of new files' texts that are held before they are stored. */
const HELD = 32 * 1024 * 1024;

class Stopped extends Error {}

/** Bytes of texts. */
const textBytes = (held: readonly { readonly packed: Packed }[]): number => held.reduce((sum, { packed }) => sum + packed.words.bytes.length, 0);

const place = workerData as WorkerData | ScanData;
const answer = (message: Answer): void => parentPort!.postMessage(message);

class CatalogWriter {
  private indexer: Indexer | undefined;
  /** Of sessions that grew, the least recently used first. */
  private readonly kept = new Map<string, Earlier>();
  private readonly room = roomToScan();

  constructor(private readonly place: WorkerData) {}

  /** Once more with a new database, if this one is broken. */
  async serve(request: Request): Promise<void> {
    for (let first = true; ; first = false) {
      try {
        if (request.kind === 'index') await this.index(request);
        else if (request.kind === 'forget') this.forget(request.paths);
        else this.close();
        answer({ kind: 'done', id: request.id, anew: !first });
        return;
      } catch (error) {
        this.indexer?.rollback();
        if (first && isBroken(error)) this.startAnew();
        else {
          answer({ kind: 'failed', id: request.id, error: plainError(databaseError(error, this.place.cacheDir)) });
          return;
        }
      }
    }
  }

  private open(): Indexer {
    return (this.indexer ??= new Indexer(openForWriting(this.place), this.place.indexed));
  }

  /** Properly closed, the last one leaves a single file. */
  private close(): void {
    this.indexer?.database.close();
    this.indexer = undefined;
  }

  private startAnew(): void {
    this.close();
    this.kept.clear();
    setAside(databasePath(this.place));
  }

  private async index({ id, files, gone, stop }: Extract<Request, { kind: 'index' }>): Promise<void> {
    const indexer = this.open();
    const check = (): void => {
      if (Atomics.load(stop, 0) !== 0) throw new Stopped();
    };
    const report = new Report(id, answer);
    indexer.begin();
    let began = performance.now();
    const removed = gone.filter((path) => indexer.remove(path)).length;
    const tell = async (path: string, known: KnownFile | undefined): Promise<void> => {
      report.add(path, known);
      await commitNowAndThen();
    };
    const commitNowAndThen = async (): Promise<void> => {
      if (performance.now() - began > COMMIT_EVERY) {
        indexer.commit();
        indexer.begin();
        began = performance.now();
      }
      if (report.isDue()) {
        report.send();
        await turn();
      }
    };
    const fresh = new Set(files.filter((file) => !indexer.find(file.path)));
    const isMuch = fresh.size > 1 && files.reduce((sum, file) => sum + (fresh.has(file) ? file.version.size : 0), 0) > MUCH;
    indexer.prepareFor(isMuch);
    const held: { readonly file: StaleFile; readonly packed: Packed }[] = [];
    const store = async (): Promise<void> => {
      const { file, packed } = held.shift()!;
      indexer.put(file, packed);
      await commitNowAndThen();
    };
    const waiting = new Map(Array.from(fresh, (file) => [file.path, file]));
    const ahead = isMuch ? new ScanAhead([...fresh], stop, __filename) : undefined;
    try {
      for (const file of files) {
        if (ahead && fresh.has(file)) continue;
        check();
        await tell(file.path, this.look(indexer, file, check));
      }
      for (let more = ahead !== undefined; more; ) {
        check();
        const taken = ahead!.taken();
        // Rows are complete when their files have been read, so that comes first; for the rest one thread is enough, while the other stores.
        const isStoring = !taken && held.length > 0 && waiting.size * 2 < fresh.size;
        const file = taken || isStoring ? undefined : ahead!.next();
        const path = taken?.file.path ?? file?.path;
        if (path !== undefined) waiting.delete(path);
        if (taken) await tell(taken.file.path, this.take(indexer, taken, held));
        else if (isStoring) await store();
        else if (file) await tell(file.path, this.take(indexer, { file, result: scanFile(file, check, this.room) }, held));
        else more = await ahead!.more();
        while (held.length > 0 && (!more || textBytes(held) >= HELD)) await store();
      }
      // What the other thread had taken when it broke down.
      for (const file of ahead ? waiting.values() : []) {
        check();
        await tell(file.path, this.look(indexer, file, check));
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      while (held.length > 0) await store();
    } finally {
      await ahead?.close();
    }
    indexer.commit();
    indexer.prepareFor(false);
    if (removed > 0) indexer.purge();
    report.send();
  }

  private look(indexer: Indexer, file: StaleFile, check: () => void): KnownFile | undefined {
    const stored = indexer.find(file.path);
    if (stored && sameVersion(stored.known.version, file.version) && stored.known.owner === file.owner) return stored.known;
    try {
      const onlyGrew = stored?.known.version.ino === file.version.ino && file.version.size > stored.known.version.size;
      const earlier = onlyGrew ? (this.kept.get(file.path) ?? indexer.earlier(file.path)) : undefined;
      const scanned = scanSession(file.path, { dialect: file.dialect, earlier, check, room: this.room });
      const packed = pack(scanned, stored !== undefined, earlier);
      indexer.put(file, packed);
      this.keep(file.path, scanned, packed, earlier);
      return { path: file.path, version: scanned.version, row: scanned.row, complete: true, ...(file.owner === undefined ? {} : { owner: file.owner }) };
    } catch (error) {
      if (error instanceof Stopped || (error as { errcode?: unknown }).errcode !== undefined) throw error;
      return this.fail(indexer, file, error);
    }
  }

  /** What was read of a new file, to be stored with others. */
  private take(indexer: Indexer, { file, result }: ScannedFile, held: { readonly file: StaleFile; readonly packed: Packed }[]): KnownFile | undefined {
    if ('error' in result) return this.fail(indexer, file, errorOf(result.error));
    held.push({ file, packed: result.packed });
    return { path: file.path, version: result.packed.version, row: result.packed.row, complete: true, ...(file.owner === undefined ? {} : { owner: file.owner }) };
  }

  private fail(indexer: Indexer, { path, owner, version, dialect }: StaleFile, error: unknown): KnownFile | undefined {
    this.kept.delete(path);
    if (isGone(error)) {
      indexer.remove(path);
      return undefined;
    }
    const known: KnownFile = { path, version, row: unreadableRow(error, dialect, version.mtimeMs), complete: true, ...(owner === undefined ? {} : { owner }) };
    indexer.putUnreadable(known);
    return known;
  }

  /** Whatever grew once will grow again. */
  private keep(path: string, scanned: { session: Session; mark: string; table: readonly TableLine[]; grew: boolean }, packed: Packed, earlier: Earlier | undefined): void {
    this.kept.delete(path);
    const { session, mark, table } = scanned;
    if (!scanned.grew || session.reading.before) return;
    const headsAt = packed.heads ? (packed.heads.bytes ? session.reading.offset : 0) : (earlier?.headsAt ?? 0);
    this.kept.set(path, { session, mark, table, firstMessage: packed.row.firstMessage, headsAt });
    let heads = 0;
    for (const one of this.kept.values()) heads += one.session.entries.length;
    for (const [oldest, one] of this.kept) {
      if (heads <= KEPT_HEADS || oldest === path) break;
      this.kept.delete(oldest);
      heads -= one.session.entries.length;
    }
  }

  private forget(paths: readonly string[] | undefined): void {
    const indexer = this.open();
    this.kept.clear();
    if (paths === undefined) indexer.empty();
    else {
      indexer.begin();
      indexer.removeUnder(paths);
      indexer.commit();
      indexer.purge();
    }
  }
}

/** Reads a new file. */
function scanFile(file: StaleFile, check: () => void, room: ScanRoom): ScannedFile['result'] {
  try {
    return { packed: pack(scanSession(file.path, { dialect: file.dialect, check, room }), false) };
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return { error: plainError(error) };
  }
}

if ('kind' in place) scanFiles(place, () => parentPort!.postMessage(undefined));
else {
  const writer = new CatalogWriter(place);
  let work = Promise.resolve();
  parentPort!.on('message', (request: Request) => {
    work = work.then(() => writer.serve(request));
  });
}
