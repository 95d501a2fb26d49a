// The steps of `npm test` and of the other commands. A step returns whether it passed, with mocha's counts and failures if it
// ran tests.
import { AsyncLocalStorage } from 'node:async_hooks';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { project } from './home.mjs';
import { installHost } from './install.mjs';
import { installOldPi } from './installOldPi.mjs';
import { installOmp } from './installOmp.mjs';
import { installNewestPi, installPi } from './installPi.mjs';
import { installPiSubagents } from './installPiSubagents.mjs';
import { oneAfterTheOther } from './output.mjs';
import { pool } from './pool.mjs';
import { spawnBound } from './processes.mjs';
import { fastTemporaryFolders, temporaryFolder } from './temporary.mjs';

/** @typedef {{ ok: boolean, passed?: number, failed?: number, skipped?: number, report?: string }} Result `report`: the failures */

/** The checks that only read sources: types, lint, format, and the sentences for translators. */
const CHECKS = {
  'Types and lint': ['node_modules/oxlint/bin/oxlint'],
  Format: ['node_modules/oxfmt/bin/oxfmt', '--check'],
  'Sentences for translators': ['test/vsix/strings.mjs', '--check'],
};

/** Runs all checks, with the Node that runs this module. */
export async function checks() {
  const failed = [];
  const check = async ([title, args]) => {
    const printed = [];
    const ok = await run(process.execPath, args, { take: (text) => printed.push(text) });
    console.log(`${ok ? '✓' : '✗'} ${title}`);
    process.stdout.write(printed.join(''));
    if (!ok) failed.push(title);
  };
  await Promise.all(Object.entries(CHECKS).map((one) => inPool(() => check(one))));
  return { ok: failed.length === 0 };
}

/** Checks that the published types of the core are complete: another program compiles against them. Needs the output of `build`. */
export async function publishedTypes() {
  return await inPool(async () => {
    const { writeDeclarations } = await import('../../build/declarations.mjs');
    await writeDeclarations();
    return { ok: await run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'test/types']) };
  });
}

/** Makes the package, whose contents and size it checks. Its files stay in `PACKAGE`. */
export async function packaged() {
  return await inPool(async () => ({ ok: await run(process.execPath, [join(project, 'test', 'vsix', 'package.mjs')]) }));
}

/** The folder with the files of the package. */
export const PACKAGE = join(project, 'out', 'vsix');

/** Builds dist/ (the product) and out/ (the tests). @param {...'--production'} flags */
export async function build(...flags) {
  begins();
  return { ok: await run(process.execPath, [join(project, 'esbuild.mjs'), '--tests', ...flags]) };
}

/** Installations, which several steps need at the same time. */
const installed = {
  current: once(() => installHost()),
  oldest: once(() => installHost('oldest')),
  /** What the unit tests need besides this package's own dependencies. Answers the Node that runs them. */
  unitTests: once(async () => {
    // First the host, whose installation empties the folder that the others are in.
    const { node } = await installed.current();
    await installPi();
    await installNewestPi();
    await installPiSubagents();
    await installOldPi();
    await installOmp();
    return node;
  }),
};

/**
 * Returns a function that does the work when it's called for the first time, and always returns the result of that.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {() => Promise<T>}
 */
function once(work) {
  let result;
  return () => (result ??= work());
}

/** V8's counts of what the unit tests have run. */
const counts = join(project, 'out', 'coverage');

/**
 * Runs the tests that need no editor, with the Node of the current editor's extension host.
 * @param {string[]} given flags for mocha, which passes Node's own flags on to Node
 * @param {{ isCounted?: boolean, part?: 'heavy' | 'others' }} [options] `isCounted`: V8 counts what they run, for
 *   `coverage`; `part`: only the heavy ones, or only the others, with the same inputs in every run
 */
