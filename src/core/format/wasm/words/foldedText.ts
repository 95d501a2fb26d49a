/**
 * Texts of any alphabet as folded words with spaces between them. The caller gives the folded form of each character once;
 * the table keeps it.
 */
import { CHARACTER_KIND_UNIT, CharacterKind } from '../../scanner/scannerLayout';
import { characterSize, readCharacter } from './characters';
import { GrowableBytes, reserve } from '../memory/memory';
import { SPACE } from '../json/strings';

/** Imported: returns a character's folded code point, plus its `CharacterKind` times `CHARACTER_KIND_UNIT`. */
declare function foldCharacter(code: u32): u32;

/** Two planes: all alphabets in use, and emoji. */
const TABLE_SIZE: u32 = 0x20000;
let table: usize = 0;
/** True if the last text has only white space. */
export let isFoldedBlank = true;

/** Appends the words of a JSON string, given without its quotes; there is room for another byte after them. Returns false where a word can't be folded by its characters. */
export function putFolded(words: GrowableBytes, from: usize, to: usize): bool {
  if (table == 0) {
    table = heap.alloc((<usize>TABLE_SIZE) << 2);
    memory.fill(table, 0, (<usize>TABLE_SIZE) << 2);
  }
  isFoldedBlank = true;
  let isInWord = false;
  for (let at = from; at < to; at += characterSize) {
    const code = readCharacter(at, to);
    if (code >= TABLE_SIZE) return false;
    const folded = foldOf(code);
    const kind = folded / CHARACTER_KIND_UNIT;
    if (kind == CharacterKind.mark) {
      isFoldedBlank = false;
      continue;
    }
    if (kind == CharacterKind.complex) return false;
    // A space, a character and another space.
    let into = reserve(words, 6);
    if (isInWord && kind != CharacterKind.letter) store<u8>(into++, SPACE);
    isInWord = kind == CharacterKind.letter;
    if (isInWord || kind == CharacterKind.ideograph) into = putCharacter(into, folded % CHARACTER_KIND_UNIT);
    if (kind == CharacterKind.ideograph) store<u8>(into++, SPACE);
    if (kind != CharacterKind.space) isFoldedBlank = false;
    words.size = into - words.at;
  }
  reserve(words, 1);
  return true;
}

function foldOf(code: u32): u32 {
  const at = table + ((<usize>code) << 2);
  let folded = load<u32>(at);
  if (folded == 0) store<u32>(at, (folded = foldCharacter(code)));
  return folded;
}

/** Writes a character in UTF-8 and returns the position after it. */
function putCharacter(into: usize, code: u32): usize {
  if (code < 0x80) {
    store<u8>(into, <u8>code);
    return into + 1;
  }
  if (code < 0x800) {
    store<u8>(into, <u8>(0xc0 | (code >> 6)));
    store<u8>(into, <u8>(0x80 | (code & 0x3f)), 1);
    return into + 2;
  }
  if (code < 0x10000) {
    store<u8>(into, <u8>(0xe0 | (code >> 12)));
    store<u8>(into, <u8>(0x80 | ((code >> 6) & 0x3f)), 1);
    store<u8>(into, <u8>(0x80 | (code & 0x3f)), 2);
    return into + 3;
  }
  store<u8>(into, <u8>(0xf0 | (code >> 18)));
  store<u8>(into, <u8>(0x80 | ((code >> 12) & 0x3f)), 1);
  store<u8>(into, <u8>(0x80 | ((code >> 6) & 0x3f)), 2);
  store<u8>(into, <u8>(0x80 | (code & 0x3f)), 3);
  return into + 4;
}
