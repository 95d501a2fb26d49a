/** The states of a session's files at an entry, and what the plan that leads them there needs to know about each. */
import { resolve } from 'node:path';
import { Yielder } from '../../files/concurrency/eventLoop';
import { forEachConcurrent } from '../../files/concurrency/forEachConcurrent';
import { defined } from '../../format/entry/defined';
import { SessionError } from '../../format/entry/problem';
import { VersionFinder } from '../../format/lineOrigins/versions/versionFinder';
import type { FileAtPoint } from '../../format/restore/restorePlan';
import { stateReason } from '../../format/restore/stateReasons';
import type { Catalog } from '../catalogApi';
import { fileEvents } from './fileEvents';
import { endOf, fileStateAt, versionEvents, type FileState } from './fileStates';

/** A state of a whole file. */
type KnownState = Exclude<FileState, { certainty: 'parts' }>;

export interface PointState {
  /** The absolute path on this machine. */
  readonly file: string;
  /** The file after the entry; `undefined` if nothing is known about it. */
  readonly at: KnownState | undefined;
  /** The missing evidence, as `FileAtPoint.reason`; there unless `at` is exact. */
  readonly reason?: string;
  /**
   * The file after the last recorded event of any session. `undefined` if nothing is known about it. If only today's disk
   * contradicts it, it's likely.
   */
  readonly last: KnownState | undefined;
  /** True if a recorded edit or deletion is later than the entry. */
  readonly isTouchedAfter: boolean;
  /** True if the file had exactly this text after some recorded event; `undefined` for its absence. Such a file isn't a person's. */
  readonly wasRecorded: (text: string | undefined) => boolean;
}

export interface PointStates {
  /** The session's folder here, absolute. */
  readonly folder: string;
  /** When the last call ran that the states include, in milliseconds since 1970. */
  readonly time: number;
  readonly states: readonly PointState[];
}

/** An entry of a session. */
export interface EntryOf {
  readonly path: string;
  readonly entryId: string;
}

export interface PointStatesOptions {
  /** The files, absolute or relative to the session's folder. By default all below the folder that some session wrote. */
  readonly files?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of files that are done, and of all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Returns the state of files after an entry: after its calls and all earlier calls of any session.
 *
 * @throws {SessionError} `unknown-entry`, `entry-required`, and as `Catalog.session`; `invalid` for more than 20,000 files
 * @throws the signal's reason if aborted
 */
export async function pointStates(
  catalog: Catalog,
  ref: EntryOf,
  { files, signal, onProgress }: PointStatesOptions = {},
): Promise<PointStates> {
  signal?.throwIfAborted();
  if (ref.entryId === '') throw new SessionError('entry-required', 'Choose an entry of the session.');
  const session = await catalog.session(ref.path);
  const time = endOf(session, ref.entryId);
  const cwd = session.header.cwd;
  const folder = catalog.pathHere(ref.path, cwd, cwd);
  const wanted = files
    ? [...new Set(files.map((file) => resolve(folder, file)))]
    : [...new Set((await catalog.touchesWithin(folder)).map(({ file }) => file))].sort();
  const states: PointState[] = [];
  let done = 0;
  await forEachConcurrent(wanted, async (file, index) => {
    states[index] = await stateOf(catalog, file, ref, time, signal);
    onProgress?.(++done, wanted.length);
  });
  return { folder, time, states };
}

/** Returns the files after an entry. By default all in the session's folder that some session wrote. @throws as {@link pointStates} */
export async function filesAt(catalog: Catalog, ref: EntryOf, options: PointStatesOptions = {}): Promise<FileAtPoint[]> {
  return (await pointStates(catalog, ref, options)).states.map(({ file, at, reason }) => ({
    file,
    ...(at && !('isAbsent' in at) ? { text: at.text } : {}),
    certainty: at?.certainty ?? 'unknown',
    ...defined({ reason }),
  }));
}

async function stateOf(catalog: Catalog, file: string, ref: EntryOf, time: number, signal: AbortSignal | undefined): Promise<PointState> {
  const found = await fileStateAt(catalog, file, ref, { signal });
  const { events } = await fileEvents(catalog, file, { signal, isFull: true });
  const isAt = ({ path, entryId }: EntryOf): boolean => path === ref.path && entryId === ref.entryId;
  const last = events.findLastIndex((one) => one.time <= time || (one.source && isAt(one.source)));
  const recorded = new Set<string | undefined>();
  const finder = new VersionFinder(events.length - 1, 'later', undefined);
  const pause = new Yielder(signal);
  for (const event of versionEvents(events)) {
    await pause.run(finder.add(event));
    recorded.add(finder.state());
    if (event.kind === 'edit' && event.edit.isDeletion !== true) recorded.delete(undefined);
    await pause.yieldIfDue();
  }
  const tip = finder.result();
  const at = found?.certainty === 'parts' ? undefined : found;
  const absent = events.some(({ source }) => source?.edit.isDeletion === true);
  return {
    file,
    at,
    ...(at?.certainty === 'exact' ? {} : { reason: stateReason(found && found.certainty !== 'exact' ? found.reason : 'before') }),
    last:
      tip.kind === 'gap'
        ? undefined
        : { certainty: 'likely', text: tip.text, reason: tip.doubt ?? 'later', ...(tip.isAbsent ? { isAbsent: true as const } : {}) },
    isTouchedAfter: events.slice(last + 1).some(({ source }) => source !== undefined),
    wasRecorded: (text) => (text === undefined ? absent : recorded.has(text)),
  };
}
