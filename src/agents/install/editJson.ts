/** Entries of others' settings in JSON with comments. Everything else in the text stays as it is, byte for byte. */
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  type FormattingOptions,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { SessionError } from '../../core/index';
import type { TextChange } from './textChange';

/** Returns the entry's value; `undefined` if there is none. @throws {SessionError} `invalid` as {@link insertEntry} */
export function entryIn(text: string, keys: readonly string[], file: string): unknown {
  const root = parsed(text, file);
  const node = root && findNodeAtLocation(root, [...keys]);
  return node && (getNodeValue(node) as unknown);
}

/**
 * Returns the change that adds an entry.
 *
 * @throws {SessionError} `invalid` if the text isn't JSON with comments, or has something else than an object on the way to the entry
 */
export function insertEntry(text: string, keys: readonly string[], value: object, file: string): TextChange {
  const root = parsed(text, file);
  for (const [depth, key] of keys.entries()) {
    const node = root && findNodeAtLocation(root, keys.slice(0, depth));
    if (node && node.type !== 'object')
      throw new SessionError('invalid', 'This file is left as it is, because “{name}” has another form in it: {path}', {
        name: keys[depth - 1] ?? key,
        path: file,
      });
  }
  const [edit, ...others] = modify(text, [...keys], value, { formattingOptions: formatOf(text) });
  if (!edit || others.length > 0) throw new Error('An entry is one edit.');
  const { offset, length, content } = edit;
  return { offset, removed: text.slice(offset, offset + length), inserted: content };
}

/** Returns the text without an entry, whose neighbors may have changed since. */
export function withoutEntry(text: string, keys: readonly string[]): string {
  return applyEdits(text, modify(text, [...keys], undefined, { formattingOptions: formatOf(text) }));
}

/** @returns `undefined` for an empty text */
function parsed(text: string, file: string): Node | undefined {
  if (text.trim() === '') return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root?.type === 'object' && errors.length === 0) return root;
  throw new SessionError('invalid', 'This file is left as it is, because it isn’t JSON that can be changed safely: {path}', { path: file });
}

/** The text's own line breaks and indentation. */
function formatOf(text: string): FormattingOptions {
  const [, eol = '\n', indent = '  '] = /(\r?\n)([\t ]+)\S/.exec(text) ?? [];
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : Math.min(indent.length, 8), eol };
}
