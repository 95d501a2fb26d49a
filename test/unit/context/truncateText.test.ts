import * as assert from 'node:assert/strict';
import { truncate, sliceAtLine } from '../../../src/context/host/articles/truncateText';
import { oneLine } from '../../../src/context/host/snapshot/oneLine';
import { sanitizeText } from '../../../src/core/index';

describe('session text, as it is shown', () => {
  it('has no terminal colours, titles or cursor moves', () => {
    assert.equal(sanitizeText('\u001b[1;31mred\u001b[0m \u001b]0;title\u0007x\u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\ \u009b2Ky \u001b(B\u001b[?25lz'), 'red xlink y z');
  });

  it('has line ends of one kind', () => {
    assert.equal(sanitizeText('a\r\nb\rc\nd'), 'a\nb\nc\nd');
  });

  it('shows what would change how its surroundings read', () => {
    assert.equal(sanitizeText('user\u202enimda\u202c \u2066x\u2069'), 'user⟦RLO⟧nimda⟦PDF⟧ ⟦LRI⟧x⟦PDI⟧');
    assert.equal(sanitizeText('a\u0000b\u0008c\u007f\u0085'), 'a␀b␈c␡\ufffd');
  });

  it('leaves letters of all scripts alone', () => {
    const text = 'äöü שלום مرحبا 你好 👩‍👩‍👧 \t tab';
    assert.equal(sanitizeText(text), text);
  });

  it('fits in a line', () => {
    assert.equal(oneLine('a\n\n  b\tc', 10), 'a b c');
    assert.equal(oneLine('abcdef', 4), 'abc…');
  });
});

describe('a long text', () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');

  it('is sent whole if both ends cover it', () => {
    assert.deepEqual(truncate('abc', { start: 2, end: 1 }), { text: 'abc' });
  });

  it('loses its middle between lines, and says how much', () => {
    const { text: start, tail = '', omitted = 0 } = truncate(text, { start: 100, end: 50 });
    assert.ok(start.endsWith('\n') && start.length <= 100 && start.length > 80, start);
    assert.ok(tail.startsWith('line ') && tail.length <= 50 && tail.length > 25, tail);
    assert.equal(start.length + omitted + tail.length, text.length);
    assert.ok(text.startsWith(start) && text.endsWith(tail));
  });

  it('is never cut inside a character', () => {
    const { text: start } = truncate('😀'.repeat(10), { start: 5, end: 0 });
    assert.equal(start, '😀😀');
  });

  it('comes whole in pieces, each ending with a line', () => {
    const pieces: string[] = [];
    for (let from = 0; from < text.length; from += pieces.at(-1)!.length) pieces.push(sliceAtLine(text, from, text.length, 120));
    assert.equal(pieces.join(''), text);
    assert.ok(pieces.length > 5 && pieces.slice(0, -1).every((one) => one.endsWith('\n') && one.length <= 120));
  });
});
