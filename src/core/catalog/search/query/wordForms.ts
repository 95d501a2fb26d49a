/**
 * Forms of English words: plural, verb forms, and what ends in `-er`, `-ion` and the like. The index has words as they are
 * written, so the forms are searched with the word. Pure.
 */

/** Shorter words have too many unrelated neighbors: `in` and `ins`. */
const MIN_LENGTH = 4;
/** The shortest base of a form. */
const MIN_BASE = 3;
/** Shorter words such as `station` have no base without `-ion`. */
const MIN_ION_LENGTH = 8;
/** Longer bases don't double their last letter. */
const MAX_DOUBLING = 5;

const ION = /(?:at)?ions?$/;
const INFLECTION = /(?:es|(?<!s)s|ed|ings?|ers?)$/;
const ENGLISH = /^[a-z]+$/;

/** Returns other forms of a word in lower case; none for words that aren't in Latin letters without accents. */
export function wordForms(word: string): string[] {
  if (word.length < MIN_LENGTH || !ENGLISH.test(word)) return [];
  const forms = new Set(basesOf(word).flatMap(formsOf));
  forms.add(`${word}s`);
  forms.delete(word);
  return [...forms];
}

/** The bases that a word may be a form of: `caches` is a form of `cache` and `cach`, `stopped` of `stop`, `retries` of `retry`. */
function basesOf(word: string): string[] {
  const bases = [word.replace(/([^s])s$/, '$1'), word.replace(INFLECTION, '')].filter((base) => base !== word);
  if (word.length >= MIN_ION_LENGTH && ION.test(word)) bases.push(word.replace(/ions?$/, ''), word.replace(ION, ''));
  bases.push(...bases.filter(isDoubled).map((base) => base.slice(0, -1)));
  if (bases.length === 0) bases.push(word);
  const plain = bases.map((base) => base.replace(/e$/, '').replace(/([^aeiou])i$/, '$1y'));
  return [...new Set(plain)].filter((base) => base.length >= MIN_BASE && /[aeiouy]/.test(base));
}

const isDoubled = (base: string): boolean => /([bdfgklmnprtz])\1$/.test(base);

function formsOf(base: string): string[] {
  if (base.endsWith('y') && !/[aeiou]y$/.test(base)) {
    const stem = base.slice(0, -1);
    return [base, `${base}ing`, ...['ies', 'ied', 'ier', 'iers'].map((ending) => stem + ending)];
  }
  const endings = ['', 'e', 's', 'es', 'ed', 'ing', 'er', 'ers'];
  if (/[st]$/.test(base)) endings.push('ion', 'ions');
  if (base.length > MAX_DOUBLING && /[mnrz]$/.test(base)) endings.push('ation', 'ations');
  if (base.length <= MAX_DOUBLING && /[^aeiou][aeiou][bdgklmnprt]$/.test(base)) {
    const doubled = base + base.slice(-1);
    endings.push(...['ed', 'ing', 'er', 'ers'].map((ending) => doubled.slice(-1) + ending));
  }
  return endings.map((ending) => base + ending);
}
