/** Reads values that are written out in JavaScript: texts, numbers, lists, objects. In linear time, and without recursion over the source's length. */

import { ownValue } from '../../values/jsonValues';

/** A value and the place after it. */
interface Literal {
  readonly value: unknown;
  readonly end: number;
}

const MAX_DEPTH = 20;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', '0': '\0', '\n': '' };

export class JsLiterals {
  private readonly constants = new Map<string, unknown>();

  constructor(private readonly source: string) {}

  /** Returns the value that is written at a place, or the value of the constant that is named there; `undefined` if it's computed. */
  at(place: number): Literal | undefined {
    const read = this.value(place, 0);
    // Something like `"a" + b` isn't the value alone.
    return read && /^(?:[-+.?[(*%&|^=<>]|\/(?![/*]))/.test(this.pairAt(this.space(read.end))) ? undefined : read;
  }

  /** Reads the value of a constant. A name that is defined twice has no known value. */
  define(name: string, place: number): Literal | undefined {
    const read = this.at(place);
    this.constants.set(name, this.constants.has(name) ? undefined : read?.value);
    return read;
  }

  /** The value of a name isn't known. */
  forget(name: string): void {
    this.constants.set(name, undefined);
  }

  /** Returns the place after a text or a comment. */
  skip(place: number): number {
    const first = this.source.charAt(place);
    if (first !== '/') return this.textEnd(place);
    const isLine = this.source.charAt(place + 1) === '/';
    const end = this.source.indexOf(isLine ? '\n' : '*/', place + 2);
    return end < 0 ? this.source.length : end + (isLine ? 1 : 2);
  }

  private pairAt(place: number): string {
    return this.source.slice(place, place + 2);
  }

  private value(from: number, depth: number): Literal | undefined {
    const place = this.space(from);
    const first = this.source.charAt(place);
    if (first === '"' || first === "'" || first === '`') return this.text(place, false);
    if (this.source.startsWith('String.raw`', place)) return this.text(place + 'String.raw'.length, true);
    if (depth >= MAX_DEPTH) return undefined;
    if (first === '[') return this.list(place + 1, depth);
    if (first === '{') return this.object(place + 1, depth);
    const name = this.match(/(?!(?:true|false|null)\b)[A-Za-z_$][\w$]{0,100}(?![\w$])/y, place);
    if (name !== undefined) {
      const value = this.constants.get(name);
      return value === undefined ? undefined : { value, end: place + name.length };
    }
    const word = this.match(/-?\d[\d_]{0,30}(?:\.\d{1,30})?(?![\w.])|(?:true|false|null)\b/y, place);
    if (word === undefined) return undefined;
    const value = word === 'true' ? true : word === 'false' ? false : word === 'null' ? null : Number(word.replaceAll('_', ''));
    return { value, end: place + word.length };
  }

  private list(from: number, depth: number): Literal | undefined {
    const value: unknown[] = [];
    for (let place = this.space(from); ;) {
      if (this.source.charAt(place) === ']') return { value, end: place + 1 };
      const item = this.value(place, depth + 1);
      if (!item) return undefined;
      value.push(item.value);
      const next = this.separator(item.end, ']');
      if (next === undefined) return undefined;
      place = next;
    }
  }

  private object(from: number, depth: number): Literal | undefined {
    const entries: [string, unknown][] = [];
    for (let place = this.space(from); ;) {
      if (this.source.charAt(place) === '}') return { value: Object.fromEntries(entries), end: place + 1 };
      const name = this.match(/[A-Za-z_$][\w$]{0,200}/y, place);
      const key = name === undefined ? this.value(place, MAX_DEPTH) : { value: name, end: place + name.length };
      if (!key) return undefined;
      const colon = this.space(key.end);
      // Without a value, the key is the name of a constant.
      const item = this.value(this.source.charAt(colon) === ':' ? colon + 1 : place, depth + 1);
      if (!item) return undefined;
      entries.push([String(key.value), item.value]);
      const next = this.separator(item.end, '}');
      if (next === undefined) return undefined;
      place = next;
    }
  }

  /** Returns the place of the next item, or of the end. */
  private separator(from: number, end: string): number | undefined {
    const place = this.space(from);
    const found = this.source.charAt(place);
    return found === ',' ? this.space(place + 1) : found === end ? place : undefined;
  }

  private text(place: number, isRaw: boolean): Literal | undefined {
    const end = this.textEnd(place);
    const quote = this.source.charAt(place);
    const inner = this.source.slice(place + 1, end - 1);
    if (end - place < 2 || this.source.charAt(end - 1) !== quote) return undefined;
    if (quote === '`' && /(?:^|[^\\])\$\{/.test(inner)) return undefined;
    return { value: isRaw ? inner : unescaped(inner), end };
  }

  /** Returns the place after the text that begins at a place. */
  private textEnd(place: number): number {
    const quote = this.source.charAt(place);
    for (let at = place + 1; at < this.source.length; at++) {
      const unit = this.source.charAt(at);
      if (unit === '\\') at++;
      else if (unit === quote) return at + 1;
      else if (unit === '\n' && quote !== '`') return at;
    }
    return this.source.length;
  }

  private space(place: number): number {
    const skipped = this.match(/(?:\s|\/\/[^\n]*\n){0,1000}/y, place);
    return place + (skipped?.length ?? 0);
  }

  private match(pattern: RegExp, place: number): string | undefined {
    pattern.lastIndex = place;
    return pattern.exec(this.source)?.[0];
  }
}

const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(
        /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g,
        (
          _all: string,
          braces: string | undefined,
          unit: string | undefined,
          byte: string | undefined,
          other: string | undefined,
        ): string => {
          const code = braces ?? unit ?? byte;
          if (code === undefined) return ownValue(ESCAPES, other ?? '') ?? other ?? '';
          const point = parseInt(code, 16);
          return point > 0x10ffff ? '' : String.fromCodePoint(point);
        },
      )
    : text;
