/** Parses a typed query, and finds it in texts. Pure. */
import { elementAt } from '../../../format/values/lookups';
import { boundaryAfter } from '../../../format/text/characters';
import { READ_WORD } from '../../index/words/lineText';
import { REPEATED_MARK } from '../../index/words/repeatedWords';
import { wordsFrom, wordsOf, type Word } from '../../index/words/words';
import { wordForms } from './wordForms';

/** Consecutive words; the last may be a prefix. */
export interface Term {
  readonly words: readonly string[];
  readonly prefix: boolean;
  /** Words that are found, too: other forms of a single word that isn't in quotation marks. */
  readonly forms: ReadonlySet<string>;
}

export interface Query {
  /** All of these must occur. */
  readonly all: readonly Term[];
  /** Terms that stand for two consecutive ones, written as one word such as `refreshToken`. */
  readonly joined: readonly JoinedTerm[];
  /** None of these may occur. */
  readonly none: readonly Term[];
}

/** `index`: the first of the two terms of `all`. */
interface JoinedTerm {
  readonly index: number;
  readonly term: Term;
}

const NO_FORMS: ReadonlySet<string> = new Set();

/** A prefix needs at least this many letters; a single one would match half of all words. */
const MIN_PREFIX_LENGTH = 2;

/** A single hyphen excludes; two begin an option of a program, such as `--force`. */
const PARTS = /(-?)"([^"]*)"|(-(?!-))?(\S+)/g;

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
 * expressions (an open quotation mark, nothing but `-not`) are taken as plain words. Only the beginning of a long text
 * counts, see {@link truncationOf}.
 *
 * @param mayExclude true if something else limits the search, so that nothing but `-not` is valid, too
 * @returns `undefined` if the text has no words
 */
