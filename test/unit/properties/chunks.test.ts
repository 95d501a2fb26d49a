import assert from 'node:assert/strict';
import { open, type FileHandle } from 'node:fs/promises';
import fc from 'fast-check';
import { LineSplitter } from '../../../src/core/files/read/bytes/lineSplitter';
import { scanLines } from '../../../src/core/files/read/scanLines';
import { LongLineParser } from '../../../src/core/format/parse/longLineParser';
import { LONG_LINE_BYTES, readLine } from '../../../src/core/format/parse/readLine';
import { SessionReader } from '../../../src/core/format/session/read/sessionReader';
import type { Session } from '../../../src/core/format/session/session';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { HeadTable } from '../../../src/core/format/columns/headTable';
import { endOfLines, resumePoint } from '../../../src/core/format/session/fileState';
import { testFolder } from '../../fixtures/folder';
import { sessionValues } from '../../fixtures/shape';
import { unlessRefused } from './exerciseSession';
import { brokenBytes, wholeText } from './brokenSessions';
import { finishSteps } from '../../../src/core/format/session/steps';

/** Size of the first read of a file, and the size from which a scanner is used. */
const FIRST = 64 * 1024;
const MEGABYTE = 1024 * 1024;

/** A file that returns at most the given numbers of bytes per read. */
function stingy(bytes: Buffer, sizes: readonly number[]): FileHandle {
  let turn = 0;
  const read = (into: Buffer, at: number, length: number, position: number): Promise<{ bytesRead: number }> => {
    const size = sizes.length === 0 ? length : Math.min(length, sizes[turn++ % sizes.length]!);
    return Promise.resolve({ bytesRead: bytes.copy(into, at, position, Math.min(bytes.length, position + size)) });
  };
  return { read, stat: () => Promise.resolve({ size: bytes.length }) } as unknown as FileHandle;
}

async function readIn(bytes: Buffer, sizes: readonly number[]): Promise<Session | undefined> {
  const reader = new SessionReader({ path: '/a.jsonl', home: '/home/me' });
  await scanLines(stingy(bytes, sizes), { offset: 0, line: 0 }, reader);
  return unlessRefused(() => reader.session());
}

const shape = (session: Session | undefined): unknown => session && sessionValues(session);

const sizes = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 10 });

/** A session whose second line has `length` bytes. */
function withLine(length: number, tail: string): Buffer {
  const [start, end] = ['{"type":"message","id":"long","parentId":null,"message":{"role":"user","content":"', '","usage":{"input":3}}}'];
  const text = 'a "quoted" ünï 🚀\\\\ word '.replaceAll('"', '\\"');
  const body = Buffer.alloc(length - start.length - end.length, ' ');
  Buffer.from(text.repeat(100)).copy(body, 0);
  return Buffer.concat([
    Buffer.from('{"type":"session","version":3,"id":"s"}\n'),
    Buffer.from(start),
    body,
    Buffer.from(end),
    Buffer.from(tail),
  ]);
}

