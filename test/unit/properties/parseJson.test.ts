import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JSON_PIECE, parseJson, SHORT_JSON } from '../../../src/core/format/parse/parseJson';
import { finishSteps } from '../../../src/core/format/session/steps';

/** Fills a text up to a length that is parsed in pieces. */
const LONG = SHORT_JSON + 1;

function expected(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Compares two values of JSON, with the order of their keys, without recursion: they may be nested very deeply. */
function isSame(left: unknown, right: unknown): boolean {
  for (const open: [unknown, unknown][] = [[left, right]]; ;) {
    const [one, other] = open.pop() ?? [];
    if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) {
      if (!Object.is(one, other)) return false;
    } else {
      const keys = Object.keys(one);
      if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other) || keys.join() !== Object.keys(other).join()) return false;
      for (const key of keys) open.push([one[key as never], other[key as never]]);
    }
    if (open.length === 0) return true;
  }
}

function assertSame(text: string): void {
  const [value, wanted] = [finishSteps(parseJson(text)), expected(text)];
  assert.equal(value === undefined, wanted === undefined, text.slice(0, 200));
  assert.ok(isSame(value, wanted), text.slice(0, 200));
}

// A key of one backslash isn't among them: after one, V8's JSON.parse may take another key that begins with an escape for it.
const key = fc.constantFrom('__proto__', 'constructor', 'a', 'b', '1', '-1', '', 'length', '\ud800', '"', '\n', 'é');
const scalar = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    'false',
    '-0',
    '1e400',
    '1E-400',
    '123456789012345678901234567890',
    '0.1',
    '"\\ud83d\\ude00\\udc00"',
    '"\ud800"',
  ),
  key.map((text) => JSON.stringify(text)),
);
const space = fc.constantFrom('', '', '', ' ', '\t\r\n');
/** Anything that may make a text invalid where it stands. */
const damage = fc.constantFrom(',', ']', '}', '[', '{', '"', ':', '\\', 'x', '0', '"k"', '"k":', '\u0001', '\ufeff', '//', '1 2');

/** Values of a size that decides how a text is cut, by the letters that stand for them in the texts that are tried. */
const FILLERS: Readonly<Record<string, string>> = {
  N: `[${'1,'.repeat(JSON_PIECE / 2)}1]`,
  S: `"${'a'.repeat(JSON_PIECE)}"`,
  E: `"${'\\u00e9\\"\\\\'.repeat(JSON_PIECE / 8)}"`,
  O: `{${Array.from({ length: 4000 }, (_, index) => `"${String(index % 3000)}":${String(index)}`).join(',')}}`,
  D: `${'['.repeat(JSON_PIECE)}${']'.repeat(JSON_PIECE)}`,
  P: `${'{"a":'.repeat(JSON_PIECE / 6)}1${'}'.repeat(JSON_PIECE / 6)}`,
  L: `"${'x'.repeat(LONG)}"`,
};
const filled = (text: string): string => text.replace(/[NSEODPL]/g, (letter) => FILLERS[letter]!);
const filler = fc.constantFrom(...Object.keys(FILLERS));

const { json } = fc.letrec<{ json: string; list: string; object: string }>((tie) => ({
  json: fc.oneof({ maxDepth: 4 }, scalar, filler, tie('list'), tie('object')),
  list: fc
    .tuple(fc.array(tie('json'), { maxLength: 6 }), space)
    .map(([items, blank]) => `[${blank}${items.join(`${blank},${blank}`)}${blank}]`),
  object: fc
    .tuple(fc.array(fc.tuple(key, tie('json')), { maxLength: 6 }), space)
    .map(
      ([items, blank]) =>
        `{${blank}${items.map(([name, value]) => `${JSON.stringify(name)}${blank}:${blank}${value}`).join(`${blank},`)}${blank}}`,
    ),
}));

/** Makes a text too long to be parsed at once. */
const long = fc.tuple(json, json, json, space).map(([a, b, c, blank]) => `{"a":${a},${blank}"b":[${b},L],"a":${c}}${blank}`);

