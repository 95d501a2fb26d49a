/**
 * Keys of translated texts. The files in `l10n` have English texts as keys, as the editor's API prescribes. In the
 * package they're replaced by short ones, because each of ten languages would repeat all English texts.
 */

/** Translations by their keys, as in `l10n/bundle.l10n.*.json`. */
export type Translations = Readonly<Record<string, string>>;

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Begins each short key, and no text. */
const MARK = '^';

/** Returns the key of a text that may have comments for translators, as the editor's `l10n.t` builds it. */
export function textKey(message: string, comment: string | readonly string[] = []): string {
  const joined = typeof comment === 'string' ? comment : comment.join('');
  return joined === '' ? message : `${message}/${joined}`;
}

/** Returns a short key for a key: a hash of 18 bits. Different keys can have the same one. A short key stays as it is. */
export function shortTextKey(key: string): string {
  if (key.startsWith(MARK)) return key;
  // 32-bit FNV-1a over UTF-16 units.
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  const bits = (hash ^ (hash >>> 14)) & 0x3ffff;
  return `${MARK}${DIGITS.charAt(bits >>> 12)}${DIGITS.charAt((bits >>> 6) & 63)}${DIGITS.charAt(bits & 63)}`;
}

/** Returns translations with short keys. Keys whose short keys are the same stay as they are. */
export function withShortKeys(translations: Translations): Translations {
  const counts = new Map<string, number>();
  for (const key of Object.keys(translations)) counts.set(shortTextKey(key), (counts.get(shortTextKey(key)) ?? 0) + 1);
  return Object.fromEntries(
    Object.entries(translations).map(([key, text]) => [counts.get(shortTextKey(key)) === 1 ? shortTextKey(key) : key, text]),
  );
}
