/** Tells whether a session's branch ends with a complete answer. */
import { NO_PARENT, type EntryTraits } from '../columns/headSource';
import { headsOf } from '../linking/headsById';
import type { Session } from './session';

/** Entries that programs add after an answer, and which ask the model nothing. */
const SILENT = new Set([
  'active_tools_change',
  'archive',
  'credential_pin',
  'custom',
  'label',
  'mcp_tool_selection',
  'mode_change',
  'model_change',
  'model_usage',
  'service_tier_change',
  'session_info',
  'thinking_level_change',
  'title_change',
  'usage',
]);
/** Further back, an answer isn't looked for. */
const MAX_STEPS = 1000;

/**
 * True if the last message of the active branch is an answer that the model has ended itself. Then the program does nothing
 * until the person writes. False after tool calls, failures and aborted answers. FORMAT section 5.
 */
export function endsWithAnswer(session: Pick<Session, 'byId' | 'leafId'>): boolean {
  // Only answers have a stop reason.
  const { stopReason } = lastMessage(session) ?? {};
  return stopReason === 'stop' || stopReason === 'length';
}

/**
 * The way a turn ended with something left to do: by an error, interrupted, not at all, with a question to the person, or with todos that
 * are open.
 */
export const UNFINISHED = ['error', 'interrupted', 'unanswered', 'question', 'todos'] as const;
export type Unfinished = (typeof UNFINISHED)[number];

/**
 * Returns how the last turn of a branch ended, as far as heads tell; `undefined` after an answer, or if that isn't known. See
 * `turnEnd` for questions and todos. FORMAT section 5.
 *
 * @param tipId the branch's last entry; by default the leaf
 */
export function unfinishedOf(
  session: Pick<Session, 'byId' | 'leafId'>,
  tipId: string | null = session.leafId,
): Exclude<Unfinished, 'question' | 'todos'> | undefined {
  const { role, stopReason } = lastMessage(session, tipId) ?? {};
  if (stopReason === 'error') return 'error';
  if (stopReason === 'aborted' || stopReason === 'length') return 'interrupted';
  return role === 'user' || role === 'toolResult' || stopReason === 'toolUse' ? 'unanswered' : undefined;
}

function lastMessage(session: Pick<Session, 'byId' | 'leafId'>, tipId: string | null = session.leafId): EntryTraits | undefined {
  const place = lastMessagePlace(session, tipId);
  return place === undefined ? undefined : headsOf(session).traitsAt(place);
}

/** Returns the place of the last message of a branch, unless something else that asks the model follows it. */
export function lastMessagePlace(session: Pick<Session, 'byId' | 'leafId'>, tipId: string | null): number | undefined {
  const heads = headsOf(session);
  let place = tipId === null ? undefined : heads.placeOf(tipId);
  for (let step = 0; place !== undefined && place !== NO_PARENT && step < MAX_STEPS; step++) {
    const { type, role } = heads.traitsAt(place);
    // A command that the person runs isn't for the model until the next message.
    if (type === 'message' && role !== 'bashExecution' && role !== 'pythonExecution') return place;
    if (type !== 'message' && !SILENT.has(type)) return undefined;
    place = heads.parentAt(place);
  }
  return undefined;
}
