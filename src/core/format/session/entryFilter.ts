/** The five filters of pi's tree selector, which decide which entries have a row. */
import type { EntryTraits, HeadSource } from '../columns/headSource';
import type { EntryHead } from '../entry/entryHead';
import type { TranslateMessage } from '../entry/problem';
import { headsOf } from '../linking/headsById';
import { isArchivedAt } from './archivedEntries';
import type { Session } from './session';

interface FilterFacts {
  /** The name in menus and lists. */
  readonly label: (translate: TranslateMessage) => string;
  /** Says more than the name, where that isn't enough. */
  readonly description?: (translate: TranslateMessage) => string;
  /** True if an entry has a row, unless it's hidden by all filters. */
  readonly shows: (head: EntryTraits, isLabeled: () => boolean) => boolean;
}

/** The tree filters, as in pi. FORMAT section 5. */
const FILTER_TABLE = {
  default: {
    label: (translate) => translate('Default', {}),
    description: (translate) => translate('Messages, tool results, compactions and summaries', {}),
    shows: (head) => !isBookkeeping(head),
  },
  'no-tools': {
    label: (translate) => translate('No Tool Results', {}),
    description: (translate) => translate('Same as Default, without tool results', {}),
    shows: (head) => !isBookkeeping(head) && head.role !== 'toolResult',
  },
  'user-only': { label: (translate) => translate('Your Messages', {}), shows: (head) => head.role === 'user' },
  'labeled-only': { label: (translate) => translate('Labeled Entries', {}), shows: (_, isLabeled) => isLabeled() },
  all: { label: (translate) => translate('All Entries', {}), shows: () => true },
} as const satisfies Readonly<Record<string, FilterFacts>>;

/** Name of a tree filter. FORMAT section 5. */
export type Filter = keyof typeof FILTER_TABLE;
export const FILTER_FACTS: Readonly<Record<Filter, FilterFacts>> = FILTER_TABLE;
/** The names of the filters, in the order of pi. */
export const FILTERS = Object.keys(FILTER_TABLE) as readonly Filter[];

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
  if (!passesFilter(session, heads.traitsAt(place), filter, () => heads.idAt(place))) return false;
  return filter === 'all' || !isArchivedAt(session, heads, place);
}

function passesFilter(session: FilteredSession, head: EntryTraits, filter: Filter, idOf: () => string): boolean {
  if (HIDDEN.has(head.type)) return false;
  if (isSilentAssistant(head) && idOf() !== session.leafId) return false;
  return FILTER_FACTS[filter].shows(head, () => session.labels.has(idOf()));
}

const isBookkeeping = (head: EntryTraits): boolean => SETTINGS.has(head.type) || OMP_BOOKKEEPING.has(head.type);

/** True for an assistant message without text that only called tools: the rows of the results represent it. */
function isSilentAssistant(head: EntryTraits): boolean {
  if (head.role !== 'assistant' || head.hasText) return false;
  return head.stopReason === undefined || head.stopReason === '' || head.stopReason === 'stop' || head.stopReason === 'toolUse';
}
