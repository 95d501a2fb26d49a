/** Calls of the agent's tools within the code of an `eval` cell of oh-my-pi, as far as they're written out. FORMAT section 2. */
import { asString, type JsonObject } from '../values/jsonValues';

/** Calls of one cell; more aren't read. */
const MAX_CALLS = 256;
/** UTF-16 units of a cell's code that are read. */
const MAX_CODE = 1024 * 1024;

/** `tool.write(…)`, `tool.edit(…)` and the cell's own `write(…)`, but not methods of other objects. */
const CALL = /(?:\btool\.(write|edit)|(?<![\w.$])write)\s*\(/g;

/** A call of a tool that runs code cells, with its code. */
export const cellCode = (tool: string, given: JsonObject): string | undefined =>
  tool.toLowerCase() === 'eval' ? asString(given['code']) : undefined;

/**
 * Returns the calls that write files, with the arguments that are strings in the code. Whether they ran, and what they answered,
 * isn't recorded.
 */
export function cellCalls(code: string): JsonObject[] {
  const read = code.slice(0, MAX_CODE);
  const calls: JsonObject[] = [];
  CALL.lastIndex = 0;
  for (let found = CALL.exec(read); found && calls.length < MAX_CALLS; found = CALL.exec(read)) {
    const { given, end } = readArguments(read, CALL.lastIndex);
    CALL.lastIndex = end;
    // Other addresses aren't files.
    if (!/^\w+:\/\//.test(asString(given['path']) ?? '')) calls.push({ name: found[1] ?? 'write', arguments: given });
  }
  return calls;
}

/** The names of arguments without a name, in their order. */
const POSITIONAL = ['path', 'content'];
const SPACE_OR_COMMA = /[\s,{]*/y;
const KEY = /(?:([A-Za-z_]\w*)|(["'])([A-Za-z_]\w*)\2)\s*[:=](?!=)\s*/y;
const AFTER_VALUE = /\s*(?=[,})])/y;

function readArguments(code: string, start: number): { readonly given: JsonObject; readonly end: number } {
  const given: Record<string, string> = {};
  let position = 0;
  let at = start;
  for (;;) {
    at = matched(SPACE_OR_COMMA, code, at)?.end ?? at;
    const key = matched(KEY, code, at);
    const literal = readString(code, key?.end ?? at);
    if (!literal) return { given, end: at };
    at = matched(AFTER_VALUE, code, literal.end)?.end ?? -1;
    // The value is only the beginning of an expression.
    if (at < 0) return { given, end: literal.end };
    const name = key ? (key.groups[1] ?? key.groups[3]) : POSITIONAL[position++];
    if (name !== undefined && name !== '__proto__' && literal.text !== undefined) given[name] = literal.text;
  }
}

function matched(pattern: RegExp, code: string, at: number): { readonly end: number; readonly groups: RegExpExecArray } | undefined {
  pattern.lastIndex = at;
  const groups = pattern.exec(code);
  return groups ? { end: pattern.lastIndex, groups } : undefined;
}

const OPENING = /(r?)("""|'''|["'`])/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"', '`': '`', $: '$', '\n': '' };

/** Reads a string of JavaScript or Python. `text` is absent if it isn't only text: it has placeholders or rare escapes. */
function readString(code: string, start: number): { readonly text: string | undefined; readonly end: number } | undefined {
  const opening = matched(OPENING, code, start);
  if (!opening) return undefined;
  const [, raw, quote = ''] = opening.groups;
  const parts: string[] = [];
  let isPlain = true;
  let from = opening.end;
  for (let at = from; at < code.length; at++) {
    if (code.startsWith(quote, at)) {
      parts.push(code.slice(from, at));
      return { text: isPlain ? parts.join('') : undefined, end: at + quote.length };
    }
    if (code[at] === '\n' && quote.length === 1 && quote !== '`') return undefined;
    if (quote === '`' && code.startsWith('${', at)) isPlain = false;
    if (code[at] !== '\\' || raw === 'r') continue;
    const escaped = ESCAPES[code[at + 1] ?? ''];
    if (escaped === undefined) isPlain = false;
    parts.push(code.slice(from, at), escaped ?? '');
    from = ++at + 1;
  }
  // The rest of the code is within a string that doesn't end.
  return { text: undefined, end: code.length };
}
