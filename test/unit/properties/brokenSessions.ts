/** Arbitrary broken bytes: sessions of all kinds with random damage. */
import fc from 'fast-check';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { generateSession } from '../../fixtures/generate';

/** Lines that only some programs write, or none at all. */
const ODD_LINES = [
  titleSlotLine({ title: 'a title', source: 'user', updatedAt: '2026-01-01T00:00:00.000Z' }).trimEnd(),
  '{"type":"leaf","id":"l1","parentId":"e0000001","targetId":"e0000002","appendMode":"side"}',
  '{"type":"leaf","id":"l2","parentId":"l1","targetId":"l1"}',
  '{"type":"custom","id":"c1","parentId":"l2","__openclaw":{}}',
  '{"type":"model_change","id":"m1","parentId":null,"model":"a/b/c","role":"smol"}',
  '{"type":"ttsr_injection","id":"t1","parentId":"e0000001","injectedRules":["a",{"toString":1,"valueOf":1},[["b"]]]}',
  '{"type":"reset_boundary","id":"r1","parentId":"e0000003"}',
  '{"type":"mode_change","id":"d1","parentId":"r1","mode":"plan"}',
  '{"type":"message","id":"e0000002","parentId":"e0000003","message":null}',
  '{"type":"message","id":"e0000003","parentId":"e0000002"}',
  '{"type":"message","id":"self","parentId":"self","message":{"role":"user","content":"\\ud800"}}',
  '{"type":"message","id":"__proto__","parentId":"constructor","message":{"role":"__proto__","content":[{"type":"__proto__"}]}}',
  '{"type":"__proto__","id":"constructor","parentId":"toString","__proto__":{"type":"message"}}',
  '{"type":"toString","id":"hasOwnProperty","parentId":"__proto__"}',
  '{"type":"session","id":"again","version":1}',
  '{"type":"session","version":1e999,"id":"z","cwd":7,"title":{},"provider":1,"modelId":[],"thinkingLevel":{},"parentSession":5,"branchedFrom":null}',
  '{"type":"compaction","id":"k1","parentId":"e0000002","firstKeptEntryIndex":1e21,"summary":7,"tokensBefore":"x"}',
  '{"type":"message","id":"","parentId":7,"timestamp":8,"message":{"role":"toolResult","toolCallId":[],"content":{}}}',
  `{"type":"message","id":"deep","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"x","name":"n","arguments":{"a":${'['.repeat(9000)}${']'.repeat(9000)}}}]}}`,
  `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`,
  '['.repeat(9000),
  `{"type":"x"${' '.repeat(70_000)}!`,
  '\u0000'.repeat(3000),
  '\uFEFF',
  '{"type":"custom","id":"g1","parentId":null}{"type":"custom","id":"g2","parentId":"g1"} junk {"type":"custom"}',
];

/** Values of unexpected types. */
const VALUES = [
  'null',
  'true',
  '""',
  '{}',
  '[]',
  '0',
  '-1',
  '1e308',
  '1e999',
  '-0',
  '8640000000000001',
  '"__proto__"',
  '"\\ud800"',
  '"\\u0000"',
  '[null]',
  '[[]]',
  '[{"type":"text"}]',
  '{"toString":1,"valueOf":2}',
  '[{"type":"text","text":{}},{"type":"toolCall"},{"type":"image","data":4}]',
  '"x".length',
  '"e0000001"',
  '{"length":3}',
  '"9999-99-99"',
  '"+275760-09-13T00:00:00.001Z"',
];

const seed = fc.integer({ min: 1, max: 100_000 });
const place = fc.nat({ max: 1_000_000 });

/** A well-formed session with some unusual lines. */
const text = fc.tuple(seed, fc.array(fc.tuple(fc.constantFrom(...ODD_LINES), place), { maxLength: 4 })).map(([from, odd]) => {
  const lines = generateSession(from).builder.lines();
  for (const [line, at] of odd) lines.splice(at % (lines.length + 1), 0, line);
  return `${lines.join('\n')}\n`;
});

type Breaking = (bytes: Buffer) => Buffer;
const at = (bytes: Buffer, where: number): number => (bytes.length === 0 ? 0 : where % bytes.length);

const breaking = fc.oneof(
  // Replaces a byte.
  fc.tuple(place, fc.nat({ max: 255 })).map(([where, byte]): Breaking => (bytes) => {
    const copy = Buffer.from(bytes);
    if (copy.length > 0) copy[at(bytes, where)] = byte;
    return copy;
  }),
  // Removes, repeats or moves a piece.
  fc.tuple(place, fc.nat({ max: 400 }), fc.constantFrom(0, 2)).map(([where, length, times]): Breaking => (bytes) => {
    const from = at(bytes, where);
    const piece = bytes.subarray(from, from + length);
    return Buffer.concat([bytes.subarray(0, from), ...Array<Buffer>(times).fill(piece), bytes.subarray(from + length)]);
  }),
  fc.tuple(place, place, fc.nat({ max: 400 })).map(([where, to, length]): Breaking => (bytes) => {
    const from = at(bytes, where);
    const rest = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
    return Buffer.concat([rest.subarray(0, at(rest, to)), bytes.subarray(from, from + length), rest.subarray(at(rest, to))]);
  }),
  // Cuts the end off.
  place.map(
    (where): Breaking =>
      (bytes) =>
        bytes.subarray(0, at(bytes, where)),
  ),
  // Removes a line break, which joins two lines.
  place.map((where): Breaking => (bytes) => {
    const newline = bytes.indexOf(10, at(bytes, where));
    return newline < 0 ? bytes : Buffer.concat([bytes.subarray(0, newline), bytes.subarray(newline + 1)]);
  }),
  // Inserts bytes.
  fc
    .tuple(
      place,
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom('\0\0\0', '\r', '\n\n', '"', '}', '{', '\\', '\uFEFF').map((s) => Buffer.from(s)),
      ),
    )
    .map(
      ([where, extra]): Breaking =>
        (bytes) =>
          Buffer.concat([bytes.subarray(0, at(bytes, where)), extra, bytes.subarray(at(bytes, where))]),
    ),
  // Replaces a value by one of another type.
  fc.tuple(place, fc.constantFrom(...VALUES)).map(([where, value]): Breaking => (bytes) => {
    const whole = bytes.toString('latin1');
    const values = [...whole.matchAll(/(?<=":)("(?:[^"\\]|\\.)*"|-?\d[\d.e+]*|null|true|false)/g)];
    const found = values[where % Math.max(1, values.length)];
    if (!found) return bytes;
    return Buffer.from(`${whole.slice(0, found.index)}${value}${whole.slice(found.index + found[0].length)}`, 'latin1');
  }),
);

/** Sessions with a few kinds of damage, and sometimes random bytes. */
export const brokenBytes = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(text, fc.array(breaking, { minLength: 1, maxLength: 5 }))
      .map(([whole, breaks]) => breaks.reduce<Buffer>((bytes, next) => next(bytes), Buffer.from(whole))),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes): Buffer => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 300 })
      .map((bytes): Buffer => Buffer.concat([Buffer.from('{"type":"session","version":3,"id":"s"}\n'), bytes])),
  },
);

/** Undamaged sessions, some with unusual lines. */
export const wholeText = text;
