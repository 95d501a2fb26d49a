/**
 * The records of the extension's own deletions in its storage: one file for each session in the trash, and a record of the
 * operation while its files are moved. The extension acts on these records only, because anyone with write access may have
 * created what is in a trash folder among sessions.
 */
import { readdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isListOf, isNumber, isObjectOf, isOneOf, isText } from '../../format/values/checks';
import { ownValue, type JsonObject } from '../../format/values/jsonValues';
import { settleAll } from '../concurrency/runGrouped';
import { isRelatedName } from './relatedPaths';
import { errorCode, fileError } from '../io/fileErrors';
import { isTimeOrderedId, writePrivateFile, readPrivateJson } from '../storage/privateStorage';
import {
  beginOperation,
  pruneOperations,
  readOperations,
  recoverOperations,
  type Operation,
  type OperationHandler,
} from '../storage/operationRecord';
import { isProcessIdentity, mayBeRunning, type ProcessIdentity } from '../storage/processIdentity';
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
  /** Identifies a regular file. Records of earlier versions don't have it. */
  readonly stats?: FileStats | undefined;
}

/** A file on another disk has another number, one to which its program still adds another size and time. */
export interface FileStats {
  readonly ino: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

export interface TrashRecord extends TrashItem {
  /** The trash folder. The files are in `<folder>/<trashId>`. */
  readonly folder: string;
  /** Real path of the session's folder, where the files come from and go back to. */
  readonly parent: string;
  /** The files and folders that were moved: the session, if it's among them, then what belongs to it. */
  readonly things: readonly TrashedFile[];
}

/** A record from the disk, which may have members of an earlier version. */
type StoredRecord = TrashRecord & JsonObject;

/** Moves the files of a deletion into the trash or back, or removes them. */
export type TrashTask = 'delete' | 'restore' | 'discard';

/** Ends an interrupted task. Returns false if that isn't possible yet. */
type TrashHandler = (task: TrashTask, record: TrashRecord) => Promise<boolean>;

export interface TrashRecords {
  /** The record of a session in the trash; `undefined` if there is no valid one, or a task with it is under way. */
  read(trashId: string): Promise<TrashRecord | undefined>;
  /** All that `read` returns. */
  all(): Promise<TrashRecord[]>;
  /** The records of tasks that are under way or were interrupted. */
  underWay(): Promise<TrashRecord[]>;
  write(record: TrashRecord): Promise<void>;
  remove(trashId: string): Promise<void>;
  /** Records that a task is about to begin. @throws {SessionError} `permission` or `no-space` */
  begin(task: TrashTask, record: TrashRecord): Promise<Operation>;
  /** Passes each task whose process is gone to the handler. @throws as `recoverOperations` */
  recover(handle: TrashHandler): Promise<void>;
  /** Removes the records of tasks that no start could end for so long. */
  prune(maxAgeMs: number): Promise<void>;
}

/** Largest number of records that are read. */
const MAX_RECORDS = 20_000;

/**
 * Opens the records in the trash's folder of the extension's storage, which is created if it's missing. Unreadable records are
 * reported to `onProblem`.
 */
export async function openTrashRecords(folder: string, onProblem: (error: unknown) => void): Promise<TrashRecords> {
  const records = join(folder, 'records');
  await makePrivateFolder(records);
  const recordPath = (trashId: string): string => join(records, `${trashId}.json`);

  const read = async (trashId: string): Promise<StoredRecord | undefined> => {
    if (!isTimeOrderedId(trashId)) return undefined;
    const value = await readPrivateJson(recordPath(trashId));
    return isTrashRecord(value) && value.trashId === trashId ? value : undefined;
  };
  const readAll = async (): Promise<StoredRecord[]> => {
    const names = await readdir(records).catch((error: unknown) => {
      throw fileError(error, records);
    });
    const found: StoredRecord[] = [];
    for (const name of names.filter((one) => one.endsWith('.json')).slice(0, MAX_RECORDS)) {
      const record = await read(basename(name, '.json')).catch(onProblem);
      if (record) found.push(record);
    }
    return found;
  };
  const remove = async (trashId: string): Promise<void> => {
    await unlink(recordPath(trashId)).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw fileError(error, recordPath(trashId));
    });
  };
  const tasks = async (): Promise<StoredRecord[]> =>
    (await readOperations(folder, 'trashing')).map(({ subject }): unknown => subject).filter(isTrashRecord);
  const idsOfTasks = async (): Promise<ReadonlySet<string>> => new Set((await tasks()).map(({ trashId }) => trashId));

  return {
    read: async (trashId) => {
      const record = await read(trashId);
      return !record || earlierTask(record) || (await idsOfTasks()).has(trashId) ? undefined : record;
    },
    all: async () => {
      const busy = await idsOfTasks();
      return (await readAll()).filter((record) => !earlierTask(record) && !busy.has(record.trashId));
    },
    underWay: async () => [...(await tasks()), ...(await readAll()).filter((record) => earlierTask(record))],
    write: ({ trashId, path, name, at, size, folder: place, parent, things }) =>
      writePrivateFile(recordPath(trashId), JSON.stringify({ trashId, path, name, at, size, folder: place, parent, things })),
    remove,
    begin: (task, record) => beginOperation(folder, 'trashing', { task, ...record }),
    recover: async (handle) => {
      const earlier = (await readAll()).map(async (record) => {
        const found = earlierTask(record);
        if (found && !mayBeRunning(found.process)) await handle(found.task, record);
      });
      const trashing: OperationHandler = async ({ subject, process }) => {
        const { task } = subject;
        return isTask(task) && isTrashRecord(subject) && !mayBeRunning(process) && handle(task, subject);
      };
      await settleAll([recoverOperations(folder, { trashing }), ...earlier]);
    },
    prune: (maxAgeMs) =>
      pruneOperations(folder, 'trashing', maxAgeMs, async ({ subject }) => {
        if (isTrashRecord(subject)) await remove(subject.trashId);
      }),
  };
}

