import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LastList } from '../../../src/memory/lastList';
import { testFolder } from '../../fixtures/folder';

describe('The last list', () => {
  const folder = testFolder();
  const key = { version: '1', disk: 'one state' };
  const listed = { ref: 'pi:a', path: '/a.jsonl', program: 'pi', id: 'a', title: 'Title', project: '/work', messages: 1 } as const;

  it('is current while the disk is the same, unless a file may become readable meanwhile', async () => {
    for (const isLasting of [true, false]) {
      const index = join(folder.path, String(isLasting));
      mkdirSync(index);
      await (await LastList.read(index, key)).write([listed], isLasting);
      const again = await LastList.read(index, key);
      assert.deepEqual(again.sessions, [listed]);
      assert.equal(again.isCurrent(false), isLasting);
      for (const other of ['another state', undefined])
        assert.equal((await LastList.read(index, { ...key, disk: other })).isCurrent(false), false);
    }
  });

  it('isn’t current for states while a program may begin or end', async () => {
    const modified = new Date(0).toISOString();
    for (const [state, isCurrent] of [
      [undefined, true],
      ['failed', true],
      ['working', false],
      ['waiting', false],
    ] as const) {
      const index = join(folder.path, String(state));
      mkdirSync(index);
      await (await LastList.read(index, key)).write([{ ...listed, modified, ...(state ? { state } : {}) }], true);
      const again = await LastList.read(index, key);
      assert.deepEqual([again.isCurrent(true), again.isCurrent(false)], [isCurrent, true]);
    }
  });
});
