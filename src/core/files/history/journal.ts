/**
 * Journal of all writes, one line each, in the extension's storage. Undo is based on it. There is one file per day, so
 * that old days can be removed without rewriting a file that another window uses.
 */
import { readdir, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { hasMembers, isNullOr, isOneOf, isOptional, isText, type Check, type Shape } from '../../format/values/checks';
import { isCount, isObject, ownValue } from '../../format/values/jsonValues';
import { isBackup } from '../trash/relatedPaths';
import { WorkQueue } from '../concurrency/workQueue';
import { fileError } from '../io/fileErrors';
import { isTimeOrderedId, appendPrivateLine, readPrivateLines, timeOrderedId } from '../storage/privateStorage';
import { makePrivateFolder } from '../storage/privateFolder';
import { isNormalAbsolutePath } from '../storage/pathChecks';

/** Sizes of the session file, in bytes. */
interface Sizes {
  readonly sizeBefore: number;
  readonly sizeAfter: number;
}

/** A session file that was created, and the hash of the bytes that we wrote. */
interface NewFile {
  readonly path: string;
  readonly source: string;
  readonly sizeAfter: number;
  readonly sha256: string;
}

/**
 * A recorded change. `entryId` is the last line that was written; an empty text means no label or no name. `group`: the id shared by
 * what was done together, which is undone as a whole.
 */
export type JournalEntry =
  | ({
      readonly kind: 'label';
      readonly path: string;
      readonly entryId: string;
      readonly targetId: string;
      readonly from: string;
      readonly to: string;
      readonly group?: string;
    } & Sizes)
  | ({ readonly kind: 'rename'; readonly path: string; readonly entryId: string; readonly from: string; readonly to: string } & Sizes)
  /** `from`: the leaf that was left. */
  | ({
      readonly kind: 'branch';
      readonly path: string;
      readonly entryId: string;
      readonly from: string | null;
      readonly group?: string;
    } & Sizes)
  | ({ readonly kind: 'append'; readonly path: string; readonly entryId: string } & Sizes)
  | ({ readonly kind: 'fork'; readonly group?: string } & NewFile)
  | ({ readonly kind: 'import' } & NewFile)
  | ({ readonly kind: 'recover' } & NewFile)
  /** An empty hash: the process ended before it was known. */
  | ({
      readonly kind: 'migrate';
      readonly path: string;
      readonly backupPath: string;
      readonly sha256: string;
      readonly backupSha256: string;
    } & Sizes)
  | { readonly kind: 'delete'; readonly path: string; readonly trashId: string; readonly group?: string }
  | { readonly kind: 'archive'; readonly path: string; readonly archive: string; readonly group?: string }
  | { readonly kind: 'unarchive'; readonly path: string; readonly archive: string }
  | { readonly kind: 'restore'; readonly path: string; readonly trashId: string }
  /** The files of `folder` were led to their state after the entry; the texts before are kept under the `restoreId`. */
  | {
      readonly kind: 'restoreFiles';
      readonly path: string;
      readonly entryId: string;
      readonly folder: string;
      readonly restoreId: string;
      readonly group?: string;
    }
  /**
   * A session that moved with its project, or whose parent did. The texts are its old and new header; `group` is the id
   * of the move.
   */
  | {
      readonly kind: 'relink';
      readonly path: string;
      readonly newPath: string;
      readonly before: string;
      readonly after: string;
      readonly group: string;
    }
  /** `failed`: it can't be taken back any more. */
  | { readonly kind: 'undo'; readonly path: string; readonly undoes: string; readonly failed?: true };

/** A record in the journal. */
export type StoredJournalEntry = JournalEntry & {
  readonly id: string;
  /** Time of the change, ISO 8601. */
  readonly at: string;
  /** Host name. */
  readonly machine: string;
};

/** A record of one kind, or of some. */
export type RecordOf<Kind extends StoredJournalEntry['kind']> = Extract<StoredJournalEntry, { readonly kind: Kind }>;

/** Journal of all changes of this installation. */
export interface Journal {
  /** The journal's folder. */
  readonly folder: string;
  /**
   * Adds a record.
   *
   * @throws {SessionError} `permission` or `no-space`.
   */
  add(entry: JournalEntry): Promise<StoredJournalEntry>;
  /**
   * Iterates over the records, newest first.
   *
   * @param since milliseconds since 1970; the first record before it is the last one. By default all
   */
  records(since?: number): AsyncGenerator<StoredJournalEntry>;
  /** Removes days that are entirely older than this. */
  prune(maxAgeMs: number): Promise<void>;
}

/** Opens the journal in a folder, which is created if it's missing. */
export async function openJournal(folder: string, now: () => number = Date.now): Promise<Journal> {
  await makePrivateFolder(folder);
  const writes = new WorkQueue();
  return {
    folder,
    add: async (entry) => {
      const at = new Date(now()).toISOString();
      const record: StoredJournalEntry = { id: timeOrderedId(now()), at, machine: hostname(), ...entry };
      await writes.add(() => appendPrivateLine(join(folder, `${at.slice(0, 10)}${ENDING}`), record));
      return record;
    },
    records: async function* (since = -Infinity) {
      for (const day of (await days(folder)).reverse()) {
        for (const record of (await readPrivateLines(join(folder, day))).filter(isStoredJournalEntry).reverse()) {
          yield record;
          if (Date.parse(record.at) < since) return;
        }
      }
    },
    prune: async (maxAgeMs) => {
      for (const day of await days(folder)) {
        const end = Date.parse(day.slice(0, 10)) + DAY_MS;
        if (end < now() - maxAgeMs) await unlink(join(folder, day)).catch(() => undefined);
      }
    },
  };
}

/** True if a record since a time fits. @param since see `Journal.records` */
export async function hasRecordSince(journal: Journal, since: number, fits: (record: StoredJournalEntry) => boolean): Promise<boolean> {
  for await (const record of journal.records(since)) if (fits(record)) return true;
  return false;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const ENDING = '.writes';

async function days(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw fileError(error, folder);
  });
  return names
    .filter((name) => /^\d{4}-\d\d-\d\d$/.test(name.slice(0, 10)) && isTime(name.slice(0, 10)) && name.slice(10) === ENDING)
    .sort();
}

