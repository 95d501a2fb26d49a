/**
 * Cuts texts between the characters that a person sees: emoji of several code points, flags, letters with their marks.
 * Every cut of a text that's shown is made here. The time doesn't depend on the length of the text.
 */

/** Returns the beginning of a text, with at most `length` UTF-16 units. */
export const beginning = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, boundaryBefore(text, length));

/** Returns the end of a text, with at most `length` UTF-16 units. */
export const ending = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(boundaryAfter(text, text.length - length));

/** Returns the last place between two characters that isn't behind `at`. Depends on no more of the text than the code point at `at`. */
export function boundaryBefore(text: string, at: number): number {
  if (isBoundary(text, at)) return at;
  const { from } = characterAt(text, at);
  return at - from <= LONGEST ? from : isInPair(text, at) ? at - 1 : at;
}

/** Returns the first place between two characters that isn't before `at`. */
export function boundaryAfter(text: string, at: number): number {
  if (isBoundary(text, at)) return at;
  const { to } = characterAt(text, at);
  return to - at <= LONGEST ? to : isInPair(text, at) ? at + 1 : at;
}

/** UTF-16 units of a character on one side of a cut. A longer one, with endless marks, is cut between its code points. */
const LONGEST = 64;
/** UTF-16 units before a place that are looked at. */
const MOST = 512;

/** Returns true at a place that surely is a boundary. Most are between letters that never combine, and others take longer. */
const isBoundary = (text: string, at: number): boolean =>
  at <= 0 || at >= text.length || (isSingle(text.charCodeAt(at - 1)) && isSingle(text.charCodeAt(at)));

/** Returns true for the printable characters of Latin-1, most of Latin, Greek, Cyrillic and Armenian, kana, Han and Hangul syllables. */
const isSingle = (unit: number): boolean =>
  (unit >= 0x20 && unit < 0x300) ||
  (unit >= 0x370 && unit < 0x483) ||
  (unit >= 0x48a && unit < 0x591) ||
  (unit >= 0x3041 && unit < 0x3097) ||
  (unit >= 0x30a1 && unit < 0x30fb) ||
  (unit >= 0x3400 && unit < 0xa000) ||
  (unit >= 0xac00 && unit < 0xd7a4);

/** Created when it's first used, which takes some milliseconds. */
let segmenter: Intl.Segmenter | undefined;

/** Returns the character that a place is in; an empty one if the place is between two. */
function characterAt(text: string, at: number): { readonly from: number; readonly to: number } {
  const start = sureStart(text, at);
  const part = text.slice(start, at + LONGEST + 2);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const { index = 0, segment = '' } = segmenter.segment(part).containing(at - start) ?? {};
  const from = start + index;
  return { from, to: from === at ? at : from + segment.length };
}

/** Returns true in the middle of a surrogate pair. */
const isInPair = (text: string, at: number): boolean => isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));

/** Returns a boundary before a place; one of code points if none is near. */
function sureStart(text: string, at: number): number {
  for (let start = at - 1; start > at - MOST; start--) if (isBoundary(text, start)) return start;
  const start = at - MOST;
  if (!isFlagHalf(text, start) && !isFlagHalf(text, start - 1)) return isLow(text.charCodeAt(start)) ? start + 1 : start;
  // Flags are pairs, so all of them before it count.
  let first = isFlagHalf(text, start) ? start : start - 1;
  while (isFlagHalf(text, first - 2)) first -= 2;
  const place = isFlagHalf(text, start) ? start : start + 1;
  return place + ((place - first) % FLAG_LENGTH);
}

/** UTF-16 units of a flag. */
const FLAG_LENGTH = 4;

/** Returns true where one of the letters that make flags begins. */
const isFlagHalf = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 0xd83c && text.charCodeAt(at + 1) >= 0xdde6 && text.charCodeAt(at + 1) <= 0xddff;

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
