/**
 * Forks sessions: writes a branch of a session, or all of it, to a new file. Touches no existing file.
 * FORMAT section 6, rule 6.
 */
import { stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { defined } from '../../format/values/defined';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import { isObject, type JsonObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { textOf } from '../../format/entry/message';
import type { Entry } from '../../format/entry/entry';
import { planFork, type ForkPlan } from '../../format/write/fork';
import { projectFolderName, sessionFileName, titleSlotLine } from '../../format/write/sessionNames';
import type { Session } from '../../format/session/session';
import { copyEntries } from './copyEntries';
import type { CreationTools } from './creationTools';
import { Yielder } from '../concurrency/eventLoop';
import type { Disk } from '../io/disk';
import { fileError } from '../io/fileErrors';
import { createFile, type FileDigest } from '../io/atomicFile';
import { forkFolderOf } from '../database/databaseForks';
import { unarchivedPlaceOf } from '../locate/programs/archiveFolders';
import { localFolder } from '../locate/paths/localFolder';
import { isMapTarget, mapPath } from '../locate/paths/mapPath';
import { createRootGuard } from '../locate/readOnlyRoots';
import { rootOf, type Root } from '../locate/roots';
import { openSessionBytes } from '../read/bytes/sessionBytes';
import { readBodies, readSession } from '../read/sessionFile';
import { systemStamp } from './systemStamp';

/** Options of {@link forkSession}. */
export interface ForkOptions extends Partial<CreationTools> {
  /**
   * The entry to fork from. Without it, the whole active branch is forked, or with `targetCwd` the whole session with
   * all branches.
   */
  readonly entryId?: string;
  /**
   * Working directory of another project, for the new header. Also determines the folder of the new file, in the same
   * root.
   */
  readonly targetCwd?: string;
  /**
   * `before` ends the fork before the entry, `at` includes it. By default `before` on user and custom messages,
   * otherwise `at`.
   */
  readonly position?: 'before' | 'at';
  /** The new session's id; by default a new one. */
  readonly id?: string;
  /** The known roots, to find the other project's folder. */
  readonly roots?: readonly Root[];
  /** Folder of the new file, instead of the derived one. */
  readonly sessionDir?: string;
  /** The id shared by forks that are undone together. */
  readonly group?: string;
  /** The root's dialect, which applies if the file's content doesn't reveal its own. */
  readonly dialect?: Dialect;
}

/** A fork that was written. */
export interface Fork {
  /** Path of the new file. */
  readonly path: string;
  /** Text of the user or custom message that the fork ends before. */
  readonly prompt?: string;
  /** Digest of the new file. */
  readonly written: FileDigest;
}

/**
 * Forks a session into a new file of version 3, which is created completely or not at all. Touches no existing file, so
 * it also works for sessions that are in use. FORMAT section 6, rule 6.
 *
 * @throws {SessionError} `not-found`, `not-a-session`, `version` (above 3), `unknown-entry`, `changed`, `permission` or
 * `no-space`.
 */
export async function forkSession(path: string, options: ForkOptions = {}): Promise<Fork> {
  return forkLoadedSession(await readSession(resolve(path), options.dialect ? { dialect: options.dialect } : {}), options);
}

/** Forks a session that was just read; see {@link forkSession}. */
export async function forkLoadedSession(session: Session, options: ForkOptions = {}): Promise<Fork> {
  const { entryId, position, targetCwd, id } = options;
  const stamp = options.stamp ?? systemStamp();
  const roots = options.roots ?? [];
  const root = rootOf(session.path, roots);
  // A session of a read-only root is continued in a folder of this machine.
  const here = targetCwd === undefined && root?.readOnly ? localCwd(session, root) : targetCwd;
  const cwd = here === undefined ? undefined : resolve(here);
  const request = { isWhole: targetCwd !== undefined, ...defined({ entryId, position, cwd, id }) };
  const plan = await new Yielder(undefined).run(planFork(session, request, stamp));
  const timestamp = String(plan.header['timestamp']);
  const name = sessionFileName(session.dialect, timestamp, String(plan.header['id']));
  const folder = options.sessionDir === undefined ? await directoryOf(session, cwd, root, roots) : resolve(options.sessionDir);
  const path = join(folder, name);
  await createRootGuard(() => roots)(path);
  await options.assertChangeable?.(path);
  const prompt = plan.prompt ? promptText((await readBodies(session, [plan.prompt.id]))[0]) : undefined;
  const written = await writePlan(path, session, plan, {
    dialect: session.dialect,
    ...defined({ name: session.name, disk: options.disk }),
  });
  return { path, written, ...defined({ prompt }) };
}

/** The differences of the new file from its source. */
interface PlanTarget {
  /** The dialect of the new file. */
  readonly dialect: Dialect;
  /** oh-my-pi: the name in the title slot. */
  readonly name?: string;
  /** Permission bits; by default the source's. */
  readonly mode?: number;
  /** A further change of each line; see `copyEntries`. */
  readonly change?: (line: JsonObject) => JsonObject;
  readonly disk?: Disk;
}

/** Writes a new file with entries of a session. @throws {SessionError} `changed`, `permission` or `no-space`. */
export async function writePlan(
  path: string,
  session: Session,
  plan: ForkPlan,
  { dialect, name, change, disk, mode: wanted }: PlanTarget,
): Promise<FileDigest> {
  const { file: source, mode } = await openSessionBytes(session.path).catch((error: unknown) => {
    throw fileError(error, session.path);
  });
  try {
    return await createFile(
      path,
      async (to) => {
        if (DIALECT_FACTS[dialect].hasTitleSlot) {
          const updatedAt = String(plan.header['timestamp']);
          await to.line(titleSlotLine({ title: name ?? '', ...(name === undefined ? {} : { source: 'auto' }), updatedAt }).trimEnd());
        }
        await to.line(JSON.stringify(plan.header));
        await copyEntries(source, session, plan.entries, to, change);
        for (const line of plan.addedLines) await to.line(JSON.stringify(line));
      },
      { mode: wanted ?? mode, ...defined({ disk }) },
    );
  } finally {
    await source.close();
  }
}

/** @throws {SessionError} `invalid` if the session's folder has no path on this machine. */
function localCwd({ header, path }: Session, { map }: Root): string {
  const cwd = mapPath(header.cwd, map);
  if (isMapTarget(cwd)) return cwd;
  throw new SessionError(
    'invalid',
    'This session’s folder is on another machine. Fork it into a project of this machine, or add a “map” to “sessionTree.roots”: {path}',
    { path },
  );
}

/**
 * Returns the folder for a fork: the folder of its source, or the other project's folder in the same root; for a
 * session of a read-only root, the folder on this machine. A fork of an archived session isn't archived.
 *
 * @throws {SessionError} `read-only` for a session of a read-only root whose program's files aren't written
 */
async function directoryOf(session: Session, cwd: string | undefined, root: Root | undefined, roots: readonly Root[]): Promise<string> {
  if (root?.readOnly && cwd !== undefined) {
    if (!DIALECT_FACTS[session.dialect].writable) throw importInsteadError(session.path, session.dialect);
    return localFolder(session.dialect, cwd, roots);
  }
  const folder = (project: string): string => projectFolderName(project, session.dialect, { home: homedir(), temp: tmpdir() });
  const unarchived = unarchivedPlaceOf(session.path, root);
  if (unarchived) return join(unarchived.sessions, cwd ? folder(cwd) : unarchived.project);
  const beside = await forkFolderOf(session.path);
  if (beside !== undefined) return beside;
  if (root?.flat) return root.path;
  if (root) return join(root.path, cwd === undefined ? (relative(root.path, dirname(session.path)).split(sep)[0] ?? '') : folder(cwd));
  // A fork of a subagent's session is an independent session, so it goes to the folder of the owner.
  const owner = `${dirname(session.path)}.jsonl`;
  const directory = (await stat(owner).catch(() => undefined)) ? dirname(owner) : dirname(session.path);
  return cwd !== undefined && basename(directory) === folder(session.header.cwd) ? join(dirname(directory), folder(cwd)) : directory;
}

/** The refusal of a copy that this program's sessions can't have here. */
export const importInsteadError = (path: string, dialect: Dialect): SessionError =>
  new SessionError('read-only', 'A session of {program} can’t be copied beside itself. Import it into a project instead: {path}', {
    program: DIALECT_FACTS[dialect].label,
    path,
  });

function promptText(entry: Entry | undefined): string {
  if (entry?.type === 'message') return textOf(isObject(entry.message) ? entry.message['content'] : undefined);
  return entry?.type === 'custom_message' ? textOf(entry.content) : '';
}
