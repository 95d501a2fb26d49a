/** Finds the points whose files are on the disk now: those of the newest restores whose files nobody has changed since. */
import { errorCode } from '../io/fileErrors';
import { SessionError } from '../../format/entry/problem';
import { readOperations } from '../storage/operationRecord';
import { readFound } from './foundFile';
import { restoreOf } from './recoverRestores';
import { readRecord, readTurns, recordIds, type RestoreRecord } from './restoreRecord';

/** An entry to which files were restored. */
export interface RestoredPoint {
  readonly path: string;
  readonly entryId: string;
  /** The real path of the session's folder. */
  readonly folder: string;
  /** When they were restored, in milliseconds since 1970. */
  readonly at: number;
}

/** Restores that are looked at: the newest ones. */
const MAX_RECORDS = 20;
/** Bytes of files that are read for one restore; of larger ones nothing is known. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Returns the newest restore of each folder that wasn't undone, if its files are still as it left them. Only those files are read. */
export async function restoredPoints(storage: string): Promise<RestoredPoint[]> {
  const interrupted = new Set((await readOperations(storage, 'restoring')).map(restoreOf));
  const seen = new Set<string>();
  const found: RestoredPoint[] = [];
  for (const id of (await recordIds(storage)).slice(-MAX_RECORDS).reverse()) {
    const record = await readRecord(storage, id);
    if (!record || seen.has(record.folder)) continue;
    const { ref, folder, at } = record;
    if ((await readTurns(storage, id)).at(-1)?.to === 'before') continue;
    seen.add(folder);
    if (!interrupted.has(id) && (await isUnchanged(record))) found.push({ ...ref, folder, at });
  }
  return found;
}

async function isUnchanged({ changes }: RestoreRecord): Promise<boolean> {
  if (changes.reduce((sum, { after }) => sum + (after?.length ?? 0), 0) > MAX_BYTES) return false;
  for (const { path, after } of changes) if ((await hashAt(path)) !== (after?.sha256 ?? 'none')) return false;
  return true;
}

/** Returns the hash of a file, `none` if there is none, and `other` for anything that can't be read as one. */
async function hashAt(path: string): Promise<string> {
  try {
    return (await readFound(path))?.sha256 ?? 'none';
  } catch (error) {
    if (error instanceof SessionError || errorCode(error) !== undefined) return 'other';
    throw error;
  }
}
