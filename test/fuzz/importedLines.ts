import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { importSession, readSession, SessionError } from '../../src/core/index';
import { session } from '../fixtures/build';
import { claudeSession, codexSession } from '../fixtures/foreignSessions';
import type { FuzzTarget, Random } from './target';

const CASES = resolve('test', 'fixtures', 'foreign');
const SOURCES = [
  ...readdirSync(CASES).map((name) => readFileSync(join(CASES, name), 'utf8')),
  claudeSession(),
  codexSession(),
  session({ cwd: '/work' }).user('a').assistant('b').branchFrom(null).user('c').text(),
];

/**
 * Whatever bytes a file has: its import is refused with a `SessionError` and leaves nothing behind, or the new session has no
 * problem in any line, and the source is unchanged.
 */
export const target: FuzzTarget = {
  name: 'imported files',
  cases: 60,
  run: async (random) => {
    const folder = await mkdtemp(join(tmpdir(), 'fuzz-import-'));
    try {
      await runIn(folder, random);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function runIn(folder: string, random: Random): Promise<void> {
  const bytes = random.mutate(Buffer.from(spoiled(random, random.pick(SOURCES))));
  const file = join(folder, 'source.jsonl');
  const target = join(folder, 'sessions');
  await writeFile(file, bytes);
  const at = JSON.stringify(bytes.toString('latin1'));
  try {
    const { path } = await importSession(file, { sessionDir: target, targetCwd: '/work/demo' });
    const read = await readSession(path);
    assert.deepEqual(read.problems, [], at);
    assert.equal(read.header.cwd, '/work/demo', at);
  } catch (error) {
    assert.ok(error instanceof SessionError, `${String(error)} ${at}`);
    assert.deepEqual(await readdir(target).catch(() => []), [], at);
  }
  assert.deepEqual(await readFile(file), bytes, at);
}

/** Replaces some values by others: text, numbers, nothing, lists, objects with hostile keys. */
function spoiled(random: Random, text: string): string {
  const lines = text.trimEnd().split('\n');
  for (let left = random.int(6); left > 0; left--) {
    const at = random.int(lines.length);
    const replacement = random.pick([
      'null',
      '1e999',
      '[]',
      '{}',
      '""',
      '{"__proto__":{"x":1}}',
      JSON.stringify(random.text(4)),
      '-1',
      'true',
    ]);
    const values = [...(lines[at] ?? '').matchAll(/:("[^"]*"|\d+|null|true|false|\{|\[)/g)];
    const value = values[random.int(values.length)];
    if (value?.[1] && !'{['.includes(value[1])) {
      const from = value.index + 1;
      lines[at] = `${lines[at]!.slice(0, from)}${replacement}${lines[at]!.slice(from + value[1].length)}`;
    } else lines.splice(at, 0, ...random.list(2, () => lines[random.int(lines.length)] ?? ''));
  }
  return `${lines.join('\n')}\n`;
}
