/** Folds single characters for the scanner, so that it splits texts into the words of `spacedWords`. */
import { CHARACTER_KIND_UNIT, CharacterKind } from '../../../format/scanner/scannerLayout';
import { fold, UNSPACED_SCRIPTS } from './words';

const LETTER = /[\p{L}\p{N}]/u;
const MARK = /\p{M}/u;
/** Characters whose folding depends on their neighbors: the capital sigma, and the letters that Hangul syllables are made of. */
const DEPENDENT = /[\u03a3\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/;

const CAPITAL = /[A-Z]/;

/** Returns the folded code point of a character, plus its `CharacterKind` times `CHARACTER_KIND_UNIT`. The capitals A to Z stay, see `spacedWords`. */
export function foldCharacter(code: number): number {
  const character = String.fromCodePoint(code);
  if (CAPITAL.test(character)) return CharacterKind.letter * CHARACTER_KIND_UNIT + code;
  const isUnspaced = UNSPACED_SCRIPTS.test(character);
  if (LETTER.test(character)) return foldedAs(isUnspaced ? CharacterKind.ideograph : CharacterKind.letter, character);
  // A mark of a script without spaces ends the word before it, as its letters do.
  if (MARK.test(character) && !isUnspaced) return CharacterKind.mark * CHARACTER_KIND_UNIT;
  return (/\s/.test(character) ? CharacterKind.space : CharacterKind.separator) * CHARACTER_KIND_UNIT;
}

function foldedAs(kind: CharacterKind, character: string): number {
  const [folded, ...more] = Array.from(fold(character), (one) => one.codePointAt(0));
  const isComplex = folded === undefined || more.length > 0 || DEPENDENT.test(character);
  return isComplex ? CharacterKind.complex * CHARACTER_KIND_UNIT : kind * CHARACTER_KIND_UNIT + folded;
}
