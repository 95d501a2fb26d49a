/** Puts the items of forks and subagents below the items of the sessions that they come from. Pure. */
import type { FamilyPlace, FindParent, ListedFile, SessionSummary } from '../../core/index';
import { childComparator } from './arrangement';
import { projectFolder, type ProjectsInput } from './projectsInput';
import { newestOf } from './sessionGroups';
import type { MutableItem } from './sessionItems';

/** True if a fork has the title of one of the sessions that it comes from. */
export const hasTitleOf = ({ summary }: MutableItem, others: readonly (SessionSummary | undefined)[]): boolean =>
  others.some((other) => other?.title === summary.title);

const isArchived = (summary: SessionSummary | undefined): boolean => summary?.marks?.isArchived === true;

/**
 * The parent item of a session: its subagent's owner, or its oldest ancestor in the same project. A session that isn't
 * archived has no archived parent, which is at the end of the project.
 */
export function parentItemOf(
  file: ListedFile<'session'>,
  own: MutableItem,
  itemOf: (path: string) => MutableItem | undefined,
  find: FindParent,
  family: FamilyPlace | undefined,
  input: Pick<ProjectsInput, 'worktreeOf'>,
): MutableItem | undefined {
  if (family) return family.parent === undefined ? undefined : itemOf(family.parent);
  if (file.copyOf) return itemOf(file.copyOf.path);
  if (file.summary.parentSession === undefined) return undefined;
  const project = projectFolder(file.summary.cwd, input);
  const ancestors: MutableItem[] = [];
  const seen = new Set([file.path]);
  let at = find(file);
  for (; at && !seen.has(at.path); at = find(at)) {
    seen.add(at.path);
    const item = itemOf(at.path);
    const isPutAside = isArchived(item?.summary) && !isArchived(file.summary);
    if (item && !item.isSubagent && !item.copyOf && !isPutAside && projectFolder(item.summary.cwd, input) === project) ancestors.push(item);
  }
  // If files name each other as parents in a cycle, the oldest file is the parent of the others.
  return at ? oldest([own, ...ancestors], own) : ancestors.at(-1);
}

/** The oldest of some items, unless it is `own`. */
function oldest(among: readonly MutableItem[], own: MutableItem): MutableItem | undefined {
  const first = among.reduce((a, b) => (isOlder(b.summary, a.summary) ? b : a));
  return first === own ? undefined : first;
}

const isOlder = (a: SessionSummary, b: SessionSummary): boolean => a.created < b.created || (a.created === b.created && a.path < b.path);

/** Gives each item the newest time of its descendants, so that the family of an active session is near the top. */
export function propagateTimes(items: readonly MutableItem[], { sort }: ProjectsInput): void {
  const families = items.filter((item) => item.children.length > 0);
  // Parents precede their children here, and are updated after them.
  const order: MutableItem[] = [];
  const under = new Set(families.flatMap((item) => item.children));
  const stack = families.filter((item) => !under.has(item));
  for (let item = stack.pop(); item; item = stack.pop()) {
    order.push(item);
    // The sessions among the children are items of this list.
    for (const below of item.children) if (below.kind === 'session' && below.children.length > 0) stack.push(below as MutableItem);
  }
  for (const item of order.reverse()) {
    item.children.sort(childComparator(sort));
    item.newest = Math.max(item.newest, newestOf(item.children));
  }
}
