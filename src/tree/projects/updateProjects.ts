/** Updates projects after files changed: items that keep their position get new data; nothing else is touched. Pure. */
import type { SessionSummary, ListedSession } from '../../core/index';
import {
  compareByRank,
  compareSessions,
  isIncluded,
  newestOf,
  pathToItem,
  type Project,
  type ProjectsInput,
  type ReadableItem,
  type SessionItem,
} from './projects';

/** With more changed files than this, all projects are rebuilt: that many come from a listing. */
const MAX_INCREMENTAL_FILES = 100;

/**
 * Returns what `buildProjects` would, or `undefined` if that has to run: if a file is new, gone, unreadable or hidden, if
 * its position may have changed, which may move others too, or if very many files changed.
 *
 * @param before the last result of either function, for the same settings and folders
 * @param changed the paths of all files that changed since
 */
export function updateProjects(
  before: readonly Project[],
  changed: ReadonlySet<string>,
  input: ProjectsInput,
): readonly Project[] | undefined {
  if (changed.size > MAX_INCREMENTAL_FILES) return undefined;
  let projects = before;
  for (const path of changed) {
    const file = input.files.get(path);
    const after =
      file?.kind === 'session' && isIncluded(file.summary, input)
        ? withSession(projects, file, projectFolderOf(file, input.files))
        : undefined;
    if (!after) return undefined;
    projects = after;
  }
  return [...projects].sort(compareByRank);
}

/** The folder of a session's project. Sessions of subagents are in the project of the session that started them. */
function projectFolderOf(file: ListedSession, files: ReadonlyMap<string, ListedSession>): string | undefined {
  let at: ListedSession | undefined = file;
  // Ends, because an owner's path is always shorter.
  while (at?.owner !== undefined) at = files.get(at.owner);
  return at?.kind === 'session' ? at.summary.cwd : undefined;
}

function withSession(
  projects: readonly Project[],
  file: Extract<ListedSession, { kind: 'session' }>,
  cwd: string | undefined,
): readonly Project[] | undefined {
  const index = projects.findIndex((project) => project.cwd === cwd);
  const project = projects[index];
  const branch = project && pathToItem(project.items, file.path)?.filter((item) => item.kind === 'session');
  const item = branch?.at(-1);
  if (item?.path !== file.path || item.isSubagent !== (file.owner !== undefined) || !hasSamePlacement(item.summary, file.summary))
    return undefined;
  let [old, now] = [item, withChildren({ ...item, summary: file.summary, size: file.version.size }, item.children)];
  for (const ancestor of branch!.slice(0, -1).reverse())
    [old, now] = [ancestor, withChildren(ancestor, replaceItem(ancestor.children, old, now))];
  const items = replaceItem(project!.items, old, now);
  return projects.with(index, { ...project!, items, newest: newestOf(items) });
}

/** True if two summaries of a session agree on its position, and on what its forks show of it. */
function hasSamePlacement(before: SessionSummary, now: SessionSummary): boolean {
  return (
    before.cwd === now.cwd &&
    before.dialect === now.dialect &&
    before.parentSession === now.parentSession &&
    before.id === now.id &&
    before.created === now.created &&
    before.title === now.title &&
    before.additionalDirectories?.join('\n') === now.additionalDirectories?.join('\n') &&
    before.marks?.isPinned === now.marks?.isPinned &&
    before.marks?.isArchived === now.marks?.isArchived
  );
}

/** An item with other children, and the newest time of all of them. */
function withChildren(item: ReadableItem, below: readonly SessionItem[]): ReadableItem {
  const { modified } = item.summary;
  return { ...item, children: below, newest: below.length > 0 ? Math.max(modified, newestOf(below)) : modified };
}

function replaceItem(items: readonly SessionItem[], old: SessionItem, now: SessionItem): SessionItem[] {
  const others = items.filter((item) => item !== old);
  const at = others.findIndex((item) => compareSessions(now, item) < 0);
  return others.toSpliced(at < 0 ? others.length : at, 0, now);
}
