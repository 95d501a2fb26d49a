// Runs tests in this process repeatedly, with one module's text replaced. Receives the tests to run over IPC.
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import Mocha from 'mocha';

const require = createRequire(import.meta.url);

// Generated ids are the same in every run.
require('fast-check').configureGlobal({ seed: 7 });
// Each run's mocha listens to the process until it ends.
process.setMaxListeners(0);

// No test cuts the power. Without waiting for the disk, tests take half the time.
const file = await open(import.meta.filename);
Object.getPrototypeOf(file).sync = () => Promise.resolve();
await file.close();

/** The replaced module of the modules that are loaded now. */
let loaded = { path: '', code: '' };

process.on('message', async ({ part, replaced = { path: '', code: '' } }) => {
  if (replaced.path !== loaded.path || replaced.code !== loaded.code) {
    for (const { path } of [loaded, replaced]) forget(path);
    loaded = replaced;
    // Read by `replace.mjs`, which loads the module.
    [process.env.MUTATION_PATH, process.env.MUTATION_CODE] = [replaced.path, replaced.code];
  }
  process.send(await run(part));
});

/** Removes a module and all modules that depend on it from memory, so that they are loaded again. */
function forget(path) {
  const changed = require.cache[path];
  if (!changed) return;
  const dependents = new Map();
  for (const module of Object.values(require.cache)) {
    for (const child of module.children) dependents.set(child, [...(dependents.get(child) ?? []), module]);
  }
  const waiting = [changed];
  const seen = new Set(waiting);
  for (const module of waiting) {
    Reflect.deleteProperty(require.cache, module.filename);
    for (const dependent of dependents.get(module) ?? []) {
      if (seen.has(dependent)) continue;
      seen.add(dependent);
      waiting.push(dependent);
    }
  }
}

/**
 * Runs tests of a file, up to the first failure.
 * @param {{ file: string, titles?: string[], timeout: number }} part without titles, all tests of the file
 * @returns {Promise<{ failure?: string, title?: string, times: [title: string, ms: number][] }>} the first failure, and how long each test took
 */
async function run({ file, titles, timeout }) {
  const mocha = new Mocha({ reporter: function silent() {}, bail: true, timeout }).lazyLoadFiles(true);
  // A test file registers its tests when it is loaded.
  Reflect.deleteProperty(require.cache, file);
  mocha.files = [file];
  try {
    mocha.loadFiles();
  } catch (error) {
    return { failure: `could not be loaded: ${error.message}`, times: [] };
  }
  const wanted = titles && new Set(titles);
  if (wanted) eachSuite(mocha.suite, (suite) => (suite.tests = suite.tests.filter((test) => wanted.has(test.fullTitle()))));
  const times = [];
  let found;
  let last = performance.now();
  await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('fail', (test, error) => (found ??= { failure: `${test.fullTitle()}: ${error.message}`, title: test.fullTitle() }));
    runner.on('test', () => (last = performance.now()));
    runner.on('test end', (test) => times.push([test.fullTitle(), performance.now() - last]));
  });
  return { ...found, times };
}

function eachSuite(suite, work) {
  work(suite);
  for (const inner of suite.suites) eachSuite(inner, work);
}
