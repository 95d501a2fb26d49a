import assert from 'node:assert/strict';
import fs, { appendFile, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import fc from 'fast-check';
import { SessionError } from '../../../src/core/format/entry/problem';
import { readerStateOf } from '../../../src/core/format/linking/readerState';
import type { Session } from '../../../src/core/format/session/session';
import { followSession, readBodies, readSession, withAppendedLines } from '../../../src/core/files/read/sessionFile';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { problems } from '../../fixtures/read';
import { sessionValues } from '../../fixtures/shape';

const [e1, e2, e3] = [1, 2, 3].map(entryId) as [string, string, string];

const rejects = (work: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(work, (error) => error instanceof SessionError && error.code === code);

/** Returns all values of a session in a form that can be compared. */
function shape(found: Session): unknown {
  const { lines, links } = readerStateOf(found);
  const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);
  return {
    ...found,
    byId: [...found.byId].sort(byKey),
    children: [...found.children].sort(byKey),
    lines: { ...lines, calls: undefined, beforeLastLine: undefined },
    links: [[...links.missing].sort(), [...links.leafTargets]],
  };
}

describe('Reading a session file', () => {
  const folder = testFolder();

  it('changes no byte', async () => {
    const path = await folder.write('a.jsonl', `${session().user('a').text()}{"torn`);
    const before = await stat(path);
    const found = await readSession(path);
    assert.deepEqual([found.path, found.entries.length, problems(found)], [path, 1, ['torn-line@3']]);
    assert.equal((await stat(path)).mtimeMs, before.mtimeMs);
    assert.equal(await readFile(path, 'utf8'), `${session().user('a').text()}{"torn`);
  });

  it("reports why a file can't be read", async () => {
    await rejects(readSession(`${folder.path}/none.jsonl`), 'not-found');
    await rejects(readSession(folder.path), 'not-a-session');
    await rejects(readSession(await folder.write('empty.jsonl', '')), 'not-a-session');
  });

  it('stops when aborted', async () => {
    const path = await folder.write('a.jsonl', session().user('a').text());
    await assert.rejects(readSession(path, { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  });

  it('returns whole entries by their places', async () => {
    const built = session()
      .user('ünï 🚀')
      .assistant('b', { extra: { deep: [1] } })
      .label(e1, 'x');
    const lines = built.lines();
    const path = await folder.write('a.jsonl', `\uFEFF${lines[0]!}\r\n${lines[1]!}${lines[2]!}\n\0\0${lines[3]!}`);
    const found = await readSession(path);
    assert.deepEqual(
      await readBodies(found, [e3, e1, e2]),
      [3, 1, 2].map((n) => JSON.parse(lines[n]!) as unknown),
    );
    await rejects(readBodies(found, ['none']), 'unknown-entry');
  });

  it('returns entries of versions 1 and 2 with the names of version 3', async () => {
    const path = await folder.write(
      'v1.jsonl',
      session({ version: undefined })
        .message({ role: 'hookMessage', customType: 't', content: null }, { id: undefined })
        .entry('compaction', { id: undefined, summary: 's', firstKeptEntryIndex: 1, tokensBefore: 5 })
        .text(),
    );
    const [message, compaction] = await readBodies(await readSession(path), ['00000001', '00000002']);
    assert.deepEqual(message?.['message'], { role: 'custom', customType: 't', content: [], timestamp: Date.parse('2026-01-02T10:00:00Z') });
    assert.deepEqual(
      [compaction?.['firstKeptEntryId'], compaction?.['firstKeptEntryIndex'], compaction?.parentId],
      ['00000001', undefined, '00000001'],
    );
  });

  it('reports that the file changed since it was read', async () => {
    const path = await folder.write('a.jsonl', session().user('a').assistant('b').text());
    const found = await readSession(path);
    await writeFile(path, session().user('longer than before').assistant('b').text());
    await rejects(readBodies(found, [e2]), 'changed');
    await writeFile(path, session().user('a').assistant('b', { id: 'other-id' }).text());
    await rejects(readBodies(found, [e2]), 'changed');
    await truncate(path, 10);
    await rejects(readBodies(found, [e2]), 'changed');
  });

  it('returns malformed fields as absent', async () => {
    const path = await folder.write(
      'odd.jsonl',
      session()
        .assistant([{ type: 'text', text: 7 }, { type: 'toolCall' }, 'text', null, { type: 'image' }], {
          message: { errorMessage: 3, model: {} },
        })
        .entry('message', { message: [] })
        .entry('compaction', { summary: {}, tokensBefore: 'many' })
        .entry('custom_message', { content: 5 })
        .text(),
    );
    const found = await readSession(path);
    const [message, none, compaction, custom] = await readBodies(
      found,
      found.entries.map((head) => head.id),
    );
    assert.deepEqual((message?.['message'] as { content: unknown } | undefined)?.content, [
      { type: 'text', text: '' },
      { type: 'toolCall', id: '', name: '', arguments: {} },
      { type: 'image', data: '', mimeType: '' },
    ]);
    assert.deepEqual(none?.['message'], { role: 'other' });
    assert.deepEqual([compaction?.['summary'], compaction?.['tokensBefore'], custom?.['customType'], custom?.['content']], ['', 0, '', []]);
  });

  it('reads 140,000 entries before one whose id isn’t ASCII', async () => {
    const count = 140_000;
    const lines = ['{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work/demo"}'];
    for (let n = 0; n <= count; n++)
      lines.push(
        `{"type":"message","id":"${n === count ? 'é' : `m${n}`}","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"a"}}`,
      );
    const path = join(folder.path, 'many.jsonl');
    await writeFile(path, `${lines.join('\n')}\n`);
    const read = await readSession(path);
    assert.deepEqual([read.byId.size, read.leafId, read.problems], [count + 1, 'é', []]);
  }).timeout(60_000);

  it('reads 140,000 entries that are their own parents', async () => {
    const count = 140_000;
    const lines = ['{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/work/demo"}'];
    for (let n = 0; n < count; n++) lines.push(`{"type":"custom","id":"m${n}","parentId":"m${n}","timestamp":"2026-01-01T00:00:00.000Z"}`);
    const { byId, roots, problems } = await readSession(await folder.write('circles.jsonl', `${lines.join('\n')}\n`));
    assert.deepEqual([byId.size, roots.length, problems.length], [count, count, count]);
  }).timeout(60_000);
});

describe('Following a session file', () => {
  const folder = testFolder();

  it('returns the same value if nothing was appended', async () => {
    const found = await readSession(await folder.write('a.jsonl', session().user('a').text()));
    assert.equal(await followSession(found), found);
  });

  it("reads an append without checking the path before it's opened", async () => {
    const path = await folder.write('a.jsonl', session().user('a').text());
    const before = await readSession(path);
    await appendFile(path, session().user('a').user('b').text().slice(before.size));
    const look = mock.method(fs, 'stat');
    try {
      assert.equal((await followSession(before)).entries.length, 2);
      assert.equal(look.mock.callCount(), 0);
    } finally {
      look.mock.restore();
    }
  });

  /** A session that grows by so many tool results of 24 KB each. */
  async function grown(from: number, by: number): Promise<{ path: string; before: Session }> {
    const built = session().user('a');
    const add = (count: number): void => {
      for (let n = 0; n < count; n++) built.tool('read', { path: `/x${n}` }, `line ${n}\n`.repeat(3000));
    };
    add(from);
    const path = await folder.write('a.jsonl', built.text());
    const before = await readSession(path);
    add(by);
    await writeFile(path, built.text());
    return { path, before };
  }

  it('reads a large append in chunks', async () => {
    const { path, before } = await grown(90, 20);
    const now = await followSession(before);
    assert.equal(now.byId.get(e1), before.byId.get(e1), 'what was read is not read again');
    assert.deepEqual(shape(now), shape(await readSession(path)));
    await assert.rejects(followSession(before, { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  });

  it('reads a file again that got several times as long, which takes less time', async () => {
    const { path, before } = await grown(1, 20);
    const now = await followSession(before);
    assert.notEqual(now.byId.get(e1), before.byId.get(e1));
    assert.deepEqual(shape(now), shape(await readSession(path)));
  });

  it('shares the earlier heads', async () => {
    const built = session().user('a').assistant('b');
    const path = await folder.write('a.jsonl', built.text());
    const before = await readSession(path);
    await appendFile(path, `${built.user('c').lines().at(-1)!}\n`);
    const now = await followSession(before);
    assert.equal(now.byId.get(e1), before.byId.get(e1));
    assert.deepEqual([before.entries.length, now.entries.length, now.leafId], [2, 3, e3]);
  });

  it('rereads a file that was shortened or replaced', async () => {
    const path = await folder.write('a.jsonl', session().user('a').assistant('b').text());
    const before = await readSession(path);
    await rename(await folder.write('b.jsonl', session({ id: 'other' }).user('z').text()), path);
    assert.equal((await followSession(before)).header.id, 'other');
  });

  it('rereads a file that was rewritten in place and became longer', async () => {
    const path = await folder.write('a.jsonl', session().user('first').assistant('b').text());
    const before = await readSession(path);
    await folder.write('a.jsonl', session().user('other').assistant('much longer than it was').user('c').text());
    assert.deepEqual(
      (await followSession(before)).entries.map(({ text }) => text),
      ['user: other', 'assistant: much longer than it was', 'user: c'],
    );
  });

  it('sees a title that changed in its slot while lines were appended', async () => {
    const slot = (title: string): string =>
      `${JSON.stringify({ type: 'title', v: 1, title, updatedAt: '', pad: '' }).replace(/"}$/, '').padEnd(253, ' ')}"}\n`;
    const built = session().user('first');
    const path = await folder.write('a.jsonl', slot('before') + built.text());
    const before = await readSession(path);
    await folder.write('a.jsonl', slot('after') + built.assistant('b').text());
    const now = await followSession(before);
    assert.deepEqual([before.name, now.name, now.leafId], ['before', 'after', e2]);
  });

  it('gives the same result in memory if the lines are known', async () => {
    const built = session().user('ä').assistant('b');
    const path = await folder.write('a.jsonl', built.text());
    const before = await readSession(path);
    const added = built
      .user('ü')
      .label(e1, 'x')
      .lines()
      .slice(-2)
      .map((line) => `${line}\n`)
      .join('');
    await appendFile(path, added);
    const now = await readSession(path);
    const known = withAppendedLines(before, added);
    assert.deepEqual([known.entries, known.leafId, known.labels, known.size], [now.entries, now.leafId, now.labels, now.size]);
  });

  it("drops the problem of a torn line once it's whole", async () => {
    const lines = session().user('a').assistant('b').lines();
    const path = await folder.write('a.jsonl', `${lines[0]!}\n${lines[1]!}\n${lines[2]!.slice(0, 40)}`);
    const torn = await readSession(path);
    assert.deepEqual(problems(torn), ['torn-line@3']);
    assert.deepEqual(problems(await followSession(torn)), ['torn-line@3']);
    await appendFile(path, lines[2]!.slice(40));
    const whole = await followSession(torn);
    assert.deepEqual([problems(whole), whole.leafId], [[], e2]);
  });

  it('reads a whole line behind a torn one, and reads it again when the line goes on', async () => {
    const [header, one, two, three] = session().user('a').assistant('b').user('c').lines() as [string, string, string, string];
    const path = await folder.write('a.jsonl', `${header}\n${one}\n${two.slice(0, 40)}${three}`);
    const glued = await readSession(path);
    assert.equal(glued.leafId, entryId(3));
    for (const added of [' ', '{"type":', '"custom"}', '\n', `${two}\n`]) {
      await appendFile(path, added);
      const [grown, whole] = [await followSession(glued), await readSession(path)];
      assert.deepEqual(sessionValues(grown), sessionValues(whole), added);
      assert.deepEqual(grown.problems, whole.problems, added);
    }
  });

  it('equals a complete read, however the file grows', async function () {
    this.timeout(60_000);
    const piece = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ kind: fc.constantFrom('user', 'tool', 'label', 'leaf', 'name', 'side', 'noId'), at: fc.nat(12) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constantFrom('bad', 'blank', 'header', 'twin', 'orphan', 'self', 'glued', 'omp'), at: fc.nat(12) }),
      },
    );
    const ends = fc.array(fc.nat(1_000), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 12 }),
        ends,
        fc.boolean(),
        fc.constantFrom(1, 3),
        async (pieces, cuts, open, version) => {
          const built = session({ version });
          for (const { kind, at } of pieces) PIECES[kind]!(built, entryId(at));
          const bytes = Buffer.from(open ? built.text().slice(0, -1) : built.text());
          const start = built.lines()[0]!.length + 1;
          const sizes = [...new Set(cuts.map((cut) => start + Math.floor((cut * (bytes.length - start)) / 1000)))].sort((a, b) => a - b);
          const path = await folder.write('grow.jsonl', bytes.subarray(0, start));
          let followed = await readSession(path);
          for (const size of [...sizes, bytes.length]) {
            await writeFile(path, bytes.subarray(0, size));
            followed = await followSession(followed);
            assert.deepEqual(shape(followed), shape(await readSession(path)));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

const PIECES: Readonly<Record<string, (built: SessionBuilder, id: string) => SessionBuilder>> = {
  user: (built, id) => built.user('ä text', { parentId: id }),
  tool: (built) => built.tool('read', { path: '/home/me/x' }),
  label: (built, id) => built.label(id, 'here'),
  leaf: (built, id) => built.leaf(id),
  name: (built) => built.name('a name'),
  side: (built) => built.custom('x', {}, { appendMode: 'side' }),
  noId: (built) => built.user('no id', { id: undefined }),
  bad: (built) => built.raw('{"type":'),
  blank: (built) => built.raw(''),
  header: (built) => built.raw('{"type":"session","id":"again"}'),
  twin: (built, id) => built.user('twin', { id }),
  orphan: (built) => built.user('orphan', { parentId: 'e0000009' }),
  self: (built, id) => built.user('self', { id: `s${id}`, parentId: `s${id}` }),
  glued: (built) => built.raw('{"type":"custom","id":"g1","parentId":null}{"type":"custom","id":"g2","parentId":"g1"}'),
  omp: (built) => built.entry('title_change', { title: 'x' }),
};
