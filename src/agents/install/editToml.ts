/** Tables of others' settings in TOML. A table is added at the end, so nothing else has to be understood. */
import { SessionError } from '../../core/index';
import type { TextChange } from './textChange';

/** Returns whether the text may have a table of this name, or a key in it: also if that's only in a longer string. */
export function mayHaveTable(text: string, table: readonly string[]): boolean {
  return text.split('\n').some((line) => {
    const keys = keysOf(line);
    return table.every((key, at) => keys[at] === key);
  });
}

/**
 * Returns the change that adds a table.
 *
 * @throws {SessionError} `invalid` if the tables around it are written in a way that forbids tables of their own
 */
export function appendTable(text: string, table: readonly string[], lines: string, file: string): TextChange {
  const [first = ''] = table;
  for (const line of text.split('\n'))
    if (!line.trimStart().startsWith('[') && keysOf(line)[0] === first)
      throw new SessionError('invalid', 'This file is left as it is, because “{name}” has another form in it: {path}', {
        name: first,
        path: file,
      });
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return { offset: text.length, removed: '', inserted: gap + lines.replaceAll('\n', eol) };
}

/** Returns the keys that a line begins with, in the header of a table or before an equals sign. */
function keysOf(line: string): string[] {
  const keys: string[] = [];
  let rest = line.slice(0, 1000).replace(/^\s*\[{0,2}\s*/, '');
  for (;;) {
    const [whole, double, single, bare] = /^(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*/.exec(rest) ?? [];
    if (whole === undefined) return keys;
    keys.push(double ?? single ?? bare ?? '');
    rest = rest.slice(whole.length);
    if (!rest.startsWith('.')) return /^[\]=]/.test(rest) ? keys : [];
    rest = rest.slice(1).trimStart();
  }
}
