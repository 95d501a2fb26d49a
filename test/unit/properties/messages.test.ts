import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lines, type LineSink } from '../../../src/core/files/lines';
import { textOfLine, toolsOfLine } from '../../../src/core/catalog/texts';
import { MessageLines } from '../../../src/core/files/messageLine';
import type { JsonObject } from '../../../src/core/format/entry';
import { SessionReader } from '../../../src/core/format/reader';
import type { Session } from '../../../src/core/format/session';
import { valueEnd } from '../../../src/core/format/skipJson';
import { StringEnds } from '../../../src/core/format/stringEnds';
import { touchesOfLine } from '../../../src/core/format/touches';
import { readSession } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { generateSession } from '../../fixtures/generate';
import { dice } from '../../fixtures/random';
import { inOurWords } from './askEverything';
import { brokenBytes } from './broken';

const CAPACITY = 1024 * 1024;
const ends = new StringEnds(CAPACITY);
const memory = Buffer.from(ends.bytes.buffer, 0, CAPACITY);

const reader = (): SessionReader => new SessionReader({ path: '/a.jsonl', home: '/home/me' });

/** Reads bytes in one piece; `isFast`: messages by their bytes. @returns how many were. */
async function readAs(bytes: Buffer, isFast: boolean): Promise<{ session: Session | undefined; messages: number }> {
  bytes.copy(memory);
  const into = reader();
  let messages = 0;
  const sink: LineSink = { add: into.add.bind(into), long: into.long.bind(into), skip: into.skip.bind(into) };
  const lines = new Lines({ offset: 0, line: 0 }, !isFast ? sink : { ...sink, message: (value, place) => {
    messages++;
    into.message(value, place);
  } });
  lines.take(memory, 0, bytes.length, isFast ? new MessageLines(memory, ends) : undefined);
  lines.end();
  return { session: await inOurWords(() => into.session()), messages };
}

const shape = (session: Session | undefined): unknown => session && { ...session, byId: [...session.byId], children: [...session.children], reading: { ...session.reading, maps: undefined, before: undefined } };

/** The same line with the keys of all its objects in another order. */
function shuffled(line: string, seed: number): string {
  const random = dice(seed);
  const shuffle = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffle);
    if (typeof value !== 'object' || value === null) return value;
    const keys = Object.entries(value).map((entry) => ({ entry, at: random.below(1_000_000) }));
    // Rows show arguments in their order.
    return Object.fromEntries(keys.sort((a, b) => a.at - b.at).map(({ entry: [key, inner] }) => [key, key === 'arguments' ? inner : shuffle(inner)]));
  };
  return JSON.stringify(shuffle(JSON.parse(line)));
}

const LINE = '{"type":"message","id":"a1","parentId":"a0","timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"toolResult","toolCallId":"c","toolName":"read","content":[{"type":"text","text":"TEXT"}],"isError":false,"timestamp":1767348000000}}';
const ANSWER = '{"type":"message","id":"a1","parentId":null,"timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"TEXT"},{"type":"toolCall","id":"c","name":"read","arguments":{"path":"/home/me/x"}}],"api":"x","provider":"p","model":"m","usage":{"input":4,"output":120,"cacheRead":9000,"cacheWrite":400,"totalTokens":9524,"cost":{"input":0.000012,"output":0.0018,"cacheRead":0.0027,"cacheWrite":0.0015,"total":0.0060120000000000004}},"stopReason":"stop","timestamp":1767348000000}}';

/** What stands for something in a line. */
const ODD = [
  'a"b', 'a\\"b', 'a\\\\"', 'a\\', 'a\\u12', 'a\\u12zz', '\\u0041\\u001b', '\\x', '\u0001', '\0', '\t', 'é🚀', '\uFEFF', '"}],"content":[{"', '"}]}}{"type":"message","id":"b","message":{"role":"', '\\n\\t\\/\\b\\f\\r',
  '{', '}', '[', ']', ',', ':', '""', 'null', 'nul', 'true', '-', '-0', '01', '1.', '.5', '1.5e', '1e5', '1E+5', '1e999', '123456789012345678', '0.1234567890123456789', ' ', '\r', '"usage":{"input":3},', '"role":"user",', ',"details":{"a":[1,{"b":null}],"c":{}}',
  ',"__proto__":{"usage":{}}', '"usage":{"__proto__":{"input":5}},', '"content":"again",', '"c\\u006fntent":[],', '"customType":"t",', ',"payloadSha256":"x"', '['.repeat(40) + ']'.repeat(40), 'x'.repeat(2000),
];

