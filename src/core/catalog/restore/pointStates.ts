/** The states of a session's files at an entry. */
import { join, resolve } from 'node:path';
import { Yielder } from '../../files/concurrency/eventLoop';
import { forEachConcurrent } from '../../files/concurrency/forEachConcurrent';
import { placeWithin } from '../../files/relink/movedPaths';
import { defined } from '../../format/values/defined';
import { SessionError } from '../../format/entry/problem';
import type { FileAtPoint } from '../../format/restore/restorePlan';
import type { Catalog } from '../catalogApi';
import type { FolderTouch } from '../encoding/touchTable';
import { FolderDisk, type DiskText } from '../origins/diskText';
import { fileEvents } from '../origins/events/fileEvents';
import { fileRecords, type FileRecords } from './fileRecords';
import { endOf, type EntryOf, type Moment } from '../origins/fileStates';
import { InterruptionFinder } from '../origins/events/interruptionFinder';
import { pointState, type PointState, type TextAtTime } from './pointState';

export type { EntryOf, PointState, TextAtTime };

export interface PointStates {
  /** The session's folder here, absolute. */
  readonly folder: string;
  /** When the last call ran that the states include, in milliseconds since 1970. */
  readonly time: number;
  readonly states: readonly PointState[];
}

type Evidence = (file: string) => readonly TextAtTime[];

export interface PointStatesOptions {
  /** The files, absolute or relative to the session's folder. By default all below the folder that some session wrote. */
  readonly files?: readonly string[] | undefined;
  /**
   * Returns the texts that a file certainly had at some times, although no session recorded them: of each restore the bytes
   * that it found, and right after that those that it wrote. They count as readings of the whole file.
   */
  readonly evidence?: Evidence | Promise<Evidence> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of files that are done, and of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Called before the first state if files were written after the entry, which a restore most likely changes. */
  readonly onWrittenAfter?: ((folder: string) => void) | undefined;
  /**
   * Called with each state as soon as it's known, and what the disk has. A few files that were written after the entry come first,
   * until it resolves to true for one.
   */
  readonly onState?: ((state: PointState, point: Omit<PointStates, 'states'>, disk: DiskText) => Promise<boolean>) | undefined;
}

/** Files that an answer has at most. */
const MAX_FILES = 20_000;
/** Up to this many files are looked up on their own: it's quick, since the sessions aren't read for all others. */
const FEW_FILES = 4;

/**
 * Returns the state of files after an entry: after its calls and all earlier calls of any session.
 *
 * @throws {SessionError} `unknown-entry`, `entry-required`, and as `Catalog.session`; `invalid` for more than 20,000 files
 * @throws the signal's reason if aborted
 */
export async function pointStates(
  catalog: Catalog,
  ref: EntryOf,
  { files, evidence, signal, onProgress, onWrittenAfter, onState }: PointStatesOptions = {},
): Promise<PointStates> {
  signal?.throwIfAborted();
  if (!ref.entryId) throw new SessionError('entry-required', 'Choose an entry of the session.');
  if (files && files.length > MAX_FILES) throw new SessionError('invalid', 'Choose at most {count} files.', { count: MAX_FILES });
  const session = await catalog.session(ref.path);
  const time = endOf(session, ref.entryId);
  const { cwd } = session.header;
  const folder = resolve(catalog.pathHere(ref.path, cwd, cwd));
  const interruptions = new InterruptionFinder(catalog, signal);
  const isFew = files !== undefined && files.length <= FEW_FILES;
  const [folderNames, touches] = await Promise.all([catalog.namesOf(folder), isFew ? [] : catalog.touchesWithin(folder)]);
  const disk = new FolderDisk(folder);
  const pause = new Yielder(signal);
  const seen: PointState[] = [];
  const stateOf = async (file: string, records: Pick<FileRecords, 'eventsOf'>): Promise<PointState> => {
    const [record, current] = await Promise.all([records.eventsOf(file), disk.text(file)]);
    const rest = placeWithin(folder, file);
    const names = rest === undefined ? [file] : folderNames.map((name) => join(name, rest));
    const ran: Moment['ran'] = (since, until = time) => interruptions.between(names, [ref.path, ...record.sessions], since, until);
    const state = await pointState(file, record, { ref, time, ran }, current, (await evidence)?.(file) ?? [], pause);
    if (await onState?.(state, { folder, time }, current)) seen.push(state);
    signal?.throwIfAborted();
    return state;
  };
  const first = new Map<string, PointState>();
  const after = files ? [] : writtenAfter(touches, time);
  if (after.length > 0) onWrittenAfter?.(folder);
  for (const own of onState ? after : []) {
    if (seen.length > 0) break;
    const records = await fileRecords(catalog, folder, own, time, signal);
    for (const file of records.files) first.set(file, await stateOf(file, records));
  }
  const alone = { files: [], eventsOf: (file: string) => fileEvents(catalog, file, { signal, isFull: true, point: time }) };
  const records = isFew ? alone : await fileRecords(catalog, folder, touches, time, signal);
  const wanted = files ? [...new Set(files.map((file) => resolve(folder, file)))] : records.files;
  const states: PointState[] = [];
  let done = 0;
  await forEachConcurrent(wanted, async (file, index) => {
    states[index] = first.get(file) ?? (await stateOf(file, records));
    onProgress?.(++done, wanted.length);
  });
  return { folder, time, states };
}

/** Returns the files after an entry. By default all in the session's folder that some session wrote. @throws as {@link pointStates} */
export async function filesAt(catalog: Catalog, ref: EntryOf, options: Omit<PointStatesOptions, 'evidence'> = {}): Promise<FileAtPoint[]> {
  return (await pointStates(catalog, ref, options)).states.map(({ file, at, reason }) => ({
    file,
    ...(at && !('isAbsent' in at) ? { text: at.text } : {}),
    certainty: at?.certainty ?? 'unknown',
    ...defined({ reason }),
  }));
}

/** Returns the touches of a few files that were written after a time: of those that are looked up soonest, with the fewest touches. */
function writtenAfter(touches: readonly FolderTouch[], time: number): FolderTouch[][] {
  const byFile = new Map<string, FolderTouch[]>();
  for (const touch of touches) if (touch.kind === 'write' && touch.time > time) byFile.set(touch.file, []);
  for (const touch of touches) byFile.get(touch.file)?.push(touch);
  return [...byFile.values()].sort((a, b) => a.length - b.length).slice(0, FEW_FILES);
}
