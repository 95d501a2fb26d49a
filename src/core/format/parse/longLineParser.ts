/**
 * Parses the objects on a line that is too long to be held in memory. The parser takes the line in pieces, keeps at
 * most a few megabytes, and gives the position of each object. Long strings are cut, and long lists and deeply nested
 * values are left out: heads don't need them. All other rules are the same as in `readLine`.
 */
import { isObject, type JsonObject } from '../values/jsonValues';
import type { Steps } from '../session/steps';
import { parseJson, TEXTS_OF_STEP } from './parseJson';

interface LongObject {
  readonly value: JsonObject;
  /** Range of the object in the line, in bytes. */
  readonly start: number;
  readonly end: number;
}

export interface LongLineResult {
  readonly objects: readonly LongObject[];
  /** True if a part of the line wasn't readable. */
  readonly hasUnreadable: boolean;
  /** The line's text, or the bytes at its end, if they are known. */
  readonly ending?: string | Uint8Array;
}

/** Maximum length of a string in bytes. The second limit applies after `LARGE` bytes of an object are kept. */
const MAX_STRING = 64 * 1024;
const MAX_STRING_WHEN_LARGE = 512;
/**
 * Limits in bytes for an object. Beyond `LARGE`, lists and values below the usual depth are left out; beyond `FULL`,
 * everything that follows is.
 */
const LARGE = 2 * 1024 * 1024;
const FULL = 4 * 1024 * 1024;
/** The levels of a usual object: the entry, its message, the message's usage, and the usage's cost. */
const USUAL_DEPTH = 4;
const MAX_DEPTH = 200;
const MAX_MEMBERS = 10_000;
/** Longer numbers and words aren't valid. */
const MAX_TOKEN = 400;
/** Bytes of a step. The first of them, which are read by code that isn't compiled yet, take a microsecond each. */
const PIECE = 8 * 1024;

const [QUOTE, BACKSLASH, COMMA, U] = [0x22, 0x5c, 0x2c, 0x75];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const ESCAPED = new Set(Array.from('"\\/bfnrtu', (character) => character.charCodeAt(0)));
/** The padding that `readLine` accepts beyond JSON's white space: NUL, line tabulation, form feed, and the bytes of a byte order mark. */
const PADDING = new Set([0x00, 0x0b, 0x0c, 0xef, 0xbb, 0xbf]);

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;
const isHex = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

export class LongLineParser {
  private readonly objects: LongObject[] = [];
  /** Objects whose kept text isn't parsed yet. */
  private finished: { readonly text: string; readonly start: number; readonly end: number }[] = [];
  private hasUnreadable = false;
  /** The kept bytes of the current object, and their number. */
  private buffer = new Uint8Array(64 * 1024);
  private size = 0;
  private position = 0;
  private start = 0;
  /** The number of open braces. It alone decides where an object ends, even if the object is broken. */
  private braces = 0;
  /** True if the current object isn't JSON. */
  private broken = false;
  /** The open containers, outermost first: the byte that closes each, and the number of its members so far. */
  private readonly closers: number[] = [];
  private readonly members: number[] = [];
  /** Depth below the container whose rest is left out; -1 if nothing is left out. */
  private skippedDepth = -1;
  private inString = false;
  /** Inside a string: the number of bytes so far, and the characters that an escape still needs (-1: its letter). */
  private length = 0;
  private escape = 0;
  private isTruncating = false;
  /** Length of the current number or word. */
  private tokenLength = 0;

  /** Parses the next bytes of the line, in steps. */
  *push(bytes: Uint8Array): Steps<void> {
    for (let from = 0; from < bytes.length; from += PIECE) {
      this.pushPiece(bytes.subarray(from, from + PIECE));
      const { finished } = this;
      this.finished = [];
      for (const [index, { text, ...place }] of finished.entries()) {
        if (index % TEXTS_OF_STEP === 0) yield;
        const value = yield* parseJson(text);
        if (isObject(value) && typeof value['type'] === 'string') this.objects.push({ value, ...place });
        else this.hasUnreadable = true;
      }
      yield;
    }
  }

