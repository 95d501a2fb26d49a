/**
 * One deletion: a folder of its own with what was taken away, and a note that says what it is and how far it got,
 * so that an interrupted one is finished, or was none. A name in it is no session's: no program lists it.
 */
import { link, lstat, mkdir, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../format/entry';
import { SessionError } from '../format/problem';
import { fileError } from './errors';
import { isAtWork, isDoer, keepFile, keepFolder, keptFile, thisProcess, type Doer } from './keep';
import { syncFolder } from './newFile';

/** What can come back. */
export interface TrashItem {
  readonly trashId: string;
  /** Where the session was. */
  readonly path: string;
  /** Its name, or its first message. */
  readonly name: string;
  /** When it was deleted, in milliseconds since 1970. */
  readonly at: number;
  /** In bytes, with all that belongs to it. */
  readonly size: number;
}

export interface Note extends TrashItem {
  readonly state: 'deleting' | 'deleted' | 'restoring';
  readonly doer: Doer;
  /** What was taken, the session first: where it was, and its name in here. */
  readonly things: readonly { readonly from: string; readonly as: string }[];
}

/** What is known of a deletion before it begins. */
export type Deletion = Omit<Note, 'state' | 'doer'>;

const NOTE = 'note.json';

/** Makes the folder with its note in one step, for a deletion that is about to happen. */
export async function beginDeletion(folder: string, note: Deletion): Promise<string> {
  const place = join(folder, note.trashId);
  const unfinished = `${place}.${process.pid}.new`;
  try {
    await keepFolder(unfinished);
    await keepFile(join(unfinished, NOTE), JSON.stringify({ ...note, state: 'deleting', doer: thisProcess() }));
    await rename(unfinished, place);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    throw fileError(error, place);
  }
  await syncFolder(folder);
  return place;
}

export async function noteOf(place: string): Promise<Note | undefined> {
  const note = await keptFile(join(place, NOTE));
  return isNote(note) ? note : undefined;
}

const setState = (place: string, note: Deletion, state: Note['state'], things = note.things): Promise<void> =>
  keepFile(join(place, NOTE), JSON.stringify({ ...note, state, things, doer: thisProcess() }));

/** What is to be done when all was moved and before that counts as done: whoever is killed in between does it again at the next start. */
export type WhenMoved = () => Promise<void>;
const nothing: WhenMoved = () => Promise.resolve();

/** Moves the things in, the session first. If one does not go, all are put back and the folder is gone. */
export async function takeIn(place: string, note: Deletion, whenMoved = nothing): Promise<void> {
  const moved: Note['things'][number][] = [];
  try {
    for (const thing of note.things) {
      await rename(thing.from, join(place, thing.as));
      moved.push(thing);
      await syncFolder(dirname(thing.from));
    }
    await whenMoved();
    await setState(place, note, 'deleted');
  } catch (error) {
    for (const thing of moved.reverse()) await putBack(join(place, thing.as), thing.from);
    await discard(place);
    throw fileError(error, note.path);
  }
}

/**
 * Puts everything back where it was, the session last.
 *
 * @throws {SessionError} `invalid` if something stands in its place; then all stays in here.
 */
export async function giveBack(place: string, note: Note, whenMoved = nothing): Promise<void> {
  for (const { from } of note.things) {
    if (await exists(from)) throw inTheWay(from);
  }
  await setState(place, note, 'restoring');
  const moved: Note['things'][number][] = [];
  try {
    for (const thing of [...note.things].reverse()) {
      await mkdir(dirname(thing.from), { recursive: true });
      await putBack(join(place, thing.as), thing.from);
      moved.push(thing);
    }
  } catch (error) {
    for (const thing of moved.reverse()) await rename(thing.from, join(place, thing.as));
    await setState(place, note, 'deleted');
    throw fileError(error, note.path);
  }
  await whenMoved();
  await discard(place);
}

/**
 * Ends what a process left that is gone: a deletion whose session was already taken is finished, another was none;
 * a restoring goes on.
 *
 * @returns what became of it; `undefined` if there was nothing to do.
 */
export async function endInterrupted(place: string): Promise<{ readonly note: Note; readonly became: 'deleted' | 'restored' } | undefined> {
  const note = await noteOf(place);
  if (!note || note.state === 'deleted' || isAtWork(note.doer)) return undefined;
  if (note.state === 'deleting') {
    const [session, ...rest] = note.things.map(({ from, as }) => ({ from, kept: join(place, as) }));
    // In both places: the process was just putting everything back, the session last.
    if (!session || !(await exists(session.kept)) || (await isSame(session.kept, session.from))) {
      for (const { from, kept } of rest) if ((await exists(kept)) && !(await isSame(kept, from))) await putBack(kept, from);
      await discard(place);
      return { note, became: 'restored' };
    }
    for (const { from, as } of note.things) {
      if (!(await exists(join(place, as))) && (await exists(from))) await rename(from, join(place, as));
    }
    await setState(place, note, 'deleted');
    return { note, became: 'deleted' };
  }
  const left: Note['things'][number][] = [];
  for (const thing of [...note.things].reverse()) {
    const kept = join(place, thing.as);
    if (!(await exists(kept))) continue;
    if (await isSame(kept, thing.from)) await unlink(kept);
    else if (await exists(thing.from)) left.unshift(thing);
    else await putBack(kept, thing.from);
  }
  // What somebody else made in the meantime stays, and so does what was to go there.
  if (left.length > 0) {
    await setState(place, note, 'deleted', left);
    return { note, became: 'deleted' };
  }
  await discard(place);
  return { note, became: 'restored' };
}

/** Takes a deletion's folder away for good, in two steps so that half of one is never offered. */
export async function discard(place: string): Promise<void> {
  const gone = `${place}${GONE}`;
  try {
    await rename(place, gone);
    await rm(gone, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(error, place);
  }
  await rmdir(dirname(place)).catch(() => undefined);
}

const GONE = '.gone';

/** The deletions in a trash folder, and what is left of some that ended halfway. */
export async function placesIn(folder: string): Promise<{ readonly places: string[]; readonly remains: string[] }> {
  const names = await readdir(folder).catch(() => []);
  const isRemains = (name: string): boolean => name.endsWith(GONE) || /\.\d+\.new$/.test(name);
  return {
    places: names.filter((name) => !isRemains(name)).map((name) => join(folder, name)),
    remains: names.filter(isRemains).map((name) => join(folder, name)),
  };
}

/** Whether what `beginDeletion` was making may still be made. */
export function isBeingMade(remains: string): boolean {
  const pid = /\.(\d+)\.new$/.exec(basename(remains))?.[1];
  return pid !== undefined && isAtWork({ ...thisProcess(), pid: Number(pid) });
}

/** Never over something that is there: a link does not overwrite, and a folder only takes the place of an empty one. */
async function putBack(kept: string, path: string): Promise<void> {
  const isFolder = (await lstat(kept)).isDirectory();
  if (!isFolder) {
    try {
      await link(kept, path);
      // It is back. The name in here goes with the folder, if not now.
      await unlink(kept).catch(() => undefined);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw inTheWay(path);
    }
  }
  // A folder, or a file system without hard links.
  if (await exists(path)) throw inTheWay(path);
  await rename(kept, path);
}

const inTheWay = (path: string): SessionError => new SessionError('invalid', 'There is something in this place again; move it away first: {path}', { path });

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return false;
      throw fileError(error, path);
    },
  );
}

async function isSame(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => lstat(path, { bigint: true }).catch(() => undefined)));
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

function isNote(value: unknown): value is Note {
  if (!isObject(value) || !isDoer(value['doer']) || !Array.isArray(value['things']) || value['things'].length === 0) return false;
  if (!['deleting', 'deleted', 'restoring'].includes(String(value['state']))) return false;
  const isThing = (thing: unknown): boolean => isObject(thing) && typeof thing['from'] === 'string' && typeof thing['as'] === 'string' && basename(thing['as']) === thing['as'];
  return value['things'].every(isThing) && ['trashId', 'path', 'name'].every((key) => typeof value[key] === 'string') && ['at', 'size'].every((key) => typeof value[key] === 'number');
}