export async function unit(given, { isCounted = false, part } = {}) {
  const node = await installed.unitTests();
  const args = part === undefined ? given : ['--require', join(import.meta.dirname, 'fixedSeed.mjs'), ...given];
  const groups = await unitTestFiles(part);
  const thisProcessAlone = ['--require', join(project, 'test', 'coverage', 'thisProcess.mjs')];
  const results = await inFastFolder((env) =>
    runInGroups(groups, async (files, take) =>
      isCounted && files.every(reachesMore)
        ? await mocha(node, [...thisProcessAlone, ...args, ...files], { take, env: { ...env, NODE_V8_COVERAGE: counts } })
        : await mocha(node, [...args, ...files], { take, env: { ...env, ...COMPILED } }),
    ),
  );
  return withTests(results);
}

/**
 * Prints c8's table of what `unit` has counted. At least 95 % of the branches in the core's `format` and `files` must be
 * covered.
 */
export async function coverage() {
  const { node } = await installed.current();
  const config = join(project, 'test', 'coverage', 'c8.json');
  const args = [join(project, 'node_modules', 'c8', 'bin', 'c8.js'), 'report', '--config', config];
  const { ok } = await runInGroups([args], async (flags, take) => ({ ok: await run(node, flags, { take }) }));
  return { ok: ok && (await branchesCovered()) };
}

/**
 * Tests without coverage share a cache of compiled code with their child processes and threads. Coverage of cached code
 * would be less precise.
 */
const COMPILED = { NODE_COMPILE_CACHE: join(project, 'out', 'compiled') };

/**
 * Runs tests whose temporary files are in memory, if possible. No test cuts the power, so they see the same there as on a
 * disk. The tests of windows, with their killed processes, use the disk.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} tests
 */
export async function inFastFolder(tests) {
  const { path, remove } = temporaryFolder(fastTemporaryFolders());
  try {
    return await tests({ TMPDIR: path });
  } finally {
    remove();
  }
}

const COVERED_PERCENT = 95;

/** Checks the covered branches of each folder, using c8's summary. */
async function branchesCovered() {
  const summary = Object.entries(JSON.parse(await readFile(join(project, 'out', 'covered', 'coverage-summary.json'), 'utf8')));
  const folders = ['format', 'files'].map((name) => {
    const within = summary
      .filter(([path]) => path.startsWith(join(project, 'src', 'core', name) + sep))
      .map(([, { branches }]) => branches);
    const [covered, total] = ['covered', 'total'].map((key) => within.reduce((sum, branches) => sum + branches[key], 0));
    const percent = total === 0 ? 0 : (covered / total) * 100;
    console.log(`core/${name}: ${covered} of ${total} branches covered, ${percent.toFixed(2)} %; ${COVERED_PERCENT} % are needed`);
    return percent >= COVERED_PERCENT;
  });
  return folders.every(Boolean);
}

/**
 * Number of processes that run checks or tests at the same time, in all steps together. That's one more than the
 * processors that they are meant for: an editor, which counts as one process, often waits. With more of them, a slow
 * machine makes each editor so slow that a person would no longer wait for it.
 */
const PROCESSES = 3;
/** Number of editors among them. The others take their place when no editor waits for it. */
const EDITORS = 2;
/** Number of parts of the editor suite. Two for each editor, so that the last ones end at about the same time. */
const PARTS = 2 * EDITORS;
const processes = pool(PROCESSES);
const editors = pool(EDITORS);
const inPool = (work, options) =>
  processes(() => {
    begins();
    return work();
  }, options);
/** Editors take longest, so they come first. */
const withEditor = (work) => editors(() => inPool(work, { isUrgent: true }));
const begin = oneAfterTheOther();
/** Holds a function that reports that the running step begins. Steps wait for each other's processes before that. */
export const whenBegun = new AsyncLocalStorage();
const begins = () => whenBegun.getStore()?.();
/** Number of test files per process. Fewer cost more starts; more leave a process idle at the end. */
const GROUP = 12;
/** Folders and files of slow tests. They come first, one file per process. */
const LONG = [
  'scale',
  'linear',
  'properties',
  'killed.test.js',
  'fuzz.test.js',
  'catalog.test.js',
  'crossWindowLocks.test.js',
  'subagents.test.js',
];
/** Tests of very large, very many or random inputs, which `npm test` leaves to `npm run test:rest`. */
const HEAVY = ['scale', 'fuzz.test.js', 'race.test.js'];
/** Tests of many inputs that take more than twice as long while coverage is counted, and reach hardly more than the others. */
const UNCOUNTED = ['messages.test.js', 'changes.test.js', 'foldedWords.test.js', 'linear.test.js', 'chunks.test.js'];

