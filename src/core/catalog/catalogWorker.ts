/** The worker: it alone writes the database. It reads files, stores what it found, and says so as it goes. Other threads begin here, too. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { turn } from '../files/pause';
import { sameVersion } from '../files/versions';
import { answerQuestions } from './answering';
import { DamagedDatabase, databaseError, isDamage, isOfDatabase } from './damage';
import type { DatabasePlace } from './database';
import type { Indexer } from './indexer';
import { keepRecent } from './keepRecent';
import { errorOf, isMuch, plainError, type Answer, type Request, type StaleFile, type Told, type WorkerData } from './protocol';
import { Report } from './report';
import { unreadableRow, type KnownFile } from './row';
import { ScanAhead, scanOne, waitForFiles, type ScannedFile } from './scanAhead';
import { isGone, pack, roomToScan, scanSession, type Earlier, type Packed, type Scanned } from './scanSession';
import { WritableDatabase } from './writableDatabase';

/** Milliseconds between two commits. */
const COMMIT_EVERY = 2000;
/** Entries of growing sessions whose heads stay here. */
const KEPT_HEADS = 100_000;
/** From so many bytes that wait to be stored on they are stored instead of reading more; beyond the second, what the other thread reads waits there. */
const MUCH_WAITS = 19 * 1024 * 1024;
const MOST_WAITS = 32 * 1024 * 1024;

class Stopped extends Error {}

function bytesOf({ result }: ScannedFile): number {
  if (!('packed' in result)) return 0;
  const { words, lines, touches, heads } = result.packed;
  return words.bytes.length + lines.length + touches.paths.length + touches.bytes.length + (heads?.bytes?.length ?? 0);
}

const place = workerData as WorkerData;
const answer = (message: Answer): void => parentPort!.postMessage(message);

class CatalogWriter {
  private readonly database: WritableDatabase;
  /** Of sessions that grew, the least recently used first. */
  private readonly kept = new Map<string, Earlier>();
  private readonly room = roomToScan();

  constructor(private readonly place: DatabasePlace) {
    this.database = new WritableDatabase(place);
  }

  /** Once more with a new database, if this one is damaged. */
  async serve(request: Request, files: readonly StaleFile[]): Promise<void> {
    for (let first = true; ; first = false) {
      try {
        if (request.kind === 'close') this.database.close();
        else {
          const indexer = this.database.open(() => answer({ kind: 'checked', id: request.id }));
          if (request.kind === 'index') await this.index(indexer, request, files, first ? request.reader : undefined);
          else if (request.kind === 'forget') this.forget(indexer, request.paths);
          else if (request.damaged === this.database.ino) throw new DamagedDatabase('A thread that reads it met damage.');
        }
        answer({ kind: 'done', id: request.id, anew: !first });
        this.database.checkpoint();
        return;
      } catch (error) {
        this.database.rollback();
        // Whoever waits there would do so for ever.
        if (request.kind === 'index') request.reader?.close();
        if (first && isDamage(error)) {
          this.kept.clear();
          this.database.setAside();
        } else {
          answer({ kind: 'failed', id: request.id, error: plainError(databaseError(error, this.place.cacheDir)) });
          return;
        }
      }
    }
  }

  private async index(indexer: Indexer, { id, gone, stop }: Extract<Request, { kind: 'index' }>, files: readonly StaleFile[], reader: MessagePort | undefined): Promise<void> {
    const check = (): void => {
      if (Atomics.load(stop, 0) !== 0) throw new Stopped();
    };
    const report = new Report(id, files.length, answer);
    /** What waits to be stored. */
    const read: ScannedFile[] = [];
    indexer.begin();
    let began = performance.now();
    for (const path of gone) indexer.remove(path);
    const tell = async (path: string, known: KnownFile | undefined): Promise<void> => {
      report.add(path, known);
      await commitNowAndThen();
    };
    const commitNowAndThen = async (): Promise<void> => {
      if (performance.now() - began > COMMIT_EVERY) {
        indexer.commit();
        indexer.checkpoints.ifDue('busy');
        indexer.begin();
        began = performance.now();
      }
      if (report.isDue(read.length > 0)) {
        report.send();
        await turn();
      }
    };
    const fresh = files.filter((file) => !indexer.find(file.path));
    indexer.prepareFor(isMuch(fresh));
    let waits = 0;
    const store = async (): Promise<void> => {
      const one = read.shift()!;
      const { file, result } = one;
      waiting.delete(file.path);
      waits -= bytesOf(one);
      if ('packed' in result) indexer.put(file, result.packed);
      await commitNowAndThen();
    };
    const waiting = new Map(fresh.map((file) => [file.path, file]));
    const ahead = reader && isMuch(fresh) ? new ScanAhead(reader, fresh, stop) : undefined;
    if (!ahead) reader?.close();
    try {
      for (const file of files) {
        if (ahead && waiting.has(file.path)) continue;
        check();
        await tell(file.path, this.look(indexer, file, check));
      }
      for (let more = ahead !== undefined; more; ) {
        check();
        // Rows first: what was read is told at once, and stored when no more of it shall wait.
        const taken = waits < MOST_WAITS ? ahead!.taken() : undefined;
        const file = taken || waits >= MUCH_WAITS ? undefined : ahead!.next();
        const one = taken ?? (file && scanOne(file, this.room, check));
        if (one) {
          read.push(one);
          waits += bytesOf(one);
          await tell(one.file.path, this.known(indexer, one));
        } else if (read.length > 0) await store();
        else more = await ahead!.more();
      }
      // What the other thread had taken when it broke down.
      for (const file of ahead ? waiting.values() : []) {
        check();
        await tell(file.path, this.look(indexer, file, check));
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      while (read.length > 0) await store();
    } finally {
      ahead?.close();
    }
    indexer.commit();
    indexer.prepareFor(false);
    indexer.purge();
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
      return { path: file.path, version: packed.version, row: packed.row, complete: true, ...(file.owner === undefined ? {} : { owner: file.owner }) };
    } catch (error) {
      if (error instanceof Stopped || isOfDatabase(error)) throw error;
      return this.fail(indexer, file, error);
    }
  }

  /** Of a new file that the other thread has read. */
  private known(indexer: Indexer, { file, result }: ScannedFile): KnownFile | undefined {
    if ('error' in result) return this.fail(indexer, file, errorOf(result.error));
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
  private keep(path: string, scanned: Pick<Scanned, 'session' | 'mark' | 'table'>, packed: Packed, earlier: Earlier | undefined): void {
    this.kept.delete(path);
    const { session, mark, table } = scanned;
    if (!table || session.reading.before) return;
    const headsAt = packed.heads ? (packed.heads.bytes ? session.reading.offset : 0) : (earlier?.headsAt ?? 0);
    keepRecent(this.kept, path, { session, mark, table, firstMessage: packed.row.firstMessage, headsAt }, (one) => one.session.byId.size, KEPT_HEADS);
  }

  private forget(indexer: Indexer, paths: readonly string[] | undefined): void {
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

if ('reader' in place) waitForFiles(place.reader);
else if ('answering' in place) answerQuestions(parentPort!, place);
else {
  const writer = new CatalogWriter(place);
  let work = Promise.resolve();
  const files = new Map<number, StaleFile[]>();
  parentPort!.on('message', (told: Told) => {
    if (told.kind === 'files') {
      const given = files.get(told.id) ?? [];
      given.push(...told.files);
      files.set(told.id, given);
      return;
    }
    const given = files.get(told.id) ?? [];
    files.delete(told.id);
    work = work.then(() => writer.serve(told, given));
  });
}
