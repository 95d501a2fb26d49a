/**
 * The places where files may be restored: below the session's folder with all links resolved, and nowhere near what Git, the
 * sessions or the extension keep. A plan or a record may name any path.
 */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { defined } from '../../format/values/defined';
import { SessionError } from '../../format/entry/problem';
import type { LeftReason } from '../../format/restore/leftReasons';
import { isMissing } from '../io/fileErrors';
import { resolveLinks } from '../io/realPathOf';
import { readHeader } from '../api/listSessions';
import { UntrustedPaths } from '../io/untrustedPaths';
import { findRoots } from '../locate/findRoots';
import { isSessionName } from '../locate/listFiles';
import { currentEnvironment, type Root } from '../locate/roots';
import { placeKey, placeWithin } from '../relink/movedPaths';
import { isNormalAbsolutePath } from '../storage/pathChecks';

/** The place of a file: its path with all links in the folders above it resolved, or the reason why it's left alone. */
export type Place = { readonly path: string; readonly reason?: undefined } | { readonly path?: undefined; readonly reason: LeftReason };

export interface RestorePlaces {
  /** The real path of the session's folder. */
  readonly folder: string;
  /** Looks at the disk again at each call, because a folder may become a link at any time; for a plan once for each folder. */
  readonly placeOf: (file: string) => Promise<Place>;
}

export interface PlaceOptions {
  /** The path of the session. */
  readonly session: string;
  /** The extension's folder for restores, in which nothing is restored. */
  readonly storage?: string | undefined;
  /** Further session folders, beside those that this machine's programs have. */
  readonly roots?: readonly Root[] | undefined;
  /** True if nothing is written. */
  readonly isPlan?: boolean;
}

/** Resolves what the checks need. @throws {SessionError} `not-found` or `permission` if the folder can't be used */
export async function restorePlaces(
  folder: string,
  { session, storage, roots = [], isPlan = false }: PlaceOptions,
): Promise<RestorePlaces> {
  const paths = new UntrustedPaths();
  if (await paths.isRefused(folder)) throw new SessionError('permission', ELSEWHERE, { path: folder });
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || !(await lstat(real)).isDirectory()) throw new SessionError('not-found', NO_FOLDER, { path: folder });
  const found = await findRoots({ ...currentEnvironment([folder]), added: roots });
  const kept = await Promise.all([
    ...found.map(async ({ path, flat, names }): Promise<KeptFolder> => ({ path: await resolveLinks(path), flat, ...defined({ names }) })),
    // The session's folder, and the one with the folders of other projects.
    ...[dirname(session), dirname(dirname(session))].map(async (path): Promise<KeptFolder> => ({
      path: await resolveLinks(path),
      flat: true,
    })),
    ...ownFolders(storage).map(async (path): Promise<KeptFolder> => ({ path: await resolveLinks(path), flat: false })),
  ]);
  const parents = new Map<string, Promise<string | undefined>>();
  const parentOf: typeof realParent = (file) => {
    const known = isPlan ? parents.get(dirname(file)) : undefined;
    const parent = known ?? realParent(file);
    parents.set(dirname(file), parent);
    return parent;
  };
  const placeOf = async (file: string): Promise<Place> =>
    (await paths.isRefused(file)) ? { reason: 'outside' } : placeIn(real, kept, file, parentOf);
  return { folder: real, placeOf };
}

const ownFolders = (storage: string | undefined): string[] =>
  storage === undefined ? [] : ['restores', 'restoring', 'locks'].map((name) => join(storage, name));

/** A folder in which nothing is restored. In a flat one only its own files are kept if the project is in it. */
interface KeptFolder {
  readonly path: string;
  readonly flat: boolean;
  readonly names?: readonly string[];
}

async function placeIn(folder: string, kept: readonly KeptFolder[], file: string, parentOf: typeof realParent): Promise<Place> {
  if (!isNormalAbsolutePath(file)) return { reason: 'outside' };
  const parent = await parentOf(file);
  if (parent === undefined) return { reason: 'wayThere' };
  const path = join(parent, basename(file));
  const within = placeWithin(folder, path);
  if (within === undefined || within === '') return { reason: 'outside' };
  if (path.split(sep).some(isGitName)) return { reason: 'git' };
  if (kept.some((one) => isKept(one, folder, path)) || (isSessionName(basename(path)) && (await isSession(path))))
    return { reason: 'kept' };
  return { path };
}

/** A session in a folder that nobody named is one nevertheless. */
const isSession = (path: string): Promise<boolean> =>
  readHeader(path).then(
    (header) => header !== undefined,
    () => false,
  );

/** Returns the real path of the folder that a file is in or will be in; `undefined` if something else than a folder is in the way. */
async function realParent(file: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let at = dirname(file); ; at = dirname(at)) {
    try {
      const real = await realpath(at);
      return (await lstat(real)).isDirectory() ? join(real, ...missing) : undefined;
    } catch (error) {
      if (!isMissing(error) || dirname(at) === at) return undefined;
    }
    // A link that leads nowhere is there nevertheless.
    const isThere = await lstat(at).then(
      () => true,
      (error: unknown) => !isMissing(error),
    );
    if (isThere) return undefined;
    missing.unshift(basename(at));
  }
}

/**
 * True for each name by which some system opens `.git`: in any case, with characters that HFS+ ignores, with what NTFS
 * cuts off, and its short name. The rules are those of Git's `verify_path`.
 */
export function isGitName(name: string): boolean {
  const [plain = ''] = name.replace(IGNORED, '').toLowerCase().split(':');
  const cut = plain.replace(/[. ]+$/, '');
  return cut === '.git' || cut === 'git~1';
}

const IGNORED = new RegExp('[\\u200c-\\u200f\\u202a-\\u202e\\u206a-\\u206f\\ufeff]', 'g');

function isKept({ path: root, flat, names }: KeptFolder, folder: string, path: string): boolean {
  const within = placeWithin(root, path);
  if (within === undefined) return false;
  if (!flat) return true;
  // A folder of sessions may be the project's own folder, or around it.
  if (names === undefined && placeWithin(root, folder) === undefined) return true;
  if (placeKey(dirname(path)) !== placeKey(root)) return false;
  return names === undefined ? isSessionName(basename(path)) : names.includes(basename(path));
}

const ELSEWHERE = 'This session’s folder may be on another computer, so no files are restored in it: {path}';
const NO_FOLDER = 'This session’s folder isn’t there any more, so its files can’t be restored: {path}';
