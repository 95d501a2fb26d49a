/**
 * The records of the extension's own deletions, one file each in its storage, written before anything is moved. The
 * extension acts on these records only, because anyone with write access may have created what is in a trash folder
 * among sessions.
 */
import { readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isArray, isObject } from '../../format/entry/jsonValues';
import { isRelatedName } from './relatedPaths';
import { errorCode, fileError } from '../io/fileErrors';
import { isTimeOrderedId, writePrivateFile, readPrivateJson } from '../storage/privateStorage';
import { isProcessIdentity, currentProcess, type ProcessIdentity } from '../storage/processIdentity';
import { isListedName } from '../locate/listFiles';
import { makePrivateFolder } from '../storage/privateFolder';
import { isBelow, isNormalAbsolutePath } from '../storage/pathChecks';

/** Name of the hidden folder that contains deleted sessions, in a root or next to a session. */
export const TRASH_FOLDER = '.session-tree-trash';

/** A deleted session that can be restored. */
export interface TrashItem {
  readonly trashId: string;
  /** Former path of the session. */
  readonly path: string;
  /** The session's name, or the text of its first user message. */
  readonly name: string;
  /** Time of the deletion, in milliseconds since 1970. */
  readonly at: number;
  /** Total bytes of everything that belongs to it. */
  readonly size: number;
}

/** A file or folder that was moved. */
export interface TrashedFile {
  /** Name in the session's folder. */
  readonly name: string;
  /** Name in the trash. */
  readonly as: string;
  /** Inode. The device isn't stored, because its number changes when the computer restarts. */
  readonly ino: string;
}

export interface TrashRecord extends TrashItem {
  /** `discarding`: it's being removed permanently. */
  readonly state: 'deleting' | 'deleted' | 'restoring' | 'discarding';
  /** The process that began the current step. */
  readonly doer: ProcessIdentity;
  /** The trash folder. The files are in `<folder>/<trashId>`. */
  readonly folder: string;
  /** Real path of the session's folder, where the files come from and go back to. */
  readonly parent: string;
  /** The files and folders that were moved: the session, if it's among them, then what belongs to it. */
  readonly things: readonly TrashedFile[];
}

export interface TrashRecords {
  /** The current record; `undefined` if there is no valid one. */
  read(trashId: string): Promise<TrashRecord | undefined>;
  all(): Promise<TrashRecord[]>;
  /** Stores a record, attributed to this process. */
  write(record: Omit<TrashRecord, 'doer'>): Promise<TrashRecord>;
  remove(trashId: string): Promise<void>;
}

/** Largest number of records that are read. */
const MAX_RECORDS = 20_000;

/** Opens the records in a folder, which is created if it's missing. Unreadable records are reported to `onProblem`. */
export async function openTrashRecords(folder: string, onProblem: (error: unknown) => void): Promise<TrashRecords> {
  await makePrivateFolder(folder);
  const placeOfRecord = (trashId: string): string => join(folder, `${trashId}.json`);

  const read = async (trashId: string): Promise<TrashRecord | undefined> => {
    if (!isTimeOrderedId(trashId)) return undefined;
    const value = await readPrivateJson(placeOfRecord(trashId));
    return isTrashRecord(value) && value.trashId === trashId ? value : undefined;
  };

  return {
    read,
    all: async () => {
      const names = await readdir(folder).catch((error: unknown) => {
        throw fileError(error, folder);
      });
      const found: TrashRecord[] = [];
      for (const name of names.filter((one) => one.endsWith('.json')).slice(0, MAX_RECORDS)) {
        const record = await read(basename(name, '.json')).catch(onProblem);
        if (record) found.push(record);
      }
      return found;
    },
    write: async (record) => {
      const kept: TrashRecord = { ...record, doer: currentProcess() };
      await writePrivateFile(placeOfRecord(record.trashId), JSON.stringify(kept));
      return kept;
    },
    remove: async (trashId) => {
      await unlink(placeOfRecord(trashId)).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw fileError(error, placeOfRecord(trashId));
      });
    },
  };
}

/** The folder that contains the files of a deletion. */
export const entryFolder = ({ folder, trashId }: Pick<TrashRecord, 'folder' | 'trashId'>): string => join(folder, trashId);

/** Checks a record against its schema, and its paths against the trash folder and the session's folder. */
function isTrashRecord(value: unknown): value is TrashRecord {
  if (!isObject(value) || !isProcessIdentity(value['doer']) || !isTimeOrderedId(value['trashId']) || typeof value['name'] !== 'string')
    return false;
  const { state, path, folder, parent, things } = value;
  if (typeof state !== 'string' || !['deleting', 'deleted', 'restoring', 'discarding'].includes(state)) return false;
  if (!Number.isFinite(value['at']) || !Number.isFinite(value['size'])) return false;
  if (!isNormalAbsolutePath(path) || !isNormalAbsolutePath(folder) || !isNormalAbsolutePath(parent)) return false;
  if (!isListedName(basename(path)) || basename(folder) !== TRASH_FOLDER || !isBelow(dirname(folder), path)) return false;
  return isArray(things) && things.length > 0 && things.every((file) => isTrashedFile(file, basename(path)));
}

function isTrashedFile(file: unknown, session: string): file is TrashedFile {
  if (!isObject(file)) return false;
  const { name, as, ino } = file;
  return typeof name === 'string' && isRelatedName(session, name) && typeof as === 'string' && /^\d$/.test(as) && typeof ino === 'string';
}
