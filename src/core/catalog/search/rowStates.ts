/** Facts of a session's row by the values of `is:` and `tag:`. Pure. */
import type { CatalogRow } from '../rows/catalogRow';
import type { SearchQuery } from './queryPrefixes';

type RowFacts = Pick<CatalogRow, 'path' | 'unfinished' | 'state' | 'isArchived' | 'isPinned' | 'parentPath' | 'tags'>;

/** @param running the paths of sessions that are known to run */
export function acceptsRow(row: RowFacts, { is = [], tags = [] }: SearchQuery, running: ReadonlySet<string>): boolean {
  const own = new Set(row.tags?.map((tag) => tag.toLowerCase()));
  return is.every((state) => isIn(row, state, running)) && (tags.length === 0 || tags.some((tag) => own.has(tag.toLowerCase())));
}

function isIn(row: RowFacts, state: string, running: ReadonlySet<string>): boolean {
  switch (state) {
    case 'unfinished':
      return row.unfinished !== undefined;
    case 'running':
      return running.has(row.path) || row.state === 'working';
    case 'waiting':
      return row.state === 'waiting';
    case 'failed':
      return row.state === 'failed' || row.unfinished === 'error';
    case 'archived':
      return row.isArchived === true;
    case 'pinned':
      return row.isPinned === true;
    case 'subagent':
      return row.parentPath !== undefined;
    default:
      return false;
  }
}
