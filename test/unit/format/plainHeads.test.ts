import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import fc from 'fast-check';
import { HeadList } from '../../../src/core/format/columns/headList';
import { HeadTable } from '../../../src/core/format/columns/headTable';
import type { EntryHead } from '../../../src/core/format/entry/entryHead';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { readerStateOf } from '../../../src/core/format/linking/readerState';
import { SessionReader } from '../../../src/core/format/session/read/sessionReader';
import { sessionUsage } from '../../../src/core/format/session/costs/usageTotals';
import { forkPoint, pathTo, suspectedTip, tips } from '../../../src/core/format/session/treeTraversal';
import { summarize } from '../../../src/core/catalog/rows/sessionSummary';
import { followSession, readSession } from '../../../src/core/files/read/sessionFile';
import type { Session } from '../../../src/core/format/session/session';
import { testFolder } from '../../fixtures/folder';
import { finishSteps } from '../../../src/core/format/session/steps';

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
    finishSteps(reader.add(text, { line: index + 1, offset, length, hasLineBreak: true }));
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

describe('A large file with leaf lines', () => {
  const folder = testFolder();
  const start = lines();

  /** Adds entries and leaf lines whose parents and targets are any earlier line, none, or unknown; a target may also come later. */
  function withLeafLines(steps: readonly { readonly kind: string; readonly at: number; readonly target: number }[]): string[] {
    const ids = start.slice(1).map((_, index) => `e${index + 1}`);
    const pick = (at: number): string | null => (at % 17 === 0 ? null : at % 19 === 0 ? 'unknown' : ids.at(-1 - (at % 12))!);
    const added = steps.map(({ kind, at, target }, index) => {
      const entry = { id: `${kind}${index}`, parentId: pick(at), timestamp: new Date(Date.UTC(2026, 1, 1) + index).toISOString() };
      ids.push(entry.id);
      if (kind === 'leaf')
        return { ...entry, type: 'leaf', ...(target % 13 === 0 ? {} : { targetId: target % 5 === 0 ? `user${index + 1}` : pick(target) }) };
      if (kind === 'side') return { ...entry, type: 'custom', customType: 'c', appendMode: 'side' };
      if (kind === 'label') return { ...entry, type: 'label', targetId: pick(target), label: `label ${target}` };
      const message = { role: 'user', content: [{ type: 'text', text: kind }], timestamp: Date.UTC(2026, 1, 1) + index };
      return { ...entry, type: 'message', message };
    });
    return [...start, ...added.map((line) => JSON.stringify(line))];
  }

  const shape = (found: Session): unknown => {
    const { lines: read, links } = readerStateOf(found);
    const heads = headsOf(found);
    return {
      ...found,
      path: '',
      byId: [...found.byId],
      children: [...found.children].sort(([a], [b]) => (a < b ? -1 : 1)),
      lines: { ...read, calls: undefined },
      links: [links.missing, links.leafTargets],
      heads: heads.all().map(({ id }, place) => {
        const { type, role } = heads.traitsAt(place);
        const times = [heads.timeAt(place), heads.messageTimeAt(place), heads.offsetAt(place), heads.lengthAt(place), heads.usageAt(place)];
        return [heads.idAt(place), heads.placeOf(id), heads.parentAt(place), heads.peek(place), type, role, times];
      }),
    };
  };

  it('is the session of the parsed lines, in columns, and stays it when the file grows', async () => {
    const step = fc.record({
      kind: fc.constantFrom('user', 'user', 'side', 'label', 'leaf', 'leaf'),
      at: fc.nat(999),
      target: fc.nat(999),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), fc.nat(5), async (steps, later) => {
        const all = withLeafLines(steps);
        const known = all.length - Math.min(later, steps.length);
        const path = await folder.write('leaf.jsonl', `${all.slice(0, known).join('\n')}\n`);
        const found = await readSession(path, { home: '/home/me' });
        assert.ok(!(headsOf(found) instanceof HeadList), 'the heads are in columns');
        assert.deepEqual(shape(found), shape(parsed(all.slice(0, known))));
        if (known === all.length) return;
        await appendFile(path, `${all.slice(known).join('\n')}\n`);
        assert.deepEqual(shape(await followSession(found, { home: '/home/me' })), shape(parsed(all)));
      }),
      { numRuns: 60 },
    );
  });
});
