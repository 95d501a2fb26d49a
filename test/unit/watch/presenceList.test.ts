import assert from 'node:assert/strict';
import type { Presence } from '../../../src/core/index';
import { PresenceList } from '../../../src/watch/presenceList';

const LIVE: Presence = { state: 'live', signs: [{ how: 'open', pid: 1 }] };

describe('PresenceList', () => {
  it('keeps what one check found while another one runs', async () => {
    const ends: (() => void)[] = [];
    const list = new PresenceList(async (paths) => {
      await new Promise<void>((resolve) => {
        ends.push(resolve);
        setImmediate(() => ends.shift()?.());
      });
      return new Map(paths.map((path) => [path, LIVE]));
    });
    const changed = await Promise.all([list.refresh(['one']), list.refresh(['two'])]);
    assert.deepEqual(changed, [['one'], ['two']]);
    assert.deepEqual([list.get('one'), list.get('two')], [LIVE, LIVE]);
  });

  it('continues after a check that failed', async () => {
    let isBroken = true;
    const list = new PresenceList((paths) =>
      isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(new Map(paths.map((path) => [path, LIVE]))),
    );
    await assert.rejects(list.refresh(['one']), /broken/);
    isBroken = false;
    assert.deepEqual(await list.refresh(['one']), ['one']);
  });
});
