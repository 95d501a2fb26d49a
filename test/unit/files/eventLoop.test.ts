import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { runWithPriority, Yielder, yieldToEventLoop } from '../../../src/core/files/concurrency/eventLoop';

describe('Yielding to the event loop', () => {
  let now = 0;
  beforeEach(() => mock.method(performance, 'now', () => now));
  afterEach(() => mock.restoreAll());

  it('resumes one waiter per tick, first in, first out', async () => {
    let turns = 0;
    const over = new AbortController();
    const counted = (async () => {
      for (; !over.signal.aborted; turns++) await nextTurn();
    })();
    const went: [string, number][] = [];
    const work = async (name: string): Promise<void> => {
      for (let times = 0; times < 3; times++) {
        await yieldToEventLoop();
        went.push([name, turns]);
      }
    };
    await Promise.all([work('a'), work('b'), work('c')]);
    over.abort();
    await counted;
    assert.equal(went.map(([name]) => name).join(''), 'abcabcabc');
    assert.equal(new Set(went.map(([, at]) => at)).size, 9, JSON.stringify(went));
  });

  it("happens when it's due, and not before", async () => {
    const pause = new Yielder(undefined);
    assert.equal(pause.isDue(), false);
    let others = 0;
    setImmediate(() => others++);
    await pause.yieldIfDue();
    assert.equal(others, 0);
    now += 5;
    assert.equal(pause.isDue(), true);
    await pause.yieldIfDue();
    assert.deepEqual([others, pause.isDue()], [1, false]);
  });

  it('is due for all work of a turn together, and not at once after waiting for something else', async () => {
    const first = new Yielder(undefined);
    now += 3;
    assert.equal(first.isDue(), false);
    const next = new Yielder(undefined);
    now += 2;
    assert.equal(next.isDue(), true, 'the turn includes the work before');
    await nextTurn();
    now += 50;
    assert.equal(next.isDue(), false, 'the work of this turn begins now');
    now += 5;
    assert.equal(first.isDue(), true);
  });

  it('ends the work when aborted', async () => {
    const enough = new AbortController();
    const pause = new Yielder(enough.signal);
    enough.abort(new Error('enough'));
    await pause.yieldIfDue();
    now += 5;
    await assert.rejects(pause.yieldIfDue(), /enough/);
  });

  describe('while other work has priority', () => {
    let slices = 0;
    let over = new AbortController();
    let background: Promise<void>;
    const turns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn++) await nextTurn();
    };
    /** Returns the number of slices in ten turns. Two of them may have begun before, or begin in the last turn. */
    const slicesInTenTurns = async (): Promise<number> => {
      const before = slices;
      await turns(10);
      return slices - before;
    };
    /** Work that has priority until it's ended. */
    const startWork = (): { end: () => void; fail: () => void; done: Promise<void> } => {
      let [end, fail] = [(): void => undefined, (): void => undefined];
      const ended = new Promise<void>((resolve, reject) => {
        end = resolve;
        fail = () => reject(new Error('no such file'));
      });
      return { end, fail, done: runWithPriority(() => ended) };
    };
    beforeEach(() => {
      mock.timers.enable({ apis: ['setTimeout'] });
      slices = 0;
      over = new AbortController();
      background = (async () => {
        const pause = new Yielder(undefined);
        for (; !over.signal.aborted; slices++) {
          now += 5;
          await pause.yieldIfDue();
        }
      })();
    });
    afterEach(async () => {
      over.abort();
      mock.timers.tick(5);
      await background;
      mock.timers.reset();
    });

    it('takes five milliseconds', async () => {
      assert.ok((await slicesInTenTurns()) >= 8, 'nothing has priority yet');
      await runWithPriority(async () => {
        assert.ok((await slicesInTenTurns()) <= 2);
        mock.timers.tick(4);
        assert.equal(await slicesInTenTurns(), 0);
        mock.timers.tick(1);
        const after = await slicesInTenTurns();
        assert.ok(after > 0 && after <= 2, `${after} slices before the next pause`);
      });
    });

    it('takes a turn again once all of that work has ended, also if it failed', async () => {
      const [first, second] = [startWork(), startWork()];
      first.fail();
      await assert.rejects(first.done, /no such file/);
      assert.ok((await slicesInTenTurns()) <= 2, 'the second one still has priority');
      second.end();
      await second.done;
      mock.timers.tick(5);
      assert.ok((await slicesInTenTurns()) >= 8);
    });

    it('takes a turn again after 100 milliseconds', async () => {
      const long = startWork();
      mock.timers.tick(100);
      assert.ok((await slicesInTenTurns()) >= 8);
      long.end();
      await long.done;
      const next = startWork();
      assert.ok((await slicesInTenTurns()) <= 2, 'the priority of the first one ended once');
      next.end();
      await next.done;
    });
  });
});
