// Applies the mutations one at a time and runs the tests that must notice them. No file is changed: a worker loads
// the built tests (out/) with the changed text of one module in its place.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { assemble, MODULE_PATH, moduleSource } from '../../src/core/format/wasm/assemble.mjs';
import { installHost } from '../host/install.mjs';
import { spawnBound } from '../host/processes.mjs';
import { mutated, mutations, sourceOf, staleMutations } from './mutations.mjs';

const project = join(import.meta.dirname, '..', '..');
const out = join(project, 'out');
const WORKERS = 2;
/** Tests that take longer than this run only when the quick ones noticed nothing; in milliseconds. */
const SLOW = 500;
/** What is not done by then does not end, in milliseconds; the slow tests have six times as long. */
const LIMIT = 10_000;

/**
 * Needs what `node esbuild.mjs --tests` builds.
 * @param {{ only?: string }} [options] only mutations whose rule or file contains this
 * @returns {Promise<{ ok: boolean }>} whether every mutation was noticed
 */
export async function runMutations({ only = '' } = {}) {
  const stale = staleMutations();
  for (const problem of stale) console.error(problem);
  if (stale.length > 0) return { ok: false };

  const chosen = mutations.filter(({ rule, file }) => `${rule} ${file}`.includes(only));
  const { node } = await installHost();
  const workers = Array.from({ length: WORKERS }, () => new Worker(node));
  try {
    const slow = await baseline(workers, [...new Set(chosen.flatMap(({ tests }) => tests))]);
    if (!slow) return { ok: false };
    const count = { killed: 0, endless: 0, survived: 0 };
    await share(workers, chosen, async (worker, mutation) => {
      const found = await verdict(worker, mutation, slow);
      count[found]++;
      if (found === 'survived') console.error(`survived: ${mutation.rule}\n  src/core/${mutation.file}.ts, ${mutation.in}: ${mutation.find}\n  → ${mutation.replace}`);
    });
    console.log(`${chosen.length} mutations: ${count.killed} noticed by a test, ${count.endless} did not end, ${count.survived} survived`);
    return { ok: count.survived === 0 };
  } finally {
    for (const worker of workers) worker.end();
  }
}

const testFile = (name) => join(out, 'test', 'unit', `${name}.test.js`);

/** Runs the tests as they are. @returns the titles of the slow ones, or `undefined` if one fails */
async function baseline(workers, names) {
  const slow = [];
  let failed = false;
  await share(workers, names, async (worker, name) => {
    const { failure, endless, times = [] } = await worker.run({ files: [testFile(name)] }, LIMIT * 6);
    if (failure !== undefined || endless) console.error(`fails without any mutation: ${failure ?? name}`);
    failed ||= failure !== undefined || endless === true;
    slow.push(...times.filter(([, ms]) => ms > SLOW).map(([title]) => title));
  });
  return failed ? undefined : slow;
}

/** @returns {Promise<'killed' | 'endless' | 'survived'>} */
async function verdict(worker, mutation, slow) {
  const source = sourceOf(mutation);
  const job = { files: mutation.tests.map(testFile), replaced: await replacement(mutation, source) };
  for (const [part, limit] of [[{ skip: slow }, LIMIT], [{ only: slow }, LIMIT * 6]]) {
    const { failure, endless } = await worker.run({ ...job, ...part }, limit);
    if (endless) return 'endless';
    if (failure !== undefined) return 'killed';
  }
  return 'survived';
}

/** @returns {Promise<{ path: string, code: string }>} the module that is other than it was built */
async function replacement(mutation, source) {
  const path = join(out, MODULE_PATH);
  if (dirname(source) === join(project, dirname(MODULE_PATH))) return { path, code: moduleSource(await assemble({ path: source, text: mutated(mutation) })) };
  const tsconfigRaw = await readFile(join(project, 'tsconfig.json'), 'utf8');
  const { code } = await transform(mutated(mutation), { loader: 'ts', format: 'cjs', platform: 'node', target: 'node22', sourcefile: source, tsconfigRaw });
  return { path: join(out, 'src', 'core', `${mutation.file}.js`), code };
}

/** Each worker takes the next piece of work when it is done with one. */
async function share(workers, work, doIt) {
  const queue = work.values();
  await Promise.all(workers.map(async (worker) => {
    for (const piece of queue) await doIt(worker, piece);
  }));
}

/** A process that runs tests; a new one after it had to be ended. */
class Worker {
  #node;
  #process;

  constructor(node) {
    this.#node = node;
  }

  /** @returns {Promise<{ failure?: string, endless?: boolean, times?: [string, number][] }>} */
  async run(job, limit) {
    // What grows without end is to end soon.
    this.#process ??= spawnBound(this.#node, ['--max-old-space-size=1024', '--import', join(import.meta.dirname, 'replace.mjs'), join(import.meta.dirname, 'worker.mjs')], { cwd: project, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const running = this.#process;
    const { child, ended } = running;
    let timer;
    try {
      return await Promise.race([
        new Promise((resolve) => {
          child.once('message', resolve);
          child.send({ folder: out, ...job });
        }),
        ended.then(({ why }) => this.#gone(running, { failure: `the process of the tests ended: ${why}` })),
        new Promise((resolve) => (timer = setTimeout(() => resolve(this.#gone(running, { endless: true })), limit))),
      ]);
    } finally {
      clearTimeout(timer);
      child.removeAllListeners('message');
    }
  }

  #gone(running, answer) {
    if (this.#process === running) this.end();
    return answer;
  }

  end() {
    this.#process?.kill();
    this.#process = undefined;
  }
}
