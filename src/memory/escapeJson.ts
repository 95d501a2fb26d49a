/** Escapes in JSON everything that has an effect instead of a shape. */

/** Control and format characters, which include those that reorder text or are invisible; not the joiners of letters and emoji. */
const EFFECTS = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns JSON that means the same, and that neither a terminal obeys nor a reader overlooks parts of. */
export const escapeJson = (json: string): string =>
  json.replace(EFFECTS, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

/** Returns a text without such characters, except line breaks and tabs. */
export const withoutEffects = (text: string): string => text.replace(EFFECTS, (found) => (found === '\n' || found === '\t' ? found : ''));