/** @param {string} path */
const reachesMore = (path) => !UNCOUNTED.includes(basename(path));

/** @param {string[]} names of folders or files @param {string} path */
const isOneOf = (names, path) => names.includes(basename(dirname(path))) || names.includes(basename(path));

/**
 * @param {'heavy' | 'others'} [part]
 * @returns {Promise<string[][]>} groups of built test files, in the order in which they should start
 */
async function unitTestFiles(part) {
  const found = await Promise.all(
    ['unit', 'conformance'].map(async (folder) => {
      const path = join(project, 'out', 'test', folder);
      return (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.test.js')).map((name) => join(path, name));
    }),
  );
  const files = found
    .flat()
    .filter((path) => part === undefined || isOneOf(HEAVY, path) === (part === 'heavy'))
    .sort();
  const long = files.filter((path) => isOneOf(LONG, path));
  const others = files.filter((path) => !long.includes(path));
  // Files of a folder stay together, because they load the same modules.
  const groups = [others.filter(reachesMore), others.filter((path) => !reachesMore(path))].flatMap((paths) =>
    Array.from({ length: Math.ceil(paths.length / GROUP) }, (_, number) => paths.slice(number * GROUP, (number + 1) * GROUP)),
  );
  return [...long.map((path) => [path]), ...(await largestFirst(groups))];
}

/**
 * Sorts groups of test files. Their size stands for the time that they take, so the longest come first, and all processes
 * end at about the same time.
 * @param {readonly string[][]} groups
 */
async function largestFirst(groups) {
  const sizeOf = async (files) => (await Promise.all(files.map((file) => stat(file)))).reduce((sum, { size }) => sum + size, 0);
  const sized = await Promise.all(groups.map(async (files) => ({ files, size: await sizeOf(files) })));
  return sized.sort((a, b) => b.size - a.size).map(({ files }) => files);
}

/**
 * Runs groups of tests at the same time, and prints the output of one after the other.
 * @template Group
 * @param {readonly Group[]} groups
 * @param {(group: Group, take: (text: string) => void) => Promise<Result>} runGroup
 * @param {(work: () => Promise<Result>) => Promise<Result>} [whenFree] limits how many run at the same time
 * @returns {Promise<Result>}
 */
async function runInGroups(groups, runGroup, whenFree = inPool) {
  const inTurn = async (group) => {
    const { take, end } = begin();
    try {
      return await runGroup(group, take);
    } catch (error) {
      take(`${error.stack}\n`);
      return { ok: false };
    } finally {
      end();
    }
  };
  return sumOf(await Promise.all(groups.map((group) => whenFree(() => inTurn(group)))));
}

/** Fails a step that found no test to run. @param {Result} result */
function withTests(result) {
  if (result.passed + result.failed > 0) return result;
  console.log('No test was run.');
  return { ...result, ok: false };
}

/** @param {readonly Result[]} results */
function sumOf(results) {
  const sum = (key) => results.reduce((total, result) => total + (result[key] ?? 0), 0);
  const report = results.map((result) => result.report ?? '').join('');
  return { ok: results.every(({ ok }) => ok), passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), report };
}

const START_TEST = join(import.meta.dirname, 'start.test.mjs');

/** Tests `npm start`, with the Node that runs this module. It builds, so nothing that needs the built tests may run beside it. */
export async function starting() {
  begins();
  await installed.current();
  // The other downloads continue beside it and the first tests. A failure is reported by the steps that need them.
  void Promise.allSettled([installed.unitTests(), installed.oldest()]);
  return await mocha(process.execPath, [START_TEST]);
}

