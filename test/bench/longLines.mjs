// npm run bench:lines [-- work or line …]: the longest pause of the extension host's work with one line that holds very much, in
// processor time, so that a busy machine changes little. Each measurement is a process of its own, `RUNS` times (by default 5). Needs
// the output of `node esbuild.mjs --tests`, and Node 24.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers';

const out = resolve(import.meta.dirname, '..', '..', 'out');
const load = createRequire(join(out, 'index.js'));
const RUNS = Number(process.env.RUNS ?? 5);
const MANY = 200_000;
const list = (of) => Array.from({ length: MANY }, (_, index) => of(index));
const textBlock = (index) => ({ type: 'text', text: `text ${index}` });
const call = (args, id = 'c', name = 'bash') => ({ type: 'toolCall', id, name, arguments: args });

/** The content of the line, by what it holds; with the role of its message. */
const LINES = {
  'blocks of a prompt': () => ['user', list(textBlock)],
  'blocks of an answer': () => ['assistant', list(textBlock)],
  'keys of arguments': () => ['assistant', [call(Object.fromEntries(list((index) => [`key ${index}`, `value ${index}`])))]],
  'tool calls': () => ['assistant', list((index) => call({ path: '/project/a.ts' }, `call ${index}`, 'read'))],
  'calls that edit': () => [
    'assistant',
    list((index) => call({ path: '/project/a.ts', oldText: 'a', newText: `b ${index}` }, `call ${index}`, 'edit')),
  ],
  'a string of 20 MB': () => ['assistant', [{ type: 'text', text: 'All the words of a long text. '.repeat(700_000) }]],
  'a written file of 20 MB': () => [
    'assistant',
    [call({ path: '/project/a.ts', content: 'const a = 1;\n'.repeat(1_600_000) }, 'c', 'write')],
  ],
  'lists in lists, 100,000 levels': () => [
    'assistant',
    [call({ value: 'DEEP' })],
    (text) => text.replace('"DEEP"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  ],
};

/** Work with the session whose file is given, whose third entry is the line. `small` is a session of the same kind that warms up. */
const WORKS = {
  'read the session': async (core, path) => core.readSession(path),
  'read the entry': async (core, path, measure) => {
    const session = await core.readSession(path);
    return measure(() => core.readBodies(session, ['line']));
  },
  'context of a model': async (core, path, measure) => {
    const session = await core.readSession(path);
    return measure(() => core.buildSessionContext(session));
  },
  'document in Markdown': async (core, path, measure) => {
    const session = await core.readSession(path);
    return measure(() => core.sessionToMarkdown(session));
  },
  'context view': async (core, path, measure) => {
    const session = await core.readSession(path);
    const { readFileContext } = load('./src/context/host/sessionFiles.js');
    const { readLastArticles } = load('./src/context/articles/articleLoader.js');
    return measure(async () => {
      const snapshot = await readFileContext(session);
      JSON.stringify(await readLastArticles(snapshot, 0));
    });
  },
  'find in the context view': async (core, path, measure) => {
    const session = await core.readSession(path);
    const { readFileContext } = load('./src/context/host/sessionFiles.js');
    const { ContextSearch } = load('./src/context/search/contextSearch.js');
    const snapshot = await readFileContext(session);
    const query = { text: 'text', caseSensitive: false, wholeWord: false, regex: false };
    return measure(() => new ContextSearch(() => undefined).search(snapshot, { type: 'find', id: 1, query, from: 0 }, () => true));
  },
  'rows of the tree': async (core, path, measure) => {
    const session = await core.readSession(path);
    const { buildOutline, outlineLevel, outlineRow } = load('./src/tree/rows/outline.js');
    return measure(() => {
      const outline = core.finishSteps(buildOutline(session, 'all'));
      return core.finishSteps(outlineLevel(outline)).map((element) => outlineRow(outline, element));
    });
  },
  'digest of the branch': async (core, path, measure) => {
    const session = await core.readSession(path);
    return measure(() => core.branchDigest(session));
  },
  'label the entry': async (core, path, measure) => {
    const session = await core.readSession(path);
    const writer = core.createWriter({ journalDir: `${path}.journal`, home: tmpdir() });
    return measure(() => writer.submit(session, { kind: 'label', entryId: 'line', label: 'a' }, { force: true }).catch((error) => error));
  },
  'list and search': (core, path, measure) =>
    withCatalog(core, path, async (catalog) => measure(async () => (await catalog.refresh(), await catalog.search('value text edit')))),
  'origins of lines': (core, path, measure) =>
    withCatalog(core, path, async (catalog) => {
      await catalog.refresh();
      return measure(() => core.lineOrigins(catalog, '/project/a.ts', { text: 'const a = 1;\nb 17\n' }));
    }),
  ...Object.fromEntries(
    ['html', 'markdown', 'jsonl'].flatMap((format) =>
      [false, true].map((redact) => [
        `${redact ? 'redacted ' : ''}export as ${format}`,
        async (core, path, measure) => {
          const session = await core.readSession(path);
          const target = `${path}.${process.pid}.out`;
          const result = await measure(() =>
            core.exportSession(session, {
              format,
              target,
              redact,
              ...(format === 'html' ? { pageFolder: resolve(out, '..', 'dist') } : {}),
            }),
          );
          rmSync(target, { force: true });
          return result;
        },
      ]),
    ),
  ),
  'findings of a review': async (core, path, measure) => {
    const session = await core.readSession(path);
    return measure(async () => {
      let count = 0;
      for await (const finding of core.findSecrets(session)) count += finding ? 1 : 0;
      return count;
    });
  },
};

async function withCatalog(core, path, work) {
  const cacheDir = mkdtempSync(join(tmpdir(), 'long-lines-cache-'));
  const catalog = await core.openCatalog({ roots: [resolve(path, '..', '..')], cacheDir });
  try {
    return await work(catalog);
  } finally {
    await catalog.close();
    rmSync(cacheDir, { recursive: true, force: true });
  }
}

/** Measures the most processor time between two turns of the event loop while the work runs. */
async function measured(work) {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  await new Promise((done) => setTimeout(done, 50));
  let [longest, last, isRunning] = [0, used(), true];
  const first = last;
  const look = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (isRunning) setImmediate(look);
  };
  setImmediate(look);
  await work();
  await new Promise((done) => setImmediate(done));
  isRunning = false;
  return { longest, all: used() - first };
}

if (process.argv[2] === '--child') {
  const [, , , name, path, small] = process.argv;
  const core = load('./bundled/index.js');
  const work = WORKS[name];
  const run = async (file, isMeasured) => {
    let result;
    const whole = work.length < 3;
    const measure = async (part) => (isMeasured ? (result = await measured(part)) : part());
    if (whole) await measure(() => work(core, file));
    else await work(core, file, measure);
    return result;
  };
  await run(small, false);
  const result = await run(path, true);
  console.log(JSON.stringify(result));
  process.exit(0);
} else {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'long-lines-'));
  try {
    const words = process.argv.slice(2);
    const wanted = (name, names) =>
      !words.some((word) => names.some((one) => one.includes(word))) || words.some((word) => name.includes(word));
    const lines = Object.keys(LINES).filter((name) => wanted(name, Object.keys(LINES)));
    const works = Object.keys(WORKS).filter((name) => wanted(name, Object.keys(WORKS)));
    const paths = lines.map((name, index) => writeSession(folder, String(index), ...LINES[name]()));
    const small = writeSession(folder, 'small', 'assistant', [textBlock(0), call({ path: 'a' })]);
    console.log(`| Work | ${lines.join(' | ')} |\n| --- |${lines.map(() => ' --- |').join('')}`);
    for (const work of works) {
      const cells = paths.map((path) => {
        const results = [];
        for (let run = 0; run < RUNS; run++)
          results.push(
            JSON.parse(
              execFileSync(process.execPath, [import.meta.filename, '--child', work, path, small], { encoding: 'utf8', maxBuffer: 1e9 }),
            ),
          );
        const sorted = results.map(({ longest }) => longest).sort((a, b) => a - b);
        return `${sorted[0].toFixed(0)} / ${sorted[sorted.length >> 1].toFixed(0)}`;
      });
      console.log(`| ${work} | ${cells.join(' | ')} |`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a session with the line as its third entry, and returns its path. */
function writeSession(root, name, role, content, change = (text) => text) {
  const path = join(root, name, 'p', `${name}.jsonl`);
  mkdirSync(join(root, name, 'p'), { recursive: true });
  const time = '2026-01-02T03:04:05.000Z';
  const message = (id, parentId, body) =>
    JSON.stringify({ type: 'message', id, parentId, timestamp: time, message: { ...body, timestamp: Date.parse(time) } });
  const results = content.filter?.(({ type, id }) => type === 'toolCall' && id).slice(0, 1) ?? [];
  writeFileSync(
    path,
    [
      JSON.stringify({ type: 'session', version: 3, id: `session-${name}`, timestamp: time, cwd: '/project' }),
      message('first', null, { role: 'user', content: 'Do it.' }),
      change(
        message('line', 'first', {
          role,
          content,
          ...(role === 'assistant' ? { api: 'a', provider: 'p', model: 'm', stopReason: 'stop' } : {}),
        }),
      ),
      ...results.map(({ id, name: toolName }) =>
        message('result', 'line', { role: 'toolResult', toolCallId: id, toolName, content: [{ type: 'text', text: 'done' }] }),
      ),
      message('last', results.length > 0 ? 'result' : 'line', { role: 'user', content: 'Thanks.' }),
    ].join('\n') + '\n',
  );
  return path;
}
