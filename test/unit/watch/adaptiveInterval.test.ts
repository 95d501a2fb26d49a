import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AdaptiveInterval } from '../../../src/watch/adaptiveInterval';
import { FakeEmitter } from '../../fixtures/loadWithVscode';

describe('repeated work', () => {
  let now = 0;
  let runs: number[] = [];
  let took = 0;
  let isIdle = false;
  let idleEnd: FakeEmitter<void>;
  let every: AdaptiveInterval;
  beforeEach(() => {
    [now, runs, took, isIdle] = [0, [], 0, false];
    idleEnd = new FakeEmitter();
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
    every = new AdaptiveInterval(
      3000,
      30_000,
      () => {
        runs.push(now);
        now += took;
        return Promise.resolve();
      },
      { isIdle: () => isIdle, onDidEnd: idleEnd.event as never },
    );
  });
  afterEach(() => {
    every.dispose();
    mock.timers.reset();
    mock.restoreAll();
  });

  /** Advances the clock by one millisecond at a time, so that awaited work can continue in between. */
  async function pass(milliseconds: number): Promise<void> {
    for (const end = now + milliseconds; now < end;) {
      now++;
      mock.timers.tick(1);
      await Promise.resolve().then(() => undefined);
    }
  }

  it('runs after each pause', async () => {
    await pass(9100);
    assert.deepEqual(runs, [3000, 6000, 9000]);
  });

  it('runs less often when it is slow twice: a fiftieth of the time', async () => {
    took = 300;
    await pass(3000);
    assert.deepEqual(runs, [3000]);
    await pass(3000);
    assert.deepEqual(runs, [3000, 6300], 'once it may have had much to do');
    await pass(14_999);
    assert.equal(runs.length, 2);
    await pass(1);
    assert.deepEqual(runs, [3000, 6300, 21_600]);
  });

  it('runs after the longest pause at the latest, and often again when it is fast', async () => {
    took = 5000;
    await pass(46_000);
    assert.deepEqual(runs, [3000, 11_000, 46_000]);
    took = 0;
    await pass(33_000);
    assert.deepEqual(runs.slice(3), [81_000, 84_000]);
  });

  it('runs less often in idle time, and after the usual pause once that ends', async () => {
    isIdle = true;
    await pass(62_000);
    assert.deepEqual(runs, [3000, 33_000]);
    isIdle = false;
    idleEnd.fire();
    await pass(6100);
    assert.deepEqual(runs.slice(2), [65_000, 68_000]);
  });

  it('never runs twice at once, also if idle time ends meanwhile', async () => {
    every.dispose();
    const ends: (() => void)[] = [];
    const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    every = new AdaptiveInterval(3000, 30_000, work, { isIdle: () => isIdle, onDidEnd: idleEnd.event as never });
    await pass(3000);
    idleEnd.fire();
    await pass(9000);
    assert.equal(ends.length, 1);
    ends[0]?.();
    await pass(3001);
    assert.equal(ends.length, 2);
  });

  it('does not run after it is disposed', async () => {
    await pass(3000);
    every.dispose();
    idleEnd.fire();
    await pass(9000);
    assert.deepEqual(runs, [3000]);
  });
});
