/** Finds words of the person's own, such as the names of customers and projects. */
import type { Detector } from './span';

/** Maximum number of words, and their lengths in UTF-16 units. Each text is searched for all of them. */
const MAX_WORDS = 200;
const MIN_LENGTH = 3;
const MAX_LENGTH = 200;
/** Maximum UTF-16 units of the part of a word that a star matches. */
const STAR = '[^\\s"\'`<>]{0,64}';
const MAX_STARS = 8;

/** True for a word that is looked for: 3 to 200 characters besides stars, of which it has at most eight. */
const isOwnWord = (word: string): boolean =>
  word.length <= MAX_LENGTH && word.replaceAll('*', '').trim().length >= MIN_LENGTH && word.split('*').length <= MAX_STARS + 1;

/** A word as expressions: its first part, and each further one with the star before it. Each matches where the last one ended. */
interface WordForm {
  /** The longest part in lower case, which a text must have. */
  readonly needed: string;
  readonly first: RegExp;
  readonly rest: readonly RegExp[];
}

/**
 * Returns the detector of words, in any case. A `*` matches any part of a word, as in `ACME-*`. Others than
 * {@link isOwnWord} are left out.
 */
export function ownWords(words: readonly string[]): Detector {
  const forms = words
    .map((word) => word.trim())
    .filter(isOwnWord)
    .slice(0, MAX_WORDS)
    .map(formOf);
  return (text, add) => {
    if (forms.length === 0) return;
    const lower = text.toLowerCase();
    for (const { needed, first, rest } of forms) {
      if (!lower.includes(needed)) continue;
      for (const match of text.matchAll(first)) {
        const end = endOf(text, match.index + match[0].length, rest);
        if (end !== undefined) add({ start: match.index, end, rule: 'own', kind: 'own' });
      }
    }
  };
}

function formOf(word: string): WordForm {
  const parts = word.split(/\*+/);
  const [first = '', ...rest] = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const needed = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '').toLowerCase();
  // A star at the beginning goes back over the word, and each of the others takes the first place that fits: so each part is
  // searched in a bounded piece of text, and the whole takes linear time.
  return first === '' && rest.length > 0
    ? { needed, first: new RegExp(`${STAR}?${rest[0] ?? ''}`, 'gi'), rest: rest.slice(1).map(starred) }
    : { needed, first: new RegExp(first, 'gi'), rest: rest.map(starred) };
}

const starred = (part: string): RegExp => new RegExp(part === '' ? STAR : `${STAR}?${part}`, 'iy');

/** Returns the end of the last part; `undefined` if one isn't there. */
function endOf(text: string, from: number, rest: readonly RegExp[]): number | undefined {
  let end = from;
  for (const form of rest) {
    form.lastIndex = end;
    const match = form.exec(text);
    if (!match) return undefined;
    end += match[0].length;
  }
  return end;
}
