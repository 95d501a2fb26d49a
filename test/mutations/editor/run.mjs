// Tries each fault in the folders of the editor with the unit tests that load its module. Faults that these don't
// notice, and that have no reason for that, are tried with the related editor tests. One editor window tries many faults.
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { installHost } from '../../host/install.mjs';
import { runSuiteInServer } from '../../host/suite.mjs';
import { share, Worker } from '../workers.mjs';
import { extensionFolder } from './build.mjs';
import { faults } from './faults.mjs';

const project = join(import.meta.dirname, '..', '..', '..');
const out = join(project, 'out');
const WORKERS = 2;
/** Limit for the unit tests of one file, in milliseconds. */
const UNIT_LIMIT = 60_000;
/** Limit for all faults of one editor window, in milliseconds. */
const EDITOR_LIMIT = 90 * 60_000;
/** Minimum share of the faults that must be noticed. The others need a reason. */
const NOTICED = 0.95;

/** The editor tests of each folder, in the order in which they run. The first matching row applies. */
const EDITOR_TESTS = [
  ['commands/changes', ['undo', 'labels', 'commands', 'exports']],
  ['commands/cleanUp', ['undo', 'labels', 'commands', 'exports']],
  ['commands/export', ['exports']],
  ['commands/lines', ['review', 'fileVersions', 'lineOrigins', 'hostileLineText']],
  ['commands/open', ['link', 'compare', 'navigation', 'documents', 'commands', 'search', 'finding']],
  ['commands/search', ['finding', 'search']],
  ['commands/share', ['exports']],
  ['commands/terminal', ['commands', 'undo']],
  ['commands', ['commands', 'keys', 'keyboard', 'undo']],
  ['context/page/find', ['find', 'context']],
  ['context', ['context', 'find', 'navigation', 'badInput', 'hostileEditorText', 'motion', 'axe', 'compare']],
  ['documents', ['documents', 'raw', 'compare', 'commands']],
  ['editorCatalog', ['labels', 'finding', 'search']],
  ['fileVersions', ['fileVersions', 'finding', 'hostileLineText']],
  ['lineOrigins', ['lineOrigins', 'hostileLineText']],
  ['tree', ['tree', 'branchGraph', 'labels', 'runningContext', 'badInput', 'hostileEditorText', 'commands', 'keyboard', 'welcome']],
  ['watch', ['watches', 'runningContext', 'tree', 'welcome', 'raw']],
  ['writing', ['undo', 'commands']],
];

/**
 * Needs the output of `node esbuild.mjs --tests --faults`.
 * @param {{ only?: string, unit?: boolean }} [options] only faults whose file contains `only`; with `unit` without the
 *   editor tests
 * @returns {Promise<{ ok: boolean }>} `ok` if enough faults were noticed and the others have a reason
 */
export async function runEditorMutations({ only = '', unit = false } = {}) {
  const chosen = faults.filter(({ file }) => file.includes(only));
  const host = await installHost();
  const verdicts = await tryWithUnitTests(host.node, chosen);
  if (!verdicts) return { ok: false };
  const left = chosen.filter(({ number }) => !verdicts.has(number));
  const tried = unit ? [] : left.filter(({ reason }) => reason === undefined);
  console.log(`${verdicts.size} of ${chosen.length} faults are noticed by unit tests`);
  console.log(`The editor tries ${tried.length} of the others: ${tried.map(({ number }) => number).join(', ')}`);
  for (const fault of left) if (!tried.includes(fault)) verdicts.set(fault.number, { by: 'survived' });
  await tryInEditor(host, tried, verdicts);
  return report(chosen, verdicts);
}

/**
 * @typedef {object} Verdict
 * @property {'unit' | 'editor' | 'survived' | 'unclear'} by `unclear`: the test that failed did so without the fault, too
 * @property {string} [test] the test that noticed it
 */

/** @returns {Promise<Map<number, Verdict> | undefined>} the faults that unit tests noticed; `undefined` if one fails without a fault */
async function tryWithUnitTests(node, chosen) {
  const loads = await modulesOfTests();
  const workers = Array.from({ length: WORKERS }, () => new Worker(node, join(import.meta.dirname, 'useFaults.mjs')));
  const testsOf = ({ file }) =>
    [...loads]
      .filter(([, modules]) => modules.has(join(out, 'src', `${file}.js`)))
      .sort(([, a], [, b]) => a.size - b.size)
      .map(([path]) => path);
  const run = async (worker, file, fault) => {
    const once = () => worker.run({ part: { file, timeout: UNIT_LIMIT }, fault }, UNIT_LIMIT * 2);
    const first = await once();
    // Earlier tests may have filled the memory. A new process shows whether it was the fault.
    const { failure, endless } = first.ended ? await once() : first;
    return endless ? 'did not end' : failure;
  };
  const verdicts = new Map();
  /** Returns the tests that fail without a fault, for each file that noticed one. */
  const withoutFault = new Map();
  await share(workers, chosen, async (worker, fault) => {
    for (const file of testsOf(fault)) {
      const failure = await run(worker, file, fault.number);
      if (failure === undefined) continue;
      if (!withoutFault.has(file)) withoutFault.set(file, await run(worker, file, 0));
      verdicts.set(fault.number, { by: 'unit', test: failure });
      return;
    }
  });
  for (const worker of workers) worker.end();
  const failures = [...withoutFault].filter(([, failure]) => failure !== undefined);
  for (const [file, failure] of failures) console.error(`fails without any fault: ${file}: ${failure}`);
  return failures.length === 0 ? verdicts : undefined;
}

