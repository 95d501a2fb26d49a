/** Summarizes a tool call in one line: `npm test`, `src/cart.ts:10-29`, `/total/ in src`. */
import { isObject, keysOf } from '../../core/format/values/jsonValues';
import type { Steps } from '../../core/format/session/steps';
import { jsonSteps, jsonText } from '../../core/format/text/jsonText';
import { type PathBases, argumentWords, displayPath } from '../../core/format/toolCalls/callWords';
import { oneLine } from '../../core/format/text/oneLine';

const MAX_LENGTH = 160;

interface ToolCallSummary {
  readonly summary: string;
  /** True if the summary contains all arguments. */
  readonly complete: boolean;
  /** The file that the summary names, maybe with a line: `src/cart.ts:10`. */
  readonly path?: string;
}

/** Summarizes a call, in the words of its row. `args` can have any shape: a model wrote it. */
export function summarizeToolCall(name: string, args: unknown, bases: PathBases): ToolCallSummary {
  if (!isObject(args))
    return {
      summary: args === undefined || args === null ? '' : oneLine(typeof args === 'string' ? args : jsonText(args), MAX_LENGTH),
      complete: args === undefined || args === null,
    };
  const keys = keysOf(args);
  const text = (key: string): string | undefined => (typeof args[key] === 'string' && args[key] !== '' ? args[key] : undefined);
  const path = text('path') ?? text('file_path') ?? text('filePath');
  const pattern = text('pattern');
  if ((name === 'grep' || name === 'find') && pattern !== undefined) {
    const summary = `${name === 'grep' ? `/${pattern}/` : pattern}${path === undefined ? '' : ` in ${displayPath(path, bases)}`}`;
    return { summary: oneLine(summary, MAX_LENGTH), complete: hasOnly(keys, ['pattern', 'path']) && summary.length <= MAX_LENGTH };
  }
  const words = argumentWords(args, bases);
  if (path !== undefined && words.text.endsWith(displayPath(path, bases))) {
    const { offset } = args;
    const summary = words.text + lineRange(offset, args['limit']);
    const location = typeof offset === 'number' ? `${path}:${offset}` : path;
    return {
      summary: oneLine(summary, MAX_LENGTH),
      complete: hasOnly(keys, ['path', 'file_path', 'filePath', 'offset', 'limit']) && summary.length <= MAX_LENGTH,
      path: location,
    };
  }
  return {
    summary: oneLine(words.text, MAX_LENGTH),
    complete: words.isComplete && words.text.length <= MAX_LENGTH && !words.text.includes('\n'),
  };
}

const hasOnly = (keys: readonly string[], known: readonly string[]): boolean => keys.every((key) => known.includes(key));

function lineRange(offset: unknown, limit: unknown): string {
  if (typeof offset !== 'number' && typeof limit !== 'number') return '';
  const start = typeof offset === 'number' ? offset : 1;
  return `:${start}${typeof limit === 'number' ? `-${start + limit - 1}` : ''}`;
}

/** Formats arguments one after the other, each in a step; long texts stay plain instead of JSON strings. */
export function* argumentsText(args: unknown): Steps<string> {
  if (!isObject(args)) return yield* jsonSteps(args, 2);
  const lines: string[] = [];
  for (const key of keysOf(args)) {
    yield;
    const value = args[key];
    const text = typeof value === 'string' ? value : yield* jsonSteps(value, 2);
    lines.push(text.includes('\n') ? `${key}:\n${text}` : `${key}: ${text}`);
  }
  return lines.join('\n');
}
