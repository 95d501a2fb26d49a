/**
 * Moves all sessions of a project to another folder, for all programs: their headers, the folders that the programs keep
 * them in, and the paths by which forks name their parents. FORMAT section 6, rule 12.
 */
import { defined } from '../../format/values/defined';
import { withoutSessionSuffix } from '../../format/session/archivedSession';
import { Yielder } from '../concurrency/eventLoop';
import type { UntrustedPaths } from '../io/untrustedPaths';
import type { Disk } from '../io/disk';
import { normalizeRoot, type CatalogRoot } from '../locate/catalogRoots';
import { changeable } from '../locate/readOnlyRoots';
import { createWriter, type Writer } from '../write/sessionWriter';
import { asSessionError, readKnownSessions, type KnownSession } from './knownSessions';
import { Mover } from './mover';
import { planRelink, type LeftSession, type PlannedMove, type RelinkPlan } from './planRelink';
import { canceledError } from './refusals';

/** Options of {@link relinkProject}. */
export interface RelinkOptions {
  /** The folder that the sessions' headers name. It needn't exist any more. */
  readonly from: string;
  /** The folder where the project is now. */
  readonly to: string;
  /** The folders of sessions, of all programs. Forks of the sessions are looked for in all of them. */
  readonly roots: readonly CatalogRoot[];
  /** Only says what would happen. */
  readonly dryRun?: boolean;
  /** With a writer that keeps a journal, the whole move is one change that can be undone. By default one without a journal. */
  readonly writer?: Writer;
  /** Accesses the folders that headers name. */
  readonly untrustedPaths?: UntrustedPaths;
  /** Ends the planning, and the moves after the current one. */
  readonly signal?: AbortSignal;
  /** Reports the number of files that were handled. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly disk?: Disk;
}

/** The result for each session. */
export interface RelinkResult {
  /** The sessions that are of the new folder now. The paths are the same where programs keep sessions by other rules. */
  readonly moved: readonly { readonly path: string; readonly newPath: string }[];
  /** The sessions that weren't changed. */
  readonly left: readonly LeftSession[];
}

/**
 * Moves the sessions of a project, one after the other. A session stays at its path if it's in use, if it can't be
 * written to, or if a fork's header can't be changed to its new path. Only headers change, and no file is overwritten.
 *
 * @throws {SessionError} `invalid` unless the paths are two folders.
 * @throws the signal's reason if aborted before the first change.
 */
export async function relinkProject(options: RelinkOptions): Promise<RelinkResult> {
  const roots = options.roots.map(normalizeRoot);
  const writer = options.writer ?? createWriter({ roots: () => roots });
  const plan = await planRelink({ ...options, writer, roots });
  return options.dryRun ? plannedResult(plan) : carryOut(plan, { ...options, writer });
}

/** Returns the result that the plan will have, unless something changes before. */
function plannedResult(plan: RelinkPlan): RelinkResult {
  return { moved: sortedMoves(plan.moves.flatMap(movesOf)), left: plan.left };
}

type Move = Pick<PlannedMove, 'session' | 'newPath' | 'dialect'>;

function movesOf({ session, subagents, newPath, dialect }: PlannedMove): readonly [Move, ...Move[]] {
  const folder = withoutSessionSuffix(session.path);
  const newFolder = withoutSessionSuffix(newPath);
  const newPathOf = ({ path }: KnownSession): string => newFolder + path.slice(folder.length);
  return [{ session, newPath, dialect }, ...subagents.map((one) => ({ session: one, newPath: newPathOf(one), dialect }))];
}

const sortedMoves = (moves: readonly Move[]): RelinkResult['moved'] =>
  moves.map(({ session, newPath }) => ({ path: session.path, newPath })).sort((a, b) => (a.path < b.path ? -1 : 1));

/** Carries out a plan. Failures are results of their files. */
async function carryOut(
  plan: RelinkPlan,
  { writer, signal, onProgress, disk }: Pick<RelinkOptions, 'signal' | 'onProgress' | 'disk'> & { readonly writer: Writer },
): Promise<RelinkResult> {
  signal?.throwIfAborted();
  const log = await writer.beginMoves(changeable(plan.roots));
  const mover = new Mover({ writer, log, ...defined({ disk }) }, plan.newFolder.known);
  const left: LeftSession[] = [...plan.left];
  const moved: Move[] = [];
  const attempt = async (path: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!left.some((one) => one.path === path)) left.push({ path, reason: asSessionError(error, path) });
      return false;
    }
  };
  const carryOutOne = async (one: Move, isAlong = false): Promise<boolean> => {
    const { session, newPath, dialect } = one;
    const path = isAlong ? newPath : session.path;
    const headerOf = mover.headerOf({ dialect, ...(path === newPath ? {} : { from: path }) });
    const isMoved = await attempt(path, () =>
      mover.move({ path, newPath, headerOf, ...defined({ folder: plan.newFolder.known(session.cwd) }) }, session.root.dialect),
    );
    if (isMoved || isAlong) moved.push(one);
    return isMoved;
  };
  let done = 0;
  const total = plan.moves.length + plan.forks.length;
  for (const each of plan.moves) {
    const [first, ...subagents] = movesOf(each);
    if (signal?.aborted) for (const { session } of movesOf(each)) left.push({ path: session.path, reason: canceledError(session.path) });
    // The sessions of subagents have moved along then.
    else if (await carryOutOne(first)) for (const one of subagents) await carryOutOne(one, true);
    onProgress?.(++done, total);
  }
  // Everywhere, as it is now: a parent may have moved after its fork, and forks may have been made meanwhile.
  let isComplete = true;
  // Without the signal: a move that has begun is completed.
  const turn = new Yielder(undefined);
  for (const { path, parents, root } of mover.moved.isEmpty ? [] : (await readKnownSessions(changeable(plan.roots))).sessions) {
    if (turn.isDue()) await turn.yieldIfDue();
    if (!parents.some((parent) => mover.moved.newPath(parent) !== undefined)) continue;
    isComplete = (await attempt(path, () => mover.repoint(path, root.dialect))) && isComplete;
    onProgress?.(Math.min(++done, total), total);
  }
  await log.end(isComplete);
  return { moved: sortedMoves(moved), left: left.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}
