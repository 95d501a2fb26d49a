/**
 * One line of a file → the objects on it. Together with `head` this is the only code that doubts a file:
 * what comes out of here is an object with a string `type`, or it is reported.
 */
import { isObject, type JsonObject } from '../entry/entry';
import { LongLineParser } from './longLineParser';

export interface LineObject {
  readonly value: JsonObject;
  /** Where the object begins and ends in the line's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

export type ReadLineResult =
  | { readonly kind: 'blank' }
  /** `value`: an object all the same, of another format. */
  | { readonly kind: 'bad'; readonly value?: JsonObject }
  /** One object, or several that were glued together; `rest` says that something on the line was not readable. */
  | { readonly kind: 'objects'; readonly objects: readonly LineObject[]; readonly rest: boolean };

/** True if a text has more than padding: a BOM, NUL padding and the carriage return of CRLF are accepted around objects. */
const hasContent = (text: string): boolean => /[^\s\0]/.test(text);

/** Reads the text of one line, without its line break. Never throws. */
export function readLine(text: string): ReadLineResult {
  // An exception costs some 10 µs, and a file may have a million lines like this.
  if (!text.includes('{')) return hasContent(text) ? { kind: 'bad' } : { kind: 'blank' };
  const whole = parse(text);
  if (whole !== undefined) {
    if (isEntryLike(whole)) return { kind: 'objects', objects: [{ value: whole, start: 0, end: text.length }], rest: false };
    return isObject(whole) ? { kind: 'bad', value: whole } : { kind: 'bad' };
  }
  const objects: LineObject[] = [];
  let rest = false;
  for (const [from, to] of splitTopLevelObjects(text)) {
    const value = text.charAt(from) === '{' ? parse(text.slice(from, to)) : undefined;
    if (value !== undefined && isEntryLike(value)) objects.push({ value, start: from, end: to });
    else rest = true;
  }
  return objects.length === 0 ? { kind: 'bad' } : { kind: 'objects', objects, rest };
}

/**
 * Where the objects of a line stand in the file, in bytes. One that has the line to itself is the line.
 * `bytes`: those of the line, for texts that do not say how many they were of.
 */
export function objectLocations(
  objects: readonly LineObject[],
  text: string,
  line: { readonly offset: number; readonly length: number },
  bytes?: Uint8Array,
): { offset: number; length: number }[] {
  if (objects.length === 1) return [{ offset: line.offset, length: line.length }];
  if (bytes && text.includes('\uFFFD')) {
    const long = new LongLineParser();
    long.push(bytes);
    const found = long.end().objects;
    if (found.length === objects.length) return found.map(({ start, end }) => ({ offset: line.offset + start, length: end - start }));
  }
  let at = line.offset;
  let unit = 0;
  return objects.map(({ start, end }) => {
    const offset = at + byteLength(text.slice(unit, start));
    const length = byteLength(text.slice(start, end));
    at = offset + length;
    unit = end;
    return { offset, length };
  });
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

function isEntryLike(value: unknown): value is JsonObject {
  return isObject(value) && typeof value['type'] === 'string';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Splits a text into its top-level `{…}` and what stands between them, minding strings and escapes. */
function splitTopLevelObjects(text: string): [number, number][] {
  const found: [number, number][] = [];
  let depth = 0;
  let inString = false;
  let begin = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b) {
      if (depth === 0 && hasContent(text.slice(begin, i))) found.push([begin, i]);
      if (depth === 0) begin = i;
      depth++;
    } else if (code === 0x7d && depth > 0) {
      depth--;
      if (depth === 0) {
        found.push([begin, i + 1]);
        begin = i + 1;
      }
    }
  }
  if (hasContent(text.slice(begin))) found.push([begin, text.length]);
  return found;
}
