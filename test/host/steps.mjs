// What `npm test` consists of. A step answers whether it went well, and with mocha's counts if it ran tests.
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { project } from './home.mjs';
import { installHost } from './install.mjs';
import { spawnBound } from './processes.mjs';
import { temporaryFolder } from './temporary.mjs';

/** @typedef {{ ok: boolean, passed?: number, failed?: number, skipped?: number }} Result */

/** Runs one of the project's tools with the Node that runs this. */
export async function tool(path, ...args) {
  return { ok: await run(process.execPath, [join(project, 'node_modules', path), ...args]) };
}

/** Builds dist/ (what ships) and out/ (what the tests run). */
export async function build(...flags) {
  return { ok: await run(process.execPath, [join(project, 'esbuild.mjs'), '--tests', ...flags]) };
}

/** Whether translators would find every sentence. */
export async function sentences() {
  return { ok: await run(process.execPath, [join(project, 'test', 'vsix', 'strings.mjs'), '--check']) };
}

/**
 * The tests that need no editor, with the Node of the current editor's extension host.
 * @param {string[]} args for mocha, which hands Node's own flags on to Node
 */
export async function unit(args) {
  const { node } = await installHost();
  return await mocha(node, [...args, ...unitTests]);
}

/** The same under coverage, whose table is printed; the core's format and files must each have 95 % of their branches covered. */
export async function coverage(args) {
  const { node } = await installHost();
  const alone = ['--require', join(project, 'test', 'coverage', 'thisProcess.mjs')];
  const result = await mocha(node, [...alone, ...args, ...unitTests], [join(project, 'node_modules', 'c8', 'bin', 'c8.js'), '--config', join(project, 'test', 'coverage', 'c8.json'), node]);
  const isCovered = await branchesCovered();
  return { ...result, ok: result.ok && isCovered };
}

const COVERED_PERCENT = 95;

/** Whether each folder's branches are covered, by c8's summary. */
async function branchesCovered() {
  const summary = Object.entries(JSON.parse(await readFile(join(project, 'out', 'covered', 'coverage-summary.json'), 'utf8')));
  const folders = ['format', 'files'].map((name) => {
    const within = summary.filter(([path]) => path.startsWith(join(project, 'src', 'core', name) + sep)).map(([, { branches }]) => branches);
    const [covered, total] = ['covered', 'total'].map((key) => within.reduce((sum, branches) => sum + branches[key], 0));
    const percent = total === 0 ? 0 : (covered / total) * 100;
    console.log(`core/${name}: ${covered} of ${total} branches covered, ${percent.toFixed(2)} %; ${COVERED_PERCENT} % are needed`);
    return percent >= COVERED_PERCENT;
  });
  return folders.every(Boolean);
}

const unitTests = ['out/test/unit/**/*.test.js', 'out/test/conformance/**/*.test.js'];

/**
 * Whether the tests notice every mutation of the core.
 * @param {string} [only] part of a rule or file
 */
export async function mutations(only) {
  const { runMutations } = await import('../mutations/run.mjs');
  return await runMutations({ only });
}

/** `npm start`, with the Node that runs this, as a newcomer does. */
export async function starting() {
  await installHost();
  return await mocha(process.execPath, ['test/host/*.test.mjs']);
}

/** Milliseconds that a test may take: what hangs is told, and no machine is too busy for what goes on. */
const TEST_LIMIT = 60_000;

/** `before`: what starts it, if it isn't Node alone. */
async function mocha(node, args, before = []) {
  const fixed = ['--enable-source-maps', join(project, 'node_modules', 'mocha', 'bin', 'mocha.js'), '--no-config', '--timeout', String(TEST_LIMIT), '--reporter', join(import.meta.dirname, 'reporter.mjs')];
  return await counting((counts) => run(node, [...before, ...fixed, ...(process.env.CI ? ['--forbid-only'] : []), ...args], { PST_COUNTS: counts }));
}

/**
 * The suite inside a VS Code.
 * @param {object} options
 * @param {'current' | 'oldest' | 'desktop'} options.editor
 * @param {string} [options.grep] only tests whose title matches
 */
export async function suite({ editor, grep }) {
  // The current host is always needed: it brings the browser that shows the oldest editor, and the driver.
  const current = await installHost();
  const artifacts = join(project, 'out', 'artifacts', editor);
  return await counting(async (counts) => {
    if (editor === 'desktop') {
      const { runSuiteInDesktop } = await import('./desktop.mjs');
      return await runSuiteInDesktop({ grep, counts, artifacts });
    }
    const { runSuiteInServer } = await import('./suite.mjs');
    return await runSuiteInServer({ host: editor === 'oldest' ? await installHost('oldest') : current, grep, counts, artifacts });
  });
}

/** Runs tests that leave their counts in a file. */
async function counting(tests) {
  const folder = temporaryFolder();
  try {
    const counts = join(folder.path, 'counts.json');
    const ok = await tests(counts);
    const stats = await readFile(counts, 'utf8').then(JSON.parse, () => undefined);
    if (!stats) {
      console.error('The tests ended before mocha could count them.');
      return { ok: false };
    }
    return { ok: ok && stats.failures === 0, passed: stats.passes, failed: stats.failures, skipped: stats.pending };
  } finally {
    folder.remove();
  }
}

async function run(command, args, env = {}) {
  const options = { cwd: project, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } };
  const { code } = await spawnBound(command, args, options, 'SIGTERM').ended;
  return code === 0;
}
