import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeHeads } from '../../../src/core/catalog/encoding/decodeHeads';
import { encodeHeads } from '../../../src/core/catalog/encoding/encodeHeads';
import { isCanonicalTimestamp, formatTimestamps } from '../../../src/core/catalog/encoding/timestamps';
import { followSession, readSession, type Usage } from '../../../src/core/index';
import type { Session } from '../../../src/core/format/session/session';
import { HeadTable } from '../../../src/core/format/columns/headTable';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { tips } from '../../../src/core/format/session/treeTraversal';
import { sessionUsage } from '../../../src/core/format/session/usageTotals';
import { readerStateOf } from '../../../src/core/format/linking/readerState';
import { entryId, session, type Fields } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { generateSession } from '../../fixtures/generate';
import { read } from '../../fixtures/read';
import { sessionValues } from '../../fixtures/shape';

const shape = (found: Session): unknown => ({ ...sessionValues(found), lines: { ...readerStateOf(found).lines, calls: undefined } });

/** Encodes and decodes a session, and copies the values that heads don't restore. */
function again(found: Session): Session | undefined {
  const bytes = encodeHeads(found);
  return bytes && decodeHeads(bytes);
}

/** A usage that no other number has. */
const usageOf = (n: number): Usage => ({
  input: n,
  output: n + 1,
  cacheRead: n + 2,
  cacheWrite: n + 3,
  totalTokens: n + 4,
  cost: { input: n / 2, output: n / 4, cacheRead: n / 8, cacheWrite: n / 16, total: n },
});

