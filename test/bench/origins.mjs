// npm run bench:origins: precision, recall and times of line origins in generated histories, and the time of the hovers that take
// longest. Needs the output of `node esbuild.mjs --tests`, and Node 22.13 or later for SQLite. `OTHERS=2000` adds sessions that edited
// other files.
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
const { manyChanges } = load('./test/fixtures/manyChanges.js');
const { session } = load('./test/fixtures/build.js');

const SESSIONS = 40;

/** Files with about as many changes as a hover looks at, or more. Each function adds them to the session that wrote the file. */
const HOVERS = {
  'a patch of 2,000 parts that fit half': (written, lines, file) => {
    const input = ['*** Begin Patch', `*** Update File: ${file}`, ...manyChanges(2000).hunks, '*** End Patch'].join('\n');
    return written.tool('apply_patch', { input });
  },
  '500 edits of one line': (written, lines, file) => {
    for (let n = 0; n < 500; n++) {
      const at = (n * 7) % lines.length;
      const newText = `${lines[at]} // ${n}`;
      written.tool('edit', { path: file, oldText: lines[at], newText });
      lines[at] = newText;
    }
    return written;
  },
  '10 edits of all lines': (written, lines, file) => {
    for (let n = 0; n < 10; n++)
      written.tool('edit', { path: file, oldText: n % 2 ? 'konst' : 'const', newText: n % 2 ? 'const' : 'konst', all: true });
    return written;
  },
  '5 writes of all lines': (written, lines, file) => {
    for (let n = 0; n < 5; n++) written.tool('write', { path: file, content: lines.map((line) => `${line} // ${n}`).join('\n') });
    return written;
  },
};
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
  const hovered = Object.entries(HOVERS).flatMap(([name, make], kind) =>
    [0, 1, 2, 3, 4].map((run) => {
      const path = `src/hovered${kind}-${run}.ts`;
      const lines = [...manyChanges(2000).lines];
      const text = lines.join('\n');
      const written = session({ cwd: project, id: `hovered${kind}-${run}` })
        .user('do it')
        .tool('write', { path, content: text });
      const content = make(written, lines, path).text();
      writeFileSync(join(root, 'p', `hovered${kind}-${run}.jsonl`), content);
      writeFileSync(join(project, path), text);
      return { name, path: join(project, path), bytes: content.length };
    }),
  );
  await catalog.refresh();
  await catalog.touching(join(project, 'warm'));
  for (const name of Object.keys(HOVERS)) {
    const runs = [];
    let answer = '';
    const files = hovered.filter((file) => file.name === name);
    for (const { path } of files) {
      const start = performance.now();
      answer = await lineOrigins(catalog, path, { isQuick: true }).then(
        (found) => `${found.length} ranges`,
        ({ name: error }) => error,
      );
      runs.push(performance.now() - start);
    }
    runs.sort((a, b) => a - b);
    console.log(
      `Hover, ${name} (${(files[0].bytes / 1e6).toFixed(1)} MB): ${runs.map((time) => time.toFixed(0)).join(', ')} ms: ${answer}`,
    );
  }
  await catalog.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
