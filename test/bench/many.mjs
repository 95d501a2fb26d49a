// node test/bench/many.mjs [<folder with core.mjs>]: memory, time and space of tens of thousands of small sessions. Each
// measurement runs in its own process. Times are user and system CPU time, which other load changes little.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installHost } from '../host/install.mjs';

const COUNTS = [5000, 50_000];
const PROJECTS = 12;
const START = Date.parse('2026-01-02T08:00:00.000Z');

/** Returns words of which the n-th most common one is about n times as rare as the most common one. */
function speech(seed) {
  let state = seed >>> 0;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const word = () => Math.floor(40_000 ** next() - 1).toString(36);
  return (count) => Array.from({ length: count }, () => `w${word()}`).join(' ');
}

/** Returns the lines of a session of about 8 KB. */
function sessionText(number, cwd) {
  const text = speech(number + 1);
  const id = (count) => (number * 16 + count).toString(16).padStart(8, '0');
  const timestamp = (count) => new Date(START + number * 60_000 + count * 3000).toISOString();
  const lines = [
    { type: 'session', version: 3, id: `019b7d2c-0000-7000-8000-${number.toString(16).padStart(12, '0')}`, timestamp: timestamp(0), cwd },
  ];
  const add = (message) => {
    const count = lines.length;
    lines.push({
      type: 'message',
      id: id(count),
      parentId: count > 1 ? id(count - 1) : null,
      timestamp: timestamp(count),
      message: { ...message, timestamp: START + number * 60_000 + count * 3000 },
    });
  };
  const cost = { input: 0.000012, output: 0.0018, cacheRead: 0.0027, cacheWrite: 0.0015, total: 0.006012 };
  const usage = { input: 4, output: 120, cacheRead: 9000, cacheWrite: 400, totalTokens: 9524, cost };
  const answer = (content) =>
    add({
      role: 'assistant',
      content,
      api: 'anthropic-messages',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      usage,
      stopReason: 'stop',
    });
  add({ role: 'user', content: [{ type: 'text', text: `Please look at ${text(12)}.` }] });
  for (let turn = 0; turn < 3; turn++) {
    const toolCallId = `call_${turn}`;
    answer([
      { type: 'text', text: text(8) },
      { type: 'toolCall', id: toolCallId, name: 'read', arguments: { path: `src/module${number % 97}.ts` } },
    ]);
    add({ role: 'toolResult', toolCallId, toolName: 'read', content: [{ type: 'text', text: text(300) }], isError: false });
  }
  answer([{ type: 'text', text: `Done: ${text(30)}.` }]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function makeStore(root, count) {
  if (existsSync(join(root, 'complete'))) return;
  for (let number = 0; number < count; number++) {
    const project = join(root, `--work-project${number % PROJECTS}--`);
    if (number < PROJECTS) mkdirSync(project, { recursive: true });
    writeFileSync(join(project, `2026-01-02T08-00-00-000Z_${number}.jsonl`), sessionText(number, `/work/project${number % PROJECTS}`));
  }
  writeFileSync(join(root, 'complete'), '');
}

const WORKS = {
  build: async (catalog) => {
    await catalog.refresh();
  },
  open: async (catalog) => {
    await catalog.sessions();
    await catalog.refresh();
  },
  // The editor takes the rows from `Catalog.files()`, which aren't copies.
  compare: async (catalog) => {
    await catalog.refresh();
  },
  search: async (catalog) => {
    await catalog.refresh();
    return async () => {
      if ((await catalog.search('please look')).length !== 50) throw new Error('There are too few hits.');
    };
  },
};

if (process.argv[2] === 'measure') {
  const [core, root, cacheDir, work] = process.argv.slice(3);
  const { openCatalog } = await import(pathToFileURL(core).href);
  let before = process.cpuUsage();
  const catalog = await openCatalog({ roots: [root], cacheDir });
  const more = await WORKS[work](catalog);
  if (more) {
    before = process.cpuUsage();
    await more();
  }
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ ms: (user + system) / 1000, mb: process.resourceUsage().maxRSS / 1024 }));
  await catalog.close();
  process.exit();
}

const core = join(resolve(process.argv[2] ?? join(import.meta.dirname, '..', '..', 'dist')), 'core.mjs');
// A Node with SQLite.
const { node } = await installHost();
const folder = process.env.BENCH_FOLDER ?? join(tmpdir(), 'session-tree-bench');
const bytesIn = (path) =>
  readdirSync(path, { recursive: true }).reduce(
    (sum, name) => sum + (statSync(join(path, name)).isFile() ? statSync(join(path, name)).size : 0),
    0,
  );
for (const count of COUNTS) {
  const [root, cacheDir] = [join(folder, `many-${count}`), join(folder, `cache-many-${count}`)];
  makeStore(root, count);
  rmSync(cacheDir, { recursive: true, force: true });
  const measure = (work) => {
    const args = ['--disable-warning=ExperimentalWarning', import.meta.filename, 'measure', core, root, cacheDir, work];
    return JSON.parse(execFileSync(node, args, { encoding: 'utf8' }).trim().split('\n').at(-1));
  };
  const [build, open, compare, search] = [measure('build'), measure('open'), measure('compare'), measure('search')];
  const [size, bytes] = [bytesIn(cacheDir), bytesIn(root)];
  console.log(`${count} sessions, ${(bytes / count / 1000).toFixed(1)} KB each:
  indexing: ${(build.ms / count).toFixed(3)} ms of CPU time per session, ${build.mb.toFixed(0)} MB at most
  open, all rows, compared with the disk: ${open.ms.toFixed(0)} ms of CPU time, ${open.mb.toFixed(0)} MB at most
  open, compared with the disk: ${compare.ms.toFixed(0)} ms of CPU time, ${compare.mb.toFixed(0)} MB at most
  search for words that every session has: ${search.ms.toFixed(0)} ms of CPU time
  database: ${(size / 1e6).toFixed(1)} MB, ${((100 * size) / bytes).toFixed(1)} %`);
}
