// npm run bench:origins: precision, recall and times of line origins in generated histories. Needs the output of
// `node esbuild.mjs --tests`, and Node 22.13 or later for SQLite. `OTHERS=2000` adds sessions that edited other files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

const out = resolve(import.meta.dirname, '..', '..', 'out');
const load = createRequire(join(out, 'index.js'));
// One file, as in the product: calls between the tests' many files go through getters.
const { openCatalog, lineOrigins } = load('./bundled/index.js');
const { fileHistory } = load('./test/fixtures/fileHistory.js');
const { OriginScore } = load('./test/fixtures/originScore.js');
const { session } = load('./test/fixtures/build.js');

const SESSIONS = 40;
const folder = mkdtempSync(join(tmpdir(), 'origins-'));
try {
  const history = fileHistory({ seed: 1, steps: 320, sessions: SESSIONS, initialLines: 4500, forms: ['pi', 'pi-old'] });
  const project = join(folder, 'project');
  mkdirSync(join(project, 'src'), { recursive: true });
  const file = join(project, 'src', 'app.ts');
  writeFileSync(file, history.text);
  const builders = new Map();
  for (const event of history.events) {
    if (event.kind !== 'call') continue;
    if (!builders.has(event.session)) builders.set(event.session, session({ cwd: project, id: `s${event.session}` }).user('do it'));
    const timestamp = new Date(event.time).toISOString();
    builders
      .get(event.session)
      .assistant([event.call], { id: event.id, timestamp, message: { timestamp: event.time } })
      .message(event.result, { id: `${event.id}-result`, timestamp, message: { timestamp: event.time } });
  }
  const root = join(folder, 'sessions');
  mkdirSync(join(root, 'p'), { recursive: true });
  for (const [n, builder] of builders) writeFileSync(join(root, 'p', `s${n}.jsonl`), builder.text());
  for (let n = 0; n < Number(process.env.OTHERS ?? 0); n++) {
    const other = session({ cwd: project, id: `other${n}` }).user('do it');
    for (let at = 0; at < 20; at++) other.tool('edit', { path: `src/file${(n * 7 + at) % 500}.ts`, oldText: 'a', newText: 'b' });
    writeFileSync(join(root, 'p', `other${n}.jsonl`), other.text());
  }
  const catalog = await openCatalog({ roots: [root], cacheDir: join(folder, 'cache') });
  await catalog.refresh();
  await catalog.touching(join(project, 'warm'));
  const times = [];
  let origins = [];
  // The last time with a line typed.
  for (const options of [{}, {}, { text: `// typed\n${history.text}` }]) {
    const start = performance.now();
    const before = process.cpuUsage();
    const found = await lineOrigins(catalog, file, options);
    if (options.text === undefined) origins = found;
    const { user, system } = process.cpuUsage(before);
    times.push({ all: performance.now() - start, cpu: (user + system) / 1000 });
  }
  const score = new OriginScore();
  score.add(history.truth, (line) => {
    const origin = origins.find(({ from, to }) => from <= line + 1 && to > line);
    return origin && { author: origin.entryId, certainty: origin.certainty };
  });
  const calls = history.events.filter(({ kind }) => kind === 'call').length;
  console.log(`${history.truth.length} lines, ${calls} calls in ${builders.size} sessions: ${score.toString()}`);
  const [first, second, typed] = times;
  console.log(
    `first ${first.all.toFixed(0)} ms (CPU of all threads ${first.cpu.toFixed(0)} ms), second ${second.all.toFixed(1)} ms, after typing ${typed.all.toFixed(1)} ms`,
  );
  await catalog.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
