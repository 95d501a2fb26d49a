/**
 * Parses one line of a file. Every object in the result has a string `type`; anything else is reported. Only this
 * module and `entryHead` deal with malformed input.
 */
import { isObject, type JsonObject } from '../values/jsonValues';
import { damagedEntry, wholeEntriesAtEnd } from './damagedLine';
import { appendAll } from '../values/lists';
import { finishSteps, type Steps } from '../session/steps';
import { JSON_PIECE, parseJson, TEXTS_OF_STEP } from './parseJson';

interface LineObject {
  /** A placeholder if `isDamaged`; see `damagedEntry`. */
  readonly value: JsonObject;
  readonly isDamaged?: true;
  /** Range of the object in the line's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

type ReadLineResult =
  | { readonly kind: 'blank' }
  /** `value`: the object, if the line is one without a `type`. */
  | { readonly kind: 'bad'; readonly value?: JsonObject }
  /** One object, or several without line breaks between them. `rest` is true if a part of the line wasn't readable. */
  | { readonly kind: 'objects'; readonly objects: readonly LineObject[]; readonly rest: boolean };

/** True if a text has more than padding: ASCII's white space, NUL and a byte order mark are accepted around objects. */
const hasContent = (text: string): boolean => /[^\t-\r \0\ufeff]/.test(text);

/** Bytes: not all readers hold lines of this length or more in memory, so entries on broken ones aren't recovered. */
export const LONG_LINE_BYTES = 4 * 1024 * 1024;

/**
 * Reads the text of one line, without its line break. Never throws. FORMAT section 3.
 *
 * @param length the line's bytes; by default it's taken for a short line
 */
export const readLine = (text: string, length = 0): ReadLineResult => finishSteps(readLineSteps(text, length));

/** Does what {@link readLine} does, in steps: one line may hold as much as a whole session. */
export function* readLineSteps(text: string, length = 0): Steps<ReadLineResult> {
  // An exception costs some 10 µs, and a file may have a million lines like this.
  if (!text.includes('{')) return hasContent(text) ? { kind: 'bad' } : { kind: 'blank' };
  const whole = yield* parseJson(text);
  if (whole !== undefined) {
    if (isEntryLike(whole)) return { kind: 'objects', objects: [{ value: whole, start: 0, end: text.length }], rest: false };
    return isObject(whole) ? { kind: 'bad', value: whole } : { kind: 'bad' };
  }
  const pieces = yield* splitTopLevelObjects(text);
  const starts = new Set(pieces.map(([from]) => from));
  const objects: LineObject[] = [];
  let rest = false;
  /** The entries that the line ends with, once an object before them is broken. */
  let last: readonly LineObject[] | undefined;
  for (const [index, [start, end]] of pieces.entries()) {
    if (index % TEXTS_OF_STEP === 0) yield;
    if (last?.[0] && start >= last[0].start) break;
    const isObjectText = text.charAt(start) === '{';
    const value = isObjectText ? yield* parseJson(text.slice(start, end)) : undefined;
    if (value !== undefined && isEntryLike(value)) {
      objects.push({ value, start, end });
      continue;
    }
    const isBroken = isObjectText && value === undefined && length < LONG_LINE_BYTES;
    let to = end;
    if (isBroken && !last) {
      last = wholeEntriesAtEnd(text, start);
      const next = last[0]?.start;
      // A missing quote turns the text between strings into strings: then no piece begins where the entries do.
      if (next !== undefined && !starts.has(next)) to = next;
    }
    const damaged = isBroken ? damagedEntry(text.slice(start, to)) : undefined;
    if (damaged) objects.push({ value: damaged, start, end: to, isDamaged: true });
    else rest = true;
    if (to !== end) break;
  }
  appendAll(objects, last ?? []);
  return objects.length === 0 ? { kind: 'bad' } : { kind: 'objects', objects, rest };
}

/**
 * True if a line ends with a whole object. Otherwise, without a line break, it may not be complete yet.
 *
 * @param length the line's bytes
 */
export function endsWithObject(read: ReadLineResult, text: string, length: number): boolean {
  if (read.kind !== 'objects' || (read.rest && length >= LONG_LINE_BYTES)) return false;
  const last = read.objects.at(-1);
  return last !== undefined && !last.isDamaged && !hasContent(text.slice(last.end));
}

/**
 * Returns the positions of a line's objects in the file, in bytes and in steps. A single object has the position and length of its
 * line.
 *
 * @param bytes the bytes of the line. Without them, a text with replacement characters doesn't give its length in
 *   bytes.
 */
export function* objectLocations(
  objects: readonly LineObject[],
  text: string,
  line: { readonly offset: number; readonly length: number },
  bytes?: Uint8Array,
): Steps<{ offset: number; length: number }[]> {
  if (objects.length === 1) return [{ offset: line.offset, length: line.length }];
  if (bytes && text.includes('\uFFFD')) {
    // One character for each byte: all that separates objects is ASCII.
    const read = yield* readLineSteps(new TextDecoder('latin1').decode(bytes), line.length);
    if (read.kind === 'objects' && read.objects.length === objects.length)
      return read.objects.map(({ start, end }) => ({ offset: line.offset + start, length: end - start }));
  }
  let at = line.offset;
  let unit = 0;
  const places: { offset: number; length: number }[] = [];
  for (const { start, end } of objects) {
    if (places.length % TEXTS_OF_STEP === 0) yield;
    const offset = at + byteLength(text.slice(unit, start));
    const length = byteLength(text.slice(start, end));
    at = offset + length;
    unit = end;
    places.push({ offset, length });
  }
  return places;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

function isEntryLike(value: unknown): value is JsonObject {
  return isObject(value) && typeof value['type'] === 'string';
}

/** Splits a text into its top-level objects and the pieces between them. Braces in strings don't count. */
function* splitTopLevelObjects(text: string): Steps<[number, number][]> {
  const found: [number, number][] = [];
  let depth = 0;
  let inString = false;
  let begin = 0;
  for (let i = 0; i < text.length; i++) {
    if (i % JSON_PIECE === 0) yield;
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