describe('encodeHeads and decodeHeads', () => {
  const folder = testFolder();

  it('restore sessions of all kinds', () => {
    let stored = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const found = read(generateSession(seed).builder);
      const made = again(found);
      if (!made) continue;
      stored++;
      assert.deepEqual(shape(made), shape(found), `seed ${seed}`);
    }
    assert.ok(stored > 200, `${stored} can be stored`);
  });

  it('restore a session that answers like the one that was read', () => {
    let checkedCount = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const found = read(generateSession(seed).builder);
      const made = again(found);
      if (!made) continue;
      assert.equal(made.byId.size, found.byId.size);
      assert.equal(made.children.size, found.children.size);
      for (const id of [...found.byId.keys(), 'nobody']) {
        checkedCount++;
        assert.deepEqual(made.children.get(id), found.children.get(id));
        assert.equal(made.children.has(id), found.children.has(id));
        assert.equal(made.byId.has(id), found.byId.has(id));
        assert.equal(made.byId.get(id), made.byId.get(id), 'one object for one entry');
        assert.deepEqual(made.byId.get(id)?.usage, found.byId.get(id)?.usage);
      }
      assert.ok(made.entries.every((head) => made.byId.get(head.id) === head));
      assert.deepEqual(
        tips(made).map(({ id }) => id),
        tips(found).map(({ id }) => id),
      );
      assert.deepEqual(sessionUsage(made), sessionUsage(found));
      assert.deepEqual(shape(again(made)!), shape(found), 'and can be stored once more');
    }
    assert.ok(checkedCount > 500, `${checkedCount} were asked for`);
  });

  it('restore irregular heads of every kind', () => {
    const usage = {
      input: 1.5,
      output: -0,
      cacheRead: 2 ** 40,
      cacheWrite: 0,
      totalTokens: 1,
      cost: { input: 0.1, output: 1e300, cacheRead: 0, cacheWrite: 0, total: 0.3 },
    };
    const found = read(
      session()
        .user('é🚀 ünï')
        .user('lone \ud800')
        .assistant('a', { message: { usage, provider: 'p', model: 'm' } })
        .assistant('b', { message: { usage: { input: 3 }, stopReason: 'stop' } })
        .assistant('c', { timestamp: 'never' })
        .assistant('d', { timestamp: '2026-01-02T10:00:00Z' })
        .assistant('e', { timestamp: '1969-12-31T23:59:59.999Z' })
        .user('f', { message: { timestamp: 8e15 } })
        .raw('')
        .raw('')
        .user('g', { parentId: 'nobody' })
        .label(entryId(1), 'x')
        .name('a name'),
    );
    assert.deepEqual(shape(again(found)!), shape(found));
  });

  it('restore timestamps of all forms from columns', () => {
    const second = 1_767_348_000;
    const forms = [
      (n: number): string => new Date((second + n) * 1000).toISOString(),
      (n: number): string => new Date((second + n) * 1000).toISOString().replace('.000Z', 'Z'),
      (n: number): string => `2026-01-02T10:00:00.${n % 1000}+02:00`,
      (): string => '1969-12-31T23:59:59.999Z',
      (): string => '+275760-09-13T00:00:00.000Z',
      (n: number): string => ['', 'never', 'ünï 🚀', 'x'.repeat(n % 300)][n % 4]!,
    ];
    const builder = session();
    for (let n = 0; n < 1300; n++) {
      const timestamp = forms[(n % 7) % forms.length]!(n);
      const message = [{}, { timestamp: (second + n) * 1000 }, { timestamp: 0.5 }, { timestamp: 0 }][n % 4]!;
      if (n % 5 === 0) builder.tool('read', { path: `/file${n}` }, 'x');
      if (n % 11 === 0) builder.raw('');
      builder.user(`text ${n}`, { timestamp, message });
    }
    const found = read(builder);
    const made = again(found)!;
    for (const head of [...found.entries].reverse()) assert.deepEqual(made.byId.get(head.id), head);
    assert.deepEqual(shape(made), shape(found));
    const heads = headsOf(again(found)!);
    assert.ok(heads instanceof HeadTable);
    // A message's time doesn't fit if it isn't whole, or far from that of a timestamp that is made from it.
    assert.ok([...heads.irregular.values()].every(({ messageTime }) => messageTime !== undefined && messageTime < 1));
    assert.ok(heads.irregular.size < 450, `${heads.irregular.size} of ${heads.length}`);
    for (const [place, head] of found.entries.entries())
      assert.deepEqual([heads.timeAt(place), heads.messageTimeAt(place)], [head.time, head.messageTime]);
  });

  it('restore the leaf before a side entry', () => {
    const found = read(session().user('a').custom('theirs', {}, { appendMode: 'side' }));
    assert.equal(again(found)?.leafId, entryId(1));
  });

  it('find ids with equal hashes', () => {
    const alike = ['\0aaa', '\u0100aaa', 'é🚀', 'x'.repeat(70_000)];
    const builder = session();
    alike.forEach((id, index) => builder.user(`of ${index}`, { id, parentId: null }));
    const made = again(read(builder))!;
    // The first look-ups do without a table, and others don't.
    for (let round = 0; round < 100; round++) {
      assert.deepEqual(
        alike.map((id) => made.byId.get(id)?.text),
        alike.map((_, index) => `user: of ${index}`),
      );
      assert.ok(!made.byId.has('aaaa'));
    }
  });

  it('restore parents that come later in the file', () => {
    const builder = session()
      .user('a')
      .user('b', { parentId: entryId(3) });
    const found = read(builder.user('c', { parentId: entryId(1) }));
    const made = again(found)!;
    assert.deepEqual(shape(made), shape(found));
    assert.deepEqual(made.children.get(entryId(3)), [entryId(2)]);
  });

  it('restore very many heads, in any order', () => {
    const builder = session();
    for (let n = 0; n < 1300; n++) {
      if (n % 500 === 3) builder.label(entryId(1), 'odd');
      else if (n === 700) builder.user('lone \ud800');
      else if (n % 7 === 0)
        builder.assistant(`${n}`, { message: { usage: usageOf(n), timestamp: Date.parse('2026-01-02T10:00:00.000Z') + n } });
      else if (n % 3 === 0) builder.tool('read', { path: `/file${n}` }, 'x');
      else builder.user(`${'said '.repeat(n % 40)}${n}`);
    }
    const found = read(builder);
    const bytes = encodeHeads(found)!;
    const made = decodeHeads(bytes);
    // Reads from the end, like a tree.
    for (const head of [...found.entries].reverse()) assert.deepEqual(made.byId.get(head.id), head);
    assert.deepEqual(shape(made), shape(found));
    assert.ok(bytes.length < found.entries.length * 60, `${bytes.length} bytes`);
  });

  it('store what an extension adds like messages', () => {
    const builder = session().user('a');
    const size = (): number => encodeHeads(read(builder))!.length;
    for (let n = 0; n < 100; n++) builder.custom('theirs', { n });
    const before = size();
    for (let n = 0; n < 1000; n++) builder.custom('theirs', { n });
    const found = read(builder);
    assert.deepEqual(shape(again(found)!), shape(found));
    assert.ok(size() - before < 1000 * 25, `${size() - before} bytes`);
  });

  it('refuse sessions that heads alone don’t restore', () => {
    assert.equal(
      encodeHeads(
        read(
          session()
            .user('a')
            .user('b', { id: entryId(1) }),
        ),
      ),
      undefined,
    );
    assert.equal(
      encodeHeads(
        read(
          session()
            .user('a')
            .entry('leaf', { targetId: entryId(1) }),
        ),
      ),
      undefined,
    );
  });

  it('allow reading on where the heads end', async () => {
    const lines = session().tool('read', { path: '/x' }).user('more').assistant('end').text().split('\n');
    const path = await folder.write('a.jsonl', `${lines.slice(0, 2).join('\n')}\n`);
    const made = again(await readSession(path))!;
    await folder.write('a.jsonl', lines.join('\n'));
    assert.deepEqual(shape(await followSession(made)), shape(await readSession(path)));
  });

  it('allow reading on with results of calls whose id is used again, or that have several', async () => {
    const call = (id: string, name: string, args: Fields): Fields => ({ type: 'toolCall', id, name, arguments: args });
    const result = (toolCallId: string, toolName: string): Fields => ({
      role: 'toolResult',
      toolCallId,
      toolName,
      content: [],
      isError: false,
    });
    const lines = session()
      .message(result('early', 'read'))
      .assistant([call('again', 'read', { path: '/x' }), call('twice', 'bash', { command: 'ls' }), call('early', 'read', { path: '/y' })])
      .message(result('again', 'read'))
      .message(result('twice', 'bash'))
      .assistant([call('again', 'bash', { command: 'pwd' })]);
    const path = await folder.write('a.jsonl', lines.text());
    const made = again(await readSession(path))!;
    for (const id of ['again', 'twice', 'early', 'unknown', '__proto__']) lines.message(result(id, 'grep'));
    await folder.write('a.jsonl', lines.text());
    const grown = await followSession(made);
    const texts = ['[bash: pwd]', '[bash: ls]', '[read: /y]', '[grep]', '[grep]'];
    assert.deepEqual(
      grown.entries.slice(-5).map(({ text }) => text),
      texts,
    );
    assert.deepEqual(shape(grown), shape(await readSession(path)));
    // The same if they are stored once more.
    for (const id of ['again', 'twice', 'early']) lines.message(result(id, 'find'));
    await folder.write('a.jsonl', lines.text());
    assert.deepEqual(shape(await followSession(again(grown)!)), shape(await readSession(path)));
  });

  it('allow reading on like a session that was read, for any growth', async () => {
    let followed = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const lines = generateSession(seed).builder.text().split('\n');
      const path = await folder.write(`${String(seed)}.jsonl`, `${lines.slice(0, lines.length >> 1).join('\n')}\n`);
      const made = again(await readSession(path));
      if (!made) continue;
      followed++;
      await folder.write(`${String(seed)}.jsonl`, lines.join('\n'));
      const [grown, anew] = [await followSession(made), await readSession(path)];
      assert.deepEqual(
        { ...(shape(grown) as object), byId: new Map(grown.byId).size, children: [...grown.children].sort() },
        { ...(shape(anew) as object), byId: anew.byId.size, children: [...anew.children].sort() },
        `seed ${String(seed)}`,
      );
    }
    assert.ok(followed > 20, `${String(followed)} were followed`);
  });

  it('reject damaged bytes', () => {
    const bytes = encodeHeads(read(session().user('a')))!;
    assert.throws(() => decodeHeads(bytes.subarray(0, 20)));
    assert.throws(() => decodeHeads(new Uint8Array(64).fill(1)));
    // Four of them are unused.
    for (let at = 8; at < bytes.length; at++) assert.throws(() => decodeHeads(bytes.with(at, bytes[at]! ^ 0x10)), `one bit at ${at}`);
  });

  it('accept bytes at any offset in memory', () => {
    const found = read(session().user('a').assistant('b'));
    const bytes = encodeHeads(found)!;
    const moved = new Uint8Array(bytes.length + 3);
    moved.set(bytes, 3);
    assert.deepEqual(shape(decodeHeads(moved.subarray(3))), shape(found));
  });

  it('restore timestamps exactly', () => {
    const time = fc.integer({ min: 0, max: 8.64e15 });
    fc.assert(
      fc.property(fc.array(time, { maxLength: 20 }), (times) => {
        const plain = times.filter((each) => isCanonicalTimestamp(new Date(each).toISOString(), each));
        assert.equal(formatTimestamps(Float64Array.from(plain)), plain.map((each) => new Date(each).toISOString()).join(''));
      }),
    );
    assert.ok(!isCanonicalTimestamp('2026-01-02T10:00:00.000Z', 1) && !isCanonicalTimestamp('-000001-01-01T00:00:00.0', 5));
  });
});
