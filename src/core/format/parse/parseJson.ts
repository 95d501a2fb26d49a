/**
 * Parses JSON in steps, with the result of `JSON.parse`. A long text is cut between the members of its objects and lists into pieces,
 * which `JSON.parse` takes one after the other: it alone decides what is JSON and which value it has.
 */
import { appendAll } from '../values/lists';
import { rememberKeys } from '../values/jsonValues';
import type { Steps } from '../session/steps';

/** UTF-16 units of a text that is parsed in one call. The slowest kinds of values then take about 10 milliseconds. */
export const SHORT_JSON = 128 * 1024;
/** UTF-16 units of a piece. */
export const JSON_PIECE = 32 * 1024;
/** Short texts whose parsing takes about a millisecond. One that isn't JSON takes some 10 microseconds. */
export const TEXTS_OF_STEP = 100;
/** A container that ends takes as long as these units. */
const CHILD = 64;

const [QUOTE, BACKSLASH, COMMA, U] = [0x22, 0x5c, 0x2c, 0x75];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Returns the value of a text; `undefined` if it isn't JSON. */
export function* parseJson(text: string): Steps<unknown> {
  if (text.length <= SHORT_JSON) return parse(text);
  try {
    return yield* new PieceParser(text).run();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** An object or a list that hasn't ended yet. */
interface Container {
  readonly isArray: boolean;
  readonly start: number;
  /** The start of the members that aren't parsed yet, and of the last of them. */
  from: number;
  last: number;
  /** The members so far; `undefined` as long as the container can be parsed with the one around it. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** The keys of the members so far, if some were parsed before others. */
  keys: string[] | undefined;
  /** True if the last member has been parsed. */
  isParsed: boolean;
}

class PieceParser {
  private readonly open: Container[] = [];
  /** The value of the whole text, once it ended. */
  private result: unknown;
  /** The place of the next step. */
  private nextStep = JSON_PIECE;

  constructor(private readonly text: string) {}

  /** @throws SyntaxError if the text isn't JSON. */
  *run(): Steps<unknown> {
    const { text, open } = this;
    for (let at = 0; at < text.length; at++) {
      if (at >= this.nextStep) {
        yield;
        this.nextStep = at + JSON_PIECE;
      }
      const code = text.charCodeAt(at);
      const top = open.at(-1);
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (!top && this.result !== undefined) throw new SyntaxError();
        open.push({
          isArray: code === OPEN_BRACKET,
          start: at,
          from: at + 1,
          last: at + 1,
          value: undefined,
          keys: undefined,
          isParsed: false,
        });
      } else if (!top) {
        // A text that isn't an object or a list is one string or number, if it's JSON.
        if (!isSpace(code)) return this.result === undefined ? (JSON.parse(text) as unknown) : undefined;
      } else if (code === QUOTE) at = yield* this.string(top, at);
      else if (code === COMMA) {
        if (top.isParsed || at - top.from >= JSON_PIECE) this.parseMembers(top, at, false);
        top.last = at + 1;
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.close(top, code, at);
    }
    return open.length === 0 ? this.result : undefined;
  }

  private close(top: Container, code: number, at: number): void {
    const { open } = this;
    if (code !== (top.isArray ? CLOSE_BRACKET : CLOSE_BRACE)) throw new SyntaxError();
    open.pop();
    const parent = open.at(-1);
    // The container around it parses a short one.
    if (parent && top.value === undefined && at - top.from < JSON_PIECE) return;
    this.parseMembers(top, at, top.from === top.start + 1);
    this.nextStep -= CHILD;
    if (top.keys) rememberKeys(top.value ?? {}, top.keys);
    if (parent) this.add(parent, top.start, at + 1, top.value);
    else this.result = top.value;
  }

  /** Parses the members before a comma or the end. @param mayBeEmpty true for a container without members */
  private parseMembers(container: Container, to: number, mayBeEmpty: boolean): void {
    const { text } = this;
    const { from, isArray, isParsed } = container;
    container.from = to + 1;
    container.isParsed = false;
    if (isParsed) {
      if (!isBlank(text, from, to)) throw new SyntaxError();
      return;
    }
    const members = text.slice(from, to);
    // The brackets decide which it is.
    const value = JSON.parse(isArray ? `[${members}]` : `{${members}}`) as unknown[] | Record<string, unknown>;
    if (!mayBeEmpty && isBlank(text, from, to)) throw new SyntaxError();
    if (container.value === undefined) container.value = value;
    else if (Array.isArray(container.value)) appendAll(container.value, value as unknown[]);
    else for (const key of Object.keys(value)) define(container, key, (value as Record<string, unknown>)[key]);
  }

  /** Adds a member whose value was parsed. @param start where the value begins */
  private add(container: Container, start: number, end: number, value: unknown): void {
    const { text } = this;
    const { last } = container;
    if (last > container.from) this.parseMembers(container, last - 1, false);
    const key = text.slice(last, start);
    if (container.isArray) {
      if (!isBlank(text, last, start)) throw new SyntaxError();
      ((container.value ??= []) as unknown[]).push(value);
    } else {
      // It's an object with one member.
      const [name] = Object.keys(JSON.parse(`{${key}0}`) as object);
      if (name === undefined) throw new SyntaxError();
      define(container, name, value);
    }
    container.from = end;
    container.isParsed = true;
  }

  /** Returns the place of a string's closing quote. A long string is parsed in pieces, unless it's a key. */
  private *string(container: Container, start: number): Steps<number> {
    const { text } = this;
    const isKey = !container.isArray && isBlank(text, container.last, start);
    const pieces: string[] = [];
    let from = start + 1;
    let at = from;
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
      if (at >= text.length) throw new SyntaxError();
      if (at >= this.nextStep) {
        yield;
        this.nextStep = at + JSON_PIECE;
      }
      if (at - from >= JSON_PIECE && !isKey) {
        pieces.push(String(JSON.parse(`"${text.slice(from, at)}"`)));
        from = at;
      }
      if (code !== BACKSLASH) at++;
      else at += text.charCodeAt(at + 1) === U ? 6 : 2;
    }
    if (pieces.length === 0) return at;
    pieces.push(String(JSON.parse(`"${text.slice(from, at)}"`)));
    yield;
    this.add(container, start, at + 1, pieces.join(''));
    return at;
  }
}

/** Sets a member as `JSON.parse` does, which sets no prototype. */
function define(container: Container, key: string, value: unknown): void {
  const object = (container.value ??= {}) as Record<string, unknown>;
  container.keys ??= Object.keys(object);
  if (!Object.hasOwn(object, key)) container.keys.push(key);
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}
