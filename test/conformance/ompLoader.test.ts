/**
 * The requirements of oh-my-pi 18.2's loader and writer, as assertions that every file we write in its dialect must
 * pass. Line 1 is a slot only if all fields of the slot have the right types; the first object after it must be the
 * header; and the slot is rewritten in place, as 256 bytes.
 */
import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createWriter, readSession, SessionManager } from '../../src/core/index';
import { session } from '../fixtures/build';
import { testFolder } from '../fixtures/folder';
import { age } from '../fixtures/writes';

type Line = Readonly<Record<string, unknown>>;

/** Fields that oh-my-pi reads without checking that they exist. */
const DEMANDED: Readonly<Record<string, readonly (readonly [key: string, kind: string])[]>> = {
  model_change: [['model', 'string']],
  thinking_level_change: [['thinkingLevel', 'string']],
  compaction: [
    ['summary', 'string'],
    ['firstKeptEntryId', 'string'],
    ['tokensBefore', 'number'],
  ],
  branch_summary: [
    ['fromId', 'string'],
    ['summary', 'string'],
  ],
  custom: [['customType', 'string']],
  custom_message: [
    ['customType', 'string'],
    ['display', 'boolean'],
  ],
  label: [['targetId', 'string']],
  title_change: [
    ['title', 'string'],
    ['source', 'string'],
  ],
  ttsr_injection: [['injectedRules', 'object']],
  session_init: [
    ['systemPrompt', 'string'],
    ['task', 'string'],
    ['tools', 'object'],
  ],
  message: [['message', 'object']],
};

