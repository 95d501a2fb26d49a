/** Facts of a session's row by the values of `is:` and `tag:`. Pure. */
import { defined } from '../../format/values/defined';
import type { CatalogRow } from '../rows/catalogRow';
import type { SessionSummary } from '../rows/sessionSummary';
import type { SearchQuery } from './query/queryPrefixes';

export type RowFacts = Pick<CatalogRow, 'path' | 'unfinished' | 'state' | 'isArchived' | 'isPinned' | 'parentPath' | 'tags'>;

/** States that depend on other sessions or on running programs, and so take whole rows. All others are in the session's own facts. */
const STATES_OF_ROWS: ReadonlySet<string> = new Set(['running', 'waiting', 'subagent']);

export const needsRows = ({ is = [] }: SearchQuery): boolean => is.some((state) => STATES_OF_ROWS.has(state));

/** Returns what a session tells by itself. @param marks what a person keeps about it */
export function ownFacts(
  { path, unfinished, marks: own }: SessionSummary,
  marks: Pick<CatalogRow, 'tags' | 'isPinned'> | undefined,
): RowFacts {
  return { path, ...own, ...defined({ unfinished }), ...marks };
}

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
