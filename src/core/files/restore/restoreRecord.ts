/**
 * The record of a restore: a folder with a file that lists the changes, and a file with all bytes before and after them. It's
 * complete and synced before the first file changes, and stays so that the restore can be undone.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isListOf, isNullOr, isNumber, isObjectOf, isOneOf, isOptional, isText, type Check } from '../../format/values/checks';
import { isCount } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { isHash, isMode } from '../../format/restore/planChecks';
import type { PlannedState, RestorePlan } from '../../format/restore/restorePlan';
import { syncFolder } from '../io/atomicFile';
import { realDisk, writeAll, type Disk } from '../io/disk';
import { exists } from '../io/exists';
import { isMissing } from '../io/fileErrors';
import { readExactly } from '../io/readAt';
import { openRegularFile } from '../io/regularFile';
import type { Root } from '../locate/roots';
import { placeWithin } from '../relink/movedPaths';
import { isNormalAbsolutePath } from '../storage/pathChecks';
import { makePrivateFolder } from '../storage/privateFolder';
import { appendPrivateLine, isTimeOrderedId, readPrivateLines, writePrivateFile } from '../storage/privateStorage';
import { hashOf } from './foundFile';

/** Options of restores. */
export interface RestoreStorage {
  /** A private folder for the records of restores and the texts before. */
  readonly storage: string;
  /** Session folders beside those that this machine's programs have. Nothing is written in them. */
  readonly roots?: readonly Root[];
  readonly disk?: Disk;
}

/** A state of a file, whose bytes the record has. */
export interface KeptState extends PlannedState {
  /** The place of its bytes in the record, in bytes. */
  readonly offset: number;
  readonly length: number;
}

/** A change of one file. `null` stands for no file. */
export interface FileChange {
  /** The path as the session named it. */
  readonly file: string;
  /** The path with the links in the folders above it resolved. */
  readonly path: string;
  readonly before: KeptState | null;
  readonly after: KeptState | null;
}

/** A folder, and the mode that it gets when it's made; by default the system's. */
export interface FolderMode {
  readonly path: string;
  readonly mode?: number | undefined;
}

/** Changes of files, with the folders around them. */
export interface ChangeSet {
  readonly changes: readonly FileChange[];
  /** Folders that are made if a file needs them, and were not there before or may be gone. */
  readonly foldersAfter: readonly FolderMode[];
  /** Folders that are removed if they become empty. */
  readonly foldersBefore: readonly FolderMode[];
}

export interface RestoreRecord extends ChangeSet {
  readonly id: string;
  /** The session and entry whose files they are. */
  readonly ref: RestorePlan['ref'];
  /** The real path of the session's folder. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Returns the changes that take others back. */
export const inverse = ({ changes, foldersAfter, foldersBefore }: ChangeSet): ChangeSet => ({
  changes: changes.map(({ file, path, before, after }) => ({ file, path, before: after, after: before })),
  foldersAfter: foldersBefore,
  foldersBefore: foldersAfter,
});

const RECORDS = 'restores';
const LIST = 'changes';
const BYTES = 'bytes';
const TURNS = 'turns';

export const recordFolder = (storage: string, id: string): string => join(storage, RECORDS, id);

/** Collects the bytes of a record in one file, which is synced once. */
export class BytesWriter {
  private size = 0;

  private constructor(private readonly file: Awaited<ReturnType<Disk['open']>>) {}

  static async create(storage: string, id: string, disk: Disk = realDisk): Promise<BytesWriter> {
    await makePrivateFolder(recordFolder(storage, id));
    return new BytesWriter(await disk.open(join(recordFolder(storage, id), BYTES), 'wx', 0o600));
  }

  /** Adds bytes, and returns the state that has them. May be called again before it resolves. */
  async add(bytes: Uint8Array, { sha256, mode }: PlannedState): Promise<KeptState> {
    const offset = this.size;
    this.size += bytes.length;
    await writeAll(this.file, bytes, offset);
    return { sha256, mode, offset, length: bytes.length };
  }

