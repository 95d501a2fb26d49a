/** Determines the sessions that are listed while only those with a tag are, or those that a query finds. Pure. */
import { appendAll } from '../../core/index';
import type { ProjectsInput } from './projectsInput';
import type { SessionItem, TopItem } from './sessionGroups';

/** Returns whether a session is listed, together with the sessions below it: one of them has the tag, and one of them is found. */
export function ownFilters({ tag = '', isFound }: Pick<ProjectsInput, 'tag' | 'isFound'>): (top: Pick<TopItem, 'item'>) => boolean {
  const wanted = tag.toLowerCase();
  const isTagged = (item: SessionItem): boolean =>
    item.kind === 'session' && item.tags?.some((one) => one.toLowerCase() === wanted) === true;
  return ({ item }) => (wanted === '' || hasAny(item, isTagged)) && (isFound === undefined || hasAny(item, ({ path }) => isFound(path)));
}

/** True if a test holds for a session, or for one below it. */
function hasAny(top: SessionItem, test: (item: SessionItem) => boolean): boolean {
  const waiting = [top];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    if (test(item)) return true;
    if (item.kind === 'session') appendAll(waiting, item.children);
  }
  return false;
}
