/** Records what a plan changes: the bytes before and after, and the folders around. Everything is on the disk before anything changes. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { defined } from '../../format/values/defined';
import { elementAt } from '../../format/values/lookups';
import { SessionError } from '../../format/entry/problem';
import { leftReason, type LeftReason } from '../../format/restore/leftReasons';
import type { PlannedFile, RestorePlan } from '../../format/restore/restorePlan';
import { forEachConcurrent } from '../concurrency/forEachConcurrent';
import type { Disk } from '../io/disk';
import { errorCode, fileError, isMissing } from '../io/fileErrors';
import { placeKey } from '../relink/movedPaths';
import { isBelow } from '../storage/pathChecks';
import { hashOf, readFound, type FoundBytes } from './foundFile';
import { keptModes } from './restoreTexts';
import type { Place, RestorePlaces } from './restorePlaces';
import { BytesWriter, writeRecord, type ChangeSet, type FileChange, type FolderMode, type RestoreRecord } from './restoreRecord';

interface RecordTools {
  readonly storage: string;
  readonly signal: AbortSignal | undefined;
  readonly disk: Disk;
}

export interface RecordedChanges {
  readonly record: RestoreRecord;
  readonly planned: ReadonlyMap<FileChange, PlannedFile>;
  readonly left: readonly PlannedFile[];
}

/** The mode of a new file that no restore knows. */
const NEW_MODE = 0o644;

/** Records the changes of a plan whose files are as they were planned. @throws the signal's reason; {SessionError} `permission`, `no-space` */
export async function recordChanges(
  plan: RestorePlan,
  id: string,
  { folder, placeOf }: RestorePlaces,
  { storage, signal, disk }: RecordTools,
): Promise<RecordedChanges> {
  const files = plan.files.filter(isChange);
  const places: Place[] = [];
  await forEachConcurrent(files, async ({ file }, at) => void (places[at] = await placeOf(file)));
  const first = new Map<string, number>();
  places.forEach(({ path }, at) => path !== undefined && !first.has(placeKey(path)) && first.set(placeKey(path), at));
  const found: (FileChange | LeftReason)[] = [];
  const created = files.flatMap(({ was }, at) => (was === null ? (places[at]?.path ?? []) : []));
  const modes = await keptModes(storage, created);
  const bytes = await BytesWriter.create(storage, id, disk);
  try {
    await forEachConcurrent(files, async (one, at) => {
      signal?.throwIfAborted();
      const { path, reason } = elementAt(places, at);
      // A file that the plan names twice is written once.
      if (path === undefined || first.get(placeKey(path)) !== at) found[at] = reason ?? 'changed';
      else found[at] = await recordChange(one, path, bytes, modes.get(path) ?? NEW_MODE);
    });
    await bytes.sync();
  } finally {
    await bytes.close();
  }
  const planned = new Map<FileChange, PlannedFile>();
  const left: PlannedFile[] = [];
  files.forEach((one, at) => {
    const change = elementAt(found, at);
    if (typeof change === 'string') left.push(leave(one, change));
    else planned.set(change, one);
  });
  const changes = [...planned.keys()];
  const record = { id, ref: plan.ref, folder, at: Date.now(), changes, ...(await foldersOf(folder, changes)) };
  await writeRecord(storage, record);
  return { record, planned, left };
}

async function recordChange(one: PlannedFile, path: string, bytes: BytesWriter, newMode: number): Promise<FileChange | LeftReason> {
  const found = await asPlanned(path, one);
  if (typeof found === 'string') return found;
  const before = found && (await bytes.add(found.bytes, found));
  if (one.text === undefined || one.action === 'delete') return { file: one.file, path, before, after: null };
  const after = Buffer.from(one.text);
  return { file: one.file, path, before, after: await bytes.add(after, { sha256: hashOf(after), mode: found?.mode ?? newMode }) };
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