export function parseQuery(given: string, mayExclude = false): Query | undefined {
  const text = given.trim().slice(0, MAX_QUERY_UNITS);
  const query = parse(text);
  if (query.all.length > 0 || (mayExclude && query.none.length > 0)) return query;
  const plain = parse(text.replace(/["*]/g, ' ').replace(/(^|\s)-+/g, '$1'));
  return plain.all.length > 0 ? plain : undefined;
}

/** Returns whether a query has nothing but `-not`, which {@link parseQuery} takes as plain words if nothing else limits the search. */
export function excludesOnly(given: string): boolean {
  const { all, none } = parse(given.trim().slice(0, MAX_QUERY_UNITS));
  return all.length === 0 && none.length > 0;
}

function parse(text: string): Query & { readonly isCut: boolean } {
  const quotes = text.split('"').length - 1;
  if (quotes % 2 === 1) return parse(text.replaceAll('"', ' '));
  const all: Term[] = [];
  const none: Term[] = [];
  const plain = new Set<Term>();
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
    const isForm = !isNegative && phrase === undefined && words.length === 1;
    const term = { words, prefix, forms: isForm ? new Set(wordForms(last)) : NO_FORMS };
    if (isForm) plain.add(term);
    (isNegative ? none : all).push(term);
  }
  return { all, none, joined: joinedTerms(all, plain), isCut };
}

/** Names in code rarely have more parts; and each one takes a search of its own. */
const MAX_JOINED = 6;

/** @param plain the terms of a single word that isn't in quotation marks */
function joinedTerms(all: readonly Term[], plain: ReadonlySet<Term>): JoinedTerm[] {
  if (all.length > MAX_JOINED) return [];
  const isPart = (term: Term | undefined): term is Term =>
    term !== undefined && plain.has(term) && elementAt(term.words, 0).length >= MIN_PREFIX_LENGTH;
  return all.flatMap((one, index) => {
    const next = all[index + 1];
    if (!isPart(one) || !isPart(next)) return [];
    const [left, right] = [elementAt(one.words, 0), elementAt(next.words, 0)];
    return [left + right, right + left].map((word) => ({ index, term: { words: [word], prefix: true, forms: NO_FORMS } }));
  });
}

/**
 * An expression in FTS5's language, which finds every text that a query finds. The index has no positions of words, so it
 * finds more where a term has several words; see {@link isFoundByIndex}. Words consist of letters and digits only.
 */
export function matchExpression(query: Query): string {
  const { none } = query;
  const wanted = alternativesOf(query)
    .map((terms) => `(${terms.map(anyFormExpression).join(' AND ')})`)
    .join(' OR ');
  const unwanted = none.filter(isWord).map((term) => termExpression(term, ''));
  const isSeveral = query.joined.length > 0;
  return unwanted.length === 0 ? wanted : `${isSeveral ? `(${wanted})` : wanted} NOT (${unwanted.join(' OR ')})`;
}

/** The lists of terms of which one must occur as a whole. */
const alternativesOf = ({ all, joined }: Query): readonly (readonly Term[])[] => [
  all,
  ...joined.map(({ index, term }) => [...all.slice(0, index), term, ...all.slice(index + 2)]),
];

function anyFormExpression(term: Term): string {
  if (term.forms.size === 0) return termExpression(term, '');
  return `(${[termExpression(term, ''), ...Array.from(term.forms, (form) => `"${form}"`)].join(' OR ')})`;
}

/** An expression in FTS5's language for texts that have a term itself, not another form of it. */
export const exactExpression = (term: Term): string => termExpression(term, '');

/** Like {@link matchExpression}, for what was said. */
export const saidExpression = (query: Query): string => `(${matchExpression(query)}) NOT "${READ_WORD}"`;

/** Like {@link matchExpression}, for what the model read without anyone saying it. */
export const readExpression = (query: Query): string => `"${READ_WORD}" AND (${matchExpression(query)})`;

/** An expression in FTS5's language for texts that repeat all words of a term. */
export const repeatedExpression = (term: Term): string => termExpression(term, REPEATED_MARK);

const termExpression = ({ words, prefix }: Term, mark: string): string =>
  `${words.map((word) => `"${mark}${word}"`).join(' AND ')}${prefix ? ' *' : ''}`;

const isWord = ({ words }: Term): boolean => words.length === 1;

/** Returns whether the index alone finds the texts of a query: each term is a single word. */
export const isFoundByIndex = ({ all, none }: Pick<Query, 'all' | 'none'>): boolean => [...all, ...none].every(isWord);

/** Returns whether the words of a text have all terms that a query wants, and none of the others. */
export function isFoundIn(words: readonly Word[], query: Query): boolean {
  const isWanted = query.all.length === 0 || alternativesOf(query).some((terms) => terms.every((term) => occursIn(term, words)));
  return isWanted && !query.none.some((term) => occursIn(term, words));
}

/** Returns whether a text contains the words of a term in a row. */
export function occursIn(term: Term, words: readonly Word[]): boolean {
  return words.some((_, at) => matchesAt(term, words, at));
}

function matchesAt({ words, prefix, forms }: Term, text: readonly Word[], at: number): boolean {
  const first = text[at];
  if (first && forms.has(first.word)) return true;
  const [only = ''] = words;
  if (words.length === 1 && first?.parts?.some((part) => part === only || forms.has(part) || (prefix && part.startsWith(only))))
    return true;
  const last = words.length - 1;
  for (let index = 0; index <= last; index++) {
    const word = text[at + index]?.word;
    const wanted = elementAt(words, index);
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
export function snippetOf(text: string, query: Query): Snippet | undefined {
  const all = [...query.all, ...query.joined.map(({ term }) => term)];
  const words: Word[] = [];
  const longest = Math.max(...all.map((term) => term.words.length));
  let from = -1;
  let to = text.length;
  const found: [number, number][] = [];
  for (const word of wordsFrom(
    text,
    all.flatMap((term) => [elementAt(term.words, 0), ...term.forms]),
  )) {
    if (word.start >= to) break;
    words.push(word);
    if (words.length > longest) words.shift();
    for (const term of all) {
      const at = words.length - term.words.length;
      if (at < 0 || !matchesAt(term, words, at)) continue;
      const start = elementAt(words, at).start;
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
  return space < 0 ? Math.min(start, boundaryAfter(text, start - SNIPPET_CONTEXT)) : start - SNIPPET_CONTEXT + space + 1;
}

const cutAfter = (text: string, end: number): number => (end >= text.length ? text.length : boundaryAfter(text, end));

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
