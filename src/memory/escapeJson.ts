/** Escapes in JSON everything that has an effect instead of a shape. */

/**
 * Control and format characters, which include those that reorder text or are invisible, but not the joiners of letters and emoji;
 * and characters that no font draws because Unicode reserves them (`Default_Ignorable_Code_Point`, UAX #44).
 */
const EFFECTS = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?=\p{Cn})\p{Default_Ignorable_Code_Point}/gu;
/** Variation selectors beyond the one that belongs to a character. They are invisible and can hold a whole message. */
const STACKED_SELECTORS = /(?<=\p{Variation_Selector})\p{Variation_Selector}/gu;

/** Returns JSON that means the same, and that neither a terminal obeys nor a reader overlooks parts of. */
export const escapeJson = (json: string): string => json.replace(EFFECTS, escaped).replace(STACKED_SELECTORS, escaped);

/** Returns a text without such characters, except line breaks and tabs. */
export const withoutEffects = (text: string): string =>
  text.replace(EFFECTS, (found) => (found === '\n' || found === '\t' ? found : '')).replace(STACKED_SELECTORS, '');

const escaped = (found: string): string =>
  Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
