/** Projects after some files changed: what keeps its place gets its new data there, and nothing else is looked at. Pure. */
import type { SessionSummary, ListedSession } from '../../core/index';
import { compareByRank, compareByTime, isIncluded, pathToItem, type Project, type ProjectsInput, type ReadableItem, type SessionItem } from './projects';

/** Beyond so many, all are looked at: many at once are a listing's. */
const MAX_INCREMENTAL_FILES = 100;

/**
 * What `projectsOf` would answer; `undefined` where it has to: where a file is new, gone, unreadable or hidden, or says
 * other things of its place than before, which may move others, too, and where very many changed.
 *
 * @param before what either of them answered, for the same settings and folders
 * @param changed paths of files, all that are other than they were then
 */
export function updateProjects(before: readonly Project[], changed: ReadonlySet<string>, input: ProjectsInput): readonly Project[] | undefined {
  if (changed.size > MAX_INCREMENTAL_FILES) return undefined;
  let projects = before;
  for (const path of changed) {
    const file = input.files.get(path);
    const after = file?.kind === 'session' && isIncluded(file.summary, input) ? withSession(projects, file, projectFolderOf(file, input.files)) : undefined;
    if (!after) return undefined;
    projects = after;
  }
  return [...projects].sort(compareByRank);
}

/** The folder of the project that a session is in: subagents' sessions stand under the one that they work for. */
function projectFolderOf(file: ListedSession, files: ReadonlyMap<string, ListedSession>): string | undefined {
  let at: ListedSession | undefined = file;
  // An owner's path is shorter each time.
  while (at?.owner !== undefined) at = files.get(at.owner);
  return at?.kind === 'session' ? at.summary.cwd : undefined;
}

function withSession(projects: readonly Project[], file: Extract<ListedSession, { kind: 'session' }>, cwd: string | undefined): readonly Project[] | undefined {
  const index = projects.findIndex((project) => project.cwd === cwd);
  const project = projects[index];
  const line = project && pathToItem(project.items, file.path)?.filter((item) => item.kind === 'session');
  const item = line?.at(-1);
  if (item?.path !== file.path || item.isSubagent !== (file.owner !== undefined) || !hasSamePlacement(item.summary, file.summary)) return undefined;
  let [old, now] = [item, withChildren({ ...item, summary: file.summary }, item.children)];
  for (const above of line!.slice(0, -1).reverse()) [old, now] = [above, withChildren(above, replaceItem(above.children, old, now))];
  const items = replaceItem(project!.items, old, now);
  return projects.with(index, { ...project!, items, newest: items[0]!.newest });
}

/** Whether two states of a session say the same of where it stands, and what those show that were forked from it. */
function hasSamePlacement(before: SessionSummary, now: SessionSummary): boolean {
  const title = ({ name, firstMessage }: SessionSummary): string | undefined => name ?? firstMessage;
  return before.cwd === now.cwd && before.parentSession === now.parentSession && before.id === now.id && before.created === now.created && title(before) === title(now);
}

/** A family is as new as its newest member. */
function withChildren(item: ReadableItem, below: readonly SessionItem[]): ReadableItem {
  const { modified } = item.summary;
  return { ...item, children: below, newest: below[0] ? Math.max(modified, below[0].newest) : modified };
}

function replaceItem(items: readonly SessionItem[], old: SessionItem, now: SessionItem): SessionItem[] {
  const others = items.filter((item) => item !== old);
  const at = others.findIndex((item) => compareByTime(now, item) < 0);
  return others.toSpliced(at < 0 ? others.length : at, 0, now);
}