describe('parseJson', () => {
  it('has the result of JSON.parse for every long text', () => {
    fc.assert(
      fc.property(long, (text) => assertSame(filled(text))),
      { numRuns: 100, endOnFailure: true },
    );
  });

  it('refuses what JSON.parse refuses, wherever the damage is', () => {
    const damaged = fc.tuple(long, fc.double({ min: 0, max: 1, noNaN: true }), damage, fc.integer({ min: 0, max: 2 }));
    fc.assert(
      fc.property(damaged, ([text, where, added, removed]) => {
        const at = Math.floor(where * text.length);
        assertSame(filled(text.slice(0, at) + added + text.slice(at + removed)));
      }),
      { numRuns: 200, endOnFailure: true },
    );
  });

  it('has the result of JSON.parse at the borders of pieces', () => {
    const piece = '1,'.repeat(JSON_PIECE / 2);
    const big = `[${piece}1]`;
    const end = `"${'y'.repeat(LONG)}"`;
    for (let lead = 0; lead < 8; lead++) assertSame(`["${'a'.repeat(JSON_PIECE - lead)}\\u00e9\\\\\\"",${end}]`);
    for (const text of [
      `[${piece},${end}]`,
      `[${piece}${end},]`,
      `[,${piece}${end}]`,
      `[${big} ${big},${end}]`,
      `[1 ${big},${end}]`,
      `[${big} 1,${end}]`,
      `[${big},${end}`,
      `[${big},${end}}`,
      `[${big},${end}]]`,
      `[${big},${end}] x`,
      `x[${big},${end}]`,
      ` [${big},${end}] \n`,
      `[${big},${end}][]`,
      `{"a" ${big},"b":${end}}`,
      `{"a":${big},"b":${end}}`,
      `{"a":${big} ,"__proto__":${big},"a":${end},"__proto__":1}`,
      `{"a":${big},${end}}`,
      `{${big}:1,"b":${end}}`,
      `{${end}:${end}}`,
      `{"a":1,,"b":${big},"c":${end}}`,
      `{"a":1 "b":${big},"c":${end}}`,
      `["${'\\'.repeat(LONG)}"]`,
      `["${'\\'.repeat(LONG + 1)}"]`,
      `["${'\\u00'.repeat(LONG)}"]`,
      `["${'a'.repeat(JSON_PIECE - 1)}\\u",${end}]`,
      `["${'a'.repeat(LONG)}\n"]`,
      end,
      `${end}1`,
      '1'.repeat(LONG),
      ' '.repeat(LONG),
      `[${' '.repeat(LONG)}]`,
      `{${' '.repeat(LONG)}}`,
      `[1,${' '.repeat(LONG)}]`,
      `{"a":1,${' '.repeat(LONG)}}`,
    ])
      assertSame(text);
  });

  it('parses a bounded part of the text in one step', () => {
    const parts: Readonly<Record<string, (size: number) => string>> = {
      numbers: (size) => `[${'1,'.repeat(size)}1]`,
      lists: (size) => `[${'[1],'.repeat(size)}1]`,
      keys: (size) => JSON.stringify(Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${String(index)}`, 1]))),
      depth: (size) => `${'{"a":'.repeat(size)}1${'}'.repeat(size)}`,
      'one string': (size) => `["${'\\n'.repeat(size)}"]`,
    };
    const { parse } = JSON;
    for (const [name, make] of Object.entries(parts)) {
      const text = make(100_000);
      let [parsed, most, calls] = [0, 0, 0];
      JSON.parse = (piece: string): unknown => {
        parsed += piece.length;
        calls++;
        return parse(piece) as unknown;
      };
      try {
        const steps = parseJson(text);
        for (let isDone = false; !isDone; parsed = calls = 0) {
          isDone = steps.next().done === true;
          most = Math.max(most, parsed + calls);
        }
      } finally {
        JSON.parse = parse;
      }
      assert.ok(most > 0 && most <= 4 * JSON_PIECE, `${name}: ${String(most)} units in one step`);
    }
  });
});
