// Builds the lists of mutations.

/**
 * Mutations of one file that the same tests must notice.
 * @param {string} section the part of the rule that all rows share, such as `FORMAT 3, the header`
 * @param {string} file
 * @param {string[]} tests
 * @param {[rule: string, within: string, find: string, replace: string][]} rows
 * @returns {import('./mutations.mjs').Mutation[]}
 */
export function of(section, file, tests, rows) {
  return rows.map(([rule, within, find, replace]) => ({ rule: `${section}: ${rule}`, file, in: within, find, replace, tests }));
}
