// npm run bench:pi: compares this extension's core with the real pi SessionManager, alternately, each run in its own
// process. Takes the median of five runs after a warm-up run, which measures the disk. Writes test/bench/RESULTS.md.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installHost } from '../host/install.mjs';
import { installPi, piFolder } from '../host/installPi.mjs';
import { makeStores } from './stores.mjs';

const RUNS = 5;
const here = import.meta.dirname;
const project = resolve(here, '..', '..');
execFileSync(process.execPath, [join(project, 'esbuild.mjs'), '--production'], { cwd: project, stdio: 'inherit' });
const core = join(project, 'dist', 'core.mjs');
const { node } = await installHost();
await installPi();
const folder = process.env.BENCH_FOLDER ?? join(tmpdir(), 'session-tree-bench');
mkdirSync(folder, { recursive: true });
const stores = makeStores(folder);
const cache = (name) => join(folder, `cache-${name}`);

function measure(work, store, file = '') {
  const text = execFileSync(
    node,
    ['--disable-warning=ExperimentalWarning', join(here, 'measure.mjs'), work, core, stores[store], cache(store), file],
    { cwd: project, encoding: 'utf8' },
  );
  return JSON.parse(text.trim().split('\n').at(-1));
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Runs both alternately, so that other load on the machine affects both. */
function compare({ title, store, pi, ours, file, fresh = false, goal }) {
  const runs = [];
  for (let run = 0; run <= RUNS; run++) {
    if (fresh) rmSync(cache(store), { recursive: true, force: true });
    runs.push({ pi: measure(pi, store, file), ours: measure(ours, store, file) });
  }
  const of = (who, what) => median(runs.slice(1).map((run) => run[who][what]));
  const row = { title, goal, pi: of('pi', 'ms'), ours: of('ours', 'ms'), piMb: of('pi', 'mb'), oursMb: of('ours', 'mb') };
  console.log(
    `${title}: pi ${row.pi.toFixed(0)} ms, ours ${row.ours.toFixed(2)} ms, ${(row.pi / row.ours).toFixed(1)} times (goal ${goal}); ${row.piMb.toFixed(0)} MB and ${row.oursMb.toFixed(0)} MB`,
  );
  return row;
}

const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
const share = (store) => {
  const [size, bytes] = [bytesIn(cache(store)), bytesIn(stores[store])];
  return `${(size / 1e6).toFixed(1)} MB for ${(bytes / 1e6).toFixed(0)} MB, ${((100 * size) / bytes).toFixed(1)} %`;
};

/** Compares all tasks on three stores: a large one, one of a single file, and one of small files. */
function compareAll({ large, single, small, goals, rareWords }) {
  const file = join(
    stores[single],
    readdirSync(stores[single], { recursive: true }).find((name) => name.endsWith('.jsonl')),
  );
  const rows = [
    compare({
      title: '480 MB in 200 files, without a database: the first 20 rows',
      store: large,
      pi: 'pi-list',
      ours: 'list',
      fresh: true,
      goal: goals.first,
    }),
    compare({ title: '… every row complete', store: large, pi: 'pi-list', ours: 'complete', fresh: true, goal: goals.complete }),
    compare({ title: '… everything searchable', store: large, pi: 'pi-list', ours: 'build', fresh: true, goal: goals.searchable }),
  ];
  for (const store of [small, single]) {
    rmSync(cache(store), { recursive: true, force: true });
    measure('build', store);
  }
  const sizes = [large, small, single].map(share);
  rows.push(
    compare({ title: '480 MB in 200 files, no changes: all rows', store: large, pi: 'pi-list', ours: 'list', goal: goals.unchanged }),
    compare({ title: '… and every file compared with the disk afterwards', store: large, pi: 'pi-list', ours: 'refreshed', goal: '–' }),
    compare({ title: '2,700 files, no changes: all rows', store: small, pi: 'pi-list', ours: 'list', goal: 40 }),
    compare({ title: '… and every file compared with the disk afterwards', store: small, pi: 'pi-list', ours: 'refreshed', goal: '–' }),
    compare({
      title: 'Open 100 MB: pi its tree and branch, ours what rows show',
      store: single,
      pi: 'pi-open',
      ours: 'open',
      file,
      goal: goals.open,
    }),
    compare({ title: '… equal work: ours all entries and the branch', store: single, pi: 'pi-open', ours: 'entries', file, goal: 4 }),
    compare({
      title: 'One line appended to 100 MB (the median of 101)',
      store: single,
      pi: 'pi-open',
      ours: 'follow',
      file,
      goal: 1000,
    }),
    compare({
      title: 'Search in 480 MB while typing two words that few entries have: 50 hits with snippets',
      store: large,
      file: rareWords,
      pi: 'pi-search',
      ours: 'search',
      goal: goals.rare,
    }),
    compare({ title: '… that every session has', store: large, file: 'the order', pi: 'pi-search', ours: 'search', goal: goals.common }),
  );
  return { rows, sizes };
}

const real = compareAll({
  large: 'realLarge',
  single: 'realSingle',
  small: 'realSmall',
  rareWords: 'token goti',
  goals: { first: 150, complete: 4, searchable: 1.2, unchanged: 200, open: 6, rare: 150, common: 100 },
});
const plain = compareAll({
  large: 'large',
  single: 'single',
  small: 'small',
  rareWords: 'token gota',
  goals: { first: 100, complete: 3, searchable: 1.2, unchanged: 100, open: 5, rare: 100, common: '–' },
});

const { version } = JSON.parse(readFileSync(join(piFolder, 'package.json'), 'utf8'));
const time = (ms) => (ms < 10 ? ms.toFixed(2) : ms.toFixed(0));
const section = ({ rows, sizes: [large, small, single] }) => `| Task | pi, ms | ours, ms | ratio | goal | pi, MB | ours, MB |
| --- | --- | --- | --- | --- | --- | --- |
${rows.map((row) => `| ${row.title} | ${time(row.pi)} | ${time(row.ours)} | ${(row.pi / row.ours).toFixed(1)} | ${row.goal} | ${row.piMb.toFixed(0)} | ${row.oursMb.toFixed(0)} |`).join('\n')}

The database takes ${large} (goal: under 5 %). The share is larger for small files, which have more facts per byte: ${small}; ${single}.`;
writeFileSync(
  join(here, 'RESULTS.md'),
  `# Results of \`npm run bench:pi\`

Ours and pi ${version} alternately, each in a new process; medians of ${RUNS} runs after a warm-up run. Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}, ${cpus().length} processors.

## Lines as real programs write them

The stores \`real…\` of \`stores.mjs\`: system prompts, the usage of each provider, signatures, details, errors, hidden messages, compactions, labels, branches, several alphabets, OpenClaw's key order.

${section(real)}

## Lines of one exact shape

Every line has the same keys in the same order, and nine tenths of the bytes are tool results.

${section(plain)}

## Equal work

Ours makes an entry when something shows it, so “Open 100 MB” compares less work with more. In “equal work” it makes all entries, each with the text of its row, and follows the parents from the leaf to the root. pi makes the texts of rows when its selector opens.
`,
);
