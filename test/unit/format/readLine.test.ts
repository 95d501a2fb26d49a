import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readLine } from '../../../src/core/format/parse/readLine';

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
});
