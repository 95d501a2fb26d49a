/** The place of a finding in its entry, in words for a list. Pure. */

/**
 * Returns what a path in a line adds to the excerpt: the name of an argument (`command`) or another field
 * (`details.diff`); an empty string for the text of a message, where most findings are.
 */
export const fieldName = (field: string): string =>
  field
    .replace(/^(?:message\.)?(?:content(?:\[\d+\])?\.?)?/, '')
    .replace(/^arguments\./, '')
    .replace(/^(?:text|content)$/, '');
