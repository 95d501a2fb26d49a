/**
 * Trash without a record of this installation: from another installation or machine, or forged by someone with write
 * access. Its note is only a claim. It's listed, and restored only when the person chooses it, within the folder
 * that contains the trash folder.
 */
import { lstat, opendir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { defined } from '../../format/values/defined';
import { isArray, isObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { exists } from '../io/exists';
import { isBackup, isRelatedName } from './relatedPaths';
import { errorCode, fileError } from '../io/fileErrors';
import { isInOmpArchive } from '../../format/session/archivedSession';
import { isListedName } from '../locate/listFiles';
import type { RootGuard } from '../locate/readOnlyRoots';
import { withListDeadline } from '../concurrency/runGrouped';
import { assertOwnFolder } from '../storage/privateFolder';
import { isBelow, isNormalAbsolutePath } from '../storage/pathChecks';
import { readSmallText } from '../io/smallFile';
import { beginning } from '../../format/text/characters';
import { checkEntryFolder, removeEntryFolder, pathTakenError, NOTE_FILE, ensureFolderAt, moveBack, moveError } from './trashMoves';
import { TRASH_FOLDER } from './trashRecords';

/** Trash without a record of this installation. Everything but `place` is a claim of its note. */
export interface FoundTrash {
  /** The folder that contains the files, inside a trash folder. */
  readonly place: string;
  readonly path: string;
  readonly name: string;
  /** Time of the deletion, in milliseconds since 1970. */
  readonly at?: number;
}

/**
 * Limits: names that are read per trash folder, files in a restored folder, bytes of a note, and characters of a name
 * that are shown.
 */
const MAX_NAMES = 500;
const MAX_FILES = 20_000;
const MAX_NOTE_BYTES = 64 * 1024;
const MAX_SHOWN = 500;

/**
 * Searches the trash folders of some folders, in parallel and for at most four seconds each. Trash folders that are
 * links or belong to another user, and notes that can't be read, are reported to `onProblem`.
 *
 * @param ours places that have a record, which are skipped.
 */
export async function findTrash(
  bases: readonly string[],
  ours: ReadonlySet<string>,
  onProblem: (error: unknown) => void,
): Promise<FoundTrash[]> {
  const found: FoundTrash[] = [];
  const seen = new Set<string>();
  const isOurs = async (place: string, real: string): Promise<boolean> => {
    for (const one of ours) if (basename(one) === basename(place) && (await realOr(one)) === real) return true;
    return false;
  };
  const lookInto = async (base: string): Promise<void> => {
    for (const place of await entryFoldersIn(join(base, TRASH_FOLDER))) {
      const real = await realOr(place);
      // Two bases may be names of the same folder.
      if (seen.has(real) || (await isOurs(place, real))) continue;
      seen.add(real);
      const note = await readNote(place).catch(onProblem);
      if (note) found.push({ place, path: note.path, name: note.name, ...defined({ at: note.at }) });
    }
  };
  await Promise.all(bases.map((base) => withListDeadline(base, lookInto(base)).catch(onProblem)));
  return [...found].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

const realOr = (path: string): Promise<string> => realpath(path).catch(() => path);

async function entryFoldersIn(folder: string): Promise<string[]> {
  if (!(await exists(folder))) return [];
  await assertOwnFolder(folder);
  const names: string[] = [];
  for await (const entry of await opendir(folder)) {
    if (entry.isDirectory()) names.push(entry.name);
    if (names.length === MAX_NAMES) break;
  }
  return names.map((name) => join(folder, name));
}

/** The note that a deletion leaves with its files. */
interface Note {
  readonly path: string;
  readonly name: string;
  /** Time of the deletion, in milliseconds since 1970. */
  readonly at?: number;
  /** The former path of each file or folder, and its name in the trash. */
  readonly things: readonly { readonly from: string; readonly as: string }[];
}

/** Reads the note of a place; `undefined` if there is none, or it names no session. */
async function readNote(place: string): Promise<Note | undefined> {
  const text = await readSmallText(join(place, NOTE_FILE), { maxBytes: MAX_NOTE_BYTES, followLink: false }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '';
    throw fileError(error, place);
  });
  const value = parsed(text);
  if (!isObject(value) || typeof value['path'] !== 'string' || !isArray(value['things'])) return undefined;
  const { path, name, at } = value;
  const isNotedFile = (file: unknown): file is Note['things'][number] =>
    isObject(file) && typeof file['from'] === 'string' && typeof file['as'] === 'string';
  const things = value['things'].filter(isNotedFile);
  return {
    path: beginning(path, MAX_SHOWN * 8),
    name: beginning(typeof name === 'string' && name !== '' ? name : basename(path), MAX_SHOWN),
    ...(typeof at === 'number' && !Number.isNaN(new Date(at).getTime()) ? { at } : {}),
    things,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Moves found trash to the place that its note names: a session file with its folder and backups, below the folder that
 * contains the trash folder. Never overwrites.
 *
 * @throws {SessionError} `invalid` if the note claims anything else, if links are involved, or if a path is taken;
 * `permission`; `not-found`; as `assertChangeable`. Then nothing was moved.
 */
export async function restoreFound(place: string, assertChangeable: RootGuard): Promise<{ readonly path: string }> {
  await assertChangeable(place);
  if (basename(dirname(place)) !== TRASH_FOLDER || !isNormalAbsolutePath(place) || !(await checkEntryFolder(place)))
    throw nothingToRestoreError(place);
  const note = await readNote(place);
  if (!note) throw nothingToRestoreError(place);
  const base = dirname(dirname(place));
  assertDestination(note, base, place);
  await assertChangeable(note.path);
  const things = await existingFiles(note, place);
  for (const { to } of things) if (await exists(to)) throw pathTakenError(to);
  const folder = dirname(note.path);
  // Rules out links on the way: inside the base, the folder's real path equals its name.
  await ensureFolderAt(folder, join(await realpath(base), relative(base, folder)));
  const moved: { from: string; to: string }[] = [];
  try {
    for (const file of things.reverse()) {
      await moveBack(file.from, file.to);
      moved.push(file);
    }
  } catch (error) {
    for (const { from, to } of moved.reverse()) await moveBack(to, from);
    throw moveError(error, note.path);
  }
  await removeEntryFolder(place);
  return { path: note.path };
}

/** A destination must be a valid place in a listing: no hidden folder or file, no trash folder. */
function assertDestination({ path }: Note, base: string, place: string): void {
  const isInside = isNormalAbsolutePath(path) && isBelow(base, path);
  const isListed =
    isInside &&
    isListedName(basename(path)) &&
    !isInOmpArchive(path) &&
    !relative(base, path)
      .split(sep)
      .some((name) => name.startsWith('.'));
  if (!isListed)
    throw new SessionError(
      'invalid',
      'Can’t restore this to {path}, which isn’t a valid place for a session here. Its files are in {place}',
      { path, place },
    );
}

/**
 * Returns the existing files that the note names, the session first. Each must be a regular file with a single name, or
 * a folder of such files.
 */
async function existingFiles({ path, things }: Note, place: string): Promise<{ from: string; to: string }[]> {
  const found: { from: string; to: string; isSession: boolean }[] = [];
  for (const { from: claimed, as } of things.slice(0, 10)) {
    const name = basename(claimed);
    if (
      !/^\d$/.test(as) ||
      dirname(claimed) !== dirname(path) ||
      !isRelatedName(basename(path), name) ||
      found.some(({ to }) => to === claimed)
    )
      throw irregularError(join(place, NOTE_FILE));
    const from = join(place, as);
    if (!(await exists(from))) continue;
    const isSession = claimed === path;
    await assertRegularTree(from, isSession || isBackup(name) ? 'file' : 'folder');
    found.push({ from, to: claimed, isSession });
  }
  if (found.length === 0) throw nothingToRestoreError(place);
  return found.sort((a, b) => Number(b.isSession) - Number(a.isSession)).map(({ from, to }) => ({ from, to }));
}

async function assertRegularTree(path: string, kind: 'file' | 'folder'): Promise<void> {
  const waiting: { path: string; kind: 'file' | 'folder' | 'either' }[] = [{ path, kind }];
  for (let count = 0; ; count++) {
    const next = waiting.pop();
    if (!next) return;
    if (count > MAX_FILES) throw irregularError(path);
    const stats = await lstat(next.path);
    if (stats.isDirectory() && next.kind !== 'file') {
      for await (const entry of await opendir(next.path)) {
        waiting.push({ path: join(next.path, entry.name), kind: 'either' });
        if (waiting.length > MAX_FILES) throw irregularError(path);
      }
    } else if (!stats.isFile() || stats.nlink !== 1 || next.kind === 'folder') throw irregularError(next.path);
  }
}

const irregularError = (path: string): SessionError =>
  new SessionError(
    'invalid',
    'Nothing was restored because this isn’t a deleted session (regular files and folders, without links): {path}',
    { path },
  );

const nothingToRestoreError = (place: string): SessionError =>
  new SessionError('not-found', 'There’s nothing to restore here: {path}', { path: place });
