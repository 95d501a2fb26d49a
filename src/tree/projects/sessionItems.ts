/** The items of sessions by themselves, before they are in others and in groups. Pure. */
import { isAbsolute } from 'node:path';
import {
  agentOfCall,
  callThatStarted,
  DIALECTS,
  folderName,
  NO_MESSAGES,
  type Dialect,
  type FamilyPlace,
  type FindParent,
  type ListedFile,
  type SessionSummary,
  type Steps,
} from '../../core/index';
import { projectFolder, type ProjectsInput } from './projectsInput';
import { isAtWork } from './unfinishedSessions';
import type { ForkOrigin, ReadableItem, SessionItem } from './sessionGroups';

/** An item while the groups are built. */
export type MutableItem = Omit<ReadableItem, 'children' | 'newest' | 'hasParentTitle' | 'showsProgram' | 'worktree'> & {
  worktree?: string;
  readonly children: SessionItem[];
  newest: number;
  hasParentTitle: boolean;
  showsProgram: boolean;
};

/** Returns the item of a file, without children. @param family see `FindFamily` */
export function createItem(
  file: ListedFile<'session'>,
  find: FindParent,
  family: FamilyPlace | undefined,
  input: ProjectsInput,
): MutableItem {
  const { summary, path } = file;
  const { cost, isPinned } = input;
  const worktree = input.worktreeOf?.(summary.cwd);
  const parent = find(file);
  const isElsewhere =
    summary.parentSession !== undefined &&
    !family &&
    (!parent || projectFolder(parent.summary.cwd, input) !== projectFolder(summary.cwd, input));
  // Members that few have are added after the others: in a literal, spreads take space for thousands of sessions.
  const item: { -readonly [K in keyof MutableItem]: MutableItem[K] } = {
    kind: 'session',
    path,
    summary,
    size: file.version.size,
    cost: cost(path),
    familyCost: input.familyCost?.(path),
    isPinned: isPinned(summary),
    isSubagent: family !== undefined,
    hasParentTitle: false,
    showsProgram: false,
    children: [],
    newest: summary.modified,
  };
  if (isAtWork(summary, input.isRunning)) item.isAtWork = true;
  if (file.copyOf && !family) item.copyOf = file.copyOf;
  if (worktree) item.worktree = folderName(worktree.folder);
  const agent = family && agentOf(file, family, input);
  if (agent !== undefined) item.agent = agent;
  Object.assign(item, input.marksOf?.(summary));
  if (isElsewhere) item.forkedFrom = originOf(summary, parent);
  return item;
}

/** The name of the agent that wrote a session: its own, or the one in the call that started it. */
function agentOf({ path, summary }: ListedFile<'session'>, { parent }: FamilyPlace, { files }: ProjectsInput): string | undefined {
  const above = parent === undefined ? undefined : files.get(parent);
  if (summary.agent !== undefined || above?.kind !== 'session') return summary.agent;
  return agentOfCall(callThatStarted(above.summary, summary), path);
}

function originOf({ parentSession }: SessionSummary, parent: ListedFile<'session'> | undefined): ForkOrigin {
  if (!parent) return parentSession !== undefined && isAbsolute(parentSession) ? { path: parentSession } : {};
  const { title, cwd } = parent.summary;
  return { path: parent.path, cwd, ...(title === NO_MESSAGES ? {} : { title }) };
}

/** Sets `showsProgram` of the sessions whose program isn't the most common one around them. @param isStepEnd see `stepCounter` */
export function* markPrograms(items: readonly MutableItem[], input: ProjectsInput, isStepEnd: () => boolean): Steps<void> {
  const { group } = input;
  const around = ({ cwd, dialect }: SessionSummary): string =>
    group === 'project' ? projectFolder(cwd, input) : group === 'program' ? dialect : '';
  const counts = new Map<string, Map<Dialect, number>>();
  for (const { summary } of items) {
    if (isStepEnd()) yield;
    const key = around(summary);
    const known = counts.get(key) ?? new Map<Dialect, number>();
    if (known.size === 0) counts.set(key, known);
    known.set(summary.dialect, (known.get(summary.dialect) ?? 0) + 1);
  }
  const common = new Map(Array.from(counts, ([key, known]) => [key, mostCommon(known)]));
  for (const item of items) {
    if (isStepEnd()) yield;
    item.showsProgram = common.get(around(item.summary)) !== item.summary.dialect;
  }
}

/** The dialect with the highest count; of several, the first in the order of `DIALECTS`, so that rows don't depend on the order of files. */
const mostCommon = (counts: ReadonlyMap<Dialect, number>): Dialect | undefined =>
  [...DIALECTS].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0];