/** @returns the title that oh-my-pi would show; `undefined` for none. */
function load(bytes: Buffer): { title: string | undefined; header: Line; entries: Line[] } {
  assert.equal(bytes.at(-1), 10, 'ends in a line break');
  assert.equal(bytes.indexOf(10), 255, 'the slot is 256 bytes with its line break');
  const [slot, header, ...entries] = bytes
    .toString('utf8')
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  assert.deepEqual(
    [slot?.['type'], slot?.['v'], typeof slot?.['title'], typeof slot?.['updatedAt'], typeof slot?.['pad']],
    ['title', 1, 'string', 'string', 'string'],
  );
  assert.ok([undefined, 'auto', 'user'].includes(slot?.['source'] as string | undefined));
  assert.equal(new Date(String(slot?.['updatedAt'])).toISOString(), slot?.['updatedAt']);
  assert.deepEqual(
    [header?.['type'], header?.['version'], typeof header?.['id'], typeof header?.['timestamp'], typeof header?.['cwd']],
    ['session', 3, 'string', 'string', 'string'],
  );
  assert.match(String(header?.['id']), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const ids = new Set<unknown>();
  for (const entry of entries) {
    const { id, parentId, timestamp, type } = entry;
    assert.match(String(id), /^[0-9a-f]{8}$/);
    assert.ok(!ids.has(id), 'an id comes once');
    assert.ok(parentId === null || ids.has(parentId), 'a parent stands before its children');
    assert.equal(new Date(String(timestamp)).toISOString(), timestamp);
    ids.add(id);
    for (const [key, kind] of DEMANDED[String(type)] ?? []) assert.equal(typeof entry[key], kind, `${String(type)}.${key}`);
    // oh-my-pi never writes these, and would ignore them.
    assert.ok(type !== 'session_info' && !('fromHook' in entry), String(type));
  }
  return { title: (slot?.['title'] as string) || undefined, header: header!, entries };
}

describe('oh-my-pi loads what we write in its dialect', function () {
  this.timeout(60_000);
  const folder = testFolder();
  const loaded = async (path: string): Promise<ReturnType<typeof load>> => load(await readFile(path));
  const source = async (): Promise<string> => {
    const path = join(folder.path, 'source.jsonl');
    await copyFile(resolve('test', 'fixtures', 'dialects', 'oh-my-pi-titles-roles-rules.jsonl'), path);
    return age(path);
  };

  it('new sessions', async () => {
    const manager = SessionManager.create('/work/demo', folder.path, { dialect: 'omp' });
    await manager.appendModelChange('p/m', 'smol');
    await manager.appendThinkingLevelChange('low');
    const promptId = await manager.appendMessage({ role: 'user', content: 'hi', timestamp: 1 });
    const path = manager.getSessionFile()!;
    assert.deepEqual(
      (await loaded(path)).entries.map(({ type }) => type),
      ['model_change', 'thinking_level_change', 'message'],
    );
    await manager.appendSessionInit({ systemPrompt: 's', task: 't', tools: [] });
    await manager.appendTtsrInjection(['r']);
    await manager.appendCustomMessageEntry('t', 'x', true);
    await manager.appendLabelChange(promptId, 'l');
    await manager.appendCompaction('s', 'short', promptId, 1, undefined, true);
    await manager.branchWithSummary(null, 'left', undefined, true);
    await manager.appendSessionInfo('Näme 🌳');
    const { title, entries } = await loaded(path);
    assert.deepEqual([title, entries.length, entries.at(-2)?.['fromId']], ['Näme 🌳', 10, 'root']);
    assert.match(path, /\/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9-]+Z_[0-9a-f-]{36}\.jsonl$/);
  });

  it('labels, branches, names of any length', async () => {
    const path = await source();
    const writer = createWriter();
    const before = await loaded(path);
    await writer.submit(path, { kind: 'label', entryId: 'a0000006', label: 'here' });
    await writer.submit(path, { kind: 'branch', entryId: 'a0000007' });
    await writer.submit(path, { kind: 'branch', entryId: 'a0000007', summary: 'left' });
    for (const name of ['A name', 'ü'.repeat(300), '"\\'.repeat(99), '🌳'.repeat(80), '']) {
      await writer.submit(path, { kind: 'rename', name });
      const { title, entries } = await loaded(path);
      assert.ok(name.startsWith(title ?? ''), name);
      assert.equal(title === undefined, name === '');
      assert.deepEqual([entries.at(-1)?.['type'], entries.at(-1)?.['title']], ['title_change', name]);
      assert.equal((await readSession(path)).name, title);
    }
    const after = await loaded(path);
    assert.deepEqual([after.header, after.entries.slice(0, before.entries.length)], [before.header, before.entries]);
    assert.equal(after.entries.length, before.entries.length + 8);
  });

  it('forks at an entry and into another project', async () => {
    const path = await source();
    const fork = await loaded((await createWriter().forkSession(path, { entryId: 'a000000e' })).path);
    assert.deepEqual([fork.title, fork.header['parentSession'], fork.entries.at(-1)?.['type']], ['Rate limits', path, 'label']);
    const whole = await loaded((await createWriter().forkSession(path, { targetCwd: '/work/other' })).path);
    assert.deepEqual([whole.title, whole.header['cwd'], whole.entries.length], ['Rate limits', '/work/other', 22]);
    const manager = await SessionManager.open(path);
    assert.equal((await loaded((await manager.createBranchedSession('a0000007'))!)).entries.length, 8);
  });

  it('a slot that it would not take as one is not overwritten', async () => {
    const slot = { type: 'title', v: 1, title: 'x', updatedAt: '2026-01-01T00:00:00.000Z', pad: '' };
    const filled = (line: object): string => `${JSON.stringify(line).slice(0, -2)}${' '.repeat(255 - JSON.stringify(line).length)}"}\n`;
    for (const [line, taken] of [
      [slot, true],
      [{ ...slot, source: 'robot', pad: '' }, false],
      [{ ...slot, v: 2 }, false],
      [{ ...slot, pad: undefined, fill: '' }, false],
    ] as const) {
      const text = filled(JSON.parse(JSON.stringify(line)) as object) + session().user('a').text();
      const path = await age(await folder.write('slot.jsonl', text));
      const renamed = createWriter().submit(path, { kind: 'rename', name: 'y' }, { dialect: 'omp' });
      if (taken) await renamed;
      else await assert.rejects(renamed, { code: 'invalid' });
      assert.equal((await readFile(path, 'utf8')) === text, !taken);
    }
  });
});
