/** Summarizes a tool call in one line: `npm test`, `src/cart.ts:10-29`, `/total/ in src`. */
import { isObject, jsonText } from '../../../core/index';
import { oneLine } from '../snapshot/oneLine';

const MAX_LENGTH = 160;
/** Arguments that identify a call, most specific first. */
const SUMMARY_ARGUMENTS = [
  'command',
  'cmd',
  'path',
  'file_path',
  'filePath',
  'pattern',
  'query',
  'url',
  'prompt',
  'task',
  'description',
  'code',
  'name',
  'input',
];

export interface ToolCallSummary {
  readonly summary: string;
  /** True if the summary contains all arguments. */
  readonly complete: boolean;
  /** The file that the summary names, maybe with a line: `src/cart.ts:10`. */
  readonly path?: string;
}

/** Summarizes a call. `args` can have any shape: a model wrote it. */
export function summarizeToolCall(name: string, args: unknown): ToolCallSummary {
  if (!isObject(args))
    return {
      summary: args === undefined || args === null ? '' : oneLine(typeof args === 'string' ? args : jsonText(args), MAX_LENGTH),
      complete: args === undefined || args === null,
    };
  const keys = Object.keys(args);
  const text = (key: string): string | undefined => (typeof args[key] === 'string' && args[key] !== '' ? args[key] : undefined);
  const path = text('path') ?? text('file_path') ?? text('filePath');
  const pattern = text('pattern');
  if ((name === 'grep' || name === 'find') && pattern !== undefined) {
    const summary = `${name === 'grep' ? `/${pattern}/` : pattern}${path === undefined ? '' : ` in ${path}`}`;
    return { summary: oneLine(summary, MAX_LENGTH), complete: hasOnly(keys, ['pattern', 'path']) && summary.length <= MAX_LENGTH };
  }
  if (path !== undefined) {
    const { offset } = args;
    const summary = path + lineRange(offset, args['limit']);
    const location = typeof offset === 'number' ? `${path}:${offset}` : path;
    return {
      summary: oneLine(summary, MAX_LENGTH),
      complete: hasOnly(keys, ['path', 'file_path', 'filePath', 'offset', 'limit']) && summary.length <= MAX_LENGTH,
      path: location,
    };
  }
  const best = SUMMARY_ARGUMENTS.find((key) => text(key) !== undefined) ?? keys.find((key) => text(key) !== undefined);
  if (best !== undefined) {
    const value = text(best)!;
    return { summary: oneLine(value, MAX_LENGTH), complete: keys.length === 1 && value.length <= MAX_LENGTH && !value.includes('\n') };
  }
  return { summary: keys.length === 0 ? '' : oneLine(jsonText(args), MAX_LENGTH), complete: keys.length === 0 };
}

const hasOnly = (keys: readonly string[], known: readonly string[]): boolean => keys.every((key) => known.includes(key));

function lineRange(offset: unknown, limit: unknown): string {
  if (typeof offset !== 'number' && typeof limit !== 'number') return '';
  const start = typeof offset === 'number' ? offset : 1;
  return `:${start}${typeof limit === 'number' ? `-${start + limit - 1}` : ''}`;
}
