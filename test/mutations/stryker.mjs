// Runs Stryker on a folder of src. It changes a copy of the project, in which all mutants are behind switches, and runs
// the unit tests that use the folder.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { project } from '../host/home.mjs';
import { installHost } from '../host/install.mjs';
import { spawnBound } from '../host/processes.mjs';
import { runSuiteInServer } from '../host/suite.mjs';
import { FOLDERS, OTHERS } from './folders.mjs';

const here = import.meta.dirname;
const modules = join(here, 'node_modules');
const work = join(project, 'out', 'mutations');
const copies = join(work, 'copies');
/** Limit for the editor tests of one mutant, in milliseconds: some mutants make the window hang, which counts as noticed. */
const EDITOR_LIMIT = 10 * 60_000;
/** Tests that take long. Others check the behavior. */
const COSTS = /^(linear|scale|properties)[/\\]|^fuzz\./;
/** Matches the modules that a test imports, and those that it loads with a fake of the editor's API. */
const LOADED = /'((?:\.\.\/)+src\/[^']+?)(?:\.js)?'/g;

/**
 * @param {string} folder such as `src/tree`
 * @returns {Promise<{ ok: boolean }>} `ok` if the tests notice the share of the mutants that the folder needs
 */
export async function mutateFolder(folder) {
  return { ok: await stryker(folder, {}) };
}

/**
 * Runs editor tests while one mutant of a folder is switched on, in the extension and in its pages.
 * @param {string} folder
 * @param {string} mutant its number in the folder's report
 * @param {string} [grep] only tests whose title matches
 * @returns {Promise<{ ok: boolean }>} `ok` if a test noticed the mutant
 */
export async function plantInEditor(folder, mutant, grep) {
  await rm(copies, { recursive: true, force: true });
  if (!(await stryker(folder, { dryRunOnly: true, cleanTempDir: false }))) return { ok: false };
  const [copy] = await readdir(copies);
  const extension = join(copies, copy);
  const passed = await runSuiteInServer({
    host: await installHost(),
    grep,
    counts: join(work, 'counts.json'),
    artifacts: join(project, 'out', 'artifacts', 'mutant'),
    extension,
    tests: join(extension, 'out', 'test', 'editor', 'suite.js'),
    env: { __STRYKER_ACTIVE_MUTANT__: mutant },
    limit: EDITOR_LIMIT,
  });
  await rm(copies, { recursive: true, force: true });
  console.log(passed ? `Mutant ${mutant} survived` : `Mutant ${mutant} was noticed`);
  return { ok: !passed };
}

async function stryker(folder, more) {
  if (!existsSync(join(project, folder)) || !`${folder}/`.startsWith('src/')) throw new Error(`${folder} is no folder of src`);
  const { node } = await installHost();
  await install();
  await mkdir(work, { recursive: true });
  const config = join(work, 'config.json');
  await writeFile(config, JSON.stringify({ ...(await optionsFor(folder)), ...more }));
  const args = ['--require', join(here, 'preload.mjs'), join(modules, '@stryker-mutator', 'core', 'bin', 'stryker.js'), 'run', config];
  const { code } = await spawnBound(node, args, { cwd: project, stdio: 'inherit' }, 'SIGTERM').ended;
  return code === 0;
}

async function optionsFor(folder) {
  const { least } = FOLDERS[folder] ?? OTHERS;
  const report = join(work, `${folder.replaceAll('/', '-')}.json`);
  return {
    mutate: [`${folder}/**/*.ts`, '!src/core/format/wasm/**'],
    plugins: [join(modules, '@stryker-mutator', 'mocha-runner', 'dist', 'src', 'index.js')],
    testRunner: 'mocha',
    mochaOptions: { spec: await testsOf(folder), require: ['./test/host/bundledThreads.mjs'] },
    testRunnerNodeArgs: ['--require', join(here, 'preload.mjs')],
    coverageAnalysis: 'perTest',
    buildCommand: 'node test/mutations/buildSandbox.mjs',
    symlinkNodeModules: false,
    disableTypeChecks: false,
    ignorePatterns: ['/out', '/dist', '/docs', '/test/host/oldest'],
    tempDirName: copies,
    concurrency: 2,
    timeoutMS: 30_000,
    reporters: ['clear-text', 'json'],
    clearTextReporter: { allowColor: false, logTests: false },
    jsonReporter: { fileName: report },
    thresholds: { high: 100, low: least, break: least },
  };
}

/** Returns the built unit tests that import a module of the folder, and those of its row. */
async function testsOf(folder) {
  const tests = join(project, 'test', 'unit');
  const begins = (FOLDERS[folder] ?? OTHERS).tests;
  const names = (await readdir(tests, { recursive: true })).filter((name) => name.endsWith('.test.ts') && !COSTS.test(name));
  const found = [];
  for (const name of names) {
    const path = join(tests, name);
    const loaded = [...(await readFile(path, 'utf8')).matchAll(LOADED)].map(([, request]) => resolve(path, '..', request));
    const isUsed = loaded.some((module) => module.startsWith(join(project, folder) + sep));
    if (isUsed || begins.some((begin) => name.replaceAll(sep, '/').startsWith(begin)))
      found.push(`out/test/unit/${name.replaceAll(sep, '/').replace(/ts$/, 'js')}`);
  }
  if (found.length === 0) throw new Error(`No unit test imports a module of ${folder}. Name tests in test/mutations/folders.mjs`);
  return found;
}

/** Installs Stryker, which needs a newer Node than the project, so it's no dependency of it. */
async function install() {
  const stamp = join(modules, '.complete');
  const wanted = await readFile(join(here, 'package-lock.json'), 'utf8');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return;
  const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  const { code, why } = await spawnBound('npm', args, { cwd: here, stdio: 'inherit', shell: process.platform === 'win32' }).ended;
  if (code !== 0) throw new Error(`Stryker couldn't be installed: ${why}`);
  await writeFile(stamp, wanted);
}
