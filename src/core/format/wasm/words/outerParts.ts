/** The first and the last characters of a long text: the parts of it that are searched. */
import { codeUnitAt } from '../json/escapes';
import { BACKSLASH, byteAt } from '../json/strings';
import { characterSize, readCharacter } from './characters';
import { putText } from './messageWords';
import { OUTER_LENGTH } from '../../scanner/scannerLayout';

const SMALL_U: u8 = 0x75;
/** Stands for bytes that aren't UTF-8: as many characters as the parser makes of them aren't known here. */
const REPLACEMENT: u32 = 0xfffd;

/** Appends the searched parts of a JSON string, given without its quotes. Returns false if it has to be read in another way. */
export function putOuterParts(from: usize, to: usize): bool {
  // No character has more UTF-16 units than bytes.
  if (to - from <= <usize>(OUTER_LENGTH * 2)) return putText(from, to);
  const firstEnd = firstPartEnd(from, to);
  if (firstEnd == 0) return false;
  const lastStart = lastPartStart(firstEnd, to);
  if (lastStart == 0) return false;
  return lastStart == firstEnd ? putText(from, to) : putText(from, firstEnd) && putText(lastStart, to);
}

/** Returns the end of the first part; 0 if it has bytes that aren't UTF-8. */
function firstPartEnd(from: usize, to: usize): usize {
  let left = OUTER_LENGTH;
  let at = from;
  while (at < to) {
    const code = readCharacter(at, to);
    if (code == REPLACEMENT && characterSize == 1) return 0;
    left -= code > 0xffff ? 2 : 1;
    if (left < 0) break;
    at += characterSize;
  }
  return at;
}

/** Returns the start of the last part, which isn't before `from`; 0 if it has bytes that aren't UTF-8. */
function lastPartStart(from: usize, to: usize): usize {
  let left = OUTER_LENGTH;
  let at = to;
  while (at > from) {
    const start = characterStart(from, at);
    const code = readCharacter(start, to);
    if (start + characterSize != at || (code == REPLACEMENT && characterSize == 1)) return 0;
    left -= code > 0xffff ? 2 : 1;
    if (left < 0) break;
    at = start;
  }
  return at;
}

/** Returns the start of the character that ends at `at`. */
function characterStart(from: usize, at: usize): usize {
  let start = at - 1;
  const last = byteAt(start);
  if (last >= 0x80) {
    while (start > from && (byteAt(start) & 0xc0) == 0x80) start--;
    return start;
  }
  // A backslash that ends a character is escaped by the one before it.
  if (last == BACKSLASH) return at - 2;
  if (isUnicodeEscape(from, at - 6)) {
    const isLow = (codeUnitAt(at - 6) & 0xfc00) == 0xdc00;
    const isPair = isLow && isUnicodeEscape(from, at - 12) && (codeUnitAt(at - 12) & 0xfc00) == 0xd800;
    return isPair ? at - 12 : at - 6;
  }
  return isEscape(from, at - 2) ? at - 2 : start;
}

function isUnicodeEscape(from: usize, at: usize): bool {
  return at >= from && byteAt(at + 1) == SMALL_U && isEscape(from, at);
}

/** Returns whether an escape begins at a place, instead of a backslash that is escaped itself. */
function isEscape(from: usize, at: usize): bool {
  let start = at;
  while (start >= from && byteAt(start) == BACKSLASH) start--;
  return ((at - start) & 1) == 1;
}
