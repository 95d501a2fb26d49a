// npm run bench:exports: compares the sizes of sessions and of their exports as HTML, with the page as it ships. Writes
// EXPORTS.md beside this file. Needs the output of `node esbuild.mjs --production`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { longSession } from './editor/longSession.mjs';
import { writePlainSession } from './plainSession.mjs';
import { writeRealSession } from './realSession.mjs';
import { Speech, vocabulary } from './speech.mjs';

const { exportHtml } = await import(pathToFileURL(join(import.meta.dirname, '..', '..', 'dist', 'core.mjs')).href);
const words = vocabulary();
const START = Date.parse('2026-01-02T08:00:00.000Z');

/** Returns a session of this many bytes by one of the generators. */
function written(generator, size, options = {}) {
  let text = '';
  const write = (piece) => void (text += piece);
  generator(new Speech(words, 1), { seed: 1, size, resultBytes: 4000, cwd: '/work/shop', start: START, write, ...options });
  return text;
}

const sessions = [
  ...['pi', 'omp', 'openclaw', 'old'].map((program) => [
    `as ${program === 'old' ? 'an old pi' : program} writes it`,
    written(writeRealSession, 5_000_000, { program }),
  ]),
  ['as pi writes it, small', written(writeRealSession, 50_000, { program: 'pi' })],
  ['plain', written(writePlainSession, 5_000_000)],
  [
    '10,000 messages, 100 images, a result of 2 MB',
    [...longSession({ messages: 10_000, images: 100, huge: 2_000_000, cwd: '/work/long' })].join(''),
  ],
];
const mb = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const rows = [];
for (const [name, jsonl] of sessions) {
  let html = 0;
  for await (const piece of exportHtml(each(jsonl.trimEnd().split('\n')), { title: 'Session' })) html += Buffer.byteLength(piece);
  const bytes = Buffer.byteLength(jsonl);
  rows.push([name, mb(bytes), mb(html), mb(1.5 * bytes + 1e6)]);
}
const text = `# Results of \`npm run bench:exports\`

Sizes of generated sessions and of their exports as HTML, without redaction. The goal is at most 1.5 times the session and 1 MB more.

| Session | JSONL | HTML | Goal |
| --- | --- | --- | --- |
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
await writeFile(join(import.meta.dirname, 'EXPORTS.md'), text);
console.log(text);

async function* each(lines) {
  yield* lines;
}
