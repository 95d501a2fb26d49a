import assert from 'node:assert/strict';
import type { Presence } from '../../../src/core/index';
import { PresenceList } from '../../../src/watch/presenceList';

const LIVE: Presence = { state: 'live', signs: [{ how: 'open', pid: 1 }] };
const never = (): Promise<boolean> => Promise.resolve(false);

describe('PresenceList', () => {
  it('keeps what one check found while another one runs', async () => {
    const ends: (() => void)[] = [];
    const list = new PresenceList(async (paths) => {
      await new Promise<void>((resolve) => {
        ends.push(resolve);
        setImmediate(() => ends.shift()?.());
      });
      return new Map(paths.map((path) => [path, LIVE]));
    }, never);
    const changed = await Promise.all([list.refresh(['one']), list.refresh(['two'])]);
    assert.deepEqual(changed, [['one'], ['two']]);
    assert.deepEqual([list.get('one'), list.get('two')], [LIVE, LIVE]);
  });

  it('reports a session that another program has now: its row names the program', async () => {
    const opened = (pid: number, program: string): Presence => ({ state: 'live', signs: [{ how: 'open', pid, program }] });
    const found = [
      opened(1, 'node'),
      opened(1, 'pi'),
      opened(1, 'pi'),
      opened(2, 'pi'),
      { state: 'free' } as const,
      { state: 'free' } as const,
    ];
    const list = new PresenceList((paths) => {
      const now = found.shift() ?? assert.fail('checked too often');
      return Promise.resolve(new Map(paths.map((path) => [path, now])));
    }, never);
    const changed: string[][] = [];
    while (found.length > 0) changed.push(await list.refresh(['one']));
    assert.deepEqual(changed, [['one'], ['one'], [], ['one'], ['one'], []]);
  });

  it('continues after a check that failed', async () => {
    let isBroken = true;
    const list = new PresenceList(
      (paths) => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(new Map(paths.map((path) => [path, LIVE])))),
      never,
    );
    await assert.rejects(list.refresh(['one']), /broken/);
    isBroken = false;
    assert.deepEqual(await list.refresh(['one']), ['one']);
  });

  it('takes no copied file for one that a program writes to: its last message is old', async () => {
    const growth = { how: 'growth' } as const;
    const process = { how: 'process', pid: 1, program: 'pi' } as const;
    const found = new Map<string, Presence>([
      ['copied', { state: 'unsure', signs: [growth] }],
      ['copied beside a program', { state: 'live', signs: [process, growth] }],
      ['copied and open', { state: 'live', signs: [{ how: 'open', pid: 1 }, growth] }],
      ['written', { state: 'unsure', signs: [growth] }],
    ]);
    const list = new PresenceList(
      () => Promise.resolve(found),
      never,
      (path) => path === 'written',
    );
    await list.refresh([...found.keys()]);
    assert.deepEqual(
      [...found.keys()].map((path) => [path, list.get(path)]),
      [
        ['copied', undefined],
        ['copied beside a program', { state: 'unsure', signs: [process] }],
        ['copied and open', { state: 'live', signs: [{ how: 'open', pid: 1 }] }],
        ['written', { state: 'unsure', signs: [growth] }],
      ],
    );
  });

  describe('of sessions that need input', () => {
    const works = (pid: number): Presence => ({ state: 'unsure', signs: [{ how: 'process', pid, program: 'pi' }] });
    const grows = (pid: number): Presence => ({ state: 'live', signs: [{ how: 'process', pid, program: 'pi' }, { how: 'growth' }] });
    const GROWTH: Presence = { state: 'unsure', signs: [{ how: 'growth' }] };
    const FREE: Presence = { state: 'free' };
    let found: Record<string, Presence>;
    let answered: string[];
    let list: PresenceList;
    beforeEach(() => {
      list = new PresenceList(
        (paths) => Promise.resolve(new Map(paths.map((path) => [path, found[path] ?? FREE]))),
        (path) => Promise.resolve(answered.includes(path)),
      );
    });
    const check = async (presence: Record<string, Presence>, ...done: string[]): Promise<string[]> => {
      [found, answered] = [presence, done];
      await list.refresh(Object.keys(presence));
      return Object.keys(presence).filter((path) => list.needsInput(path));
    };

    it('has those that a program has open and that end with an answer, and reports each change', async () => {
      assert.deepEqual(await check({ a: LIVE, b: LIVE }, 'a'), ['a']);
      assert.deepEqual(await list.refresh(['a', 'b']), []);
      answered = ['b'];
      assert.deepEqual(await list.refresh(['a', 'b']), ['a', 'b']);
      assert.deepEqual(await check({ a: LIVE, b: FREE }, 'b'), []);
    });

    it('has none that only grew: its program may have ended', async () => {
      assert.deepEqual(await check({ a: GROWTH }, 'a'), []);
      assert.deepEqual(await check({ a: { state: 'live', signs: [{ how: 'growth' }] } }, 'a'), []);
    });

    it('has the one that a process in the folder was seen to write to last, as long as it runs', async () => {
      assert.deepEqual(await check({ a: works(1), b: works(1) }, 'a', 'b'), []);
      assert.deepEqual(await check({ a: grows(1), b: works(1) }, 'b'), []);
      assert.deepEqual(await check({ a: works(1), b: works(1) }, 'a', 'b'), ['a']);
      assert.deepEqual(await check({ a: works(1), b: grows(1) }, 'a'), []);
      assert.deepEqual(await check({ a: works(1), b: works(1) }, 'a', 'b'), ['b']);
      assert.deepEqual(await check({ a: works(2), b: works(2) }, 'a', 'b'), []);
      assert.deepEqual(await check({ a: works(1), b: works(1) }, 'a', 'b'), []);
    });
  });
});
