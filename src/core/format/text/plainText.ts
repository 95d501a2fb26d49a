/**
 * Finds the inline marks of Markdown, which are noise where a text is shown as it is: in rows, lists, hovers and names.
 * What may be code stays: a mark counts only where prose has it, so `a**b`, `2 * 3`, globs, `__init__` and `a[i](b)`
 * aren't changed. A mark that stays is harmless; a missing character of code isn't. One pass, in linear time.
 */

/** A range of a text: the first UTF-16 unit, and the one after the last. */
export type TextRange = readonly [from: number, to: number];

const TOKENS = new RegExp(
  [
    /(?<blank>\n[ \t]*\n)/,
    /(?<ticks>`+)/,
    // In a text whose lines were joined, a heading follows a space; a single # there may be a comment.
    /(?<heading>(?<=^|\n)#{1,6}[ \t]+(?=\S)|(?<=[\s\u2026])#{2,6}[ \t]+(?=\S))/,
    /(?<marks>\*+|~+|__+)/,
    /(?<opening>!?\[)/,
    /(?<target>\]\((?:[^()\s]|\([^()\s]*\))*\))/,
    /(?<closing>\])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Marks of emphasis. Single underscores aren't: names in code have them. */
const EMPHASIS: ReadonlySet<string> = new Set(['*', '**', '***', '~~', '__']);
/** Characters that a mark can't follow if it opens emphasis: those that code has there. */
const BEFORE_OPENING = /[\w/\\*)\].$@&-]/;
const AFTER_OPENING = /[^\s/*~_=,;:)\]}]/;
/** A single star also opens globs, such as `*.ts`. */
const AFTER_STAR = /[\p{L}\p{N}"'\u201C\u2018\xAB`([]/u;
const AFTER_CLOSING = /[\w/\\]/;

/** Returns the ranges of a text's marks, in order. */
export function markdownMarks(text: string): TextRange[] {
  const tokens = [...text.matchAll(TOKENS)];
  const closingTicks = pairTicks(tokens);
  const found: TextRange[] = [];
  const emphasis = new Map<string, number>();
  const brackets: (TextRange | undefined)[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token?.groups) continue;
    const { blank, ticks, heading, marks, opening, target, closing } = token.groups;
    const [from, to] = [token.index, token.index + token[0].length];
    if (blank !== undefined) emphasis.clear();
    else if (ticks !== undefined) {
      const close = closingTicks.get(i);
      const end = close === undefined ? undefined : tokens[close]?.index;
      // Without its end a fence is one that was cut; a single tick may be code.
      if (end !== undefined || ticks.length >= FENCE) found.push([from, ticks.length < FENCE ? to : to + languageLength(text, to)]);
      if (close === undefined || end === undefined) continue;
      found.push([end, end + ticks.length]);
      i = close;
    } else if (heading !== undefined) found.push([from, to]);
    else if (marks !== undefined && EMPHASIS.has(marks)) {
      const open = emphasis.get(marks);
      if (open !== undefined && closesEmphasis(text, from, to) && isEmphasis(marks, text, open, from)) {
        found.push([open, open + marks.length], [from, to]);
        emphasis.delete(marks);
      } else if (opensEmphasis(marks, text, from, to)) emphasis.set(marks, from);
      else emphasis.delete(marks);
    } else if (opening !== undefined) brackets.push(/[\w)\]]/.test(text.charAt(from - 1)) ? undefined : [from, to]);
    else if (closing !== undefined) brackets.pop();
    else if (target !== undefined) {
      const open = brackets.pop();
      if (open && open[1] < from) found.push(open, [from, to]);
    }
  }
  return found.sort(([a], [b]) => a - b);
}

/** Returns a text without its marks. */
export const withoutMarkdown = (text: string): string => withoutRanges(text, markdownMarks(text));

/** Returns a text without some ranges, which are in order and don't overlap. */
export function withoutRanges(text: string, ranges: readonly TextRange[]): string {
  let kept = '';
  let at = 0;
  for (const [from, to] of ranges) {
    kept += text.slice(at, from);
    at = to;
  }
  return kept + text.slice(at);
}

/** Backticks of a fence. */
const FENCE = 3;

const LANGUAGE = /[\w+#-]+(?=\s)/y;

function languageLength(text: string, at: number): number {
  LANGUAGE.lastIndex = at;
  return LANGUAGE.test(text) ? LANGUAGE.lastIndex - at : 0;
}

/** Maps each run of backticks to the one that closes it: the next of the same length, in the same paragraph if it's no fence. */
function pairTicks(tokens: readonly RegExpExecArray[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const next = new Map<number, number>();
  for (let i = tokens.length - 1; i >= 0; i--) {
    const { blank, ticks } = tokens[i]?.groups ?? {};
    if (blank !== undefined) for (let length = 1; length < FENCE; length++) next.delete(length);
    if (ticks === undefined) continue;
    const close = next.get(ticks.length);
    if (close !== undefined) pairs.set(i, close);
    next.set(ticks.length, i);
  }
  return pairs;
}

const opensEmphasis = (marks: string, text: string, from: number, to: number): boolean =>
  !BEFORE_OPENING.test(text.charAt(from - 1)) && (marks === '*' ? AFTER_STAR : AFTER_OPENING).test(text.charAt(to));

const closesEmphasis = (text: string, from: number, to: number): boolean =>
  !/[\s/]/.test(text.charAt(from - 1)) && !AFTER_CLOSING.test(text.charAt(to));

/** Names in code have two underscores around them, too. */
const isEmphasis = (marks: string, text: string, open: number, close: number): boolean =>
  marks !== '__' || text.slice(open, close).includes(' ');
