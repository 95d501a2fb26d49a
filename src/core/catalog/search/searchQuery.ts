/** Parses what a person typed, and finds it in texts. Pure. */
import { wordsFrom, wordsOf, type Word } from './words';

/** Consecutive words; the last may be a prefix. */
export interface Term {
  readonly words: readonly string[];
  readonly prefix: boolean;
}

export interface Query {
  /** All of these must occur. */
  readonly all: readonly Term[];
  /** None of these may occur. */
  readonly none: readonly Term[];
}

/** A prefix needs at least this many letters; a single one would match half of all words. */
const MIN_PREFIX_LENGTH = 2;

const PARTS = /(-?)"([^"]*)"|(-?)(\S+)/g;

/** Largest number of words of a query that are searched. More would take long, and no text contains them all. */
export const MAX_QUERY_WORDS = 32;
/** Largest number of UTF-16 units of a query that are evaluated. */
export const MAX_QUERY_UNITS = 4000;

/**
 * Returns which limit a query exceeds, and therefore isn't searched completely: {@link MAX_QUERY_WORDS} words or {@link
 * MAX_QUERY_UNITS} UTF-16 units.
 *
 * @returns `undefined` if it's searched completely.
 */
export function truncationOf(text: string): 'words' | 'units' | undefined {
  return text.trim().length > MAX_QUERY_UNITS ? 'units' : parse(text).isCut ? 'words' : undefined;
}

/**
 * Parses words, `"phrases"`, `-not` and `begin*`. The last word is a prefix, since it may still be typed. Invalid
 * expressions (an open quotation mark, nothing but `-not`) are taken as plain words. Of a long text only the beginning
 * counts, see {@link truncationOf}.
 *
 * @returns `undefined` if the text has no words
 */
export function parseQuery(given: string): Query | undefined {
  const text = given.trim().slice(0, MAX_QUERY_UNITS);
  const query = parse(text);
  if (query.all.length > 0) return query;
  const plain = parse(text.replace(/["*]/g, ' ').replace(/(^|\s)-+/g, '$1'));
  return plain.all.length > 0 ? plain : undefined;
}

function parse(text: string): Query & { readonly isCut: boolean } {
  const quotes = text.split('"').length - 1;
  if (quotes % 2 === 1) return parse(text.replaceAll('"', ' '));
  const all: Term[] = [];
  const none: Term[] = [];
  let left = MAX_QUERY_WORDS;
  let isCut = false;
  for (const match of text.matchAll(PARTS)) {
    const [whole, not, phrase, bareNot, bare = ''] = match;
    const allWords = Array.from(wordsOf(phrase ?? bare), ({ word }) => word);
    const words = allWords.slice(0, left);
    left -= words.length;
    isCut ||= words.length < allWords.length;
    const last = words.at(-1);
    if (last === undefined) continue;
    const isNegative = not === '-' || bareNot === '-';
    const isTyped = !isNegative && match.index + whole.length === text.length && /[\p{L}\p{N}\p{M}]$/u.test(bare);
    const prefix = phrase === undefined && (bare.endsWith('*') || isTyped) && last.length >= MIN_PREFIX_LENGTH;
    (isNegative ? none : all).push({ words, prefix });
  }
  return { all, none, isCut };
}

/** The query in FTS5's language. Words consist of letters and digits only. */
export function matchExpression({ all, none }: Query): string {
  const term = ({ words, prefix }: Term): string => `"${words.join(' ')}"${prefix ? ' *' : ''}`;
  const wanted = `(${all.map(term).join(' AND ')})`;
  return none.length === 0 ? wanted : `${wanted} NOT (${none.map(term).join(' OR ')})`;
}

/** The number of occurrences of a term in a text's words. */
export function occurrences(term: Term, words: readonly Word[]): number {
  let count = 0;
  for (let at = 0; at <= words.length - term.words.length; at++) if (matchesAt(term, words, at)) count++;
  return count;
}

function matchesAt({ words, prefix }: Term, text: readonly Word[], at: number): boolean {
  const last = words.length - 1;
  for (let index = 0; index <= last; index++) {
    const word = text[at + index]?.word;
    const wanted = words[index]!;
    if (word !== wanted && !(prefix && index === last && word?.startsWith(wanted))) return false;
  }
  return true;
}

export interface Snippet {
  readonly snippet: string;
  /** In UTF-16 units of the snippet, in order. */
  readonly marks: readonly [start: number, end: number][];
}

const SNIPPET_CONTEXT = 60;
const SNIPPET_LENGTH = 200;
/** A snippet that begins with a longer word is cut within the word. */
const MAX_SNIPPET_LENGTH = 1000;

/** The part of a text around the first match, on one line; `undefined` if nothing matches. */
export function snippetOf(text: string, { all }: Query): Snippet | undefined {
  const words: Word[] = [];
  const longest = Math.max(...all.map((term) => term.words.length));
  let from = -1;
  let to = text.length;
  const found: [number, number][] = [];
  for (const word of wordsFrom(
    text,
    all.map((term) => term.words[0]!),
  )) {
    if (word.start >= to) break;
    words.push(word);
    if (words.length > longest) words.shift();
    for (const term of all) {
      const at = words.length - term.words.length;
      if (at < 0 || !matchesAt(term, words, at)) continue;
      const start = words[at]!.start;
      if (from < 0) {
        from = cutBefore(text, start);
        to = cutAfter(text, Math.min(Math.max(from + SNIPPET_LENGTH, word.end), from + MAX_SNIPPET_LENGTH));
      }
      if (start >= from && start < to) found.push([start, Math.min(word.end, to)]);
    }
  }
  if (from < 0) return undefined;
  const head = from > 0 ? '…' : '';
  const snippet = `${head}${text.slice(from, to)}${to < text.length ? '…' : ''}`.replace(/\s/g, ' ');
  const shift = head.length - from;
  return { snippet, marks: mergeOverlapping(found).map(([start, end]) => [start + shift, end + shift]) };
}

/** The start of a snippet: at a word, if one begins nearby. */
function cutBefore(text: string, start: number): number {
  if (start <= SNIPPET_CONTEXT) return 0;
  const space = text.slice(start - SNIPPET_CONTEXT, start).search(/\s/);
  return space < 0
    ? start - SNIPPET_CONTEXT + (isLowSurrogate(text, start - SNIPPET_CONTEXT) ? 1 : 0)
    : start - SNIPPET_CONTEXT + space + 1;
}

function cutAfter(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return end + (isLowSurrogate(text, end) ? 1 : 0);
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** Sorts marks and merges overlapping ones. */
function mergeOverlapping(marks: [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [start, end] of marks.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = result.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}
