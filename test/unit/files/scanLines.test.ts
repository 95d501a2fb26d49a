import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import fc from 'fast-check';
import { scanLines } from '../../../src/core/files/read/scanLines';
import type { LineLocation } from '../../../src/core/format/parse/lineLocation';
import { testFolder } from '../../fixtures/folder';

type Line = [text: string, place: LineLocation];

describe('scanLines', () => {
  const folder = testFolder();

  async function scan(content: string | Uint8Array, start = { offset: 0, line: 0 }, signal?: AbortSignal): Promise<Line[]> {
    const lines: Line[] = [];
    const file = await open(await folder.write('a', content));
    try {
      await scanLines(file, start, { add: (text, place) => void lines.push([text, place]), skip: () => assert.fail('too long') }, signal);
    } finally {
      await file.close();
    }
    return lines;
  }

  it('splits at line breaks, and returns the place of each line', async () => {
    assert.deepEqual(await scan('ä\r\n\nlast'), [
      ['ä\r', { line: 1, offset: 0, length: 3, hasLineBreak: true }],
      ['', { line: 2, offset: 4, length: 0, hasLineBreak: true }],
      ['last', { line: 3, offset: 5, length: 4, hasLineBreak: false }],
    ]);
    assert.deepEqual(await scan(''), []);
  });

  it('begins at any offset', async () => {
    assert.deepEqual(await scan('one\ntwo\n', { offset: 4, line: 1 }), [['two', { line: 2, offset: 4, length: 3, hasLineBreak: true }]]);
  });

  it('reads lines longer than a chunk', async () => {
    const long = `${'🚀'.repeat(900_000)}x`;
    const lines = await scan(`a\n${long}\nb\n${long}`);
    assert.deepEqual(
      lines.map(([text]) => text.length),
      [1, long.length, 1, long.length],
    );
    assert.equal(lines[3]![0], long);
    assert.equal(lines[3]![1].offset, 2 + Buffer.byteLength(long) + 1 + 2);
  });

  it('loses nothing at chunk borders', async function () {
    this.timeout(60_000);
    const sizes = fc.array(fc.oneof(fc.nat(5), fc.integer({ min: 1024 * 1024 - 3, max: 1024 * 1024 + 3 })), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.boolean(), async (lengths, ended) => {
        const texts = lengths.map((length, index) => String.fromCharCode(97 + index).repeat(length));
        const lines = await scan(texts.join('\n') + (ended ? '\n' : ''));
        const expected = ended || texts.at(-1) !== '' ? texts : texts.slice(0, -1);
        assert.deepEqual(
          lines.map(([text]) => text.length),
          (texts.length === 0 && ended ? [''] : expected).map((text) => text.length),
        );
        assert.ok(lines.every(([text], index) => text === (expected[index] ?? '')));
      }),
      { numRuns: 30 },
    );
  });

  it('stops when aborted', async () => {
    await assert.rejects(scan('a\n', undefined, AbortSignal.abort(new Error('enough'))), /enough/);
  });
});