  sync = (): Promise<void> => this.file.sync();
  close = (): Promise<void> => this.file.close();
}

/** Writes the list of a record whose bytes are synced. @throws {SessionError} `permission` or `no-space` */
export async function writeRecord(storage: string, { changes, ...head }: RestoreRecord): Promise<void> {
  const lines = [{ ...head, count: changes.length }, ...changes].map((one) => `${JSON.stringify(one)}\n`);
  await writePrivateFile(join(recordFolder(storage, head.id), LIST), lines.join(''));
  await syncFolder(join(storage, RECORDS));
}

/** True if a record was completed. @throws {SessionError} `permission` */
export const hasRecord = (storage: string, id: string): Promise<boolean> => exists(join(recordFolder(storage, id), LIST));

/** Returns a record; `undefined` if there is none, or none that is complete and valid. @throws {SessionError} as `readPrivateLines` */
export async function readRecord(storage: string, id: string): Promise<RestoreRecord | undefined> {
  if (!isTimeOrderedId(id)) return undefined;
  const [head, ...changes] = await readPrivateLines(join(recordFolder(storage, id), LIST));
  if (!isHead(head) || head.id !== id || !isListOf(isChange)(changes) || changes.length !== head.count) return undefined;
  const { folder, foldersAfter, foldersBefore } = head;
  const paths = [...changes, ...foldersAfter, ...foldersBefore].map(({ path }) => path);
  // Links are resolved again before anything is changed.
  return paths.every((path) => placeWithin(folder, path)) ? { ...head, changes } : undefined;
}

/** A later change of the files of a restore: back to what they were before, or forward again. */
export interface RestoreTurn {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly to: 'before' | 'after';
  /** The paths that weren't changed by it. */
  readonly left: readonly string[];
}

/** Adds a turn to a record. @throws {SessionError} `permission` or `no-space` */
export const noteTurn = (storage: string, id: string, turn: RestoreTurn): Promise<void> =>
  appendPrivateLine(join(recordFolder(storage, id), TURNS), turn);

/** Returns the turns of a record in their order. */
export const readTurns = async (storage: string, id: string): Promise<RestoreTurn[]> =>
  (await readPrivateLines(join(recordFolder(storage, id), TURNS))).filter(isTurn);

/** Returns the bytes of a state. @throws {SessionError} `damaged` if the record doesn't have them as they were */
export async function keptBytes(storage: string, id: string, { sha256, offset, length }: KeptState): Promise<Buffer> {
  const path = join(recordFolder(storage, id), BYTES);
  const { file, stats } = await openRegularFile(path, { followLink: false });
  try {
    const bytes = offset + length <= Number(stats.size) ? await readExactly(file, offset, length) : undefined;
    if (bytes && hashOf(bytes) === sha256) return bytes;
  } finally {
    await file.close();
  }
  throw new SessionError('damaged', 'The kept texts of this restore are damaged: {path}', { path });
}

/** Returns the ids of all records, complete or not, the oldest first. */
export async function recordIds(storage: string): Promise<string[]> {
  const names = await readdir(join(storage, RECORDS)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter(isTimeOrderedId).sort();
}

/** Removes a record with its bytes. */
export const removeRecord = (storage: string, id: string): Promise<void> => rm(recordFolder(storage, id), { recursive: true, force: true });

/** When a record was made, in milliseconds since 1970. */
export const timeOfRecord = (id: string): number => Number.parseInt(id.slice(0, id.indexOf('-')), 36);

const isState = isObjectOf<KeptState>({ sha256: isHash, mode: isMode, offset: isCount, length: isCount });
const isChange = isObjectOf<FileChange>({
  file: isText,
  path: isNormalAbsolutePath,
  before: isNullOr(isState),
  after: isNullOr(isState),
});
const isTurn = isObjectOf<RestoreTurn>({ at: isNumber, to: isOneOf(['before', 'after']), left: isListOf(isText) });
const areFolders = isListOf(isObjectOf<FolderMode>({ path: isNormalAbsolutePath, mode: isOptional(isMode) }));
const isHead: Check<Omit<RestoreRecord, 'changes'> & { readonly count: number }> = isObjectOf({
  id: isTimeOrderedId,
  ref: isObjectOf<RestorePlan['ref']>({ path: isText, entryId: isText }),
  folder: isNormalAbsolutePath,
  at: isNumber,
  foldersAfter: areFolders,
  foldersBefore: areFolders,
  count: isCount,
});
