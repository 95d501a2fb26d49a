/** The worker: it alone writes the database. It reads files, stores what it found, and says so as it goes. */
import { parentPort, workerData } from 'node:worker_threads';
import { setImmediate as turn } from 'node:timers/promises';
import type { Session } from '../format/session';
import { databaseError, databasePath, isBroken, openForWriting, setAside } from './database';
import { Indexer } from './indexer';
import type { TableLine } from './lineTable';
import { plainError, type Answer, type Request, type StaleFile, type WorkerData } from './protocol';
import { sameVersion, unreadableRow, type KnownFile } from './row';
import { isGone, pack, scanSession, type Earlier, type Packed } from './scanSession';

/** Milliseconds between two reports, and between two commits. */
const REPORT_EVERY = 50;
const COMMIT_EVERY = 2000;
/** Entries of growing sessions whose heads stay here. */
const KEPT_HEADS = 100_000;

class Stopped extends Error {}

const place = workerData as WorkerData;
const answer = (message: Answer): void => parentPort!.postMessage(message);

class CatalogWriter {
  private indexer: Indexer | undefined;
  /** Of sessions that grew, the least recently used first. */
  private readonly kept = new Map<string, Earlier>();

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
          answer({ kind: 'failed', id: request.id, error: plainError(databaseError(error, place.cacheDir)) });
          return;
        }
      }
    }
  }

  private open(): Indexer {
    return (this.indexer ??= new Indexer(openForWriting(place), place.indexed));
  }

  /** Properly closed, the last one leaves a single file. */
  private close(): void {
    this.indexer?.database.close();
    this.indexer = undefined;
  }

  private startAnew(): void {
    this.close();
    this.kept.clear();
    setAside(databasePath(place));
  }

  private async index({ id, files, gone, stop }: Extract<Request, { kind: 'index' }>): Promise<void> {
    const indexer = this.open();
    const check = (): void => {
      if (Atomics.load(stop, 0) !== 0) throw new Stopped();
    };
    const report = new Report(id);
    indexer.begin();
    let began = performance.now();
    const removed = gone.filter((path) => indexer.remove(path)).length;
    try {
      for (const file of files) {
        check();
        report.add(file.path, this.look(indexer, file, check));
        if (performance.now() - began > COMMIT_EVERY) {
          indexer.commit();
          indexer.begin();
          began = performance.now();
        }
        if (report.isDue()) {
          report.send();
          await turn();
        }
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
    indexer.commit();
    if (removed > 0) indexer.purge();
    report.send();
  }

  private look(indexer: Indexer, file: StaleFile, check: () => void): KnownFile | undefined {
    const stored = indexer.find(file.path);
    if (stored && sameVersion(stored.known.version, file.version) && stored.known.owner === file.owner) return stored.known;
    try {
      const onlyGrew = stored?.known.version.ino === file.version.ino && file.version.size > stored.known.version.size;
      const earlier = onlyGrew ? (this.kept.get(file.path) ?? indexer.earlier(file.path)) : undefined;
      const scanned = scanSession(file.path, { dialect: file.dialect, earlier, check });
      const packed = pack(scanned, stored !== undefined, earlier);
      indexer.put(file, packed);
      this.keep(file.path, scanned, packed, earlier);
      return { path: file.path, version: scanned.version, row: scanned.row, complete: true, ...(file.owner === undefined ? {} : { owner: file.owner }) };
    } catch (error) {
      if (error instanceof Stopped || (error as { errcode?: unknown }).errcode !== undefined) throw error;
      this.kept.delete(file.path);
      if (isGone(error)) {
        indexer.remove(file.path);
        return undefined;
      }
      const { path, owner, version } = file;
      const known: KnownFile = { path, version, row: unreadableRow(error, file.dialect, version.mtimeMs), complete: true, ...(owner === undefined ? {} : { owner }) };
      indexer.putUnreadable(known);
      return known;
    }
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

/** Tells of files as they are done, not of each alone. */
class Report {
  private files: KnownFile[] = [];
  private gone: string[] = [];
  private done = 0;
  private last = performance.now();

  constructor(private readonly id: number) {}

  add(path: string, known: KnownFile | undefined): void {
    this.done++;
    if (known) this.files.push(known);
    else this.gone.push(path);
  }

  isDue(): boolean {
    return performance.now() - this.last > REPORT_EVERY;
  }

  send(): void {
    answer({ kind: 'progress', id: this.id, files: this.files, gone: this.gone, done: this.done });
    this.files = [];
    this.gone = [];
    this.last = performance.now();
  }
}

const writer = new CatalogWriter();
let work = Promise.resolve();
parentPort!.on('message', (request: Request) => {
  work = work.then(() => writer.serve(request));
});
