/** Events of Codex's sessions, and counts of tokens that come before the answers that they're of. */
import type { JsonObject } from '../../entry/jsonValues';
import type { OmissionList } from '../omissions';

/** Events that repeat what items say, or are of no use later. */
export const REPEATED_EVENTS: ReadonlySet<string> = new Set([
  'user_message',
  'agent_message',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'task_started',
  'task_complete',
  'turn_started',
  'turn_complete',
  'context_compacted',
  'patch_apply_end',
  'mcp_tool_call_end',
  'web_search_end',
  'image_generation_end',
]);

/** The usage of an answer whose items aren't there yet: some versions count before they write them. */
export class PendingUsage {
  private count: { readonly usage: JsonObject; readonly line: number } | undefined;

  constructor(private readonly omissions: OmissionList) {}

  set(usage: JsonObject, line: number): void {
    this.drop();
    this.count = { usage, line };
  }

  /** Returns the usage for the answer that came, once. */
  take(): JsonObject | undefined {
    const usage = this.count?.usage;
    this.count = undefined;
    return usage;
  }

  /** Called when no answer can come any more. */
  drop(): void {
    if (this.count) this.omissions.add('usage', this.count.line);
    this.count = undefined;
  }
}
