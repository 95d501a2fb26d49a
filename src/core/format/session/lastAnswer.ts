/** Tells whether a session's branch ends with a complete answer. */
import { NO_PARENT } from '../columns/headSource';
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
  const heads = headsOf(session);
  let place = session.leafId === null ? undefined : heads.placeOf(session.leafId);
  for (let step = 0; place !== undefined && place !== NO_PARENT && step < MAX_STEPS; step++) {
    const { type, role, stopReason } = heads.traitsAt(place);
    // A command that the person runs isn't for the model until the next message. Only answers have a stop reason.
    if (type === 'message' && role !== 'bashExecution' && role !== 'pythonExecution')
      return stopReason === 'stop' || stopReason === 'length';
    if (type !== 'message' && !SILENT.has(type)) return false;
    place = heads.parentAt(place);
  }
  return false;
}
