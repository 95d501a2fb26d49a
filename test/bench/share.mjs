// npm run bench:share [-- folder …]: counts the lines and bytes that the scanner takes without parsing them, in the
// benchmark's stores or in any folders with session files. Needs the output of `node esbuild.mjs --tests`.
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeStores } from './stores.mjs';

const out = resolve(import.meta.dirname, '..', '..', 'out');
const load = createRequire(join(out, 'index.js'));
const { foldCharacter } = load('./src/core/catalog/index/words/foldCharacter.js');
const { LineSplitter } = load('./src/core/files/read/bytes/lineSplitter.js');
const { Scanner } = load('./src/core/format/scanner/scanner.js');
const { SessionReader } = load('./src/core/format/session/read/sessionReader.js');

const CAPACITY = 8 * 1024 * 1024;
const NEWLINE = 10;
const scanner = new Scanner(CAPACITY, 0, foldCharacter);

/** Returns the kind of a line for the table of those that were parsed. */
function kindOf(text) {
  try {
    const { type, message } = JSON.parse(text);
    return message?.role ? `${type}/${message.role}` : String(type);
  } catch {
    return 'no JSON';
  }
}

/** Reads a file as the catalog does and adds what was taken and what was parsed. */
function count(path, counts) {
  const reader = new SessionReader({ path, home: '/home/me' });
  const parsed = (kind, length) => {
    const known = counts.parsed.get(kind) ?? { lines: 0, bytes: 0 };
    counts.parsed.set(kind, { lines: known.lines + 1, bytes: known.bytes + length });
    counts.lines++;
    counts.bytes += length;
  };
  const sink = {
    add: (text, place, bytes) => {
      parsed(kindOf(text), place.length + 1);
      reader.add(text, place, bytes);
    },
    addLong: (line, place) => {
      parsed('a very long line', place.length + 1);
      reader.addLong(line, place);
    },
    skip: reader.skip.bind(reader),
    scan: (input, from, to, first) => {
      const scanned = reader.scan(input, from, to, first, () => counts.words++);
      if (scanned) {
        counts.takenLines += scanned.count;
        counts.lines += scanned.count;
        counts.takenBytes += scanned.end - from;
        counts.bytes += scanned.end - from;
      }
      return scanned;
    },
  };
  const lines = new LineSplitter({ offset: 0, line: 0 }, sink);
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length;) {
    const end = bytes.lastIndexOf(NEWLINE, at + CAPACITY - 1) + 1;
    const to = end > at ? end : Math.min(bytes.length, at + CAPACITY);
    lines.take(bytes, at, to, scanner);
    at = to;
  }
  lines.end();
  counts.files++;
}

const percent = (part, all) => `${((100 * part) / all).toFixed(2)} %`;
const folders = process.argv.slice(2);
if (folders.length === 0) {
  const base = process.env.BENCH_FOLDER ?? join(tmpdir(), 'session-tree-bench');
  mkdirSync(base, { recursive: true });
  folders.push(...Object.values(makeStores(base)));
}
for (const folder of folders) {
  const counts = { files: 0, lines: 0, bytes: 0, takenLines: 0, takenBytes: 0, words: 0, parsed: new Map() };
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const path = join(folder, name);
    if (name.endsWith('.jsonl') && statSync(path).isFile()) count(path, counts);
  }
  const { files, lines, bytes, takenLines, takenBytes, words } = counts;
  console.log(
    `${folder}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB; the scanner takes ${percent(takenLines, lines)} of ${lines} lines and ${percent(takenBytes, bytes)} of the bytes; the words of ${words} are left to the parser`,
  );
  for (const [kind, one] of [...counts.parsed].sort(([, a], [, b]) => b.bytes - a.bytes).slice(0, 8))
    console.log(`  parsed: ${kind}: ${one.lines} lines, ${(one.bytes / 1e6).toFixed(2)} MB`);
}
