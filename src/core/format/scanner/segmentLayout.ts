/** Constants that TypeScript and the program of segments share, like those of `scannerLayout.ts`. */

/** A word that occurs at least as often in a text is a repeated one. */
export const REPEATED_TIMES = 4;

/** Precedes a repeated word in the index. It's no letter or digit, so no text has a word that begins with it. */
export const REPEATED_MARK_CODE = 0xb7;

/** Growable byte arrays with the pages of a segment. */
export enum SegmentPart {
  /** The pages that were written last, one behind the other. */
  pages = 0,
  /** The ends of these pages, as integers. */
  pageEnds = 1,
  /** For each page except the first one on which a word begins: its number, and a length in `pageWords`. */
  pageStarts = 2,
  /** The beginnings of the first words on these pages. */
  pageWords = 3,
}
