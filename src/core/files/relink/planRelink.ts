/** Finds out which sessions move with a project, where to, and which ones stay. Writes nothing. FORMAT section 6, rule 12. */
import { realpath } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Dialect } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { withoutSessionSuffix } from '../../format/session/archivedSession';
import { projectFolderName } from '../../format/write/sessionNames';
import { Yielder } from '../concurrency/eventLoop';
import { UntrustedPaths } from '../io/untrustedPaths';
import { mapPath } from '../locate/paths/mapPath';
import type { Root } from '../locate/roots';
import { assertFree } from '../write/writeGuard';
import type { Writer } from '../write/sessionWriter';
import { findFamilies, membersOf, type Family } from './families';
import { createFolderMap, type FolderMap } from './folderMap';
import { asSessionError, readKnownSessions, type KnownSession, type KnownSessionsOptions, type UnreadablePath } from './knownSessions';
import { isPlace, placeKey, PlaceMap } from './movedPaths';
import { assertMovable, assertRewritable, mappedReason, parentOfBusyForkError } from './refusals';

/** A session that moves, with its subagents' sessions. */
export interface PlannedMove extends Family {
  /** The same as the session's path if only its header changes. */
  readonly newPath: string;
  readonly dialect: Dialect;
}

/** A session that stays, and the reason. */
export interface LeftSession {
  readonly path: string;
  readonly reason: SessionError;
}

export interface RelinkPlan {
  /** Parents before their forks, as far as their file names show the order. */
  readonly moves: readonly PlannedMove[];
  /** Sessions of other projects, in which only the path of the parent changes. */
  readonly forks: readonly KnownSession[];
  readonly left: readonly LeftSession[];
  /** The folders in which forks of the sessions may be. */
  readonly roots: readonly Root[];
  readonly newFolder: FolderMap;
}

interface PlanOptions extends KnownSessionsOptions {
  readonly from: string;
  readonly to: string;
  readonly roots: readonly Root[];
  readonly writer: Writer;
  readonly untrustedPaths?: UntrustedPaths;
}

/**
 * Plans the move of all sessions of a project. A session of a subfolder moves along if that folder is gone from the old
 * place and is in the new one.
 *
 * @throws {SessionError} `invalid` if `from` and `to` aren't two absolute paths.
 * @throws the signal's reason if aborted.
 */
export async function planRelink(options: PlanOptions): Promise<RelinkPlan> {
  const { roots, writer, signal } = options;
  const [from, to] = foldersOf(options);
  const { sessions, unreadable } = await readKnownSessions(roots, options);
  const newFolder = createFolderMap(from, to, options.untrustedPaths ?? new UntrustedPaths());
  const folders = new Map<KnownSession, string>();
  const turn = new Yielder(signal);
  for (const session of sessions) {
    if (turn.isDue()) await turn.yieldIfDue();
    const folder = (await newFolder.find(mapPath(session.cwd, session.root.map))) ?? (await newFolder.find(session.cwd));
    if (folder === undefined) continue;
    folders.set(session, folder);
    for (const other of session.folders) await newFolder.find(other);
  }
  const checks = new Checks(writer, signal, new Map([...folders].map(([{ path }, folder]) => [path, [folder]])));
  const families = await turn.run(findFamilies(sessions, folders));
  const left: LeftSession[] = unreadable.filter((one) => mayBeOfProject(one, from)).map(({ path, reason }) => ({ path, reason }));
  const leave = (family: Family, reason: SessionError): void => {
    for (const { path } of membersOf(family)) left.push({ path, reason });
  };
  await checks.add(families.flatMap(membersOf));
  let moves: PlannedMove[] = [];
  const taken = new Set<string>();
  for (const family of families) {
    const reason = membersOf(family)
      .map((one) => checks.reasonOf(one) ?? mappedReason(one))
      .find(Boolean);
    const newPath = newPathOf(family.session, folders.get(family.session), checks);
    const obstacle =
      reason ?? (newPath === family.session.path ? undefined : await obstacleTo(family.session.path, newPath, { taken, writer }));
    if (obstacle) leave(family, obstacle);
    else moves.push({ ...family, newPath, dialect: checks.dialectOf(family.session) });
  }
  // Sessions of a read-only root name the paths of their own machine as parents.
  const pointing = await pointersTo(
    moves,
    sessions.filter(({ root }) => !root.readOnly),
    turn,
  );
  await checks.add([...pointing.values()].flat());
  for (let isStable = false; !isStable;) {
    const moving = new Set(moves.flatMap(membersOf));
    const kept = moves.filter((move) => {
      const fork = pointing.get(move)?.find((one) => !moving.has(one) && checks.reasonOf(one));
      const reason = fork && checks.reasonOf(fork);
      if (fork && reason) leave(move, parentOfBusyForkError(move.session.path, fork.path, reason));
      return reason === undefined;
    });
    isStable = kept.length === moves.length;
    moves = kept;
  }
  const moving = new Set(moves.flatMap(membersOf));
  const forks = new Set(moves.flatMap((move) => pointing.get(move) ?? []).filter((one) => !moving.has(one)));
  left.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { moves, forks: [...forks], left, roots, newFolder };
}

