import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LONG_LINE_BYTES, objectLocations, readLine } from '../../../src/core/format/parse/readLine';
import { finishSteps } from '../../../src/core/format/session/steps';

const values = (text: string): unknown[] => {
  const line = readLine(text);
  return line.kind === 'objects' ? line.objects.map(({ value }) => value) : [];
};

describe('readLine', () => {
  const a = '{"type":"a","text":"} {\\" \\\\"}';
  const b = '{"type":"b","deep":{"x":[{}]}}';

  it('returns blank, bad, or objects', () => {
    for (const blank of ['', ' \t', '\0\0', '\uFEFF', '\r']) assert.equal(readLine(blank).kind, 'blank', JSON.stringify(blank));
    for (const bad of ['x', '{', '}', '"', '[]', '1', '{"type":1}', '{}{}', '{"type":"a"']) assert.equal(readLine(bad).kind, 'bad', bad);
    assert.deepEqual(values(`\uFEFF ${a}\0\0\r`), [JSON.parse(a)]);
  });

  it('finds several objects on a line, with any text between them', () => {
    const line = readLine(`x ${a}${b},${a}`);
    assert.ok(line.kind === 'objects' && line.rest);
    assert.deepEqual(values(`${a}${b}`), [JSON.parse(a), JSON.parse(b)]);
    for (const padding of ['', '\0\0', ' ', '\uFEFF']) {
      const padded = readLine(`${a}${padding}${b}`);
      assert.ok(padded.kind === 'objects' && !padded.rest && padded.objects.length === 2, JSON.stringify(padding));
    }
    // White space that isn't JSON's is reported.
    for (const other of ['\u2028', '\u00a0', '\u3000']) {
      const given = readLine(`${other}${a}`);
      assert.ok(given.kind === 'objects' && given.rest && given.objects.length === 1, JSON.stringify(other));
    }
    assert.deepEqual(
      line.objects.map(({ start, end }) => `x ${a}${b},${a}`.slice(start, end)),
      [a, b, a],
    );
  });

  it('keeps the object of a line in another format', () => {
    assert.deepEqual(readLine('{"kind":"header"}'), { kind: 'bad', value: { kind: 'header' } });
  });

  it('never throws, and finds all glued objects', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', 'a', ' ', ':', '"type"') }), (text) => {
        readLine(text);
      }),
    );
    const object = fc.dictionary(fc.string(), fc.jsonValue()).map((fields) => ({ ...fields, type: 't' }));
    fc.assert(
      fc.property(fc.array(object, { minLength: 1, maxLength: 4 }), (objects) => {
        const texts = objects.map((one) => JSON.stringify(one));
        assert.deepEqual(
          values(texts.join('')),
          texts.map((one) => JSON.parse(one) as unknown),
        );
      }),
    );
  });

  /** An entry's line in the order of pi, and in that of OpenClaw. */
  const line = (id: string, more = ''): string => `{"type":"message","id":"${id}","parentId":"p","timestamp":"t"${more}}`;
  const lateIds = (data: string): string => `{"type":"custom","customType":"x","data":${data},"id":"late","parentId":null,"timestamp":"t"}`;
  const placeholder = (id: string, parentId: string | null): unknown => ({
    type: 'damaged',
    id,
    parentId,
    timestamp: 't',
    appendMode: 'side',
  });

  it('keeps the place of a broken entry whose id and parent are legible', () => {
    for (const [broken, expected] of [
      [line('a', ',"message":{"role":"user","content":"C:\\xyz"}').replace('\\\\', '\\'), placeholder('a', 'p')],
      [line('a', ',"message":{"content":[{"type":"text","text":"torn'), placeholder('a', 'p')],
      [lateIds('{"id":"inner","parentId":"inner","text":"\\q"}'), placeholder('late', null)],
      [line('a', ',"x":tru'), placeholder('a', 'p')],
    ] as const) {
      const read = readLine(broken);
      assert.ok(read.kind === 'objects' && !read.rest, broken);
      assert.deepEqual(read.objects, [{ value: expected, start: 0, end: broken.length, isDamaged: true }]);
    }
  });

  it('keeps no place for what has none: without an id or a parent, or for a header', () => {
    for (const broken of [
      '{"type":"message","id":"a","message":{"parentId":"p"',
      '{"type":"message","parentId":null,"id":',
      '{"type":"message","id":"a\\q","parentId":null}',
      '{"type":"message","id":"","parentId":null,',
      '{"type":"session","id":"a","parentId":null,',
    ])
      assert.equal(readLine(broken).kind, 'bad', broken);
  });

  it('reads a whole line behind one that’s torn anywhere', () => {
    const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-02T10:00:00.000Z', cwd: '/work' };
    const entry = { type: 'message', id: 'b', parentId: 'a', message: { role: 'user', content: 'Say "{" and \\ or }' } };
    const tornOnes = [
      { type: 'title', v: 1, title: 'The {"title"}', pad: ' ' },
      { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: [{ type: 'text', text: 'He said \\"{hi}"' }] } },
    ].map((value) => JSON.stringify(value));
    for (const torn of tornOnes)
      for (let length = 1; length < torn.length; length++)
        for (const whole of [header, entry]) {
          const read = readLine(torn.slice(0, length) + JSON.stringify(whole));
          assert.deepEqual(read.kind === 'objects' && read.objects.at(-1)?.value, whole, torn.slice(0, length));
        }
  });

  it('reads whole entries that are glued behind a torn one', () => {
    const whole = line('b', ',"message":{"role":"assistant","content":[{"type":"text","text":"quote \\" brace } end \\\\"}]}');
    for (const torn of [
      line('a', ',"message":{"content":"he said ').slice(0, -1),
      line('a', ',"message":{"content":[{"type":"text","text":"whole"},').slice(0, -1),
      line('a', ',"message":{"content":"ends in an escape \\').slice(0, -1),
    ]) {
      for (const behind of [[whole], [whole, line('c')]]) {
        const text = `${torn}${behind.join(' ')}`;
        const read = readLine(text);
        assert.ok(read.kind === 'objects' && !read.rest, text);
        assert.deepEqual(
          read.objects.map(({ value, start, end }) => [value, text.slice(start, end)]),
          [[placeholder('a', 'p'), torn], ...behind.map((one) => [JSON.parse(one) as unknown, one])],
        );
      }
    }
    assert.deepEqual(values(`{"type":"mess${whole}`), [JSON.parse(whole)]);
    assert.deepEqual(values('{"type":"message","content":[{"type":"text","text":"a part, no entry"}'), []);
  });

  it('recovers nothing of lines that not all readers hold in memory', () => {
    const torn = `${line('a').slice(0, -1)}${line('b')}`;
    assert.equal(readLine(torn, LONG_LINE_BYTES - 1).kind, 'objects');
    assert.equal(readLine(torn, LONG_LINE_BYTES).kind, 'bad');
  });

  it('locates entries behind bytes that are no text', () => {
    const whole = line('b', ',"text":"ünï"');
    const torn = Buffer.concat([Buffer.from(line('a', ',"text":"').slice(0, -1)), Buffer.of(0xf0, 0x9f)]);
    const bytes = Buffer.concat([torn, Buffer.from(whole)]);
    const text = bytes.toString('utf8');
    const read = readLine(text);
    assert.ok(read.kind === 'objects');
    assert.deepEqual(finishSteps(objectLocations(read.objects, text, { offset: 100, length: bytes.length }, bytes)), [
      { offset: 100, length: torn.length },
      { offset: 100 + torn.length, length: Buffer.byteLength(whole) },
    ]);
  });
});
