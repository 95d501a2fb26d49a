/** The five filters of pi's tree selector, which decide which entries have a row. */
import type { EntryTraits, HeadSource } from '../columns/headSource';
import type { EntryHead } from '../entry/entryHead';
import { headsOf } from '../linking/headsById';
import { isArchivedAt } from './archivedEntries';
import type { Session } from './session';

/** The tree filters, as in pi. FORMAT section 5. */
export const FILTERS = ['default', 'no-tools', 'user-only', 'labeled-only', 'all'] as const;
/** Name of a tree filter. FORMAT section 5. */
export type Filter = (typeof FILTERS)[number];

/** True for the name of a filter. FORMAT section 5. */
export function isFilter(value: unknown): value is Filter {
  return FILTERS.some((filter) => filter === value);
}

const SETTINGS = new Set(['label', 'context_edit', 'custom', 'model_change', 'thinking_level_change', 'session_info']);
/** oh-my-pi's own bookkeeping, which it hides as pi hides settings. */
const OMP_BOOKKEEPING = new Set([
  'title_change',
  'ttsr_injection',
  'mode_change',
  'service_tier_change',
  'mcp_tool_selection',
  'session_init',
  'model_usage',
  'credential_pin',
  'archive',
]);
const HIDDEN = new Set(['usage', 'leaf']);

type FilteredSession = Pick<Session, 'leafId' | 'labels' | 'archived' | 'byId'>;

/**
 * True if an entry has a row under a filter. The leaf shows even if it's an assistant message without text. Archived
 * entries show only under `all`.
 * FORMAT section 5.
 */
export function isVisible(session: FilteredSession, head: EntryHead, filter: Filter): boolean {
  if (!passesFilter(session, head, filter, () => head.id)) return false;
  if (filter === 'all' || session.archived.size === 0) return true;
  const heads = headsOf(session);
  const place = heads.placeOf(head.id);
  return place === undefined || !isArchivedAt(session, heads, place);
}

/** Like `isVisible`, for the entry at a place. Makes no head. */
export function isVisibleAt(session: FilteredSession, heads: HeadSource, place: number, filter: Filter): boolean {
  if (!isVisibleIfRestored(session, heads, place, filter)) return false;
  return filter === 'all' || !isArchivedAt(session, heads, place);
}

/** Like `isVisibleAt`, also for an archived entry. */
export function isVisibleIfRestored(session: FilteredSession, heads: HeadSource, place: number, filter: Filter): boolean {
  return passesFilter(session, heads.traitsAt(place), filter, () => heads.idAt(place));
}

function passesFilter(session: FilteredSession, head: EntryTraits, filter: Filter, idOf: () => string): boolean {
  if (HIDDEN.has(head.type)) return false;
  if (isSilentAssistant(head) && idOf() !== session.leafId) return false;
  switch (filter) {
    case 'all':
      return true;
    case 'user-only':
      return head.role === 'user';
    case 'labeled-only':
      return session.labels.has(idOf());
    case 'no-tools':
      return !isBookkeeping(head) && head.role !== 'toolResult';
    case 'default':
      return !isBookkeeping(head);
  }
}

const isBookkeeping = (head: EntryTraits): boolean => SETTINGS.has(head.type) || OMP_BOOKKEEPING.has(head.type);

/** True for an assistant message without text that only called tools: the rows of the results represent it. */
function isSilentAssistant(head: EntryTraits): boolean {
  if (head.role !== 'assistant' || head.hasText) return false;
  return head.stopReason === undefined || head.stopReason === '' || head.stopReason === 'stop' || head.stopReason === 'toolUse';
}
