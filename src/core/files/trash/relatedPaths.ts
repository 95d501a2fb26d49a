/**
 * The paths that belong to a session: its file, its folder with artifacts and subagents, and the backups of its
 * migrations.
 */
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { compressionOf, unarchivedPath, withoutSessionSuffix } from '../../format/session/archivedSession';
import { exists } from '../io/exists';

/**
 * Returns the existing paths of a session: its file first, then its folder with artifacts and subagents, and the
 * backups of its migrations. An archive shares them with a session of the same name, which keeps them.
 *
 * @throws {SessionError} `permission`.
 */
export async function relatedPaths(path: string): Promise<string[]> {
  const paths = [path];
  if (compressionOf(path) !== undefined && (await hasOtherFile(path))) return paths;
  for (const name of relatedNames(basename(path))) {
    const other = join(dirname(path), name);
    if ((await exists(other)) && (isBackup(name) || (await lstat(other)).isDirectory())) paths.push(other);
  }
  return paths;
}

/** True if the folder of an archive also has its session, or another archive of it. */
async function hasOtherFile(archive: string): Promise<boolean> {
  const session = unarchivedPath(archive);
  for (const other of [session, `${session}.zst`, `${session}.gz`]) if (other !== archive && (await exists(other))) return true;
  return false;
}

/** True if `name`, in the folder of the session file `session`, is the session itself or belongs to it. */
export const isRelatedName = (session: string, name: string): boolean => name === session || relatedNames(session).includes(name);

function relatedNames(name: string): string[] {
  const session = unarchivedPath(name);
  const folder = session.endsWith('.jsonl') ? [withoutSessionSuffix(session)] : [];
  return [...folder, ...[1, 2, 3].map((version) => `${session}.v${String(version)}.bak`)];
}

export const isBackup = (name: string): boolean => /\.v[123]\.bak$/.test(name);

/** True if a session's folder has files other than these sessions. */
export async function hasOtherFiles(path: string, sessions: ReadonlySet<string>): Promise<boolean> {
  const related = await relatedPaths(path);
  for await (const file of filesBelow(related.slice(1).filter((each) => !isBackup(each)))) if (!sessions.has(file)) return true;
  return false;
}

/** Total size in bytes, including everything in folders. */
export async function sizeOf(paths: readonly string[]): Promise<number> {
  let size = 0;
  for await (const file of filesBelow(paths)) size += (await lstat(file)).size;
  return size;
}

/** Iterates over everything that isn't a folder, at these paths and below. Doesn't follow links. */
export async function* filesBelow(paths: readonly string[]): AsyncGenerator<string> {
  for (const path of paths) {
    if (!(await lstat(path)).isDirectory()) yield path;
    else yield* filesBelow((await readdir(path)).map((name) => join(path, name)));
  }
}
