/** Recognizes the sessions of Claude Code and Codex by their lines. */
import { isObject, type JsonObject } from '../values/jsonValues';

/** Programs of other families whose sessions can be converted. */
export type ForeignProgram = 'claude-code' | 'codex';

/** The programs' own names. */
export const FOREIGN_LABELS: Readonly<Record<ForeignProgram, string>> = { 'claude-code': 'Claude Code', codex: 'Codex' };

const CODEX_TYPES = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);
const CLAUDE_TYPES = new Set([
  'user',
  'assistant',
  'system',
  'summary',
  'attachment',
  'progress',
  'file-history-snapshot',
  'queue-operation',
  'custom-title',
  'ai-title',
  'agent-name',
  'last-prompt',
  'mode',
  'permission-mode',
]);
const CLAUDE_KEYS = ['sessionId', 'leafUuid', 'messageId', 'parentUuid'];

/** Returns the program that must have written a line; `undefined` if the line doesn't show it. */
export function foreignProgramOf(line: JsonObject): ForeignProgram | undefined {
  const { type } = line;
  if (typeof type === 'string' && CODEX_TYPES.has(type) && isObject(line['payload'])) return 'codex';
  if (typeof type === 'string' && CLAUDE_TYPES.has(type) && CLAUDE_KEYS.some((key) => key in line)) return 'claude-code';
  // The first line of Codex's early sessions, before their lines had types.
  return type === undefined && typeof line['id'] === 'string' && typeof line['timestamp'] === 'string' && 'instructions' in line
    ? 'codex'
    : undefined;
}