const isHash: Check<string> = (value): value is string => typeof value === 'string' && /^([0-9a-f]{64})?$/.test(value);
const isTime: Check<string> = (value): value is string => typeof value === 'string' && Number.isFinite(Date.parse(value));
const isBackupPath: Check<string> = (value): value is string => isNormalAbsolutePath(value) && isBackup(basename(value));
const isGroup = isOptional(isTimeOrderedId);

const COMMON = { id: isTimeOrderedId, at: isTime, machine: isText, path: isNormalAbsolutePath };
const SIZES = { sizeBefore: isCount, sizeAfter: isCount };
const NEW_FILE = { source: isText, sizeAfter: isCount, sha256: isHash };

/** The members of each kind, in addition to the common ones. */
const MEMBERS: { readonly [K in JournalEntry['kind']]: Shape<Omit<RecordOf<K>, keyof typeof COMMON | 'kind'>> } = {
  label: { entryId: isText, targetId: isText, from: isText, to: isText, group: isGroup, ...SIZES },
  rename: { entryId: isText, from: isText, to: isText, ...SIZES },
  branch: { entryId: isText, from: isNullOr(isText), group: isGroup, ...SIZES },
  append: { entryId: isText, ...SIZES },
  fork: { ...NEW_FILE, group: isGroup },
  import: NEW_FILE,
  recover: NEW_FILE,
  migrate: { backupPath: isBackupPath, sha256: isHash, backupSha256: isHash, ...SIZES },
  delete: { trashId: isTimeOrderedId, group: isGroup },
  archive: { archive: isNormalAbsolutePath, group: isGroup },
  unarchive: { archive: isNormalAbsolutePath },
  restore: { trashId: isText },
  restoreFiles: { entryId: isText, folder: isNormalAbsolutePath, restoreId: isText, group: isGroup },
  relink: { newPath: isNormalAbsolutePath, before: isText, after: isText, group: isTimeOrderedId },
  undo: { undoes: isText, failed: isOptional(isOneOf([true])) },
};

function isStoredJournalEntry(value: unknown): value is StoredJournalEntry {
  if (!isObject(value)) return false;
  const { kind } = value;
  const members = isText(kind) ? ownValue<Shape<object>>(MEMBERS, kind) : undefined;
  return members !== undefined && hasMembers(value, COMMON) && hasMembers(value, members);
}
