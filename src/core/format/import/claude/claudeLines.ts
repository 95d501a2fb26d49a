/** Lines of Claude Code without a message, whether anybody saw their content, and their facts about the session (FORMAT section 8). */
import { defined } from '../../values/defined';
import { asString, isObject, ownValue, type JsonObject } from '../../values/jsonValues';
import { isoTime, type ForeignFacts } from '../converter';

/** Lines about the program's state. */
const STATE_TYPES = new Set([
  'agent-color',
  'agent-name',
  'agent-setting',
  'atis-latch',
  'attribution-snapshot',
  'bridge-session',
  'content-replacement',
  'context-collapse-commit',
  'context-collapse-snapshot',
  'continued-in',
  'cost-state',
  'file-history-delta',
  'file-history-snapshot',
  'frame-link',
  'history-suppression',
  'last-prompt',
  'mode',
  'permission-mode',
  'pr-link',
  'progress',
  'queue-operation',
  'speculation-accept',
  'tag',
  'task-summary',
  'worktree-state',
]);

/** Attachments that the model doesn't get. */
const STATE_ATTACHMENTS = new Set([
  'already_read_file',
  'autocheckpointing',
  'background_task_status',
  'command_permissions',
  'edited_image_file',
  'hook_cancelled',
  'hook_error_during_execution',
  'hook_non_blocking_error',
  'hook_permission_decision',
  'hook_system_message',
  'structured_output',
]);

/** The only events whose hooks add their output to the conversation. */
const TELLING_HOOKS = new Set(['SessionStart', 'UserPromptSubmit']);

/** Returns the name of a line's kind if the person or the model saw its content; otherwise `undefined`. */
export function seenKind(value: JsonObject): string | undefined {
  const type = asString(value['type']) ?? '';
  if (STATE_TYPES.has(type)) return undefined;
  if (type === 'system') return isShown(value) ? named(type, value['subtype']) : undefined;
  if (type !== 'attachment' || !isObject(value['attachment'])) return named(type);
  const attachment = value['attachment'];
  return isGiven(attachment) ? named(type, attachment['type']) : undefined;
}

const named = (type: string, kind?: unknown): string => [type, asString(kind) ?? ''].filter((part) => part !== '').join(': ');

/** Lines of the program that show a text. Those that only mark a place say nothing. */
const isShown = (value: JsonObject): boolean =>
  (asString(value['content'])?.trim() ?? '') !== '' && !/_boundary$/.test(asString(value['subtype']) ?? '');

function isGiven(attachment: JsonObject): boolean {
  const type = asString(attachment['type']) ?? '';
  if (STATE_ATTACHMENTS.has(type)) return false;
  if (type !== 'hook_success') return true;
  return TELLING_HOOKS.has(asString(attachment['hookEvent']) ?? '') && (asString(attachment['content'])?.trim() ?? '') !== '';
}

/** Adds the facts that a line states about the whole session. The first line that states a fact counts. */
export function withFacts(facts: ForeignFacts, value: JsonObject): ForeignFacts {
  const sessionId = asString(value['sessionId']);
  // The file of a subagent has the session of its parent in each line.
  const agentId = value['isSidechain'] === true && facts.sessionId === undefined ? asString(value['agentId']) : undefined;
  return defined({
    sessionId: facts.sessionId ?? agentId ?? sessionId,
    parentSession: facts.parentSession ?? (agentId === undefined ? undefined : sessionId),
    cwd: facts.cwd ?? asString(value['cwd']),
    start: facts.start ?? isoTime(value['timestamp']),
  });
}

/** The lines that name a session. The first kind that the file has counts. */
const TITLE_KEYS = { 'custom-title': 'customTitle', 'ai-title': 'aiTitle', summary: 'summary' } as const;
type TitleType = keyof typeof TITLE_KEYS;

/** The names that a file has for its session. One that another replaces is nothing that anybody misses. */
export class ClaudeTitles {
  private readonly titles = new Map<TitleType, string>();

  /** Returns false for lines that don't name a session. An empty name changes nothing. */
  add(value: JsonObject): boolean {
    const type = asString(value['type']) ?? '';
    const key = ownValue<string>(TITLE_KEYS, type);
    if (key === undefined) return false;
    const text = asString(value[key] ?? value['customTitle'] ?? value['aiTitle'] ?? value['summary']);
    // The table has the key.
    if (text !== undefined && text.trim() !== '') this.titles.set(type as TitleType, text);
    return true;
  }

  /** The session's name. */
  get name(): string | undefined {
    // The keys come from the table.
    return (Object.keys(TITLE_KEYS) as TitleType[]).map((type) => this.titles.get(type)).find((text) => text !== undefined);
  }
}
