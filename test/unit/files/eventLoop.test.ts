import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Yielder, yieldToEventLoop } from '../../../src/core/files/concurrency/eventLoop';

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
});
