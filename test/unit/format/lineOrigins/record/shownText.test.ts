import assert from 'node:assert/strict';
import { shownTextOfCall } from '../../../../../src/core/format/lineOrigins/record/shownText';

interface Given {
  readonly args?: Record<string, unknown>;
  readonly details?: unknown;
  /** False for oh-my-pi. */
  readonly recordsText?: boolean;
}

const shown = (text: string, { args, details, recordsText = true }: Given = {}) =>
  shownTextOfCall(
    { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'f', ...args } },
    { role: 'toolResult', content: [{ type: 'text', text }], details, isError: false },
    recordsText,
  );
const part = (text: string, given: Given = {}): number | string | undefined => {
  const found = shown(text, given);
  assert.equal(found?.isWhole, false, text.slice(0, 80));
  return found.from ?? 'nowhere';
};

describe('A reading', () => {
  it('of pi is the whole text, byte for byte', () => {
    for (const text of ['a\nb\n', 'a\nb', 'a\r\nb\r\n', '\uFEFFa\n', 'ünï 😀\n', '\n', 'a: [1]\nb\n'])
      assert.deepEqual(shown(text), { file: 'f', text, isWhole: true, from: 0, isEndRecorded: true });
  });

  it('is a part if some lines were asked for', () => {
    assert.equal(part('b\n', { args: { offset: 2 } }), 1);
    assert.equal(part('a\n\n[3 more lines in file. Use offset=2 to continue.]', { args: { limit: 1 } }), 0);
    assert.equal(part('a', { args: { range: '1-2' } }), 0);
  });

  it('is a part if the tool cut it, in every form', () => {
    const truncation = { truncated: true };
    assert.equal(part('a\n\n[Showing lines 1-1 of 5. Use offset=2 to continue.]', { details: { truncation } }), 0);
    assert.equal(part('a\n\n[Showing lines 1-1 of 5. Use offset=2 to continue.]'), 0);
    assert.equal(part("[Line 1 is 60.0KB, exceeds 50.0KB limit. Use bash: sed -n '1p' f | head -c 51200]", { details: { truncation } }), 0);
    assert.equal(part('a\n\n... (255 more lines not shown. Use offset=2 to continue reading)'), 0);
    assert.equal(part('a\n\n... (Some lines were truncated to 2000 characters for display)'), 'nowhere');
    assert.equal(part('a\n\n[Read output capped at 50KB for this call. Use offset=2 to continue.]'), 0);
    assert.equal(part('a\n\n⚠️ [Content truncated during persistence — original exceeded size limit.]\n'), 'nowhere');
    assert.equal(part('a\n[... 900 characters truncated ...]\nz\n'), 'nowhere');
    assert.equal(part('a\n', { details: { meta: { truncation: { outputLines: 1 } } } }), 0);
  });

  it('is none if its result was removed later, or stands for an image', () => {
    for (const text of [
      '[Output truncated - 900 tokens]',
      '[Superseded by a newer read of this file]',
      '[Uneventful result elided]',
      'Read image file [image/png]',
    ])
      part(text);
    assert.equal(shown(''), undefined);
  });

  describe('of oh-my-pi', () => {
    const omp = { recordsText: false };

    it('has the lines without numbers and tag, but not the end', () => {
      const whole = { file: 'f', text: 'a\n  b\n', isWhole: true, from: 0, isEndRecorded: false };
      assert.deepEqual(shown('[f#A1B2]\n1:a\n2:  b\n3:', omp), whole);
      assert.deepEqual(shown('1|a\n2|  b\n3|', omp), whole);
      assert.deepEqual(shown('[f#A1B2]\n1:a\n2:  b\n3:'), whole);
      assert.deepEqual(shown('     1→a\n     2→  b\n     3→'), whole);
      assert.equal(shown('a\nb', omp)?.isEndRecorded, false);
    });

    it('is a part if numbers are missing', () => {
      assert.equal(part('[f#A1B2]\n3:c\n4:d', omp), 2);
      assert.equal(part('[f#A1B2]\n1:a\n…\n9:z\n10:y\n11:x', omp), 'nowhere');
      for (const text of ['1:a\n2:b\n9:z', '1:a\n1:b\n2:c', '1:a\n3:b\n2:c']) assert.equal(part(text, omp), 'nowhere', text);
      assert.equal(part('[f#A1B2]\n1:a\n2:b\n\n[Showing lines 1-2 of 9. Use :3 to continue]', omp), 'nowhere');
      assert.equal(part('1:a\n2:b', { ...omp, details: { summary: { elidedSpans: 1 } } }), 0);
      assert.equal(part(`1:a\n2:${'b'.repeat(600)}…`, omp), 'nowhere');
    });

    it('isn’t known where a space may belong to the number', () => {
      part('1: a\n2: b', omp);
    });
  });

  it('isn’t without numbers if these are the text’s own', () => {
    assert.equal(part('1: a\n2: b\n'), 'nowhere');
  });
});
