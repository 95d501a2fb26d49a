/** Plans what leads the files of a session's folder to their states after an entry. Nothing is written. */
import { Yielder } from '../../files/concurrency/eventLoop';
import { asFoundFile, foundFile } from '../../files/restore/foundFile';
import { restorePlaces, type RestorePlaces } from '../../files/restore/restorePlaces';
import { restoreTexts } from '../../files/restore/restoreTexts';
import type { Root } from '../../files/locate/roots';
import { planFile, type FoundFile } from '../../format/restore/planFile';
import type { PlannedFile, RestorePlan } from '../../format/restore/restorePlan';
import { valueOf } from '../../format/values/lookups';
import type { Catalog } from '../catalogApi';
import type { DiskText } from '../origins/diskText';
import { pointStates, type PointState, type PointStatesOptions } from './pointStates';

export interface PlanRestoreOptions {
  /** The files, absolute or relative to the session's folder. By default all in it that some session wrote. */
  readonly files?: readonly string[];
  /** The least certainty of what is written; by default `exact`. Files that are less certain are left, with the reason. */
  readonly include?: 'exact' | 'likely';
  /** The folder with the records of restores, if there are some. */
  readonly storage?: string;
  /** Session folders beside those that this machine's programs have. Nothing is written in them. */
  readonly roots?: readonly Root[];
  readonly signal?: AbortSignal;
  /** Called with the number of files that are done, and of all. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called before the first file with the session's folder, if sessions wrote files after the entry: they're likely to change. */
  readonly onWrittenAfter?: (folder: string) => void;
  /** Called with each file as soon as it's planned, and the session's folder. One that was written after the entry comes first. */
  readonly onPlanned?: (file: PlannedFile, folder: string) => void;
}

/**
 * Compares the states of files after an entry with the disk. Changes that no session recorded are kept: merged if they fit,
 * otherwise the file is a conflict, which is never written.
 *
 * @throws {SessionError} as `filesAt`; `not-found` or `permission` if the session's folder can't be used
 * @throws the signal's reason if aborted
 */
export async function planRestore(
  catalog: Catalog,
  ref: { readonly path: string; readonly entryId: string },
  { files, include = 'exact', storage, roots, signal, onProgress, onWrittenAfter, onPlanned }: PlanRestoreOptions = {},
): Promise<RestorePlan> {
  const reading = storage === undefined ? undefined : restoreTexts(storage);
  const pause = new Yielder(signal);
  const planned = new Map<PointState, PlannedFile>();
  let places: Promise<RestorePlaces> | undefined;
  const placesIn = (folder: string): Promise<RestorePlaces> =>
    (places ??= restorePlaces(folder, { session: ref.path, storage, roots, isPlan: true }));
  const onState: PointStatesOptions['onState'] = async (state, { folder, time }, disk) => {
    const isRestoredAfter = (await reading)?.(state.file).some((one) => one.time > time) === true;
    const recorded = isRestoredAfter ? { ...state, isTouchedAfter: true } : state;
    const file = await pause.run(planFile(recorded, await foundAt(state.file, disk, await placesIn(folder)), include));
    planned.set(state, file);
    onPlanned?.(file, folder);
    await pause.yieldIfDue();
    return file.action !== 'none' && file.action !== 'left';
  };
  const finding = pointStates(catalog, ref, { files, evidence: reading, signal, onProgress, onWrittenAfter, onState });
  const [{ folder, time, states }] = await Promise.all([finding, reading]);
  await placesIn(folder);
  return { ref: { path: ref.path, entryId: ref.entryId }, folder, time, files: states.map((state) => valueOf(planned, state)) };
}

/** The disk is read once for a file, unless its place isn't the one that was read for its state. */
async function foundAt(file: string, { found }: DiskText, { placeOf }: RestorePlaces): Promise<FoundFile> {
  const { path, reason } = await placeOf(file);
  if (path === undefined) return { kind: 'other', reason };
  return found?.path === path ? asFoundFile(found.bytes) : foundFile(path);
}
