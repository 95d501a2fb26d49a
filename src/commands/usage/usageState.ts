/** The state of the page about usage: the range of days, and what was gone into. */
import {
  REPORT_KEYS,
  USAGE_RANGES,
  dayNumber,
  defined,
  isObject,
  type DayRange,
  type ReportFilter,
  type UsageRangeName,
} from '../../core/index';

/** A range of days, as it's remembered. */
export interface ChosenRange {
  readonly name: UsageRangeName;
  /** The dates of `custom`. */
  readonly custom: DayRange;
}

export interface UsageState {
  readonly chosen: ChosenRange;
  /** The group whose sessions are shown. */
  readonly filter?: ReportFilter;
  /** The session whose turns are shown. */
  readonly session?: string;
  /** True if tables have all of their rows. */
  readonly isLong?: true;
}

const FIRST: ChosenRange = { name: '30days', custom: {} };

/** Returns the range that was stored; the first choice if none was. */
export const rangeFrom = (stored: unknown): ChosenRange => parseRange(stored) ?? FIRST;

function parseRange(value: unknown): ChosenRange | undefined {
  if (!isObject(value)) return undefined;
  const name = USAGE_RANGES.find((each) => each === value['name']);
  const custom = isObject(value['custom']) ? value['custom'] : {};
  return name && { name, custom: defined({ from: day(custom['from']), to: day(custom['to']) }) };
}

const day = (value: unknown): string | undefined => (typeof value === 'string' && dayNumber(value) !== undefined ? value : undefined);

/** A message of the page. */
export type UsageMessage =
  | { readonly type: 'ready' | 'back' | 'more' }
  | { readonly type: 'range'; readonly chosen: ChosenRange }
  | { readonly type: 'group'; readonly filter: ReportFilter }
  | { readonly type: 'session' | 'turn'; readonly key: string };

/** Returns the message; `undefined` for anything else. */
export function parseUsageMessage(message: unknown): UsageMessage | undefined {
  if (!isObject(message)) return undefined;
  const { type, key } = message;
  switch (type) {
    case 'ready':
    case 'back':
    case 'more':
      return { type };
    case 'range': {
      const chosen = parseRange({ name: message['name'], custom: { from: message['from'], to: message['to'] } });
      return chosen && { type, chosen };
    }
    case 'group': {
      const by = REPORT_KEYS.find((each) => each === message['by']);
      return by && typeof key === 'string' ? { type, filter: { by, key } } : undefined;
    }
    case 'session':
    case 'turn':
      return typeof key === 'string' ? { type, key } : undefined;
    default:
      return undefined;
  }
}

/** Returns the state after a message. */
export function nextState(state: UsageState, message: UsageMessage): UsageState {
  const { chosen, filter } = state;
  switch (message.type) {
    case 'range':
      return { ...state, chosen: message.chosen };
    case 'group':
      return { chosen, filter: message.filter };
    case 'session':
      return { ...state, session: message.key };
    case 'back':
      return state.session !== undefined && filter ? { chosen, filter } : { chosen };
    case 'more':
      return { ...state, isLong: true };
    case 'ready':
    case 'turn':
      return state;
  }
}