describe('Reading in pieces', function () {
  this.timeout(60_000);
  const folder = testFolder();

  it('gives the same session for any split of the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(brokenBytes, sizes, async (bytes, pieces) => {
        assert.deepEqual(shape(await readIn(bytes, pieces)), shape(await readIn(bytes, [])));
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same session for any split of a large file, and any end of its last line', async () => {
    const text = 'a "word"\n'.repeat(100);
    const lines = Array.from({ length: 1400 }, (_, n) =>
      JSON.stringify({
        type: 'message',
        id: `r${n}`,
        parentId: n === 0 ? null : `r${n - 1}`,
        timestamp: '2026-01-02T10:00:00.000Z',
        message: { role: 'user', content: text.slice(n % 500) },
      }),
    );
    lines[700] = lines[700]!.replaceAll('a', 'b'.repeat(12_000));
    const bytes = Buffer.from(`{"type":"session","version":3,"id":"s"}\n${lines.join('\n')}\n`);
    const ends = [...bytes.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []));
    const end = fc.constantFrom(...ends.filter((at) => at > FIRST));
    const place = fc.oneof(end, fc.integer({ min: FIRST, max: bytes.length }));
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 6 }), end, fc.nat(2), async (places, size, torn) => {
        const file = bytes.subarray(0, Math.max(size, MEGABYTE + 2) - torn);
        const cuts = [...new Set([FIRST, ...places])].sort((a, b) => a - b);
        const read = await readIn(
          file,
          cuts.map((at, index) => at - (cuts[index - 1] ?? 0)),
        );
        const into = new SessionReader({ path: '/a.jsonl', home: '/home/me' });
        const parsed = new LineSplitter({ offset: 0, line: 0 }, { add: into.add.bind(into), skip: into.skip.bind(into) });
        finishSteps(parsed.take(file, 0, file.length));
        finishSteps(parsed.end());
        assert.deepEqual(shape(read), shape(into.session()));
        assert.ok(headsOf(read!) instanceof HeadTable, 'most of it is in columns');
      }),
      { numRuns: 60 },
    );
  });

  it('gives the same session around the length from which lines are cut', async () => {
    const entry = '\n{"type":"custom","id":"next","parentId":"long"}';
    for (const length of [LONG_LINE_BYTES - 2, LONG_LINE_BYTES - 1, LONG_LINE_BYTES, LONG_LINE_BYTES + 1, LONG_LINE_BYTES + 1_048_576]) {
      for (const tail of ['\n', '', `${entry}\n`]) {
        const bytes = withLine(length, tail);
        const whole = await readIn(bytes, []);
        assert.deepEqual(shape(await readIn(bytes, [777_777, 3, 1_500_000])), shape(whole));
        const head = whole!.byId.get('long')!;
        assert.deepEqual([head.offset, head.length, head.usage?.input, head.hasText, whole!.problems], [40, length, 3, true, []]);
        if (tail === '\n') assert.ok(resumePoint(whole!).ending.endsWith('"usage":{"input":3}}}'), 'how it ends');
        assert.equal(head.text, `user: ${'a "quoted" ünï 🚀\\ word '.repeat(100).slice(0, 200).trim()}`);
      }
    }
  });

  it('continues at the byte after a long torn line', async () => {
    const bytes = withLine(LONG_LINE_BYTES + 5, '\n');
    const whole = await readIn(bytes, []);
    const torn = await readIn(bytes.subarray(0, -9), []);
    assert.deepEqual([torn!.entries.length, torn!.problems.map(({ code, line }) => [code, line])], [0, [['torn-line', 2]]]);
    const path = await folder.write('a.jsonl', bytes);
    const reader = new SessionReader({ path: '/a.jsonl', home: '/home/me' }, torn);
    const file = await open(path);
    try {
      await scanLines(file, endOfLines(torn!), reader);
    } finally {
      await file.close();
    }
    assert.deepEqual(shape(reader.session()), shape(whole));
  });
});

