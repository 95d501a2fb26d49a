/** Finds the line that a bracket or a blank line belongs to, where several are alike. */
import { UNKNOWN } from '../alignLines';
import type { LineTexts } from '../lineTexts';

/** A line that only closes what an earlier line of the same indentation opened. */
const CLOSING = /^[\])}][\])};,\s]*$/;
const OPENING = /[[({]$/;
/** Characters of a line that is looked at. */
const MAX_LENGTH = 1000;
/** Lines of a block. */
export const MAX_BLOCK = 200;

/**
 * Returns the place of the line that opened the block which a line closes; for a blank line, the place that the closing
 * line before it has. `undefined` for other lines, and if no such line is found.
 */
export const openingLineOf = (lines: readonly number[], at: number, texts: LineTexts): number | undefined =>
  findOpening(lines, at, texts, false);

/** Returns what `openingLineOf` does, else the nearest opening line of the same indentation: code isn't always indented. */
export const likelyOpeningLineOf = (lines: readonly number[], at: number, texts: LineTexts): number | undefined =>
  findOpening(lines, at, texts, true);

function findOpening(lines: readonly number[], at: number, texts: LineTexts, isLikely: boolean): number | undefined {
  const own = lines[at] ?? UNKNOWN;
  // Lines that close something have no letters.
  if (own === UNKNOWN || texts.isDistinctive(own)) return undefined;
  if (isBlank(own, texts)) return at > 0 && isClosing(lines[at - 1]!, texts) ? at - 1 : undefined;
  if (!isClosing(own, texts)) return undefined;
  const indentation = texts.indentationOf(own);
  for (let place = at - 1; place >= 0 && place >= at - MAX_BLOCK; place--) {
    const before = lines[place]!;
    if (before === UNKNOWN || texts.text(before).length > MAX_LENGTH) return undefined;
    const outer = texts.indentationOf(before);
    if (outer > indentation || isBlank(before, texts)) continue;
    if (outer === indentation && OPENING.test(texts.text(before).trimEnd())) return place;
    if (!isLikely || isClosing(before, texts)) return undefined;
  }
  return undefined;
}

export const isBlank = (line: number, texts: LineTexts): boolean => texts.indentationOf(line) === texts.text(line).length;

function isClosing(line: number, texts: LineTexts): boolean {
  if (line === UNKNOWN || texts.isDistinctive(line)) return false;
  const text = texts.text(line);
  return text.length <= MAX_LENGTH && CLOSING.test(text.trim());
}
