import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LastList } from '../../../src/memory/lastList';
import { testFolder } from '../../fixtures/folder';

describe('The last list', () => {
  const folder = testFolder();

  it('is current while the disk is the same, unless a file may become readable meanwhile', async () => {
    const key = { version: '1', disk: 'one state' };
    const listed = [{ ref: 'pi:a', path: '/a.jsonl', program: 'pi', id: 'a', title: 'Title', project: '/work', messages: 1 }] as const;
    for (const isLasting of [true, false]) {
      const index = join(folder.path, String(isLasting));
      mkdirSync(index);
      await (await LastList.read(index, key)).write(listed, isLasting);
      const again = await LastList.read(index, key);
      assert.deepEqual(again.sessions, listed);
      assert.equal(again.isCurrent(false), isLasting);
      for (const other of ['another state', undefined])
        assert.equal((await LastList.read(index, { ...key, disk: other })).isCurrent(false), false);
    }
  });
});
