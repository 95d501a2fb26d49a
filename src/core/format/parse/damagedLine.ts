/** Reads the legible parts of a line that isn't valid JSON: the place of its entry in the tree, and whole entries after it. */
import { defined } from '../values/defined';
import { isObject, type JsonObject } from '../values/jsonValues';

/** The type of the placeholder for an entry whose line isn't valid JSON. */
const DAMAGED_TYPE = 'damaged';

/** True for the head of an entry that replaces a line that isn't valid JSON. */
export const isDamaged = ({ type, side }: { readonly type: string; readonly side?: boolean }): boolean =>
  type === DAMAGED_TYPE && side === true;

/** The members that give an entry its place. */
const PLACE_KEYS = new Set(['type', 'id', 'parentId', 'timestamp']);
/** Types of lines that are no entries. */
const OTHER_LINES = new Set(['session', 'title']);

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Returns the entry that replaces a broken object, with its `id`, `parentId` and `timestamp`. It's never the leaf, since
 * programs skip the line. FORMAT section 3.
 *
 * @returns `undefined` if the id or the parent isn't legible.
 */
export function damagedEntry(text: string): JsonObject | undefined {
  const { type, id, parentId, timestamp } = placeMembers(text);
  if (OTHER_LINES.has(type ?? '') || !id || parentId === undefined) return undefined;
  return { type: DAMAGED_TYPE, id, parentId, ...defined({ timestamp: timestamp || undefined }), appendMode: 'side' };
}

type PlaceMembers = Readonly<Record<string, string | null | undefined>>;

/** The members of a broken object that give its place, as far as they are strings or `null` and nothing in them is broken. */
function placeMembers(text: string): PlaceMembers {
  const found: Record<string, string | null> = {};
  let depth = 0;
  let key: string | undefined;
  let isValue = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at + 1);
      if (end < 0) break;
      if (depth === 1 && !isValue) key = text.slice(at + 1, end);
      else if (depth === 1 && key !== undefined && PLACE_KEYS.has(key)) {
        const value = parse(text.slice(at, end + 1));
        if (typeof value === 'string') found[key] ??= value;
      }
      at = end;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    else if (depth === 1 && code === COMMA) isValue = false;
    else if (depth === 1 && code === COLON) isValue = true;
    else if (depth === 1 && isValue && key === 'parentId' && text.startsWith('null', at)) found[key] ??= null;
  }
  return found;
}

/**
 * Returns the entries that a broken text ends with: whole lines glued to the end of a torn one. Read backwards, since
 * nothing before them says where they begin. FORMAT section 3.
 *
 * @param from where the broken object begins
 */
export function wholeEntriesAtEnd(text: string, from: number): { value: JsonObject; start: number; end: number }[] {
  const found: { value: JsonObject; start: number; end: number }[] = [];
  for (let end = contentEnd(text, from, text.length); end > from;) {
    const start = objectStart(text, from, end);
    const value = start > from ? parse(text.slice(start, end)) : undefined;
    if (!isWholeEntry(value)) break;
    found.push({ value, start, end });
    end = contentEnd(text, from, start);
  }
  return found.reverse();
}

/** True for an entry as programs write it; parts of one, as content blocks are, have no parent. */
function isWholeEntry(value: unknown): value is JsonObject {
  if (!isObject(value) || typeof value['type'] !== 'string' || typeof value['id'] !== 'string') return false;
  // A header after a torn title.
  if (value['type'] === 'session') return typeof value['timestamp'] === 'string' && typeof value['cwd'] === 'string';
  return value['parentId'] === null || typeof value['parentId'] === 'string';
}

/** The end of a text without the padding after it. */
function contentEnd(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && /[\s\0]/.test(text.charAt(end - 1))) end--;
  return end;
}

/** Returns the start of the object that ends before `end`; -1 if there is none. Only an escaped quote is part of a string. */
function objectStart(text: string, from: number, end: number): number {
  if (text.charCodeAt(end - 1) !== CLOSE_BRACE) return -1;
  let depth = 0;
  let inString = false;
  for (let at = end - 1; at >= from; at--) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const quote = at;
      while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at--;
      if ((quote - at) % 2 === 0) inString = !inString;
    } else if (inString) continue;
    else if (code === CLOSE_BRACE) depth++;
    else if (code === OPEN_BRACE && --depth === 0) return at;
  }
  return -1;
}

/** The closing quote of a string; -1 if there is none. */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return -1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
