// How the lists of mutations are written down.

/**
 * Mutations of one file, which the same tests must notice.
 * @param {string} section what `rule` begins with
 * @param {string} file
 * @param {string[]} tests
 * @param {[rule: string, find: string, replace: string][]} rows
 * @returns {import('./mutations.mjs').Mutation[]}
 */
export function of(section, file, tests, rows) {
  return rows.map(([rule, find, replace]) => ({ rule: `${section}: ${rule}`, file, find, replace, tests }));
}