/** @throws {SessionError} `invalid` */
function foldersOf({ from, to }: Pick<PlanOptions, 'from' | 'to'>): [string, string] {
  for (const folder of [from, to])
    if (!isPlace(folder)) throw new SessionError('invalid', 'This isn’t the absolute path of a folder: {path}', { path: folder });
  if (placeKey(from) === placeKey(to))
    throw new SessionError('invalid', 'These sessions already belong to this folder. Choose another one: {path}', { path: to });
  return [resolve(from), resolve(to)];
}

/** The dialects of sessions that would be rewritten, and the reasons why some can't be. */
class Checks {
  private readonly reasons = new Map<KnownSession, SessionError | undefined>();
  private readonly dialects = new Map<KnownSession, Dialect>();

  constructor(
    private readonly writer: Writer,
    private readonly signal: AbortSignal | undefined,
    /** A program that was at work while its project was moved is in the new folder now. */
    private readonly newFolders: ReadonlyMap<string, readonly string[]>,
  ) {}

  readonly reasonOf = (session: KnownSession): SessionError | undefined => this.reasons.get(session);

  dialectOf(session: KnownSession): Dialect {
    return this.dialects.get(session) ?? session.root.dialect;
  }

  async add(sessions: readonly KnownSession[]): Promise<void> {
    const added = [...new Set(sessions)].filter((session) => !this.reasons.has(session));
    for (const session of added) {
      this.signal?.throwIfAborted();
      this.reasons.set(session, await this.check(session));
    }
    const free = added.filter((session) => !this.reasons.get(session));
    const folders = (path: string): readonly string[] => this.newFolders.get(path) ?? [];
    const presence = await this.writer.presence(
      free.map(({ path }) => path),
      { folders },
    );
    for (const session of free) {
      try {
        assertFree(session.path, presence.get(session.path) ?? { state: 'free' }, false);
      } catch (error) {
        this.reasons.set(session, asSessionError(error, session.path));
      }
    }
  }

  private async check(session: KnownSession): Promise<SessionError | undefined> {
    try {
      await this.writer.assertChangeable(session.path);
      this.dialects.set(session, await assertRewritable(session));
      return undefined;
    } catch (error) {
      return asSessionError(error, session.path);
    }
  }
}

/** Returns the path that the session's program uses for the folder; the same one in a root without folders of projects. */
function newPathOf(session: KnownSession, folder: string | undefined, checks: Checks): string {
  const { path, root, owner } = session;
  // The session of a subagent stays with its owner.
  if (folder === undefined || root.flat || owner !== undefined) return path;
  const name = projectFolderName(folder, checks.dialectOf(session), { home: homedir(), temp: tmpdir() });
  return join(root.path, name, basename(path));
}

async function obstacleTo(
  path: string,
  newPath: string,
  { taken, writer }: { readonly taken: Set<string>; readonly writer: Writer },
): Promise<SessionError | undefined> {
  try {
    await writer.assertChangeable(newPath);
    await assertMovable(path, newPath);
  } catch (error) {
    return asSessionError(error, path);
  }
  if (taken.has(placeKey(newPath)))
    return new SessionError('invalid', 'Another session of this project would have the same path. Move it away first: {path}', { path });
  taken.add(placeKey(newPath));
  return undefined;
}

/** The sessions that name one of a family's as their parent, for each family whose paths change. */
async function pointersTo(
  moves: readonly PlannedMove[],
  sessions: readonly KnownSession[],
  turn: Yielder,
): Promise<Map<PlannedMove, KnownSession[]>> {
  const owners = new PlaceMap<PlannedMove>();
  for (const move of moves)
    if (move.newPath !== move.session.path)
      for (const place of await namesOf(move.session.path)) {
        owners.set(place, move);
        owners.set(withoutSessionSuffix(place), move);
      }
  const found = new Map<PlannedMove, KnownSession[]>();
  for (const session of sessions) {
    if (turn.isDue()) await turn.yieldIfDue();
    for (const move of new Set(session.parents.flatMap((parent) => owners.find(parent)?.value ?? []))) {
      const pointing = found.get(move);
      if (pointing) pointing.push(session);
      else found.set(move, [session]);
    }
  }
  return found;
}

/** The path of a file, and the one with links in its folders resolved, which a program may have used. */
const namesOf = async (path: string): Promise<readonly [string, string]> => [path, join(await realpath(dirname(path)), basename(path))];

/** True for a file that can't be read and is in the folder that programs use for the project. */
const mayBeOfProject = ({ path, root }: UnreadablePath, from: string): boolean =>
  root === undefined ||
  (!root.flat && basename(dirname(path)) === projectFolderName(from, root.dialect, { home: homedir(), temp: tmpdir() }));
