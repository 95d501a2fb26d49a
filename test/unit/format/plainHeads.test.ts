import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { HeadTable } from '../../../src/core/format/columns/headTable';
import type { EntryHead } from '../../../src/core/format/entry/entryHead';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { SessionReader } from '../../../src/core/format/session/sessionReader';
import { sessionUsage } from '../../../src/core/format/session/usageTotals';
import { forkPoint, pathTo, suspectedTip, tips } from '../../../src/core/format/session/treeTraversal';
import { decodeHeads } from '../../../src/core/catalog/encoding/decodeHeads';
import { encodeHeads } from '../../../src/core/catalog/encoding/encodeHeads';
import { summarize } from '../../../src/core/catalog/rows/sessionSummary';
import { followSession, readSession } from '../../../src/core/files/read/sessionFile';
import type { Session } from '../../../src/core/format/session/session';
import { testFolder } from '../../fixtures/folder';

/** Returns the lines of a file whose messages are read into columns, with entries of all other kinds between them. */
function lines(): string[] {
  const at = (n: number): string => new Date(Date.UTC(2026, 0, 2) + n * 1000).toISOString();
  const found: object[] = [{ type: 'session', version: 3, id: 's', timestamp: at(0), cwd: '/p' }];
  const usage = {
    input: 1,
    output: 2,
    cacheRead: 3,
    cacheWrite: 4,
    totalTokens: 10,
    cost: { input: 0.1, output: 0.2, cacheRead: 0.3, cacheWrite: 0.4, total: 1 },
  };
  const add = (fields: object): void => {
    const n = found.length;
    found.push({ id: `e${n}`, parentId: n === 1 ? null : `e${n - 1}`, timestamp: at(n), ...fields });
  };
  const message = (fields: object): void => {
    add({ type: 'message', message: { ...fields, timestamp: Date.UTC(2026, 0, 2) + found.length * 1000 } });
  };
  for (let turn = 0; turn < 200; turn++) {
    message({ role: 'user', content: [{ type: 'text', text: `Question ${turn}: ünï 🚀` }] });
    const call = { type: 'toolCall', id: `call_${turn}`, name: 'read', arguments: { path: `/p/${turn}.ts` } };
    message({
      role: 'assistant',
      content: [{ type: 'text', text: `Answer ${turn}` }, call],
      api: 'a',
      provider: 'p',
      model: 'm',
      usage,
      stopReason: 'toolUse',
    });
    message({
      role: 'toolResult',
      toolCallId: `call_${turn}`,
      toolName: 'read',
      content: [{ type: 'text', text: 'x'.repeat(8_000) }],
      isError: turn % 7 === 0,
    });
    if (turn % 50 === 0) add({ type: 'label', targetId: 'e2', label: `label ${turn}` });
    if (turn % 60 === 0) add({ type: 'model_change', provider: 'p', modelId: 'm2' });
  }
  return found.map((line) => JSON.stringify(line));
}

/** Returns the session with every line parsed separately. */
function parsed(all: readonly string[]): Session {
  const reader = new SessionReader({ path: '/a.jsonl', home: '/home/me' });
  let offset = 0;
  all.forEach((text, index) => {
    const length = Buffer.byteLength(text);
    reader.add(text, { line: index + 1, offset, length, hasLineBreak: true });
    offset += length + 1;
  });
  return reader.session();
}

describe('Entry heads of a large file', () => {
  const folder = testFolder();
  const all = lines();
  const expected = parsed(all);

  async function large(): Promise<Session> {
    const found = await readSession(await folder.write('large.jsonl', `${all.join('\n')}\n`), { home: '/home/me' });
    assert.ok(headsOf(found) instanceof HeadTable, 'the heads are in columns');
    return found;
  }

  /** Asserts that heads are plain objects, with exactly the fields of a parsed line, in the same order. */
  function assertPlain(heads: readonly EntryHead[]): void {
    assert.equal(heads.length, expected.entries.length);
    for (const [place, head] of heads.entries()) {
      const same = expected.entries[place]!;
      assert.equal(Object.getPrototypeOf(head), Object.prototype);
      assert.ok(Object.values(Object.getOwnPropertyDescriptors(head)).every((property) => 'value' in property && property.enumerable));
      assert.equal(JSON.stringify(head), JSON.stringify(same));
      assert.deepEqual(Reflect.ownKeys(head), Reflect.ownKeys(same));
      assert.deepEqual({ ...head }, same);
      assert.deepEqual(structuredClone(head), same);
    }
  }

  it('are plain data in `entries`', async () => {
    assertPlain((await large()).entries);
  });

  it('are plain data in `byId`, the same objects as in `entries`', async () => {
    const found = await large();
    assertPlain(
      [...found.byId.keys()]
        .reverse()
        .map((id) => found.byId.get(id)!)
        .reverse(),
    );
    assert.ok(found.entries.every((head) => found.byId.get(head.id) === head));
  });

  it('are plain data after they were stored', async () => {
    assertPlain(decodeHeads(encodeHeads(await large())!).entries);
  });

  it('have the leaf of parsed lines, which needs no message and is no side entry', async () => {
    const last = `e${all.length - 1}`;
    const label = { type: 'label', id: 'label', parentId: last, timestamp: '', targetId: 'e2', label: 'last' };
    const side = { type: 'custom', id: 'side', parentId: last, timestamp: '', customType: 'c', appendMode: 'side' };
    const ending = [...all, JSON.stringify(label), JSON.stringify(side)];
    const found = await readSession(await folder.write('side.jsonl', `${ending.join('\n')}\n`), { home: '/home/me' });
    assert.ok(headsOf(found) instanceof HeadTable, 'the heads are in columns');
    assert.deepEqual([found.leafId, parsed(ending).leafId], ['label', 'label']);
  });

  it('stay the same objects when the file grows', async () => {
    const found = await large();
    const { leafId } = found;
    await appendFile(found.path, `${JSON.stringify({ type: 'custom', id: 'new', parentId: leafId, timestamp: '', customType: 'c' })}\n`);
    const grown = await followSession(found, { home: '/home/me' });
    assert.deepEqual([grown.leafId, grown.entries.length], ['new', expected.entries.length + 1]);
    assert.equal(grown.byId.get('e5'), found.byId.get('e5'));
    assertPlain(grown.entries.slice(0, -1));
  });

  it('are not made by walks and sums that need none', async () => {
    const found = await large();
    const heads = headsOf(found) as unknown as { readonly made: readonly unknown[] };
    assert.deepEqual(sessionUsage(found), sessionUsage(expected));
    assert.equal(suspectedTip(found), undefined);
    assert.deepEqual(summarize(found), { ...summarize(expected), path: found.path });
    assert.deepEqual(
      tips(found).map(({ id }) => id),
      [found.leafId],
    );
    assert.equal(heads.made.filter((head) => head !== undefined).length, 2, 'the first message and the tip');
    assert.equal(forkPoint(pathTo(found, 'e9'), pathTo(expected, 'e7')), 'e7');
    assert.equal(heads.made.filter((head) => head !== undefined).length, 10, 'and the path');
  });
});
