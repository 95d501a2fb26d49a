// Applies the mutations one at a time and runs the tests that must notice them. No file is changed: a worker loads
// the built tests (out/) with the changed text of one module in its place.
import { readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { transform } from 'esbuild';
import { assemble, MODULE_PATH, moduleSource } from '../../../src/core/format/wasm/assemble.mjs';
import { installHost } from '../../host/install.mjs';
import { mutated, mutations, sourceOf, staleMutations } from './mutations.mjs';
import { share, Worker } from './workers.mjs';

const project = join(import.meta.dirname, '..', '..', '..');
const out = join(project, 'out');
const WORKERS = 2;
/** Milliseconds. Tests that take longer than this only run if the quick ones noticed nothing. */
const SLOW = 300;
/**
 * Milliseconds. A test, or a part of a test file, counts as endless after `PATIENCE` times its time without a mutation,
 * but not before this.
 */
const LIMIT = 10_000;
const PATIENCE = 10;
const BASELINE_LIMIT = 120_000;

/**
 * Needs the output of `node esbuild.mjs --tests`.
 * @param {object} [options]
 * @param {string} [options.only] only mutations whose rule or file contains this
 * @param {NodeJS.ProcessEnv} [options.env] more for the processes of the tests
 * @returns {Promise<{ ok: boolean }>} `ok` if every mutation that was tried was noticed
 */
export async function runMutations({ only = '', env = {} } = {}) {
  const stale = staleMutations();
  for (const problem of stale) console.error(problem);
  if (stale.length > 0) return { ok: false };

  const chosen = mutations.filter(({ rule, file }) => `${rule} ${file}`.includes(only));
  const { node } = await installHost();
  const workers = Array.from({ length: WORKERS }, () => new Worker(node, join(import.meta.dirname, 'replace.mjs'), env));
  const plan = new TestPlan();
  const count = { killed: 0, endless: 0, survived: 0, unclear: 0 };
  try {
    const names = [...new Set(chosen.flatMap(({ tests }) => tests))];
    await share(workers, names, (worker, name) => plan.measure(worker, name));
    const tryOne = async (worker, mutation) => {
      const found = await verdict(worker, mutation, plan);
      count[found]++;
      if (found === 'survived')
        console.error(
          `survived: ${mutation.rule}\n  src/core/${mutation.file}.ts, ${mutation.in}: ${mutation.find}\n  → ${mutation.replace}`,
        );
    };
    if (plan.failures.size === 0) await share(workers, chosen, tryOne);
  } finally {
    for (const worker of workers) worker.end();
  }
  for (const failure of plan.failures) console.error(`fails without any mutation: ${failure}`);
  console.log(`${chosen.length} mutations: ${count.killed} noticed by a test, ${count.endless} did not end, ${count.survived} survived`);
  return { ok: count.survived === 0 && plan.failures.size === 0 };
}

const testFile = (name) => join(out, 'test', 'unit', `${name}.test.js`);

/** Decides in which order tests run, so that most mutations are noticed soon. */
class TestPlan {
  /** @type {Map<string, { name: string, title: string, ms: number }[]>} the tests by the name of their file */
  #tests = new Map();
  /** @type {Map<string, Map<string, { name: string, title: string, ms: number, count: number }>>} by source file and title, the tests that noticed mutations of it */
  #noticed = new Map();
  /** The tests that were run in a worker without any mutation. @type {Set<string>} */
  #tried = new Set();
  /** Failures without any mutation. @type {Set<string>} */
  failures = new Set();

  /**
   * Adds the tests of a file, and runs them to measure how long they take.
   * @param {Worker} worker
   * @param {string} name
   */
  async measure(worker, name) {
    const times = await this.#runClean(worker, { file: testFile(name), timeout: BASELINE_LIMIT }, BASELINE_LIMIT);
    this.#tests.set(
      name,
      times.map(([title, ms]) => ({ name, title, ms })),
    );
  }

  /**
   * Runs tests that noticed a mutation without it, unless that was done before.
   * @returns {Promise<boolean>} whether they pass
   */
  async passes(worker, part) {
    const tests = part.titles.map((title) => `${part.file} ${title}`);
    if (!tests.every((test) => this.#tried.has(test))) await this.#runClean(worker, part, limitOf(part));
    return this.failures.size === 0;
  }

  async #runClean(worker, part, limit) {
    const { failure, endless, times = [] } = await worker.run({ part }, limit);
    if (failure !== undefined || endless) this.failures.add(failure ?? part.file);
    for (const [title] of times) this.#tried.add(`${part.file} ${title}`);
    return times;
  }

  addNoticed({ file, tests }, title) {
    const test = tests.flatMap((name) => this.#tests.get(name)).find((one) => one.title === title);
    if (!test) return;
    const ofFile = this.#noticed.get(file) ?? new Map();
    this.#noticed.set(file, ofFile);
    ofFile.set(title, { ...test, count: (ofFile.get(title)?.count ?? 0) + 1 });
  }

  /**
   * Returns the parts of test files to run, in order: tests that noticed other mutations of the same source file, then
   * the quick tests file by file, then each slow test.
   * @returns {{ file: string, titles: string[], timeout: number }[]}
   */
  parts({ file, tests }) {
    const known = [...(this.#noticed.get(file)?.values() ?? [])].filter(({ name }) => tests.includes(name));
    known.sort((a, b) => b.count / (b.ms + 1) - a.count / (a.ms + 1));
    const first = known.map((test) => [test]);
    const isFirst = new Set(known.map(({ title }) => title));
    const rest = tests.map((name) => this.#tests.get(name).filter(({ title }) => !isFirst.has(title)));
    const quick = rest.map((found) => found.filter(({ ms }) => ms <= SLOW)).filter((found) => found.length > 0);
    quick.sort((a, b) => timeOf(a) - timeOf(b));
    const slow = rest
      .flat()
      .filter(({ ms }) => ms > SLOW)
      .sort((a, b) => a.ms - b.ms)
      .map((test) => [test]);
    return [...first, ...quick, ...slow].map((found) => ({
      file: testFile(found[0].name),
      titles: found.map(({ title }) => title),
      timeout: Math.max(LIMIT, ...found.map(({ ms }) => ms * PATIENCE)),
      ms: timeOf(found),
    }));
  }
}

const timeOf = (tests) => tests.reduce((sum, { ms }) => sum + ms, 0);

/** Milliseconds within which a part of a test file must end. */
const limitOf = ({ ms }) => Math.max(LIMIT, ms * PATIENCE);

/** @returns {Promise<'killed' | 'endless' | 'survived' | 'unclear'>} `unclear`: a test fails without the mutation, too */
async function verdict(worker, mutation, plan) {
  const replaced = await replacement(mutation, sourceOf(mutation));
  for (const part of plan.parts(mutation)) {
    const { failure, title, endless } = await worker.run({ part, replaced }, limitOf(part));
    if (endless) return 'endless';
    if (failure === undefined) continue;
    // The title of a hook is none of a test.
    const noticed = part.titles.includes(title) ? { ...part, titles: [title] } : part;
    if (!(await plan.passes(worker, noticed))) return 'unclear';
    if (title !== undefined) plan.addNoticed(mutation, title);
    return 'killed';
  }
  return 'survived';
}

/** @returns {Promise<{ path: string, code: string }>} the built module with the mutation applied */
async function replacement(mutation, source) {
  const path = join(out, MODULE_PATH);
  if (source.startsWith(join(project, dirname(MODULE_PATH), sep)))
    return { path, code: moduleSource(await assemble({ path: source, text: mutated(mutation) })) };
  const tsconfigRaw = await readFile(join(project, 'tsconfig.json'), 'utf8');
  const { code } = await transform(mutated(mutation), {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    sourcefile: source,
    tsconfigRaw,
  });
  return { path: join(out, 'src', 'core', `${mutation.file}.js`), code };
}
