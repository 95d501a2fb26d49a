/** Sessions of a project, and of all projects, as the documented API finds and lists them. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Dialect } from '../../format/entry/dialect';
import { defaultSessionDir } from '../locate/programs/programFolders';
import { ImportedFiles } from '../read/importedFiles';
import { listFiles } from '../locate/listFiles';
import { findRoots } from '../locate/findRoots';
import { currentEnvironment } from '../locate/roots';
import {
  readHeader,
  readSessionInfos,
  sessionFilesIn,
  toListOptions,
  type ListArgument,
  type ListOptions,
  type OnProgress,
  type SessionInfo,
} from './listSessions';

/** Returns the folder of a project's sessions: the chosen one, by default pi's. */
export const projectFolder = (cwd: string, sessionDir: string | undefined, dialect: Dialect = 'pi'): string =>
  resolve(sessionDir ?? defaultSessionDir(resolve(cwd), dialect));

/**
 * Folder names lose information, so the header decides. Sessions without a project belong to the default folder's
 * project, but to none in a chosen folder.
 */
export function isOfProject(sessionCwd: string, cwd: string, chosen: boolean): boolean {
  return sessionCwd === '' ? !chosen : resolve(sessionCwd) === resolve(cwd);
}

/** Returns the session files directly in a folder, the most recently changed first. */
export async function newestFiles(folder: string): Promise<string[]> {
  // A file that vanished meanwhile sorts last, and then isn't found.
  const files = await Promise.all(
    (await sessionFilesIn(folder)).map(async (path) => ({
      path,
      time: await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  );
  return files.sort((a, b) => b.time - a.time).map(({ path }) => path);
}

/** Implements `SessionManager.findById`. */
export async function findSessionById(
  cwd: string,
  id: string,
  sessionDir?: string,
  options: ListOptions = {},
): Promise<string | undefined> {
  const dir = projectFolder(cwd, sessionDir, options.dialect);
  const files = await sessionFilesIn(dir, options.onProblem);
  // Files are usually named after their session.
  for (const path of [...files.filter((file) => file.includes(id)), ...files.filter((file) => !file.includes(id))]) {
    try {
      const header = await readHeader(path);
      if (header?.id === id && isOfProject(header.cwd, cwd, sessionDir !== undefined)) return path;
    } catch (error) {
      options.onProblem?.(path, error);
    }
  }
  return undefined;
}

/** Implements `SessionManager.list`. */
export async function listProjectSessions(
  cwd: string,
  sessionDir?: string,
  onProgress?: OnProgress,
  given?: ListArgument,
): Promise<SessionInfo[]> {
  const options = toListOptions(given);
  options.signal?.throwIfAborted();
  const dir = projectFolder(cwd, sessionDir, options.dialect);
  const files = await sessionFilesIn(dir, options.onProblem, sessionDir !== undefined);
  return readSessionInfos(files, options, onProgress, (info) => isOfProject(info.cwd, cwd, sessionDir !== undefined));
}

/** Implements `SessionManager.listAll`. */
export async function listAllSessions(onProgress?: OnProgress, options?: ListArgument): Promise<SessionInfo[]>;
export async function listAllSessions(sessionDir: string, onProgress?: OnProgress, options?: ListArgument): Promise<SessionInfo[]>;
export async function listAllSessions(...given: readonly (string | OnProgress | ListArgument | undefined)[]): Promise<SessionInfo[]> {
  const folder = given.find((one) => typeof one === 'string');
  const onProgress = given.find((one) => typeof one === 'function');
  const options = toListOptions(given.find((one) => typeof one === 'object'));
  options.signal?.throwIfAborted();
  if (folder !== undefined) return readSessionInfos(await sessionFilesIn(resolve(folder), options.onProblem, true), options, onProgress);
  const onProblem = options.onProblem ?? (() => undefined);
  const roots = (await findRoots(currentEnvironment(), onProblem)).filter((root) => root.dialect === (options.dialect ?? 'pi'));
  const listing = await new ImportedFiles().leaveOut(await listFiles(roots, onProblem), true);
  const files = listing.files.filter((file) => file.owner === undefined);
  return readSessionInfos(
    files.map((file) => file.path),
    options,
    onProgress,
  );
}
