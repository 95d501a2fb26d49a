/**
 * An entry in one line, in the words that pi's users know from its tree selector (FORMAT section 5, filters).
 */
import { asString, isObject, textOf, type JsonObject } from './entry';
import { excerpt, copyString } from '../text/excerpt';
import { jsonText } from '../text/jsonText';

/** Content is cut to this many UTF-16 units, as in pi. */
export const MAX_CONTENT_LENGTH = 200;

const MAX_ROW_LENGTH = 400;

const oneLine = (text: string): string => text.replace(/[\n\t]/g, ' ').trim();

function contentLine(content: unknown): string {
  return oneLine(excerpt(textOf(content), MAX_CONTENT_LENGTH));
}

/** The row of a message. A tool's result needs the row of its call, which its caller looks up. */
export function describeMessage(message: JsonObject, call: string | undefined): string {
  const role = asString(message['role']) ?? '?';
  switch (role) {
    case 'user':
      return `user: ${contentLine(message['content'])}`;
    case 'assistant': {
      const text = contentLine(message['content']);
      if (text !== '') return `assistant: ${text}`;
      if (message['stopReason'] === 'aborted') return 'assistant: (aborted)';
      const error = asString(message['errorMessage']);
      return `assistant: ${error === undefined || error === '' ? '(no content)' : oneLine(excerpt(error, 400)).slice(0, 80)}`;
    }
    case 'toolResult':
      return call ?? `[${asString(message['toolName']) ?? 'tool'}]`;
    case 'bashExecution':
      return `[bash]: ${oneLine(excerpt(asString(message['command']) ?? '', MAX_CONTENT_LENGTH))}`;
    case 'pythonExecution':
      return `[python]: ${oneLine(excerpt(asString(message['code']) ?? '', MAX_CONTENT_LENGTH))}`;
    case 'hookMessage':
      // The name of versions 1 and 2; the programs rename it when they open the file.
      return '[custom]';
    default:
      return `[${excerpt(role, 40)}]`;
  }
}

/** The row of an entry that is not a message. */
export function describeEntry(line: JsonObject): string {
  const text = (key: string): string => excerpt(asString(line[key]) ?? '', MAX_CONTENT_LENGTH);
  const describe = Object.hasOwn(DESCRIPTIONS, line['type'] as string) ? DESCRIPTIONS[line['type'] as string] : undefined;
  return describe ? describe(text, line) : `[${excerpt(String(line['type']), 40)}]`;
}

const DESCRIPTIONS: Readonly<Record<string, (text: (key: string) => string, line: JsonObject) => string>> = {
  custom_message: (text, line) => `[${text('customType')}]: ${contentLine(line['content'])}`,
  compaction: (_, line) =>
    `[compaction: ${Math.round((typeof line['tokensBefore'] === 'number' ? line['tokensBefore'] : 0) / 1000)}k tokens]`,
  branch_summary: (text) => `[branch summary]: ${oneLine(text('summary'))}`,
  model_change: (text) => `[model: ${text('modelId') || text('model')}]`,
  thinking_level_change: (text) => `[thinking: ${text('thinkingLevel')}]`,
  custom: (text) => `[custom: ${text('customType')}]`,
  context_edit: (text, line) => `[context ${line['replacement'] === null ? 'omit' : 'replace'}: ${text('targetId')}]`,
  label: (text, line) => `[label: ${typeof line['label'] === 'string' ? text('label') : '(cleared)'}]`,
  session_info: (text) => `[title: ${text('name') || 'empty'}]`,
  title_change: (text) => `[title: ${text('title') || 'empty'}]`,
  mode_change: (text) => `[mode: ${text('mode')}]`,
  session_init: (text) => `[init: ${oneLine(text('task'))}]`,
  ttsr_injection: (_, line) =>
    `[rules: ${excerpt((Array.isArray(line['injectedRules']) ? line['injectedRules'] : []).filter((rule) => typeof rule === 'string').join(', '), MAX_CONTENT_LENGTH)}]`,
  active_tools_change: (_, line) => `[tools: ${String(Array.isArray(line['activeToolNames']) ? line['activeToolNames'].length : 0)}]`,
  reset_boundary: () => '[reset]',
};

/** The row of a tool call; it is shown as the row of its result. `home` is written as `~`. */
export function describeToolCall(name: string, args: unknown, home: string): string {
  const given = isObject(args) ? args : {};
  // As pi does it: whatever is given is written out, but for what counts as nothing.
  const text = (key: string): string => {
    const value = given[key];
    return typeof value === 'string' ? value : value ? jsonText(value) : '';
  };
  const path = (fallback = ''): string => {
    const value = text('path') || (fallback === '' ? text('file_path') : '') || fallback;
    return home !== '' && value.startsWith(home) ? `~${value.slice(home.length)}` : value;
  };
  switch (name) {
    case 'read':
      return truncateRow(`[read: ${path()}${lineRange(given)}]`);
    case 'write':
    case 'edit':
      return truncateRow(`[${name}: ${path()}]`);
    case 'bash': {
      const command = text('command');
      return truncateRow(`[bash: ${oneLine(command).slice(0, 50)}${command.length > 50 ? '...' : ''}]`, command);
    }
    case 'grep':
      return truncateRow(`[grep: /${text('pattern')}/ in ${path('.')}]`);
    case 'find':
      return truncateRow(`[find: ${text('pattern')} in ${path('.')}]`);
    case 'ls':
      return truncateRow(`[ls: ${path('.')}]`);
    default: {
      const json = jsonText(args ?? {});
      return truncateRow(`[${name}: ${json.slice(0, 40)}${json.length > 40 ? '...' : ''}]`, json);
    }
  }
}

function lineRange(args: JsonObject): string {
  const { offset, limit } = args;
  if (offset === undefined && limit === undefined) return '';
  const start = typeof offset === 'number' ? offset : 1;
  return `:${start}${typeof limit === 'number' ? `-${start + limit - 1}` : ''}`;
}

/** Heads stay small, whatever a tool was called with. */
const truncateRow = (row: string, source = row): string =>
  row.length > MAX_ROW_LENGTH || source.length > MAX_ROW_LENGTH ? copyString(row.slice(0, MAX_ROW_LENGTH)) : row;