describe('A line that is cut while it is read', function () {
  this.timeout(60_000);

  const pushed = (bytes: Buffer, pieces: readonly number[]): ReturnType<LongLineParser['end']> => {
    const line = new LongLineParser();
    for (let at = 0, turn = 0; at < bytes.length;) finishSteps(line.push(bytes.subarray(at, (at += pieces[turn++ % pieces.length]!))));
    return line.end();
  };

  it('has the same result as parsing for short lines', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          wholeText,
          brokenBytes.map((bytes) => bytes.toString('utf8')),
        ),
        sizes,
        (text, pieces) => {
          for (const line of text.split('\n')) {
            // Values are omitted below a depth that no program writes.
            if (/[[{]{50}|(\{"a":){50}/.test(line)) continue;
            // Nothing is recovered from a broken line of that length.
            const expected = readLine(line, LONG_LINE_BYTES);
            const found = pushed(Buffer.from(line), pieces);
            assert.deepEqual(
              found.objects.map(({ value }) => value),
              expected.kind === 'objects' ? expected.objects.map(({ value }) => value) : [],
              line,
            );
            assert.equal(found.hasUnreadable, expected.kind === 'bad' || (expected.kind === 'objects' && expected.rest), line);
          }
        },
      ),
      {
        numRuns: 100,
        examples: ['\v', '\f', '\u00a0', '\ufeff', '\0'].map((end) => [`{"type":"message","id":"a","parentId":null}${end}`, [1]]),
      },
    );
  });

  const one = (json: string): unknown => pushed(Buffer.from(json), [100_000]).objects[0]?.value;

  it('keeps the members that heads need, after any other members', () => {
    const usage = { input: 1, cost: { total: 2 } };
    const blocks = Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'twelve chars' }));
    const value = one(JSON.stringify({ type: 'message', id: 'a', message: { role: 'user', content: blocks, usage } })) as {
      message: { content: unknown[]; usage: unknown };
    };
    assert.deepEqual(value.message.usage, usage);
    assert.deepEqual(value.message.content, blocks.slice(0, value.message.content.length));
    assert.ok(value.message.content.length >= 1000 && value.message.content.length < 20_000);
  });

  it('cuts strings between characters, omits deeply nested values, and stays small for any length of line', () => {
    const cut = one(JSON.stringify({ type: 'x', text: 'ü\n"🚀'.repeat(50_000), id: 'b' })) as { text: string; id: string };
    assert.ok('ü\n"🚀'.repeat(50_000).startsWith(cut.text) && cut.text.length > 10_000 && cut.text.length < 70_000);
    assert.equal(cut.id, 'b');
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const value = one(`{"type":"x","deep":${deep},"id":"c"}`) as { id: string; deep: unknown };
    assert.equal(value.id, 'c');
    assert.ok(JSON.stringify(value.deep).length < 1000);
    const many = one(`{"type":"x",${Array.from({ length: 400_000 }, (_, n) => `"k${n}":"${'v'.repeat(20)}"`).join(',')}}`) as object;
    assert.ok(Object.keys(many).length <= 10_001);
  });

  it('finds errors in the parts that it does not keep', () => {
    const long = 'x'.repeat(100_000);
    for (const wrong of ['\u0001', '\\q', '\\u12x4', '\t'])
      assert.equal(one(`{"type":"x","text":"${long}${wrong}${long}"}`), undefined, wrong);
    assert.notEqual(one(`{"type":"x","text":"${long}\\u12A4\\\\${long}"}`), undefined);
    for (const wrong of [
      `{"type":"x","a":[1}`,
      `{"type":"x","a":{"b":1]}`,
      `{"type":"x" 1 2}`,
      `{"type":${'9'.repeat(5000)}a}`,
      `{"type":"x",${'""'.repeat(100)}}`,
    ]) {
      assert.deepEqual(pushed(Buffer.from(wrong), [3]), { objects: [], hasUnreadable: true }, wrong);
    }
    assert.equal(pushed(Buffer.from('{"type":"x"'), [3]).hasUnreadable, true);
    assert.deepEqual(pushed(Buffer.from('\0\0\uFEFF \r'), [3]), { objects: [], hasUnreadable: false });
  });

  it('returns the positions of the objects', () => {
    const [first, second] = ['{"type":"a","t":"ü}{"}', '{"type":"b"}'];
    const found = pushed(Buffer.from(`\uFEFF${first} ${second} "{" tail`), [2]);
    const at = 3 + Buffer.byteLength(first) + 1;
    assert.deepEqual(
      found.objects.map(({ start, end }) => [start, end]),
      [
        [3, at - 1],
        [at, at + second.length],
      ],
    );
    assert.equal(found.hasUnreadable, true);
  });
});
