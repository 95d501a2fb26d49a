import assert from 'node:assert/strict';
import { fileAtIndex, fileCount, shareFiles } from '../../../src/core/catalog/worker/protocol/fileList';
import type { StaleFile } from '../../../src/core/catalog/rows/catalogRow';

describe('a list of files that threads share', () => {
  it('gives the files as they were', async () => {
    const version = { size: 2 ** 40, mtimeMs: 1_767_323_045_123.456, ino: '65024:18446744073709551615' };
    const files: StaleFile[] = [
      { path: '/r/p/a.jsonl', dialect: 'pi', version },
      { path: '/r/p/日本\n\u0000 \ud800.jsonl', dialect: 'omp', version, owner: '/r/p/ü.jsonl' },
      // Longer than the room that is made for most files.
      { path: `/r/p/${'日'.repeat(1000)}.jsonl`, dialect: 'pi', version },
      { path: '/r/a.sqlite/b.jsonl', dialect: 'openclaw', version: { ...version, facts: 'ab' } },
    ];
    const list = structuredClone(await shareFiles(files.map(({ dialect, ...file }) => ({ ...file, root: { dialect } }))));
    assert.equal(fileCount(list), 4);
    assert.deepEqual(
      files.map((_, index) => fileAtIndex(list, index)),
      files,
    );
    assert.ok(list.bytes.buffer instanceof SharedArrayBuffer);
    assert.equal(fileCount(await shareFiles([])), 0);
  });
});
