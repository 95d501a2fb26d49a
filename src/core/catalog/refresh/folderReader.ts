/**
 * Lets the inspection's thread read folders, with the versions of the sessions in them. There the names and entries are
 * objects for some milliseconds; here they would be objects until all folders are listed. If nothing in a folder has
 * changed since the last inspection, the thread sends one word.
 */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FolderContent, ListedFolder } from '../../files/locate/listFiles';
import { isSameRoot, type Root } from '../../files/locate/roots';
import { MIN_START_FILES, MIN_THREAD_FILES, type InspectionThread } from './inspectionThread';
import { unpackFolder, type FolderRequest, type ReadFolder } from '../worker/protocol/packedFolder';

/** The approximate size of a folder per name in it. */
const NAME_BYTES = 64;

/** A folder as the last inspection found it. */
interface KnownFolder {
  /** See `ReadFolder`. */
  readonly digest: string;
  readonly root: Root;
  /** See `SessionPath`. */
  readonly owner: string | undefined;
  readonly listed: ListedFolder;
}

interface WaitingFolder {
  readonly request: FolderRequest;
  readonly resolve: (folder: ReadFolder) => void;
}

export class FolderReader {
  /** The folders as the last complete inspection found them, by path. */
  private known = new Map<string, KnownFolder>();
  /** The folders that the running inspection has found. */
  private found = new Map<string, KnownFolder>();
  /** Folders in which a file was found changed by something else while the inspection runs. */
  private readonly changed = new Set<string>();
  private waiting: WaitingFolder[] = [];
  private isReading = false;
  private expected = 0;
  private isNew = true;

  constructor(private readonly thread: InspectionThread) {}

  /**
   * Begins an inspection of everything.
   *
   * @param expected the number of files that are known. If it's 0, the sizes of folders decide whether the thread is worth its start.
   */
  begin(expected: number): void {
    this.expected = expected;
    this.isNew = expected === 0;
    this.found = new Map();
    this.changed.clear();
  }

  /** Ends the inspection, after all that it found was taken over. */
  end(): void {
    this.known = this.found;
    this.found = new Map();
    for (const folder of this.changed) this.known.delete(folder);
  }

  /** To be called when a file was found in another version by something else than the inspection that runs. */
  fileChanged(path: string): void {
    const folder = dirname(path);
    this.known.delete(folder);
    this.changed.add(folder);
  }

  /**
   * Reads a folder in the thread.
   *
   * @returns `undefined` if the caller has to read it: the thread isn't worth its start or is busy, the folder is so large that it
   *   must be read in parts, or it can't be read
   */
  async read(path: string, root: Root, owner: string | undefined): Promise<FolderContent | ListedFolder | undefined> {
    if (this.isNew && this.expected < MIN_START_FILES) this.expected += (await sizeOf(path)) / NAME_BYTES;
    if (this.expected < MIN_THREAD_FILES) return undefined;
    const before = this.known.get(path);
    const known = before?.owner === owner && before && isSameRoot(before.root, root) ? before : undefined;
    const folder = await this.request({ path, digest: known?.digest ?? '' });
    if (folder === 'same' && known && this.known.get(path) === known) {
      this.found.set(path, known);
      return known.listed;
    }
    this.known.delete(path);
    if (folder === 'same' || folder === null) return undefined;
    const { digest } = folder;
    // A session that was imported to a database since isn't listed any more.
    if (digest === '' || root.dialect === 'openclaw') return unpackFolder(folder);
    return { ...unpackFolder(folder), keep: (listed) => void this.found.set(path, { digest, root, owner, listed }) };
  }

  private request(request: FolderRequest): Promise<ReadFolder> {
    return new Promise((resolve) => {
      this.waiting.push({ request, resolve });
      if (!this.isReading) void this.readWaiting();
    });
  }

  /** One request at a time, as the thread takes them only while it's idle. */
  private async readWaiting(): Promise<void> {
    this.isReading = true;
    while (this.waiting.length > 0) {
      const folders = this.waiting;
      this.waiting = [];
      const requests = folders.map(({ request }) => request);
      const read = await this.thread.request('folders', requests, this.expected >= MIN_START_FILES);
      for (const [index, folder] of folders.entries()) {
        const found = read ? read[index] : null;
        if (found === undefined) this.waiting.push(folder);
        else folder.resolve(found);
      }
    }
    this.isReading = false;
  }
}

/** Resolves to a folder's size in bytes; to 0 if it can't be found out, which the caller then reports. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