const isTask = isOneOf<TrashTask>(['delete', 'restore', 'discard']);

/** Version 0.1.0 kept the task that was under way in the record itself. */
const EARLIER_STATES: Readonly<Record<string, TrashTask>> = { deleting: 'delete', restoring: 'restore', discarding: 'discard' };

function earlierTask({ state, doer }: StoredRecord): { readonly task: TrashTask; readonly process: ProcessIdentity } | undefined {
  const task = typeof state === 'string' ? ownValue(EARLIER_STATES, state) : undefined;
  return task && isProcessIdentity(doer) ? { task, process: doer } : undefined;
}

/** The folder that contains the files of a deletion. */
export const entryFolder = ({ folder, trashId }: Pick<TrashRecord, 'folder' | 'trashId'>): string => join(folder, trashId);

const isStats = isObjectOf<FileStats>({ ino: isText, size: isNumber, mtime: isNumber });

const hasTrashShape = isObjectOf<TrashRecord>({
  trashId: isTimeOrderedId,
  path: isNormalAbsolutePath,
  name: isText,
  at: isNumber,
  size: isNumber,
  folder: isNormalAbsolutePath,
  parent: isNormalAbsolutePath,
  things: isListOf(
    isObjectOf<TrashedFile>({
      name: isText,
      as: (value): value is string => isText(value) && /^\d$/.test(value),
      stats: (value): value is FileStats | undefined => value === undefined || isStats(value),
    }),
  ),
});

/** Checks a record against its schema, and its paths against the trash folder and the session's folder. */
function isTrashRecord(value: unknown): value is StoredRecord {
  if (!hasTrashShape(value)) return false;
  const { path, folder, things } = value;
  if (!isListedName(basename(path)) || basename(folder) !== TRASH_FOLDER || !isBelow(dirname(folder), path)) return false;
  return things.length > 0 && things.every(({ name }) => isRelatedName(basename(path), name));
}
