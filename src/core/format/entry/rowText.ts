/** Describes an entry in one line, with the same words as pi's tree selector. FORMAT section 5, filters. */
import { KEPT_TEXT_LENGTH, LONGEST_CODE_POINT } from '../scanner/scannerLayout';
import { asString, isObject, ownValue, type JsonObject } from '../values/jsonValues';
import { textOf } from './message';
import { providerErrorText } from './providerError';
import { rewindReport } from './rewind';
import { argumentWords, displayPath, withoutChangeOfFolder, type PathBases } from '../toolCalls/callWords';
import { patchArgument } from '../toolCalls/patchedFiles';
import { beginning } from '../text/characters';
import { excerpt, copyString } from '../text/excerpt';
import { oneLine } from '../text/oneLine';
import { jsonText } from '../text/jsonText';
import { userExcerpt } from '../text/wrappers/userText';
import { withoutIcon } from '../text/withoutIcon';

/** Content is cut to this many UTF-16 units, like in pi. The scanner keeps one more code point, which may belong to the last character. */
export const MAX_CONTENT_LENGTH = KEPT_TEXT_LENGTH - LONGEST_CODE_POINT;

const MAX_ROW_LENGTH = 400;

/** UTF-16 units of an error that are searched for its words. The scanner keeps little more of it. */
const ERROR_LENGTH = 400;

/** The arguments of tools that pi doesn't have are cut to this many UTF-16 units; an action and a path fit. */
const MAX_WORDS = 100;

/** Returns a text on one line. An expression would be compiled when the first row of a process is made. */
export const withoutBreaks = (text: string): string => text.replaceAll('\n', ' ').replaceAll('\t', ' ').trim();

/** Like pi, no more than 80 UTF-16 units; unlike in pi, the words of an error that is JSON. */
const errorLine = (error: string): string => copyString(oneLine(providerErrorText(error) ?? error, 80));

function contentLine(content: unknown): string {
  return withoutBreaks(excerpt(textOf(content), MAX_CONTENT_LENGTH));
}

/** The row of a user message. Unlike in pi, it leaves out the wrappers around the text; a message of only wrappers has its name in brackets. */
function describeUserText(content: string): string {
  const { text, hasText } = userExcerpt(content, MAX_CONTENT_LENGTH);
  return hasText ? `user: ${withoutBreaks(text)}` : `[user: ${withoutBreaks(text)}]`;
}

/** Returns true for the row of a user message that has only wrappers. */
export const isWrapperRow = (row: string): boolean => row.startsWith('[user: ');

/** Returns a user message's row without its role. */
export const userRowText = (row: string): string => (isWrapperRow(row) ? row.slice('[user: '.length, -1) : row.slice('user: '.length));

/** Returns the row of a message. A tool result has the row of its call, which the caller looks up. */
export function describeMessage(message: JsonObject, call: string | undefined): string {
  const role = asString(message['role']) ?? '?';
  switch (role) {
    case 'user':
      return describeUserText(textOf(message['content']));
    case 'assistant': {
      const text = contentLine(message['content']);
      if (text !== '') return `assistant: ${text}`;
      if (message['stopReason'] === 'aborted') return 'assistant: (aborted)';
      const error = asString(message['errorMessage']);
      return `assistant: ${error === undefined || error === '' ? '(no content)' : errorLine(excerpt(error, ERROR_LENGTH))}`;
    }
    case 'toolResult':
      return call ?? `[${asString(message['toolName']) ?? 'tool'}]`;
    case 'bashExecution':
      return `[bash]: ${withoutBreaks(excerpt(asString(message['command']) ?? '', MAX_CONTENT_LENGTH))}`;
    case 'pythonExecution':
      return `[python]: ${withoutBreaks(excerpt(asString(message['code']) ?? '', MAX_CONTENT_LENGTH))}`;
    case 'hookMessage':
      // The name of versions 1 and 2; the programs rename it when they open the file.
      return '[custom]';
    default:
      return `[${excerpt(role, 40)}]`;
  }
}

/** Returns the row of an entry that isn't a message. */
export function describeEntry(line: JsonObject): string {
  const text = (key: string): string => excerpt(asString(line[key]) ?? '', MAX_CONTENT_LENGTH);
  const type = String(line['type']);
  const describe = ownValue(DESCRIPTIONS, type);
  return describe ? describe(text, line) : `[${excerpt(type, 40)}]`;
}

