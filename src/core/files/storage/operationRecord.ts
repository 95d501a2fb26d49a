/**
 * Records of operations that change several files, so that the next start finishes operations whose process was killed.
 * Each kind has a folder with one file for each operation: its process and its subject in the first line, then its
 * steps.
 */
import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, type JsonObject } from '../../format/values/jsonValues';
import { runGrouped } from '../concurrency/runGrouped';
import { exists } from '../io/exists';
import { withLock } from './crossWindowLocks';
import { makePrivateFolder } from './privateFolder';
import { appendPrivateLine, readPrivateLines, timeOrderedId, writePrivateFile } from './privateStorage';
import { ageOf, currentProcess, isProcessIdentity, mayBeRunning, type ProcessIdentity } from './processIdentity';
import { removeStaleTemporaryFiles } from './temporaryFiles';

/** The kinds of operations, which are the names of their folders. */
type OperationKind = 'migrating' | 'archiving' | 'relinking' | 'trashing' | 'restoring';

/** An operation of this process. */
export interface Operation {
  readonly id: string;
  /** Adds a step. @throws {SessionError} `permission` or `no-space` */
  readonly step: (value: object) => Promise<void>;
  /** Removes the record. If that fails, the next start does it. */
  readonly done: () => Promise<void>;
}

/** The record of an operation, whose process may be gone. Its values are checked by the kind's handler. */
export interface OperationRecord extends Operation {
  readonly kind: OperationKind;
  readonly process: ProcessIdentity;
  readonly subject: JsonObject;
  readonly steps: readonly unknown[];
}

/** Ends an interrupted operation. Returns true if its record isn't needed any more. */
export type OperationHandler = (record: OperationRecord) => Promise<boolean>;

/** Name of a record: its id and an ending. */
const NAME = /^(.+)\.(steps|json)$/;

/**
 * Records that an operation is about to begin. Without a record nothing may change.
 *
 * @param folder the folder of the records: the journal's, or the trash's.
 * @param subject must not have the keys of {@link ProcessIdentity}.
 * @throws {SessionError} `permission` or `no-space`
 */
export async function beginOperation(folder: string, kind: OperationKind, subject: object): Promise<Operation> {
  const id = timeOrderedId();
  await makePrivateFolder(join(folder, kind));
  const file = join(folder, kind, `${id}.steps`);
  await writePrivateFile(file, `${JSON.stringify({ ...currentProcess(), ...subject })}\n`);
  return operationIn(id, file);
}

const operationIn = (id: string, file: string): Operation => ({
  id,
  step: (value) => appendPrivateLine(file, value),
  // A disk may refuse temporarily.
  done: () =>
    unlink(file)
      .catch(() => unlink(file))
      .catch(() => undefined),
});

async function recordNames(folder: string, kind: OperationKind): Promise<string[]> {
  const records = join(folder, kind);
  if (!(await exists(records))) return [];
  await removeStaleTemporaryFiles(records);
  return (await readdir(records)).filter((name) => NAME.test(name)).sort();
}

async function readRecord(folder: string, kind: OperationKind, name: string): Promise<OperationRecord | undefined> {
  const [, id = ''] = NAME.exec(name) ?? [];
  const file = join(folder, kind, name);
  const [subject, ...steps] = await readPrivateLines(file);
  if (!isObject(subject) || !isProcessIdentity(subject)) return undefined;
  return { ...operationIn(id, file), kind, process: subject, subject, steps };
}

/** The operations of a kind that are under way or were interrupted. */
export async function readOperations(folder: string, kind: OperationKind): Promise<OperationRecord[]> {
  const found: OperationRecord[] = [];
  for (const name of await recordNames(folder, kind)) {
    const record = await readRecord(folder, kind, name);
    if (record) found.push(record);
  }
  return found;
}

/**
 * Removes the records of operations that no start could end for so long.
 *
 * @param onRemove runs before a record is removed.
 */
export function pruneOperations(
  folder: string,
  kind: OperationKind,
  maxAgeMs: number,
  onRemove: (record: OperationRecord) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const handler: OperationHandler = async (record) => {
    if (ageOf(record.process.since) <= maxAgeMs || mayBeRunning(record.process)) return false;
    await onRemove(record);
    return true;
  };
  return recoverOperations(folder, { [kind]: handler });
}

/**
 * Passes each record to the handler of its kind, in one window at a time.
 *
 * @throws all failures, after the other records are handled; see `runGrouped`.
 */
export async function recoverOperations(
  folder: string,
  handlers: Partial<Readonly<Record<OperationKind, OperationHandler>>>,
): Promise<void> {
  const recover = async (kind: OperationKind, name: string, handle: OperationHandler): Promise<void> => {
    // Another window may have ended it meanwhile.
    const record = (await exists(join(folder, kind, name))) ? await readRecord(folder, kind, name) : undefined;
    if (record && (await handle(record))) await record.done();
  };
  const found: (() => Promise<void>)[] = [];
  // The kinds are the keys of the table.
  for (const [kind, handle] of Object.entries(handlers) as [OperationKind, OperationHandler][])
    for (const name of await recordNames(folder, kind))
      found.push(() => withLock(folder, join(folder, kind, name), () => recover(kind, name, handle)));
  await runGrouped(
    found.entries(),
    ([at]) => String(at),
    ([, work]) => work(),
  );
}
