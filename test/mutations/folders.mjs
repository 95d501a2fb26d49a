// The least share of the mutants that the unit tests of a folder must notice, in percent, and tests that use the folder
// only through other modules.

/** For folders that have no row. Much of the editor's folders is only noticed by editor tests. */
export const OTHERS = { least: 40, tests: [] };

/** @type {Record<string, { least: number, tests: string[] }>} `tests`: beginnings of paths below `test/unit` */
export const FOLDERS = {
  'src/core/catalog/copies': { least: 60, tests: ['catalog/severalMachines'] },
  'src/core/files/presence': { least: 60, tests: [] },
  'src/core/format/redact': { least: 60, tests: ['files/redact'] },
  'src/writing': { least: 45, tests: [] },
};