const DESCRIPTIONS: Readonly<Record<string, (text: (key: string) => string, line: JsonObject) => string>> = {
  custom_message: (text, line) => {
    const report = rewindReport(line);
    return report === undefined ? `[${text('customType')}]: ${contentLine(line['content'])}` : `[rewound]: ${contentLine(report)}`;
  },
  compaction: (_, line) =>
    `[compaction: ${Math.round((typeof line['tokensBefore'] === 'number' ? line['tokensBefore'] : 0) / 1000)}k tokens]`,
  branch_summary: (text) => `[branch summary]: ${withoutBreaks(text('summary'))}`,
  model_change: (text) => `[model: ${text('modelId') || text('model')}]`,
  thinking_level_change: (text) => `[thinking: ${text('thinkingLevel')}]`,
  custom: (text) => `[custom: ${text('customType')}]`,
  context_edit: (text, line) => `[context ${line['replacement'] === null ? 'omit' : 'replace'}: ${text('targetId')}]`,
  archive: (text, line) => `[${line['archived'] === false ? 'unarchived' : 'archived'}: ${withoutBreaks(text('targetId'))}]`,
  label: (text, line) => `[label: ${typeof line['label'] === 'string' ? text('label') : '(cleared)'}]`,
  session_info: (text) => `[title: ${withoutIcon(text('name')) || 'empty'}]`,
  title_change: (text) => `[title: ${withoutIcon(text('title')) || 'empty'}]`,
  mode_change: (text) => `[mode: ${text('mode')}]`,
  session_init: (text) => `[init: ${withoutBreaks([text('agent'), text('task')].filter((part) => part !== '').join(': '))}]`,
  model_usage: (text) => `[usage: ${withoutBreaks(text('purpose') || text('model'))}]`,
  ttsr_injection: (_, line) =>
    `[rules: ${excerpt((Array.isArray(line['injectedRules']) ? line['injectedRules'] : []).filter((rule) => typeof rule === 'string').join(', '), MAX_CONTENT_LENGTH)}]`,
  active_tools_change: (_, line) => `[tools: ${String(Array.isArray(line['activeToolNames']) ? line['activeToolNames'].length : 0)}]`,
  reset_boundary: () => '[reset]',
  damaged: () => '[damaged line]',
};

/**
 * Returns the row of a tool call, which is shown as the row of its result. Unlike in pi, paths are relative to the
 * session's folder, commands don't begin with `cd … &&`, and the arguments of other tools are no JSON.
 */
export function describeToolCall(name: string, args: unknown, bases: PathBases): string {
  const given = isObject(args) ? args : {};
  // Like pi: any value is written out, except for falsy ones.
  const text = (key: string): string => {
    const value = given[key];
    return typeof value === 'string' ? value : value ? jsonText(value) : '';
  };
  const path = (fallback = ''): string => {
    return displayPath(text('path') || (fallback === '' ? text('file_path') : '') || fallback, bases);
  };
  switch (name) {
    case 'read':
      return truncateRow(`[read: ${path()}${lineRange(given)}]`);
    case 'write':
    case 'edit':
      // A patch names its files itself.
      if (path() === '' && patchArgument(given) !== undefined) break;
      return truncateRow(`[${name}: ${path()}]`);
    case 'bash': {
      const command = withoutChangeOfFolder(text('command'));
      return truncateRow(`[bash: ${beginning(withoutBreaks(command), 50)}${command.length > 50 ? '...' : ''}]`, command);
    }
    case 'grep':
      return truncateRow(`[grep: /${text('pattern')}/ in ${path('.')}]`);
    case 'find':
      if (text('pattern') === '') break;
      return truncateRow(`[find: ${text('pattern')} in ${path('.')}]`);
    case 'ls':
      return truncateRow(`[ls: ${path('.')}]`);
  }
  const words = isObject(args) ? argumentWords(args, bases).text : args === undefined || args === null ? '' : jsonText(args);
  const row =
    words === '' ? `[${name}]` : `[${name}: ${withoutBreaks(beginning(words, MAX_WORDS))}${words.length > MAX_WORDS ? '...' : ''}]`;
  return truncateRow(row, words);
}

function lineRange(args: JsonObject): string {
  const { offset, limit } = args;
  if (offset === undefined && limit === undefined) return '';
  const start = typeof offset === 'number' ? offset : 1;
  return `:${start}${typeof limit === 'number' ? `-${start + limit - 1}` : ''}`;
}

/** Limits the length of a row, so that heads stay small for any arguments of a tool. */
const truncateRow = (row: string, source = row): string =>
  row.length > MAX_ROW_LENGTH || source.length > MAX_ROW_LENGTH ? copyString(beginning(row, MAX_ROW_LENGTH)) : row;
