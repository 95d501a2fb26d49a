// Small changes to the source, each of which breaks one rule of how sessions are read, shown to the model, written or
// searched. The tests that a mutation names must notice it: run.mjs applies them one at a time.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from './format.mjs';
import { scanner } from './scanner.mjs';
import { declarationsOf, findPiece } from './sourceTokens.mjs';

/**
 * @typedef {object} Mutation
 * @property {string} rule the rule that is broken
 * @property {string} file under src/core, without `.ts`
 * @property {string} in the function, method, property or top-level constant that is changed, as `name` or `Class.name`
 * @property {string} find occurs there exactly once; white space, line breaks, comments, trailing commas and the kind of quotes don't matter
 * @property {string} replace
 * @property {string[]} tests under test/unit, without `.test.ts`
 */

const project = join(import.meta.dirname, '..', '..', '..');

/** @type {Mutation[]} */
export const mutations = [...scanner, ...format];

/** Returns the path of the source file that a mutation changes. */
export const sourceOf = (mutation) => join(project, 'src', 'core', `${mutation.file}.ts`);

/** Returns the file's text with the mutation applied. */
export function mutated(mutation) {
  const text = readFileSync(sourceOf(mutation), 'utf8');
  const [{ start, end }] = placesOf(mutation, text);
  return text.slice(0, start) + mutation.replace + text.slice(end);
}

/** Returns the reasons why mutations can't be applied; empty if all can be. */
export function staleMutations() {
  return mutations.flatMap((mutation) => {
    const { rule, file, find, replace, tests } = mutation;
    const wrong = [];
    const source = sourceOf(mutation);
    if (!existsSync(source)) return [`${rule}: there is no src/core/${file}.ts`];
    const text = readFileSync(source, 'utf8');
    if (declarationsOf(text, mutation.in).length === 0) wrong.push(`there is no "${mutation.in}" in src/core/${file}.ts`);
    else {
      const places = placesOf(mutation, text).length;
      if (places !== 1) wrong.push(`"${find}" is ${places === 0 ? 'not' : `${places} times`} in "${mutation.in}" in src/core/${file}.ts`);
    }
    if (find === replace) wrong.push('it changes nothing');
    for (const test of tests)
      if (!existsSync(join(project, 'test', 'unit', `${test}.test.ts`))) wrong.push(`there is no test/unit/${test}.test.ts`);
    if (tests.length === 0) wrong.push('no test is named');
    return wrong.map((what) => `${rule}: ${what}`);
  });
}

function placesOf(mutation, text) {
  return findPiece(text, mutation.find, declarationsOf(text, mutation.in));
}
