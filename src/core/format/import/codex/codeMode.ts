/**
 * The calls in a source of Codex's code mode: JavaScript that calls tools, `await tools.exec_command({cmd: "ls"})`. It's read, never
 * run: only arguments that are written out, or are a constant that is, are known.
 */
import { defined } from '../../values/defined';
import { asString, isObject, type JsonObject } from '../../values/jsonValues';
import { filesOfPatch } from '../../toolCalls/patchedFiles';
import { JsLiterals } from './jsLiterals';

/** The calls that a source makes, in its order. */
export interface CodeCalls {
  readonly calls: readonly { readonly name: string; readonly arguments?: JsonObject }[];
  /** False if there are calls whose arguments aren't known. */
  readonly complete: boolean;
}

/** UTF-16 units; longer sources aren't read. */
const MAX_SOURCE = 2 * 1024 * 1024;
const MAX_CALLS = 256;

/** Returns the calls that a source makes. Loops and conditions aren't followed: each call counts once. */
export function callsOfSource(source: string): CodeCalls {
  if (source.length > MAX_SOURCE) return { calls: [], complete: false };
  const literals = new JsLiterals(source);
  const calls: { name: string; arguments?: JsonObject }[] = [];
  let complete = true;
  const token =
    /["'`]|\/[/*]|\b(?:const|let|var)\s+([A-Za-z_$][\w$]{0,100})\s*=\s*|\btools(?:\.([A-Za-z_$][\w$]{0,200})|\[\s*["']([\w$.-]{1,200})["']\s*\])\s*\(\s*/g;
  for (let found = token.exec(source); found; found = token.exec(source)) {
    const [text, constant, dotted, bracketed] = found;
    const name = dotted ?? bracketed;
    if (constant !== undefined) {
      if (text.startsWith('const')) token.lastIndex = literals.define(constant, token.lastIndex)?.end ?? token.lastIndex;
      else literals.forget(constant);
    } else if (name === undefined) token.lastIndex = literals.skip(found.index);
    else {
      if (calls.length >= MAX_CALLS) return { calls, complete: false };
      const read = literals.at(token.lastIndex);
      const args = argumentsOf(read?.value);
      if (read) token.lastIndex = read.end;
      else if (source.charAt(token.lastIndex) !== ')') complete = false;
      calls.push({ name, ...defined({ arguments: args }) });
    }
  }
  return { calls, complete };
}

const argumentsOf = (value: unknown): JsonObject | undefined =>
  isObject(value) ? value : typeof value === 'string' ? { input: value } : undefined;

/** Returns the actions of the calls as one command; empty if they aren't known. */
export function commandOf({ calls }: CodeCalls): string {
  return calls
    .flatMap(({ name, arguments: given = {} }) => {
      const command = asString(given['cmd']) ?? asString(given['command']);
      const patch = name === 'apply_patch' ? (asString(given['input']) ?? asString(given['patch'])) : undefined;
      if (command !== undefined) return [command];
      return patch === undefined ? [name] : [`apply_patch ${filesOfPatch(patch).join(' ')}`.trim()];
    })
    .join('; ');
}
