/** Texts that Codex adds to the conversation as the user (FORMAT section 8). */
import type { JsonObject } from '../../values/jsonValues';

/**
 * The beginnings of these texts: instructions, the environment, skills, events (codex-rs/core/src/context,
 * `is_contextual_user_fragment`, and the tags in codex-rs/protocol/src/protocol.rs).
 */
const CONTEXT =
  /^\s*(?:# AGENTS\.md instructions|Warning: (?:The maximum number of unified exec processes|apply_patch was requested via|Your account was flagged)|<(?:additional_context|app-context|apps_instructions|codex_delegation|codex_internal_context|collaboration_mode|environment_context|environment_context_delta|extension_context|goal_context|hook_prompt|instructions|model_switch|multi_agent_mode|permissions instructions|personality_spec|plugins_instructions|realtime_conversation|recommended_plugins|skill|skills_instructions|subagent_notification|token_budget|turn_aborted|user_action|user_instructions|user_shell_command)\b)/i;

/** True for a text that Codex added, not the person. */
export const isContextText = (text: string): boolean => CONTEXT.test(text);

/** True for a text that is one element whose name is made of words, as in later versions. A person may write one, too. */
export function isLikeContext(text: string): boolean {
  const whole = text.trim();
  const name = /^<([a-z]{2,40}(?:_[a-z]{2,40}){1,5})>/.exec(whole)?.[1];
  return name !== undefined && whole.endsWith(`</${name}>`);
}

/** Separates Codex's blocks from the person's. */
export function splitContext(blocks: readonly JsonObject[]): readonly [context: readonly JsonObject[], said: readonly JsonObject[]] {
  const isContext = ({ text }: JsonObject): boolean => typeof text === 'string' && isContextText(text);
  return [blocks.filter(isContext), blocks.filter((block) => !isContext(block))];
}

/** Returns a text in the form in which an event and an item with the same prompt are equal. */
export const promptKey = (text: string): string => text.replace(/\s+/g, ' ').trim();
