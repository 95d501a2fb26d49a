/** Opens redacted exports of generated sessions with pi: the tree, the leaf and the labels must be the same as in the source. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { exportSession, readSession } from '../../src/core/index';
import { testFolder } from '../fixtures/folder';
import { generateSession } from '../fixtures/generate';
import { agree } from './compareWithPi';

const SESSIONS = 12;

describe('The real pi opens exports', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('of all branches, with the tree and the contexts that we read in them', async () => {
    for (let seed = 3000; seed < 3000 + SESSIONS; seed++) {
      const source = await readSession(await folder.write(`${String(seed)}.jsonl`, generateSession(seed).builder.text()));
      const { path } = await exportSession(source, { format: 'jsonl', target: join(folder.path, `out-${String(seed)}.jsonl`) });
      await agree(folder.path, path);
      const exported = await readSession(path);
      const ids = [...exported.byId.keys()];
      assert.deepEqual(ids.slice(0, source.byId.size), [...source.byId.keys()], `seed ${String(seed)}`);
    }
  });
});
