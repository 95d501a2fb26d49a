// npm run bench:usage: the Usage page with 50,000 sessions: until it's there, and the answer to a range or a group that is chosen. Each
// round is a process of its own. Times are by the clock and of the processor: of the extension host's thread, and of all threads with
// the one that reads the database. Needs the output of `node esbuild.mjs --tests`, and Node 24.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

const out = resolve(import.meta.dirname, '..', '..', 'out');
const load = createRequire(join(out, 'index.js'));
const SESSIONS = Number(process.env.SESSIONS ?? 50_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const DAY_MS = 86_400_000;
const MODELS = ['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5', 'gpt-5.1', 'gpt-5.1-codex', 'qwen3-coder'];
const TIME_ZONE = 'Europe/Berlin';

/** Writes sessions of the last year, up to now: eight answers each, half of the sessions with a second model, and some over midnight. */
function writeSessions(root) {
  const end = Date.now();
  for (let n = 0; n < SESSIONS; n++) {
    const cwd = `/work/project${n % 40}`;
    const folder = join(root, `--work-project${n % 40}--`);
    if (n < 40) mkdirSync(folder, { recursive: true });
    const start = end - Math.floor(((n + 1) / SESSIONS) * 365 * DAY_MS);
    const stamp = (time) => new Date(time).toISOString();
    const lines = [{ type: 'session', version: 3, id: `session-${n}`, timestamp: stamp(start), cwd }];
    let parentId = null;
    for (let at = 0; at < 9; at++) {
      const time = start + at * 60_000;
      const model = MODELS[(n + (n % 2 === 0 && at > 5 ? 1 : 0)) % MODELS.length];
      const input = 100 + ((n * 31 + at * 7) % 900);
      const cost = { input: input * 3e-6, output: 0.0015, cacheRead: 0.002, cacheWrite: 0, total: input * 3e-6 + 0.0035 };
      const usage = { input, output: 100, cacheRead: 4000, cacheWrite: 0, totalTokens: input + 4100, cost };
      const message =
        at === 0
          ? { role: 'user', content: `Please look at file ${n}.` }
          : { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], provider: 'p', model, usage, stopReason: 'stop' };
      const id = (n * 16 + at).toString(16).padStart(8, '0');
      lines.push({ type: 'message', id, parentId, timestamp: stamp(time), message: { ...message, timestamp: time } });
      parentId = id;
    }
    const path = join(folder, `${n}.jsonl`);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    utimesSync(path, new Date(start + 8 * 60_000), new Date(start + 8 * 60_000));
  }
}

/** Opens the page in a fake editor. Each of its answers is what its webview is sent. */
async function openPage(core, catalog) {
  const { fakeEditor } = load('./test/fixtures/fakeEditor.js');
  const { loadWithVscode } = load('./test/fixtures/loadWithVscode.js');
  const editor = fakeEditor();
  let [answered, receive] = [undefined, undefined];
  const webview = {
    postMessage: (content) => answered(content.html),
    onDidReceiveMessage: (listener) => (receive = listener),
  };
  editor.api.window.createWebviewPanel = () => ({ webview, onDidDispose: () => undefined, reveal: () => undefined });
  const summaries = new Map((await catalog.sessions()).map((summary) => [summary.path, summary]));
  const { UsagePanel } = loadWithVscode(join(out, 'src/commands/usage/usagePanel.js'), editor.api);
  const page = new UsagePanel('Usage', {
    catalog: { progress: () => ({ done: SESSIONS, total: SESSIONS }) },
    log: { error: (error) => Promise.reject(error) },
    session: core.readSession,
    summary: (path) => summaries.get(path),
    workspaceState: { get: () => undefined, update: () => Promise.resolve() },
  });
  const say = (message) =>
    new Promise((done) => {
      answered = done;
      void receive(message);
    });
  const range = (name) => say({ type: 'range', name });
  const open = async () => {
    const since = page.firstTime();
    await page.show(await catalog.usageFacts(TIME_ZONE, since), { since, whole: new Promise(() => undefined) });
    return say({ type: 'ready' });
  };
  const complete = async () => {
    const facts = await catalog.usageFacts(TIME_ZONE);
    return new Promise((done) => {
      answered = done;
      void page.update(facts);
    });
  };
  return { open, complete, range, say };
}

async function round(root, cacheDir) {
  const core = load('./bundled/index.js');
  const catalog = await core.openCatalog({ roots: [root], cacheDir });
  // The editor has compared the files with the disk long before.
  await catalog.refresh();
  const { open, complete, range, say } = await openPage(core, catalog);
  const results = {};
  const measure = async (name, work) => {
    const [clock, thread, all] = [performance.now(), process.threadCpuUsage(), process.cpuUsage()];
    const html = await work();
    const sum = ({ user, system }) => (user + system) / 1000;
    results[name] = [performance.now() - clock, sum(process.threadCpuUsage(thread)), sum(process.cpuUsage(all))];
    if (!html.includes('<table>')) throw new Error(`There is no table: ${name}`);
  };
  await measure('the page with 30 days, the first time', open);
  await measure('all days in the background', complete);
  await measure('the page again', open);
  await measure('all days again, in the background', complete);
  await measure('range: last month', () => range('lastMonth'));
  await measure('range: all days', () => range('all'));
  await measure('range: 30 days', () => range('30days'));
  await measure('sessions of a project, 30 days', () => say({ type: 'group', by: 'project', key: '/work/project7' }));
  await measure('… all days', () => range('all'));
  await measure('back, all days', () => say({ type: 'back' }));
  await measure('sessions of a model, all days', () => say({ type: 'group', by: 'model', key: 'p/gpt-5.1' }));
  console.log(JSON.stringify(results));
  await catalog.close();
}

if (process.argv[2] === 'round') {
  await round(...process.argv.slice(3));
  process.exit();
}
const folder = join(process.env.BENCH_FOLDER ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir()), `usage-${SESSIONS}`);
const [root, cacheDir] = [join(folder, 'sessions'), join(folder, 'cache')];
if (!existsSync(join(folder, 'complete'))) {
  writeSessions(root);
  const core = load('./bundled/index.js');
  const catalog = await core.openCatalog({ roots: [root], cacheDir });
  await catalog.refresh();
  await catalog.close();
  writeFileSync(join(folder, 'complete'), '');
}
const rounds = Array.from({ length: ROUNDS }, () => {
  const output = execFileSync(process.execPath, [import.meta.filename, 'round', root, cacheDir], { encoding: 'utf8' });
  return JSON.parse(output.trim().split('\n').at(-1));
});
console.log('| Work | Clock, ms | Extension host, ms | All threads, ms |\n| --- | --- | --- | --- |');
for (const name of Object.keys(rounds[0])) {
  const least = [0, 1, 2].map((place) => Math.min(...rounds.map((one) => one[name][place])).toFixed(0));
  console.log(`| ${name} | ${least.join(' | ')} |`);
}
if (process.env.BENCH_FOLDER === undefined) rmSync(folder, { recursive: true, force: true });
