/** Events and lines of Codex's sessions that nothing has to be kept of. */
import { asString, type JsonObject } from '../../values/jsonValues';

/** Events that repeat what items say, or are of no use later (codex-rs/protocol/src/protocol.rs, `EventMsg`). */
const REPEATED_EVENTS: ReadonlySet<string> = new Set([
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'agent_reasoning_section_break',
  'collab_agent_interaction_end',
  'collab_agent_spawn_end',
  'collab_close_end',
  'collab_resume_end',
  'collab_waiting_end',
  'context_compacted',
  'dynamic_tool_call_request',
  'dynamic_tool_call_response',
  'entered_review_mode',
  'exited_review_mode',
  'guardian_assessment',
  'hook_completed',
  'hook_started',
  'image_generation_end',
  'item_completed',
  'mcp_startup_complete',
  'mcp_tool_call_end',
  'model_reroute',
  'model_verification',
  'plan_update',
  'realtime_conversation_closed',
  'session_configured',
  'stream_error',
  'sub_agent_activity',
  'task_complete',
  'task_started',
  'thread_goal_updated',
  'thread_settings_applied',
  'turn_complete',
  'turn_diff',
  'turn_started',
  'undo_completed',
  'view_image_tool_call',
  'web_search_end',
]);

/** Returns the name of an event whose content isn't in any item; `undefined` for others. */
export function seenEvent(payload: JsonObject): string | undefined {
  const type = asString(payload['type']) ?? '';
  if (REPEATED_EVENTS.has(type) || /_(?:begin|delta|end|progress|request|started)$/.test(type)) return undefined;
  return type;
}

/** Lines and items about the program's state. */
export const STATE_TYPES: ReadonlySet<string> = new Set([
  'additional_tools',
  'compaction_trigger',
  'ghost_snapshot',
  'inter_agent_communication_metadata',
  'sampling_boundary',
  'state',
  'tool_manifest',
  'world_state',
]);
