// A project with a repository and the sessions that edited its files, for benchmarks. Needs the output of `node esbuild.mjs --tests`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [FILES, EDITS, SESSIONS, COMMITS, LINES] = [500, 2000, 30, 50, 250];
const START = Date.UTC(2026, 0, 5, 9);

/**
 * Writes 500 files of 10 KB, and the 30 sessions with 2,000 edits of them, between 50 commits.
 *
 * @param {string} project the folder for the files
 * @param {string} folder the folder for the sessions
 * @returns {{ path: string, entryId: string }} an entry in the middle, after which most files were edited
 */
export function writeManyEdits(project, folder) {
  const { session, entryId } = createRequire(join(resolve(import.meta.dirname, '..', '..', 'out'), 'index.js'))('./test/fixtures/build.js');
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
  mkdirSync(folder, { recursive: true });
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
      writeFileSync(join(project, nameOf(n)), texts[n]);
      if (e % 10 === 0) tool('bash', { command: 'npm test' }, 'ok');
      if (e % Math.floor(EDITS / COMMITS) === 0) {
        git(time + 500, 'commit', '-qam', 'x');
      }
    }
    writeFileSync(join(folder, `s${s}.jsonl`), builder.text());
  }
  return { path: join(folder, 's15.jsonl'), entryId: entryId(20) };
}
