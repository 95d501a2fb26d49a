// Small changes to the source, each against one rule of how sessions are read, shown to the model, written and searched.
// The tests that are named with a change must notice it: run.mjs applies them one at a time.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from './catalog.mjs';
import { context } from './context.mjs';
import { reading } from './reading.mjs';
import { writing } from './writing.mjs';

/**
 * @typedef {object} Mutation
 * @property {string} rule the rule that is broken
 * @property {string} file under src/core, without `.ts`
 * @property {string} find occurs in the file exactly once
 * @property {string} replace
 * @property {string[]} tests under test/unit, without `.test.ts`
 */

const project = join(import.meta.dirname, '..', '..');

/** @type {Mutation[]} */
export const mutations = [...reading, ...context, ...writing, ...catalog];

/** The source file of a mutation. */
export const sourceOf = (mutation) => join(project, 'src', 'core', `${mutation.file}.ts`);

/** The file's text with the change in it. */
export function mutated(mutation) {
  const text = readFileSync(sourceOf(mutation), 'utf8');
  const at = text.indexOf(mutation.find);
  return text.slice(0, at) + mutation.replace + text.slice(at + mutation.find.length);
}

/** What keeps mutations from being applied, in words; empty if all can be. */
export function staleMutations() {
  return mutations.flatMap((mutation) => {
    const { rule, file, find, replace, tests } = mutation;
    const wrong = [];
    const parts = readFileSync(sourceOf(mutation), 'utf8').split(find).length - 1;
    if (parts !== 1) wrong.push(`"${find}" is ${parts === 0 ? 'not' : `${parts} times`} in src/core/${file}.ts`);
    if (find === replace) wrong.push('it changes nothing');
    for (const test of tests) if (!existsSync(join(project, 'test', 'unit', `${test}.test.ts`))) wrong.push(`there is no test/unit/${test}.test.ts`);
    if (tests.length === 0) wrong.push('no test is named');
    return wrong.map((what) => `${rule}: ${what}`);
  });
}
