/** A question in natural language as terms with weights: what a text has of them decides how well it fits. Pure. */
import { UNSPACED_SCRIPTS, wordsOf, type Word } from '../../index/words/words';
import { irregularForms } from './irregularForms';
import { ENGLISH_GRAMMAR, EVERYDAY_WORDS, GRAMMAR_CHARACTERS, GRAMMAR_PAIRS, GRAMMAR_WORDS, WEAK_WORDS } from './questionWords';
import { MAX_QUERY_UNITS, type Term } from './searchQuery';
import { wordForms } from './wordForms';

export interface WeighedTerm {
  /** The word as it was asked for. */
  readonly name: string;
  /** A text with one of these has the term. */
  readonly alternatives: readonly Term[];
  /** Set for a verb with a particle, such as `logging in`. If sessions have one of these, only these count: `log` means something else. */
  readonly phrasal?: readonly Term[];
  /** True for words that many texts say otherwise: not having them says nothing. */
  readonly isWeak: boolean;
  /** The part of the weight that counts against a text without the term if no session has it: a question may say it otherwise. */
  readonly unknown: number;
  /** Multiplies the weight of its rarity: names such as `E4031` or `parseHTML` aren't paraphrased. */
  readonly factor: number;
  /** True for two characters in a row, whose order the index doesn't have. */
  readonly isPair: boolean;
  /** The place in the question; pairs of characters overlap. In UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** True in a question in another language than English, whose everyday words aren't all listed. */
  readonly isForeign: boolean;
}

/** More terms aren't weighed: each takes a search of its own. */
const MAX_TERMS = 24;
const NAME_FACTOR = 1.5;
/** Two characters are often parts of two words. */
const PAIR_FACTOR = 0.5;
const UNKNOWN_PAIR = 0.4;
const NO_FORMS: ReadonlySet<string> = new Set();

/** The terms of a question without its words of grammar; none for one with a phrase in quotation marks, which asks for exactly that. */
export function weighedTerms(text: string): readonly WeighedTerm[] {
  if (text.includes('"')) return [];
  const words = [...wordsOf(text.slice(0, MAX_QUERY_UNITS))];
  const isEnglish =
    /^[\0-\x7f\s\u2013-\u2014\u2018-\u2019\u201c-\u201d\u2026]*$/.test(text) && words.some(({ word }) => ENGLISH_WORDS.has(word));
  const isForeign = isInOtherLanguage(words);
  const terms = new Map<string, WeighedTerm>();
  const add = (term: WeighedTerm | undefined): void => {
    if (term && terms.size < MAX_TERMS && !terms.has(term.name)) terms.set(term.name, term);
  };
  for (const [at, word] of words.entries()) {
    // Excluded words aren't asked for.
    if (/(?:^|\s)-$/.test(text.slice(0, word.start).slice(-2))) continue;
    // Words of other languages with two letters say little, unless they're written as `DB`.
    if (isForeign && /^(?!\p{Lu}{2})\p{Script=Latin}{2}$/u.test(text.slice(word.start, word.end))) continue;
    add(
      UNSPACED_SCRIPTS.test(word.word)
        ? pairTerm(words[at - 1], word, words[at + 1], words[at + 2])
        : wordTerm(word, words[at - 1], words[at + 1], isEnglish || words.length < 4, isForeign),
    );
  }
  return [...terms.values()];
}

/** True if a question is probably in another language than English, judging by its words of grammar and its script. */
function isInOtherLanguage(words: readonly Word[]): boolean {
  const english = words.filter(({ word }) => ENGLISH_GRAMMAR.has(word)).length;
  const others = words.filter(({ word }) => !ENGLISH_GRAMMAR.has(word) && (GRAMMAR_WORDS.has(word) || OTHER_SCRIPTS.test(word))).length;
  return others > Math.max(english, 1);
}
const OTHER_SCRIPTS = /[^\p{Script=Latin}\p{N}]/u;

const plainTerm = (words: readonly string[], prefix = false): Term => ({ words, prefix, forms: NO_FORMS });

function pairTerm(before: Word | undefined, first: Word, second: Word | undefined, after: Word | undefined): WeighedTerm | undefined {
  if (second?.start !== first.end || !UNSPACED_SCRIPTS.test(second.word)) return undefined;
  const name = first.word + second.word;
  if (
    GRAMMAR_CHARACTERS.has(first.word) ||
    GRAMMAR_CHARACTERS.has(second.word) ||
    GRAMMAR_PAIRS.has(name) ||
    // Characters of two words.
    GRAMMAR_PAIRS.has(`${before?.word ?? ''}${first.word}`) ||
    GRAMMAR_PAIRS.has(`${second.word}${after?.word ?? ''}`) ||
    /\p{Script=Hiragana}/u.test(name)
  )
    return undefined;
  return {
    name,
    alternatives: [plainTerm([first.word, second.word])],
    isWeak: false,
    unknown: UNKNOWN_PAIR,
    factor: PAIR_FACTOR,
    isPair: true,
    start: first.start,
    end: second.end,
    isForeign: true,
  };
}

