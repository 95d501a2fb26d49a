/** Reads single files and stores them. Keeps the state of files that grow, of which only what was added is read. */
import { isArchivedSession } from '../../format/session/archivedSession';
import { endOfLines, endsWithNewline } from '../../format/session/fileState';
import { hasGrown, sameVersion } from '../../files/read/compareVersions';
import { defined } from '../../format/entry/defined';
import { isDatabaseError } from '../database/databaseErrors';
import type { Indexer } from '../database/indexer';
import {
  createScanBuffers,
  isGone,
  scanSession,
  toIndexRecord,
  type IndexRecord,
  type PreviousScan,
  type ScanBuffers,
  type ScanResult,
} from '../index/scanSession';
import type { PulseMemory } from '../../files/concurrency/pulse';
import { keepRecent } from '../keepRecent';
import { unreadableRow, type KnownFile } from '../rows/catalogRow';
import type { ScannedFile } from './scannedFile';
import { deserializeError } from '../../files/concurrency/threadErrors';
import type { StaleFile } from './workerProtocol';

/** Limit of entries whose heads are kept for sessions that grow. */
const MAX_KEPT_HEADS = 100_000;

/** Thrown by `check` to end the work. */
export class StoppedError extends Error {}

export class FileIndexer {
  /** Reused from file to file. */
  readonly buffers: ScanBuffers;
  /** For sessions that grew, the least recently used first. */
  private readonly previousScans = new Map<string, PreviousScan>();

  constructor(pulse: PulseMemory) {
    this.buffers = createScanBuffers(pulse);
  }

  /** To be called when stored files may be gone. */
  forgetScans(): void {
    this.previousScans.clear();
  }

  /** Reads and stores a file. @returns its row; `undefined` if it is gone. @throws what `check` throws, and the database's errors */
  async indexFile(indexer: Indexer, file: StaleFile, check: () => void): Promise<KnownFile | undefined> {
    const stored = indexer.find(file.path);
    if (stored && sameVersion(stored.known.version, file.version) && stored.known.owner === file.owner) return stored.known;
    try {
      // Words that were left for later are read together with those of the growth.
      // An archive isn't appended to: its stored heads are always those of its version.
      // Nothing is stored of a file that another window couldn't read.
      const mayGrow = stored?.known.row.problem === undefined && !isArchivedSession(file.path);
      const onlyGrew = stored && mayGrow && !indexer.isUnindexed(stored.n) && hasGrown(stored.known.version, file.version);
      const earlier = onlyGrew ? (this.previousScans.get(file.path) ?? indexer.previousScan(file.path)) : undefined;
      const options = { dialect: file.dialect, check, buffers: this.buffers };
      const grown = earlier && (await scanSession(file.path, { ...options, previous: earlier }));
      // A file that was cut back meanwhile has nothing to add to what is stored.
      const isAddition = grown && stored && (!grown.index.isAppend || hasGrown(stored.known.version, grown.index.version));
      const scanned = isAddition ? grown : await scanSession(file.path, options);
      const packed = toIndexRecord(scanned, stored !== undefined, earlier);
      indexer.put(file, packed);
      this.keepScan(file.path, scanned, packed, earlier);
      return {
        path: file.path,
        version: packed.version,
        row: packed.row,
        complete: true,
        ...defined({ owner: file.owner }),
      };
    } catch (error) {
      if (error instanceof StoppedError || isDatabaseError(error)) throw error;
      return this.storeUnreadable(indexer, file, error);
    }
  }

  /** The row of a new file that was read. `undefined` if the file is gone. */
  knownFile(indexer: Indexer, file: StaleFile, { result }: ScannedFile): KnownFile | undefined {
    if ('error' in result) return this.storeUnreadable(indexer, file, deserializeError(result.error));
    return {
      path: file.path,
      version: result.packed.version,
      row: result.packed.row,
      complete: true,
      ...defined({ owner: file.owner }),
    };
  }

  /** Stores the problem of a file. @returns its row; `undefined` if the file is gone */
  storeUnreadable(indexer: Indexer, { path, owner, version, dialect }: StaleFile, error: unknown): KnownFile | undefined {
    this.previousScans.delete(path);
    if (isGone(error)) {
      indexer.remove(path);
      return undefined;
    }
    const known: KnownFile = {
      path,
      version,
      row: unreadableRow(path, error, dialect, version.mtimeMs),
      complete: true,
      ...defined({ owner }),
    };
    indexer.putUnreadable(known);
    return known;
  }

  /** Keeps the heads of a file that grew, because it will grow again. */
  private keepScan(
    path: string,
    scanned: Pick<ScanResult, 'session' | 'checksum' | 'table'>,
    packed: IndexRecord,
    earlier: PreviousScan | undefined,
  ): void {
    this.previousScans.delete(path);
    const { session, checksum, table } = scanned;
    if (!table || !endsWithNewline(session)) return;
    const headsOffset = packed.heads ? (packed.heads.bytes ? endOfLines(session).offset : 0) : (earlier?.headsOffset ?? 0);
    keepRecent(
      this.previousScans,
      path,
      { session, checksum, table, firstMessage: packed.row.firstMessage, headsOffset },
      (one) => one.session.byId.size,
      MAX_KEPT_HEADS,
    );
  }
}