/** Runs the tests that start windows from outside, with the editor's Node, which has SQLite. Needs the output of `build`. */
export async function windows() {
  const { node } = await installed.current();
  const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.test.mjs'));
  const groups = names.map((name) => [join(import.meta.dirname, name)]).filter(([file]) => file !== START_TEST);
  return withTests(await runInGroups(await largestFirst(groups), (group, take) => mocha(node, group, { take }), withEditor));
}

/** Limit for a test in milliseconds, so that hanging tests are reported. It's long enough for busy machines. */
const TEST_LIMIT = 180_000;

/**
 * @param {string} node
 * @param {string[]} args
 * @param {{ take?: (text: string) => void, env?: NodeJS.ProcessEnv }} [options] `take` receives mocha's output, which
 *   goes to the console without it
 */
async function mocha(node, args, { take, env = {} } = {}) {
  const fixed = [
    '--require',
    join(import.meta.dirname, 'bundledThreads.mjs'),
    join(project, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    '--no-config',
    '--timeout',
    String(TEST_LIMIT),
    '--reporter',
    join(import.meta.dirname, 'reporter.mjs'),
  ];
  const flags = [...fixed, ...(process.env.CI ? ['--forbid-only'] : []), ...args];
  return await counting((counts) => run(node, flags, { env: { ...env, PST_COUNTS: counts }, take }), take);
}

/**
 * Runs the suite inside a VS Code. All of it runs in several editors at the same time, each with a part of the files and
 * a home of its own. A desktop VS Code prints by itself, so it's a single one.
 * @param {object} options
 * @param {'current' | 'oldest' | 'desktop'} options.editor
 * @param {string} [options.grep] only tests whose title matches, in a single editor
 * @param {string} [options.extension] the extension's folder; by default, the project
 */
export async function suite({ editor, oldest, grep, extension }) {
  // The current host is always needed: it contains the browser for the oldest editor, and the driver.
  const current = await installed.current();
  const artifacts = join(project, 'out', 'artifacts', editor);
  if (editor === 'desktop') {
    begins();
    const { runSuiteInDesktop } = await import('./desktop.mjs');
    return await counting((counts) => runSuiteInDesktop({ oldest, grep, counts, artifacts }));
  }
  const host = editor === 'oldest' ? await installed.oldest() : current;
  // A test sends comments to the real pi.
  await installPi();
  const count = grep === undefined ? PARTS : 1;
  const parts = Array.from({ length: count }, (_, index) => ({
    shard: `${index + 1}/${count}`,
    artifacts: count === 1 ? artifacts : join(artifacts, String(index + 1)),
  }));
  const runPart = async (part, take) => {
    const { runSuiteInServer } = await import('./suite.mjs');
    return await counting((counts) => runSuiteInServer({ host, grep, counts, take, extension, ...part }), take);
  };
  return await runInGroups(parts, runPart, withEditor);
}

/**
 * Runs tests that write their counts to a file.
 * @param {(counts: string) => Promise<boolean>} tests
 * @param {(text: string) => void} [take] receives the output
 * @returns {Promise<Result>}
 */
async function counting(tests, take = (text) => process.stdout.write(text)) {
  const folder = temporaryFolder();
  try {
    const counts = join(folder.path, 'counts.json');
    const ok = await tests(counts);
    const stats = await readFile(counts, 'utf8').then(JSON.parse, () => undefined);
    if (!stats) {
      take('The tests ended before mocha could count them.\n');
      return { ok: false };
    }
    const { passes: passed, failures: failed, pending: skipped, report } = stats;
    return { ok: ok && failed === 0, passed, failed, skipped, report };
  } finally {
    folder.remove();
  }
}

/** @param {{ env?: NodeJS.ProcessEnv, take?: (text: string) => void }} [options] */
async function run(command, args, { env = {}, take } = {}) {
  const options = {
    cwd: project,
    stdio: ['ignore', take ? 'pipe' : 'inherit', take ? 'pipe' : 'inherit'],
    env: { ...process.env, ...env },
  };
  const { child, ended } = spawnBound(command, args, options, 'SIGTERM');
  for (const stream of take ? [child.stdout, child.stderr] : []) stream.setEncoding('utf8').on('data', take);
  const { code } = await ended;
  return code === 0;
}
