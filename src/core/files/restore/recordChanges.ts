/** Records what a plan changes: the bytes before and after, and the folders around. Everything is on the disk before anything changes. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { defined } from '../../format/entry/defined';
import { SessionError } from '../../format/entry/problem';
import { leftReason, type LeftReason } from '../../format/restore/leftReasons';
import type { PlannedFile, RestorePlan } from '../../format/restore/restorePlan';
import type { Disk } from '../io/disk';
import { errorCode, fileError, isMissing } from '../io/fileErrors';
import { placeKey } from '../relink/movedPaths';
import { isBelow } from '../storage/pathChecks';
import { hashOf, readFound, type FoundBytes } from './foundFile';
import type { RestorePlaces } from './restorePlaces';
import { BytesWriter, writeRecord, type ChangeSet, type FileChange, type FolderMode } from './restoreRecord';

interface RecordTools {
  readonly storage: string;
  readonly signal: AbortSignal | undefined;
  readonly disk: Disk;
}

interface RecordedChanges {
  readonly set: ChangeSet;
  readonly planned: ReadonlyMap<FileChange, PlannedFile>;
  readonly left: readonly PlannedFile[];
}

/** The mode of a new file. */
const NEW_MODE = 0o644;

/** Records the changes of a plan whose files are as they were planned. @throws the signal's reason; {SessionError} `permission`, `no-space` */
export async function recordChanges(
  plan: RestorePlan,
  id: string,
  { folder, placeOf }: RestorePlaces,
  { storage, signal, disk }: RecordTools,
): Promise<RecordedChanges> {
  const planned = new Map<FileChange, PlannedFile>();
  const left: PlannedFile[] = [];
  const seen = new Set<string>();
  const bytes = await BytesWriter.create(storage, id, disk);
  try {
    for (const one of plan.files) {
      signal?.throwIfAborted();
      if (!isChange(one)) continue;
      const place = await placeOf(one.file);
      const found = place.reason ?? (seen.has(placeKey(place.path)) ? 'changed' : await asPlanned(place.path, one));
      if (place.reason !== undefined || typeof found === 'string') left.push(leave(one, typeof found === 'string' ? found : 'changed'));
      else {
        const before = found && (await bytes.add(found.bytes, found));
        const after = one.text === undefined ? undefined : Buffer.from(one.text);
        const state = after && (await bytes.add(after, { sha256: hashOf(after), mode: found?.mode ?? NEW_MODE }));
        planned.set({ file: one.file, path: place.path, before, after: state ?? null }, one);
      }
      if (place.reason === undefined) seen.add(placeKey(place.path));
    }
    await bytes.sync();
  } finally {
    await bytes.close();
  }
  const set = { changes: [...planned.keys()], ...(await foldersOf(folder, [...planned.keys()])) };
  await writeRecord(storage, { id, ref: plan.ref, folder, at: Date.now(), ...set });
  return { set, planned, left };
}

const isChange = ({ action }: PlannedFile): boolean => action !== 'none' && action !== 'conflict' && action !== 'left';

/** A file of a plan that is left. */
export const leave = (file: PlannedFile, reason: LeftReason): PlannedFile => ({
  ...file,
  action: 'left',
  reason: leftReason(reason),
});

/** Returns the file, `null` if there is none, or the reason why it isn't as it was planned. */
async function asPlanned(path: string, { was }: PlannedFile): Promise<FoundBytes | null | LeftReason> {
  try {
    const found = (await readFound(path)) ?? null;
    return found?.sha256 === was?.sha256 && found?.mode === was?.mode ? found : 'changed';
  } catch (error) {
    if (error instanceof SessionError) return 'notRegular';
    throw fileError(error, path);
  }
}

/** Returns the folders that new files need and that aren't there, and those around deleted files. */
async function foldersOf(folder: string, changes: readonly FileChange[]): Promise<Pick<ChangeSet, 'foldersAfter' | 'foldersBefore'>> {
  const foldersAfter = new Map<string, FolderMode>();
  const foldersBefore = new Map<string, FolderMode>();
  for (const { path, before, after } of changes) {
    if (before && after) continue;
    const known = before ? foldersBefore : foldersAfter;
    for (let at = dirname(path); isBelow(folder, at) && !known.has(at); at = dirname(at)) {
      const mode = await modeOf(at);
      if (before) known.set(at, { path: at, ...defined({ mode }) });
      else if (mode === undefined) known.set(at, { path: at });
    }
  }
  return { foldersAfter: [...foldersAfter.values()], foldersBefore: [...foldersBefore.values()] };
}

const modeOf = (folder: string): Promise<number | undefined> =>
  stat(folder).then(
    ({ mode }) => mode & 0o777,
    (error: unknown) => {
      if (isMissing(error)) return undefined;
      throw errorCode(error) === undefined ? error : fileError(error, folder);
    },
  );