function wordTerm(
  { word, parts = [], start, end }: Word,
  before: Word | undefined,
  after: Word | undefined,
  isEnglish: boolean,
  isForeign: boolean,
): WeighedTerm | undefined {
  if (GRAMMAR_WORDS.has(word) || word.length < 2 || /^\d{1,2}$/.test(word)) return undefined;
  const forms = new Set([...wordForms(word), ...irregularForms(word)]);
  // Abbreviations such as `PDFs`.
  if (/^[a-z]{3,4}s$/.test(word)) forms.add(word.slice(0, -1));
  const stem = stemOf(word, isEnglish);
  if (stem !== undefined && HANGUL.test(word)) forms.add(stem);
  const isIn = (list: ReadonlySet<string>): boolean => list.has(word) || [...forms].some((form) => list.has(form));
  const isWeak = isIn(WEAK_WORDS);
  const alternatives: Term[] = [{ ...plainTerm([word]), forms }];
  if (stem !== undefined) alternatives.push(plainTerm([stem], true));
  if (parts.length > 1) alternatives.push(plainTerm(parts));
  alternatives.push(...apartTerms(word));
  const phrasal = phrasalTerms(word, forms, after?.word);
  // Two words of the question may be written as one, such as `rateLimiter`.
  for (const joined of [before && before.word + word, after && word + after.word])
    if (joined !== undefined && joined.length > word.length + 2) alternatives.push(plainTerm([joined]));
  const isName = parts.length > 1 || /\d/.test(word);
  const unknown = isName ? 1 : isIn(EVERYDAY_WORDS) ? 0 : 1;
  const term = {
    name: word,
    alternatives,
    isWeak: isWeak && !isName,
    unknown,
    factor: isName ? NAME_FACTOR : 1,
    isPair: false,
    start,
    end,
    isForeign,
  };
  return phrasal.length > 0 ? { ...term, phrasal } : term;
}

const PARTICLES = ['out', 'in', 'up', 'down', 'off', 'on', 'over', 'back', 'around'];

/** `timeouts` as `times out`. */
function apartTerms(word: string): Term[] {
  const plain = word.replace(/s$/, '');
  const particle = PARTICLES.find((one) => plain.endsWith(one) && plain.length > one.length + 2);
  if (particle === undefined) return [];
  const verb = plain.slice(0, -particle.length);
  const forms = [verb, ...wordForms(verb), `${verb}s`, ...irregularForms(verb)].slice(0, MAX_VERBS);
  return forms.map((form) => plainTerm([form, particle]));
}

/** `logging in` as `login`, then as two words in a row. */
function phrasalTerms(word: string, forms: ReadonlySet<string>, after: string | undefined): Term[] {
  if (after === undefined || !PARTICLES.includes(after)) return [];
  const all = [word, ...forms].slice(0, MAX_VERBS);
  const joined = all.filter((form) => form.length < word.length).flatMap((form) => [form + after, `${form}${after}s`]);
  return joined.length === 0 ? [] : [...joined.map((form) => plainTerm([form])), ...all.map((form) => plainTerm([form, after]))];
}
const MAX_VERBS = 12;

const ENGLISH_WORDS: ReadonlySet<string> = new Set(
  'the what which how why did was were for with of to is have has had and that our'.split(' '),
);

const ENDINGS = /(?:iness|ness|ments?|ability|ibility|able|ible|ally|ly|ations?)$/;
const MIN_STEM = 4;
const HANGUL = /\p{Script=Hangul}/u;
/** Particles, and the endings of verbs made of nouns, such as `만료됐던`. It isn't a literal, in which the build wouldn't escape these characters. */
const KOREAN_ENDINGS = new RegExp(
  `(?<=..)(?:[하한할함해했되된될됨돼됐].*|${'으로 에서 에게 까지 부터 보다 처럼 이나 이라'.replaceAll(' ', '|')}|[이가을를은는의에도로와과만나])$`,
);

/** The beginning that other forms of a word have, in languages that change the ends of words; `undefined` for short words and names. */
export function stemOf(word: string, isEnglish: boolean): string | undefined {
  if (/[\d_]/.test(word)) return undefined;
  if (HANGUL.test(word)) return word.replace(KOREAN_ENDINGS, '');
  const base = word.replace(ENDINGS, '');
  if (base !== word && base.length >= MIN_STEM) return base;
  if (word.length <= MIN_STEM) return undefined;
  const ending = word.length > 9 ? 3 : word.length > 7 ? 2 : 1;
  return word.slice(0, Math.max(MIN_STEM, word.length - ending - (isEnglish || word.length < 8 ? 0 : 1)));
}

/** An expression in FTS5's language for texts that may have a term. */
export const weighedExpression = ({ alternatives }: Pick<WeighedTerm, 'alternatives'>): string =>
  alternatives
    .flatMap(({ words, prefix, forms }) => [
      `(${words.map((word) => `"${word}"`).join(' AND ')}${prefix ? ' *' : ''})`,
      ...Array.from(forms, (form) => `"${form}"`),
    ])
    .join(' OR ');
