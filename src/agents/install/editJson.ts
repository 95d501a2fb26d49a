/** Entries of others' settings in JSON with comments. Everything else in the text stays as it is, byte for byte. */
import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { SessionError } from '../../core/index';
import type { TextChange } from './textChange';

/** Returns the entry's value; `undefined` if there is none. @throws {SessionError} `invalid` as {@link insertEntry} */
export function entryIn(text: string, keys: readonly string[], file: string): unknown {
  const root = parsed(text, file);
  const node = root && findNodeAtLocation(root, [...keys]);
  return node && (getNodeValue(node) as unknown);
}

/**
 * Returns the change that adds an entry, on lines of its own if the others are.
 *
 * @throws {SessionError} `invalid` if the text isn't JSON with comments, or has something else than an object on the way to the entry
 */
export function insertEntry(text: string, keys: readonly string[], value: object, file: string): TextChange {
  const nested = (below: readonly string[]): object => below.reduceRight<object>((inner, key) => ({ [key]: inner }), value);
  let parent = parsed(text, file);
  if (!parent) return { offset: text.length, removed: '', inserted: `${JSON.stringify(nested(keys), null, 2)}\n` };
  let depth = 0;
  for (; depth < keys.length - 1; depth++) {
    const name = keys[depth] ?? '';
    const next = findNodeAtLocation(parent, [name]);
    if (!next) break;
    if (next.type !== 'object')
      throw new SessionError('invalid', 'This file is left as it is, because “{name}” has another form in it: {path}', {
        name,
        path: file,
      });
    parent = next;
  }
  const { eol, unit } = styleOf(text);
  const last = parent.children?.at(-1);
  const base = last ? indentAt(text, last.offset) : indentAt(text, parent.offset) + unit;
  const isOnLine = !last || text.slice(text.lastIndexOf('\n', last.offset) + 1, last.offset).trim() === '';
  const inner = nested(keys.slice(depth + 1));
  const body = isOnLine ? JSON.stringify(inner, null, unit).replaceAll('\n', eol + base) : JSON.stringify(inner);
  const property = `${JSON.stringify(keys[depth])}: ${body}`;
  if (!last) return { offset: parent.offset + 1, removed: '', inserted: `${eol}${base}${property}${eol}${indentAt(text, parent.offset)}` };
  return { offset: last.offset + last.length, removed: '', inserted: isOnLine ? `,${eol}${base}${property}` : `, ${property}` };
}

/** Returns the text without an entry, whose neighbors may have changed since. */
export function withoutEntry(text: string, keys: readonly string[]): string {
  return applyEdits(text, modify(text, [...keys], undefined, {}));
}

/** @returns `undefined` for an empty text */
function parsed(text: string, file: string): Node | undefined {
  if (text.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root?.type === 'object' && errors.length === 0) return root;
  throw new SessionError('invalid', 'This file is left as it is, because it isn’t JSON that can be changed safely: {path}', { path: file });
}

/** Returns the spaces and tabs that the line of a place begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Returns the text's own line breaks and indentation. */
function styleOf(text: string): { readonly eol: string; readonly unit: string } {
  const [, eol = '\n', unit = '  '] = /(\r?\n)([\t ]{1,8})\S/.exec(text) ?? [];
  return { eol, unit };
}
