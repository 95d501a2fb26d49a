import assert from 'node:assert/strict';
import { truncate, sliceAtLine } from '../../../src/context/articles/truncateText';
import { oneLine } from '../../../src/core/format/text/oneLine';
import { sanitizeText } from '../../../src/core/index';

describe('Sanitized session text', () => {
  it('has no terminal colors, titles or cursor moves', () => {
    assert.equal(
      sanitizeText(
        '\u001b[1;31mred\u001b[0m \u001b]0;title\u0007x\u001b]8;;http://a\u001b\\link\u001b]8;;\u001b\\ \u009b2Ky \u001b(B\u001b[?25lz',
      ),
      'red xlink y z',
    );
  });

  it('has one kind of line ending', () => {
    assert.equal(sanitizeText('a\r\nb\rc\nd'), 'a\nb\nc\nd');
  });

  it('shows bidi and control characters', () => {
    assert.equal(sanitizeText('user\u202enimda\u202c \u2066x\u2069'), 'user⟦RLO⟧nimda⟦PDF⟧ ⟦LRI⟧x⟦PDI⟧');
    assert.equal(sanitizeText('a\u0000b\u0008c\u007f\u0085'), 'a␀b␈c␡\ufffd');
  });

  it('keeps letters of all scripts', () => {
    const text = 'äöü שלום مرحبا 你好 👩‍👩‍👧 \t tab';
    assert.equal(sanitizeText(text), text);
  });

  it('fits in a line', () => {
    assert.equal(oneLine('a\n\n  b\tc', 10), 'a b c');
    assert.equal(oneLine('abcdef', 4), 'abc…');
  });
});

describe('A long text', () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');

  it('is kept whole if both ends cover it', () => {
    assert.deepEqual(truncate('abc', { start: 2, end: 1 }), { text: 'abc' });
  });

  it('loses its middle between lines, with the omitted length', () => {
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

  it('is complete in slices, each ending with a line', () => {
    const pieces: string[] = [];
    for (let from = 0; from < text.length; from += pieces.at(-1)!.length) pieces.push(sliceAtLine(text, from, text.length, 120));
    assert.equal(pieces.join(''), text);
    assert.ok(pieces.length > 5 && pieces.slice(0, -1).every((one) => one.endsWith('\n') && one.length <= 120));
  });
});
