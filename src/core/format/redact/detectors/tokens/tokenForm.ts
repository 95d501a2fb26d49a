/** A format of tokens, and tests for the part of a token that is more than a filler. */

/** A format of tokens, with the name that its findings have. */
export interface TokenForm {
  readonly name: string;
  /** The part after the lookbehind. */
  readonly form: string;
  /** A part that a text must have to be searched for the token. Given for those that begin with any character, to save time. */
  readonly sign?: RegExp;
  /** Part of the token that must be more than a filler; by default the whole after its prefix. */
  readonly accepts?: (token: string) => boolean;
}

/** True if a part between separators is long and has a digit: words of a style sheet's class don't. */
export const hasRandomPart = (token: string): boolean =>
  token.split(/[-_]/).some((part) => part.length >= 16 && /\d/.test(part) && /[A-Za-z]/.test(part));
export const hasBothCases = (token: string): boolean => /[a-z]/.test(token) && /[A-Z]/.test(token);
export const hasDigit = (token: string): boolean => /\d/.test(token);
/** True for letters of both cases and digits in one part. */
export const isMixed = (token: string): boolean =>
  token.split(/[-_.]/).some((part) => part.length >= 12 && hasBothCases(part) && hasDigit(part));
