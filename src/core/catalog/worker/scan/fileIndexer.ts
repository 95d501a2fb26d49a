/** Reads single files and stores them. Keeps the state of growing files, so that only the appended part is read. */
import { isArchivedSession } from '../../../format/session/archivedSession';
import { endsWithNewline } from '../../../format/session/fileState';
import { hasGrown, sameVersion } from '../../../files/read/versions/compareVersions';
import { defined } from '../../../format/values/defined';
import { isDatabaseError } from '../../database/databaseErrors';
import type { Indexer } from '../../database/indexer';
import { createReadBuffers } from '../../index/readLines';
import { createScanBuffers, isGone, scanSession, type PreviousScan, type ScanBuffers, type ScanResult } from '../../index/scanSession';
import type { PulseMemory } from '../../../files/concurrency/pulse';
import { keepRecent } from '../../../format/values/lists';
import { unreadableRow, type KnownFile } from '../../rows/catalogRow';
import type { ScannedFile } from './scannedFile';
import { deserializeError } from '../../../files/concurrency/threadErrors';
import type { StaleFile } from '../../rows/catalogRow';

/** The size in bytes from which on the session of a file that grows is kept. Smaller files are read again. */
const GROWING_FILE_BYTES = 256 * 1024;
/** Limit of entries whose heads are kept for sessions that grow, and the least that a session counts for: it has memory of its own. */
const MAX_KEPT_HEADS = 100_000;
const MIN_KEPT_HEADS = 4000;

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
      // Words that were left for later are read together with the appended words. An archive isn't appended to.
      // Nothing is stored for a file that another window couldn't read.
      const mayGrow = stored?.known.row.problem === undefined && !isArchivedSession(file.path);
      const onlyGrew = stored && mayGrow && !indexer.isUnindexed(stored.n) && hasGrown(stored.known.version, file.version);
      const earlier = onlyGrew ? this.previousScans.get(file.path) : undefined;
      const willGrow = onlyGrew === true && file.version.size >= GROWING_FILE_BYTES;
      const options = { dialect: file.dialect, check, buffers: this.buffers };
      const grown = earlier && (await scanSession(file.path, { ...options, previous: earlier }));
      // A file that was truncated meanwhile has nothing to add to the stored data.
      const isAddition = grown && stored && (!grown.index.isAppend || hasGrown(stored.known.version, grown.index.version));
      const buffers = willGrow ? { ...this.buffers, read: createReadBuffers() } : this.buffers;
      const scanned = isAddition ? grown : await scanSession(file.path, { ...options, buffers });
      const packed = scanned.index;
      indexer.put(file, packed, earlier !== undefined && !packed.isAppend);
      this.keepScan(file.path, scanned, willGrow);
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

  /** Keeps the heads of a file that will grow again. @param willGrow false for a session in the buffers that other files use */
  private keepScan(path: string, { session, checksum, table, index }: ScanResult, willGrow: boolean): void {
    this.previousScans.delete(path);
    if (!willGrow || !endsWithNewline(session)) return;
    keepRecent(
      this.previousScans,
      path,
      { session, checksum, table, firstMessage: index.row.firstMessage, family: index.row.summary },
      (one) => Math.max(one.session.byId.size, MIN_KEPT_HEADS),
      MAX_KEPT_HEADS,
    );
  }
}
