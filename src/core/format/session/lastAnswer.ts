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

/** How a turn ended without an answer: by an error, by the person, or not at all. */
export const UNFINISHED = ['error', 'interrupted', 'unanswered'] as const;
export type Unfinished = (typeof UNFINISHED)[number];

/** Returns how the last turn of the active branch ended; `undefined` after an answer, or if that isn't known. FORMAT section 5. */
export function unfinishedOf(session: Pick<Session, 'byId' | 'leafId'>): Unfinished | undefined {
  const { role, stopReason } = lastMessage(session) ?? {};
  if (stopReason === 'error') return 'error';
  if (stopReason === 'aborted') return 'interrupted';
  return role === 'user' || role === 'toolResult' || stopReason === 'toolUse' ? 'unanswered' : undefined;
}

/** Returns the last message of the active branch, unless something else that asks the model follows it. */
function lastMessage(session: Pick<Session, 'byId' | 'leafId'>): EntryTraits | undefined {
  const heads = headsOf(session);
  let place = session.leafId === null ? undefined : heads.placeOf(session.leafId);
  for (let step = 0; place !== undefined && place !== NO_PARENT && step < MAX_STEPS; step++) {
    const traits = heads.traitsAt(place);
    const { type, role } = traits;
    // A command that the person runs isn't for the model until the next message.
    if (type === 'message' && role !== 'bashExecution' && role !== 'pythonExecution') return traits;
    if (type !== 'message' && !SILENT.has(type)) return undefined;
    place = heads.parentAt(place);
  }
  return undefined;
}
