// npm run bench:files: the time and memory of the files at a point: 500 files of 10 KB with 2,000 edits in 30 sessions and 50
// commits. Needs the output of `node esbuild.mjs --tests`, and Node 22.13 or later for SQLite.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

const load = createRequire(join(resolve(import.meta.dirname, '..', '..', 'out'), 'index.js'));
const { openCatalog, planRestore } = load('./bundled/index.js');
const { session, entryId } = load('./test/fixtures/build.js');

const [FILES, EDITS, SESSIONS, COMMITS, LINES] = [500, 2000, 30, 50, 250];
const START = Date.UTC(2026, 0, 5, 9);
const folder = mkdtempSync(join(tmpdir(), 'files-'));
try {
  const project = join(folder, 'project');
  for (let n = 0; n < 25; n++) mkdirSync(join(project, `part${n}`), { recursive: true });
  const nameOf = (n) => `part${n % 25}/file${n}.ts`;
  const texts = Array.from({ length: FILES }, (_, n) =>
    Array.from({ length: LINES }, (_line, line) => `const value${n}_${line} = call(${line}); // ${'x'.repeat(10)}\n`).join(''),
  );
  for (const [n, text] of texts.entries()) writeFileSync(join(project, nameOf(n)), text);
  const git = (time, ...args) => {
    const date = new Date(time).toISOString();
    execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date },
    });
  };
  git(START - 60_000, 'init', '-q');
  git(START - 60_000, 'add', '.');
  git(START - 60_000, 'commit', '-qm', 'x');
  const root = join(folder, 'sessions');
  mkdirSync(join(root, 'p'), { recursive: true });
  let time = START;
  for (let s = 0; s < SESSIONS; s++) {
    const builder = session({ cwd: project, id: `s${s}`, timestamp: new Date(time).toISOString() });
    const given = () => ({ timestamp: new Date((time += 1000)).toISOString(), message: { timestamp: time } });
    const tool = (name, args, text, details) => {
      const id = `c${time}`;
      builder.assistant([{ type: 'toolCall', id, name, arguments: args }], given());
      builder.message(
        { role: 'toolResult', toolCallId: id, toolName: name, content: [{ type: 'text', text }], details, isError: false },
        given(),
      );
    };
    builder.user('do it', given());
    for (let e = Math.floor((s * EDITS) / SESSIONS); e < Math.floor(((s + 1) * EDITS) / SESSIONS); e++) {
      const n = (e * 7) % FILES;
      // Another line of the file each time.
      const line = (e * 13 + Math.floor(e / FILES)) % LINES;
      const oldText = `const value${n}_${line} = call(${line});`;
      if (e % 2 === 0) tool('read', { path: nameOf(n) }, texts[n]);
      if (!texts[n].includes(oldText)) continue;
      const newText = `const value${n}_${line} = other(${e});`;
      const patch = `@@ -${line + 1},1 +${line + 1},1 @@\n-${oldText} // ${'x'.repeat(10)}\n+${newText} // ${'x'.repeat(10)}\n`;
      tool('edit', { path: nameOf(n), edits: [{ oldText, newText }] }, 'done', { patch });
      texts[n] = texts[n].replace(oldText, newText);
      if (e % 10 === 0) tool('bash', { command: 'npm test' }, 'ok');
      if (e % Math.floor(EDITS / COMMITS) === 0) {
        for (const [at, text] of texts.entries()) writeFileSync(join(project, nameOf(at)), text);
        git(time + 500, 'commit', '-qam', 'x');
      }
    }
    writeFileSync(join(root, 'p', `s${s}.jsonl`), builder.text());
  }
  for (const [n, text] of texts.entries()) writeFileSync(join(project, nameOf(n)), text);
  const catalog = await openCatalog({ roots: [root], cacheDir: join(folder, 'cache') });
  await catalog.refresh();
  await catalog.touching(join(project, 'warm'));
  for (let run = 0; run < 3; run++) {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    const spent = () => {
      const { user, system } = process.cpuUsage(cpu);
      return (user + system) / 1000;
    };
    const ms = (value) => `${Math.round(value)} ms`;
    let first;
    const onPlanned = () => (first ??= `${ms(performance.now() - start)}, CPU ${ms(spent())}`);
    const { files } = await planRestore(catalog, { path: join(root, 'p', 's15.jsonl'), entryId: entryId(20) }, { onPlanned });
    const exact = files.filter(({ certainty }) => certainty === 'exact').length;
    const memory = Math.round(process.memoryUsage().rss / 1024 / 1024);
    console.log(
      `${files.length} files, ${exact} exact: ${ms(performance.now() - start)}, CPU ${ms(spent())}, ${memory} MB; the first one: ${first}`,
    );
  }
  await catalog.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