/** A line with some of these put in, or in the place of what was there. */
const oddLine = fc
  .tuple(fc.constantFrom(LINE, ANSWER, ANSWER.replace('"assistant"', '"user"'), LINE.replace('toolResult', 'bashExecution')), fc.array(fc.tuple(fc.constantFrom(...ODD), fc.nat({ max: 700 }), fc.nat({ max: 12 })), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([line, pieces, inText]) =>
    pieces.reduce((text, [piece, at, gone]) => {
      const where = inText ? text.indexOf('TEXT') : at % (text.length + 1);
      return text.slice(0, where) + piece + text.slice(where + (inText ? 0 : gone));
    }, line),
  );

describe('Messages read by their bytes', function () {
  this.timeout(60_000);
  const folder = testFolder();

  it('are what parsing makes of them, whatever bytes a file holds', async () => {
    let fast = 0;
    await fc.assert(
      fc.asyncProperty(brokenBytes, async (bytes) => {
        if (bytes.length > CAPACITY) return;
        const [byBytes, parsed] = [await readAs(bytes, true), await readAs(bytes, false)];
        assert.deepEqual(shape(byBytes.session), shape(parsed.session));
        fast += byBytes.messages;
      }),
      { numRuns: 400 },
    );
    assert.ok(fast > 1000, `${fast} were read so`);
  });

  it('are what parsing makes of them, wherever something odd stands in them', async () => {
    const [header, next] = ['{"type":"session","version":3,"id":"s"}', '{"type":"custom","id":"next","parentId":"a1"}'];
    let fast = 0;
    await fc.assert(
      fc.asyncProperty(oddLine, async (line) => {
        const bytes = Buffer.from(`${header}\n${line}\n${next}\n`);
        const [byBytes, parsed] = [await readAs(bytes, true), await readAs(bytes, false)];
        assert.deepEqual(shape(byBytes.session), shape(parsed.session), line);
        fast += byBytes.messages;
      }),
      { numRuns: 6000 },
    );
    assert.ok(fast > 600, `${fast} were read so`);
  });

  it('tell the catalog what parsed ones do', () => {
    const lines = new MessageLines(memory, ends);
    const facts = (line: JsonObject): unknown => [textOfLine(line), touchesOfLine(line), toolsOfLine(line)];
    let count = 0;
    const mention = session().message({ role: 'fileMention', files: [{ path: '/x' }] }).lines()[1]!;
    for (const line of [mention, ANSWER, ...[1, 2, 4, 5, 7, 8, 9, 10].flatMap((seed) => generateSession(seed).builder.lines())]) {
      const read = lines.read(0, Buffer.from(line).copy(memory));
      if (!read) continue;
      count++;
      assert.deepEqual(facts(read), facts(JSON.parse(line) as JsonObject), line);
    }
    assert.ok(count > 50 && lines.read(0, Buffer.from(mention).copy(memory)), `${count} were read so`);
  });

  it('are the same with their keys in another order, only slower', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const lines = generateSession(seed).builder.lines();
      const other = [lines[0]!, ...lines.slice(1).map((line, index) => shuffled(line, seed * 1000 + index))];
      const [first, second] = await Promise.all([lines, other].map((each) => readAs(Buffer.from(`${each.join('\n')}\n`), true)));
      const heads = ({ session }: typeof first & object): unknown => session!.entries.map((head) => ({ ...head, offset: 0 }));
      assert.deepEqual(heads(second!), heads(first!));
      assert.ok(second!.messages <= first!.messages);
    }
  });

  it('are so in a file that is read in parts', async () => {
    const lines = generateSession(12).builder.lines();
    const text = 'line one\nline "two" \u001b[0m ünï 🚀\n'.repeat(200);
    const results = Array.from({ length: 400 }, (_, n) => LINE.replace('"a1"', `"r${n}"`).replace('"a0"', n === 0 ? 'null' : `"r${n - 1}"`).replace('"TEXT"', JSON.stringify(text.slice(n))));
    results[200] = results[200]!.replace('line', 'line"');
    const bytes = Buffer.from(`${[lines[0], ...results, ...lines.slice(1)].join('\n')}\n`);
    const found = await readSession(await folder.write('a.jsonl', bytes), { home: '/home/me' });
    const into = reader();
    const parsed = new Lines({ offset: 0, line: 0 }, { add: into.add.bind(into), skip: into.skip.bind(into) });
    parsed.take(bytes, 0, bytes.length);
    assert.deepEqual(shape({ ...found, path: '/a.jsonl' }), shape(into.session()));
    assert.deepEqual(found.problems.filter(({ code }) => code === 'bad-line').map(({ line }) => line), [202]);
  });
});

describe('JSON by its bytes', function () {
  this.timeout(60_000);
  const put = (text: string): number => Buffer.from(`${text}\n`).copy(memory) - 1;
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('ends where it ends', () => {
    fc.assert(fc.property(fc.json(), fc.constantFrom('', ',', '}', 'x'), (text, tail) => {
      const end = put(text + tail);
      const found = valueEnd(ends, 0, end);
      const own = Buffer.byteLength(text);
      if (text.includes(' ') && found < 0) return;
      assert.equal(found, tail === 'x' && /^-?\d/.test(text) ? found : own);
    }));
  });

  it('is nothing that can not be parsed', () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '"a"', '"a":', '0', '12', '-', '.5', 'e1', 'E+7', 'true', 'null', 'nul', '\\n', '\\u00e9', '\\u00', '\u001f', 'ü', '\u007f', '/', 'x'.repeat(33)), fc.json({ maxDepth: 2 })), { maxLength: 8 });
    let valid = 0;
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        const end = put(text);
        const isWhole = valueEnd(ends, 0, end) === end;
        if (isWhole) valid++;
        if (isWhole !== isJson(text)) assert.ok(!isWhole && /\s/.test(text), JSON.stringify(text));
      }),
      { numRuns: 20_000 },
    );
    assert.ok(valid > 500, `${valid} were whole`);
  });

  it('may have its strings end anywhere', () => {
    for (let length = 0; length < 70; length++) {
      for (const tail of ['', '\\n', '\\"', '\\\\', '\\u001b', 'é']) {
        const text = `${'a'.repeat(length)}${tail}"`;
        const end = put(`${text}xyz`);
        assert.equal(ends.of(0, end), Buffer.byteLength(text) - 1, text);
        assert.equal(ends.of(0, Buffer.byteLength(text) - 1), -1, text);
      }
      for (const wrong of ['\\', '\\x"', '\\u12"', '\\u12g4"', '\u0000"', '\n"', '']) assert.equal(ends.of(0, put('a'.repeat(length) + wrong)), -1, wrong);
    }
  });
});
