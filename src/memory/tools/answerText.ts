/** Answers as text of a bounded size: the answer first, then evidence, then what was cut and which call has it. */
import type { Quotation } from './quotation';

/** A token is this many bytes of UTF-8. */
export const BYTES_OF_TOKEN = 4;
const DEFAULT_TOKENS = 1000;
/** Bytes that are kept for the line about what was cut. */
const FOOT = 160;

/** Returns the bytes that an answer may have. @param isSized true if the call limits the answer by something else @param bound the most */
export function budgetOf(maxTokens: number | undefined, isSized: boolean, bound: number): number {
  const tokens = maxTokens ?? (isSized ? Infinity : DEFAULT_TOKENS);
  return Math.min(tokens * BYTES_OF_TOKEN, bound);
}

interface AnswerParts {
  /** The answer in one line. */
  readonly head: string;
  readonly items: readonly string[];
  /** Says which call has the items that don't fit. */
  readonly more: (shown: number) => string;
  /** True if the last items stay when some have to be cut; by default the first ones do. */
  readonly keepsLast?: boolean;
  /** Lines after the items. */
  readonly notes?: readonly string[];
}

/** Joins the parts within a number of bytes. */
export function answerText(quotation: Quotation, { head, items, more, keepsLast = false, notes = [] }: AnswerParts, bytes: number): string {
  const lines = (shown: readonly string[], isCut: boolean): string[] => [
    head,
    quotation.notice,
    ...shown,
    ...(isCut ? [more(shown.length)] : []),
    ...notes,
  ];
  const size = (text: readonly string[]): number => Buffer.byteLength(text.join('\n'));
  const whole = lines(items, false);
  if (size(whole) <= bytes) return whole.join('\n');
  let left = bytes - size(lines([], true)) - FOOT / 2;
  let count = 0;
  for (const item of keepsLast ? items.toReversed() : items) {
    left -= Buffer.byteLength(item) + 1;
    if (left < 0) break;
    count++;
  }
  const cut = lines(keepsLast ? items.slice(items.length - count) : items.slice(0, count), true);
  if (size(cut) <= bytes) return cut.join('\n');
  // Nothing of a session is in the first line, so it can be cut anywhere.
  return Buffer.from(`${head} ${quotation.notice}`)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}
