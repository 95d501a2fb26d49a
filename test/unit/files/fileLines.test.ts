import assert from 'node:assert/strict';
import { fileLines, type FileLine } from '../../../src/core/files/import/fileLines';
import type { ByteSource } from '../../../src/core/files/io/byteSource';

/** A file of these bytes. */
const source = (text: string): ByteSource => ({
  read: (bytes, offset, length, position) =>
    Promise.resolve({ bytesRead: Buffer.from(text).copy(bytes, offset, position, position + length) }),
  stat: () => Promise.resolve({ size: Buffer.byteLength(text) }),
  close: () => Promise.resolve(),
});

async function linesOf(text: string, maxLine?: number, signal?: AbortSignal): Promise<FileLine[]> {
  const found: FileLine[] = [];
  for await (const lines of fileLines(source(text), signal, maxLine)) found.push(...lines);
  return found;
}

describe('The lines of any file', () => {
  it('include the last one without a line break', async () => {
    assert.deepEqual(await linesOf('one\n\nthrée'), [
      { line: 1, text: 'one' },
      { line: 2, text: '' },
      { line: 3, text: 'thrée' },
    ]);
  });

  it('keep their numbers if one before them is too long, also across reads', async () => {
    const long = 'x'.repeat(2 * 1024 * 1024);
    const expected = [
      { line: 1, text: undefined },
      { line: 2, text: 'two' },
    ];
    assert.deepEqual(await linesOf('12345\ntwo', 4), expected);
    assert.deepEqual(await linesOf(`${long}\ntwo`, 1024), expected);
    assert.deepEqual(await linesOf(long, 1024), [{ line: 1, text: undefined }]);
  });

  it('aren’t read any further once the reader is canceled', async () => {
    const canceling = new AbortController();
    canceling.abort();
    await assert.rejects(linesOf('one\n', undefined, canceling.signal), { name: 'AbortError' });
  });
});