  private pushPiece(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length; index++) {
      const next = this.isTruncating && this.escape === 0 ? skipPlain(bytes, index) : this.braces === 0 ? skipNuls(bytes, index) : index;
      this.position += next - index;
      index = next;
      if (index === bytes.length) return;
      const byte = bytes[index]!;
      if (this.inString) this.string(byte);
      else if (byte === QUOTE) this.quote();
      else if (this.braces === 0) this.outside(byte);
      else this.inside(byte);
      this.position++;
    }
  }

  end(): LongLineResult {
    return { objects: this.objects, hasUnreadable: this.hasUnreadable || this.braces > 0 };
  }

  private outside(byte: number): void {
    if (byte === OPEN_BRACE) {
      this.start = this.position;
      this.size = 0;
      this.broken = false;
      this.closers.length = 0;
      this.members.length = 0;
      this.skippedDepth = -1;
      this.tokenLength = 0;
      this.inside(byte);
    } else if (!isSpace(byte) && !PADDING.has(byte)) this.hasUnreadable = true;
  }

  private quote(): void {
    this.inString = true;
    this.length = 0;
    this.tokenLength = 0;
    if (this.braces === 0) this.hasUnreadable = true;
    else this.keep(QUOTE);
  }

  private string(byte: number): void {
    if (this.escape === 0 && byte === QUOTE) {
      this.inString = false;
      this.isTruncating = false;
      this.keep(QUOTE);
      return;
    }
    const limit = this.size > LARGE ? MAX_STRING_WHEN_LARGE : MAX_STRING;
    // Strings are cut between characters: not inside an escape, and not before a continuation byte.
    if (this.length >= limit && this.escape === 0 && ((byte & 0xc0) !== 0x80 || this.length > limit + 3)) this.isTruncating = true;
    this.length++;
    if (!this.isTruncating) this.keep(byte);
    if (byte < 0x20) this.broken = true;
    if (this.escape === 0) this.escape = byte === BACKSLASH ? -1 : 0;
    else if (this.escape < 0) {
      if (!ESCAPED.has(byte)) this.broken = true;
      this.escape = byte === U ? 4 : 0;
    } else {
      if (!isHex(byte)) this.broken = true;
      this.escape--;
    }
  }

  private inside(byte: number): void {
    if (isSpace(byte)) {
      if (this.tokenLength > 0) this.keep(0x20);
      this.tokenLength = 0;
      return;
    }
    switch (byte) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.open(byte);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        this.close(byte);
        break;
      case COMMA:
        this.comma();
        break;
      default:
        if (++this.tokenLength <= MAX_TOKEN) this.keep(byte);
        return;
    }
    this.tokenLength = 0;
  }

  private open(byte: number): void {
    if (byte === OPEN_BRACE) this.braces++;
    if (this.skippedDepth >= 0) {
      this.skippedDepth++;
      return;
    }
    this.keep(byte);
    this.closers.push(byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);
    this.members.push(1);
    if (this.closers.length >= MAX_DEPTH || this.isFull()) this.skippedDepth = 0;
  }

  private close(byte: number): void {
    if (this.skippedDepth > 0) this.skippedDepth--;
    else {
      this.skippedDepth = -1;
      if (this.closers.pop() !== byte) this.broken = true;
      this.members.pop();
      this.keep(byte);
    }
    if (byte === CLOSE_BRACE && --this.braces === 0) this.finish();
  }

  private comma(): void {
    if (this.skippedDepth < 0 && (this.countMember() > MAX_MEMBERS || this.isFull())) this.skippedDepth = 0;
    else this.keep(COMMA);
  }

  /** Returns the number of commas in the current container; 0 outside of any. */
  private countMember(): number {
    const level = this.members.length - 1;
    const count = this.members[level];
    return count === undefined ? 0 : (this.members[level] = count + 1);
  }

  /** True if the rest of the current container must be left out. */
  private isFull(): boolean {
    if (this.size <= LARGE) return false;
    return this.size > FULL || this.closers.length > USUAL_DEPTH || this.closers.includes(CLOSE_BRACKET);
  }

  private keep(byte: number): void {
    if (this.skippedDepth >= 0 || this.broken || this.braces === 0) return;
    if (this.size === this.buffer.length) {
      // The kept part ends at a comma. An object this large without commas isn't JSON.
      if (this.size > 2 * FULL) {
        this.broken = true;
        return;
      }
      const larger = new Uint8Array(this.size * 2);
      larger.set(this.buffer);
      this.buffer = larger;
    }
    this.buffer[this.size++] = byte;
  }

  private text(): string {
    return new TextDecoder().decode(this.buffer.subarray(0, this.size));
  }

  private finish(): void {
    if (this.broken || this.closers.length > 0) this.hasUnreadable = true;
    else this.finished.push({ text: this.text(), start: this.start, end: this.position + 1 });
  }
}

/** Returns the index of the next byte that can end or escape a string whose rest isn't kept. */
function skipPlain(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE || byte === BACKSLASH || byte < 0x20) break;
  }
  return at;
}

/** Returns the index after NUL padding. A crash may leave hundreds of megabytes of it. */
function skipNuls(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0) at++;
  return at;
}
