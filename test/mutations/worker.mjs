// Runs tests in this process, again and again, with one module's text replaced. It is told over IPC what to run.
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import Mocha from 'mocha';

const require = createRequire(import.meta.url);

// No test cuts the power: without waiting for the disk they take half the time.
const file = await open(import.meta.filename);
Object.getPrototypeOf(file).sync = () => Promise.resolve();
await file.close();

process.on('message', async ({ folder, files, replaced, skip = [], only }) => {
  for (const path of Object.keys(require.cache)) if (path.startsWith(folder)) Reflect.deleteProperty(require.cache, path);
  // As `replace.mjs` loads it.
  [process.env.MUTATION_PATH, process.env.MUTATION_CODE] = [replaced?.path ?? '', replaced?.code ?? ''];
  process.send(await run(files, (title) => (only ? only.includes(title) : !skip.includes(title))));
});

/** @returns {Promise<{ failure?: string, times: [title: string, ms: number][] }>} the first test that failed, and how long each took */
async function run(files, takes) {
  // What is generated is the same at every run.
  require('fast-check').configureGlobal({ seed: 7 });
  const mocha = new Mocha({ reporter: function silent() {}, bail: true, timeout: 5000 }).lazyLoadFiles(true);
  mocha.files = files;
  try {
    mocha.loadFiles();
  } catch (error) {
    return { failure: `could not be loaded: ${error.message}`, times: [] };
  }
  eachSuite(mocha.suite, (suite) => (suite.tests = suite.tests.filter((test) => takes(test.fullTitle()))));
  const times = [];
  let failure;
  let last = performance.now();
  await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('fail', (test, error) => (failure ??= `${test.fullTitle()}: ${error.message}`));
    runner.on('test', () => (last = performance.now()));
    runner.on('test end', (test) => times.push([test.fullTitle(), performance.now() - last]));
  });
  return { failure, times };
}

function eachSuite(suite, work) {
  work(suite);
  for (const inner of suite.suites) eachSuite(inner, work);
}
