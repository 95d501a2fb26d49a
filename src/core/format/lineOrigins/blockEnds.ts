/** Finds the line that a bracket or a blank line belongs to, where several are alike. */
import { UNKNOWN } from './alignLines';
import type { LineTexts } from './lineTexts';

/** A line that only closes what an earlier line of the same indentation opened. */
const CLOSING = /^[\])}][\])};,\s]*$/;
const OPENING = /[[({]$/;
/** Characters of a line that is looked at. */
const MAX_LENGTH = 1000;
/** Lines of a block. */
const MAX_BLOCK = 200;

/**
 * Returns the place of the line that opened the block which a line closes; for a blank line that of the closing line
 * before it. `undefined` for other lines, and if that can't be told.
 */
export function leaderOf(lines: readonly number[], at: number, texts: LineTexts): number | undefined {
  const own = textAt(lines, at, texts);
  if (own === undefined) return undefined;
  const text = own.trim();
  if (text === '') return CLOSING.test(textAt(lines, at - 1, texts)?.trim() ?? '') ? at - 1 : undefined;
  if (!CLOSING.test(text)) return undefined;
  const indentation = indentationOf(own);
  for (let place = at - 1; place >= 0 && place >= at - MAX_BLOCK; place--) {
    const before = textAt(lines, place, texts);
    if (before === undefined) return undefined;
    if (before.trim() === '' || indentationOf(before) > indentation) continue;
    return indentationOf(before) === indentation && OPENING.test(before.trimEnd()) ? place : undefined;
  }
  return undefined;
}

function textAt(lines: readonly number[], at: number, texts: LineTexts): string | undefined {
  const line = lines[at];
  const text = line === undefined || line === UNKNOWN ? undefined : texts.text(line);
  return text === undefined || text.length > MAX_LENGTH ? undefined : text;
}

const indentationOf = (text: string): number => text.length - text.trimStart().length;
