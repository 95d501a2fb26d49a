/** Determines the sessions that are listed while only sessions with a tag are. Pure. */
import { appendAll } from '../../core/index';
import type { ProjectsInput } from './projectsInput';
import type { SessionItem, TopItem } from './sessionGroups';

/** Returns whether a session is listed, together with the sessions below it: one of them has the tag. */
export function tagFilter({ tag }: Pick<ProjectsInput, 'tag'>): (top: Pick<TopItem, 'item'>) => boolean {
  if (tag === undefined || tag === '') return () => true;
  const wanted = tag.toLowerCase();
  return ({ item }) => hasTag(item, wanted);
}

function hasTag(top: SessionItem, wanted: string): boolean {
  const waiting = [top];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    if (item.kind !== 'session') continue;
    if (item.tags?.some((tag) => tag.toLowerCase() === wanted)) return true;
    appendAll(waiting, item.children);
  }
  return false;
}
