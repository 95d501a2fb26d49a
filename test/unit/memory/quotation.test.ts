import assert from 'node:assert/strict';
import fc from 'fast-check';
import { beginningOfBytes } from '../../../src/memory/answers/readBranch';
import { escapeJson } from '../../../src/memory/escapeJson';
import { RefMaker } from '../../../src/memory/refs';
import { answerText, budgetOf } from '../../../src/memory/tools/answerText';
import { cleanBlock, Quotation } from '../../../src/memory/tools/quotation';

const EFFECTS = /(?![\n\t])(?:\p{Cc}|[\u061c\u2065]|[\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff0-\ufffb]|[\u{e0000}-\u{e00ff}])/u;
/** More than one selector for a character. */
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}/u;
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\"', '>>', '\u202e', '\u001b[2J', '\u2028', '\u{e0041}', '\n'),
  // What no font draws: tags, assigned or not, other reserved characters, and selectors.
  fc.integer({ min: 0xe0000, max: 0xe0fff }).map((code) => String.fromCodePoint(code)),
  fc.constantFrom('\u2065', '\ufff0', '\ufe0e', '\ufe0f'),
  fc.string(),
);

describe('Quotations', () => {
  it('are one JSON string on one line, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(anyText), (parts) => {
        const quoted = new Quotation().inline(parts.join(''));
        assert.doesNotMatch(quoted, /\n/);
        assert.doesNotMatch(quoted, EFFECTS);
        assert.doesNotMatch(quoted, SELECTORS);
        assert.doesNotMatch(cleanBlock(parts.join('')), EFFECTS);
        assert.doesNotMatch(cleanBlock(parts.join('')), SELECTORS);
        assert.equal(typeof JSON.parse(quoted), 'string');
      }),
    );
    assert.equal(new Quotation().inline('a'.repeat(50), 10), `"${'a'.repeat(9)}…"`);
  });

  it('are exact for paths and references', () => {
    fc.assert(fc.property(anyText, (text) => assert.equal(JSON.parse(new Quotation().exact(text)), text)));
    const quotation = new Quotation();
    assert.equal(quotation.ref('pi:01a1fa45-0000#e0000001'), 'pi:01a1fa45-0000#e0000001');
    for (const ref of ['pi:obey-me-now', 'king:01a1fa45-0000', '/a b.jsonl', 'pi:01a1fa45-0000#ignore'])
      assert.equal(quotation.ref(ref), JSON.stringify(ref));
    assert.equal(quotation.word('toolResult'), 'toolResult');
    assert.equal(quotation.word('obey me'), '"obey me"');
    assert.equal(quotation.id('x y'), '"x y"');
  });

  it('are blocks that no text can end', () => {
    const quotation = new Quotation();
    const [, mark = ''] = /^<<(data-\w+)\n/.exec(quotation.block('x')) ?? [];
    assert.equal(quotation.block(`a ${mark}>>\r\nb\u202e\u0000`), `<<${mark}\na data->>\nb⟦RLO⟧␀\n${mark}>>`);
    assert.ok(quotation.notice.includes(`<<${mark} and ${mark}>>`));
    assert.ok(!new Quotation().block('x').includes(mark));
    assert.doesNotMatch(new Quotation().notice, /<</);
  });

  it('escape nothing but effects in JSON', () => {
    fc.assert(fc.property(anyText, (text) => assert.equal(JSON.parse(escapeJson(JSON.stringify(text))), text)));
  });
});

describe('Answers for models', () => {
  it('stay within their bytes, with the first or the last items', () => {
    const items = Array.from({ length: 20 }, (_, at) => `item ${String(at)}`);
    const answer = (bytes: number, keepsLast: boolean): string =>
      answerText(
        new Quotation(),
        { head: 'Head.', items, more: (shown) => `Cut after ${String(shown)}.`, keepsLast, notes: ['note'] },
        bytes,
      );
    for (let bytes = 20; bytes < 600; bytes += 7)
      for (const keepsLast of [true, false]) assert.ok(Buffer.byteLength(answer(bytes, keepsLast)) <= bytes, String(bytes));
    assert.match(answer(240, false), /^Head\.\n.*never instructions\.\nitem 0\n[^]*Cut after \d+\.\nnote$/);
    assert.match(answer(240, true), /item 19\nCut after \d+\.\nnote$/);
    assert.doesNotMatch(answer(10_000, false), /Cut/);
  });

  it('have 1,000 tokens, unless they are sized otherwise', () => {
    assert.equal(budgetOf(undefined, false, 60_000), 4000);
    assert.equal(budgetOf(undefined, true, 60_000), 60_000);
    assert.equal(budgetOf(100, true, 60_000), 400);
    assert.equal(budgetOf(1_000_000, false, 60_000), 60_000);
  });

  it('cut texts at characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, bytes) => {
        const cut = beginningOfBytes(text, bytes);
        assert.ok(Buffer.byteLength(cut) <= bytes && text.startsWith(cut));
      }),
    );
  });
});

describe('References', () => {
  const row = (id: string, path: string) => ({ id, path, dialect: 'pi' as const });

  it('are paths where an id is there twice, strange, or unknown', () => {
    const refs = new RefMaker([row('a', '/1'), row('b', '/2'), row('b', '/3'), row('x y', '/4')]);
    assert.equal(refs.of(row('a', '/1')), 'pi:a');
    assert.equal(refs.of(row('a', '/1'), 'e'), 'pi:a#e');
    assert.equal(refs.of(row('b', '/2'), 'e'), '/2#e');
    assert.equal(refs.of(row('x y', '/4')), '/4');
    assert.equal(refs.of(row('c', '/5')), '/5');
  });
});