/** Performance tests. They take long, and other tests check the behavior. */
const COSTS = /^(linear|scale|properties)[/\\]|^fuzz\./;

/** Matches the modules that a built module requires, and those that a test loads with a fake of the editor's API. */
const LOADED = /(?:require\w*\(|__dirname, )"([^"]+)"/g;

/** @returns {Promise<Map<string, Set<string>>>} the built unit tests, and the modules that each loads */
async function modulesOfTests() {
  const folder = join(out, 'test', 'unit');
  const tests = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith('.test.js') && !COSTS.test(name))
    .map((name) => join(folder, name));
  return new Map(
    tests.map((path) => {
      const found = new Set([path]);
      for (const module of found) {
        for (const [, request] of readFileSync(module, 'utf8').matchAll(LOADED)) {
          const required = join(dirname(module), `${request.replace(/\.js$/, '')}.js`);
          if (existsSync(required)) found.add(required);
        }
      }
      return [path, found];
    }),
  );
}

/** Tries faults in editor windows: in a new one after one has ended, or after a test failed in it without a fault. */
async function tryInEditor(host, chosen, verdicts) {
  const plan = join(out, 'faults', 'plan.json');
  const results = join(out, 'faults', 'results.json');
  let left = chosen.map(({ number, file }) => ({
    number,
    tests: EDITOR_TESTS.find(([folder]) => file.startsWith(`${folder}/`) || file === folder)[1],
  }));
  const tries = new Map();
  while (left.length > 0) {
    await writeFile(plan, JSON.stringify(left));
    await rm(results, { force: true });
    const ended = await runSuiteInServer({
      host,
      counts: join(out, 'faults', 'counts.json'),
      artifacts: join(out, 'artifacts', 'faults'),
      extension: extensionFolder,
      tests: join(out, 'test', 'editor', 'faultSuite.js'),
      env: { PST_FAULTS: plan, PST_RESULTS: results },
      limit: EDITOR_LIMIT,
    });
    const found = existsSync(results) ? JSON.parse(await readFile(results, 'utf8')) : [];
    for (const { number, ...verdict } of found) verdicts.set(number, verdict);
    left = left.filter(({ number }) => !found.some((one) => one.number === number && one.by !== 'unclear'));
    if (ended && left.length === 0) return;
    // The fault at which the window ended is tried once more.
    const [next] = left;
    if (!next) return;
    tries.set(next.number, (tries.get(next.number) ?? 0) + 1);
    if (tries.get(next.number) < 2) continue;
    if (!verdicts.has(next.number)) verdicts.set(next.number, { by: 'unclear', test: 'the window ended' });
    left = left.slice(1);
  }
}

function report(chosen, verdicts) {
  const rows = new Map();
  for (const fault of chosen) {
    const folder = fault.file.split('/')[0];
    const row = rows.get(folder) ?? { faults: 0, 'unit tests': 0, 'editor tests': 0, unclear: 0, survived: 0, 'with a reason': 0 };
    rows.set(folder, row);
    row.faults++;
    const { by, test } = verdicts.get(fault.number);
    row[{ unit: 'unit tests', editor: 'editor tests', survived: 'survived', unclear: 'unclear' }[by]]++;
    if (by === 'unit' || by === 'editor') continue;
    if (fault.reason) row['with a reason']++;
    console.log(
      `${by}: ${fault.number} src/${fault.file}.ts, ${fault.in}: ${fault.find}\n  → ${fault.replace}${test ? `\n  ${test}` : ''}${fault.reason ? `\n  Reason: ${fault.reason}` : ''}`,
    );
  }
  console.table(Object.fromEntries(rows));
  const sum = (key) => [...rows.values()].reduce((total, row) => total + row[key], 0);
  const noticed = sum('unit tests') + sum('editor tests');
  const without = sum('survived') + sum('unclear') - sum('with a reason');
  console.log(
    `${noticed} of ${chosen.length} faults were noticed (${((noticed / chosen.length) * 100).toFixed(1)} %), ${without} of the others have no reason`,
  );
  return { ok: without <= chosen.length * (1 - NOTICED) };
}
