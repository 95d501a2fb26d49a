/** Finds words of the person's own, such as the names of customers and projects. */
import type { Detector } from './span';

/** Limits: so many words of so many UTF-16 units are looked for in each text. */
const MAX_WORDS = 200;
const MIN_LENGTH = 3;
const MAX_LENGTH = 200;
/** UTF-16 units that a star stands for. It's bounded and there's one, so that a search takes linear time. */
const STAR = '[^\\s"\'`<>]{0,64}';

/** True for a word that is looked for: 3 to 200 characters, one star at most. */
export const isOwnWord = (word: string): boolean =>
  word.length <= MAX_LENGTH && word.replace('*', '').trim().length >= MIN_LENGTH && word.split('*').length <= 2;

/**
 * Returns the detector of words, in any case. In each, one `*` stands for any part of a word, as in `ACME-*`. Others than
 * {@link isOwnWord} are left out.
 */
export function ownWords(words: readonly string[]): Detector {
  const forms = words
    .map((word) => word.trim())
    .filter(isOwnWord)
    .slice(0, MAX_WORDS)
    .map((word) => {
      const parts = word.split('*');
      const first = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '').toLowerCase();
      return { first, form: new RegExp(parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join(STAR), 'gi') };
    });
  return (text, add) => {
    if (forms.length === 0) return;
    const lower = text.toLowerCase();
    for (const { first, form } of forms) {
      if (!lower.includes(first)) continue;
      for (const match of text.matchAll(form)) add({ start: match.index, end: match.index + match[0].length, rule: 'own', kind: 'own' });
    }
  };
}
