// npm run bench:stored: compares sessions in OpenClaw's database, in its archives and in compressed files with the same
// sessions as files. All forms in turn, each run in its own process; medians of the processor time after a warm-up run.
// Writes test/bench/STORED.md.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installHost } from '../host/install.mjs';

const RUNS = Number(process.env.BENCH_RUNS ?? 5);
const here = import.meta.dirname;
const project = resolve(here, '..', '..');
execFileSync(process.execPath, [join(project, 'esbuild.mjs'), '--production'], { cwd: project, stdio: 'inherit' });
const core = join(project, 'dist', 'core.mjs');
const { node } = await installHost();
const folder = process.env.BENCH_FOLDER ?? join(tmpdir(), 'session-tree-bench');
mkdirSync(folder, { recursive: true });
// Node's own SQLite and Zstandard are in the newer Node only.
const made = `const { makeStoredStores } = await import(${JSON.stringify(join(here, 'storedStores.mjs'))}); console.log(JSON.stringify(makeStoredStores(${JSON.stringify(folder)})))`;
const flags = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=6000'];
const output = execFileSync(node, [...flags, '--input-type=module', '-e', made], { encoding: 'utf8' });
const stores = JSON.parse(output);
const FORMS = Object.keys(stores.large);

const cacheOf = (store, form) => join(folder, `cache-stored-${store}-${form}`);

function measure(task, store, form) {
  const given = [task, core, cacheOf(store, form), JSON.stringify(stores[store][form])];
  const text = execFileSync(node, [flags[0], join(here, 'storedTask.mjs'), ...given], { cwd: project, encoding: 'utf8' });
  return JSON.parse(text.trim().split('\n').at(-1));
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Measures a task on each form, in turn. */
function compare(title, task, store, isFresh = false) {
  const forms = FORMS.filter((form) => task !== 'plain' || !['database', 'cold'].includes(form));
  const runs = [];
  for (let run = 0; run <= RUNS; run++) {
    const measured = {};
    for (const form of forms) {
      if (isFresh) rmSync(cacheOf(store, form), { recursive: true, force: true });
      measured[form] = measure(task, store, form);
    }
    if (run > 0) runs.push(measured);
  }
  const of = (form, what) => median(runs.map((run) => run[form][what]));
  const rows = Object.fromEntries(forms.map((form) => [form, { cpu: of(form, 'cpu'), mb: of(form, 'mb') }]));
  console.log(title, JSON.stringify(rows));
  return { title, rows };
}

const tables = [
  compare('Reading and unpacking 100 MB, nothing else', 'plain', 'single'),
  compare('Open 100 MB', 'open', 'single'),
  compare('480 MB in 200 sessions, without a database: the first 20 rows', 'first', 'large', true),
  compare('… everything searchable', 'build', 'large', true),
  compare('480 MB in 200 sessions, no changes: all rows', 'unchanged', 'large'),
  compare('… and every session compared with the disk afterwards', 'compared', 'large'),
  compare('Search for two words that few entries have', 'rare', 'large'),
  compare('… that every session has', 'common', 'large'),
];

const NAMES = { files: 'Files', database: 'Database', cold: 'OpenClaw’s archives', zst: '`.jsonl.zst`', gz: '`.jsonl.gz`' };
const time = (ms) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0));
const cell = (rows, form) => {
  const row = rows[form];
  if (!row) return '–';
  const ratio = form === 'files' ? '' : ` (${(row.cpu / rows.files.cpu).toFixed(1)})`;
  return `${time(row.cpu)}${ratio}, ${row.mb.toFixed(0)} MB`;
};
writeFileSync(
  join(here, 'STORED.md'),
  `# Results of \`npm run bench:stored\`

The same real-shaped sessions of OpenClaw (\`storedStores.mjs\`) as files, in OpenClaw's database with four sessions at work at a time, in the archives beside it, and in compressed files. User and system processor time in milliseconds, in brackets the ratio to files, and the peak of memory. All forms in turn, each in a new process; medians of ${RUNS} runs after a warm-up run. Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}, ${cpus().length} processors.

| Task | ${FORMS.map((form) => NAMES[form]).join(' | ')} |
| --- | ${FORMS.map(() => '---').join(' | ')} |
${tables.map(({ title, rows }) => `| ${title} | ${FORMS.map((form) => cell(rows, form)).join(' | ')} |`).join('\n')}
`,
);
