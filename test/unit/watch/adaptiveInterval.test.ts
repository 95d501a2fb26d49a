import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AdaptiveInterval } from '../../../src/watch/adaptiveInterval';

describe('what is done every few seconds', () => {
  let now = 0;
  let runs: number[] = [];
  let took = 0;
  let every: AdaptiveInterval;
  beforeEach(() => {
    [now, runs, took] = [0, [], 0];
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
    every = new AdaptiveInterval(3000, 30_000, () => {
      runs.push(now);
      now += took;
      return Promise.resolve();
    });
  });
  afterEach(() => {
    every.dispose();
    mock.timers.reset();
    mock.restoreAll();
  });

  /** A millisecond at a time, so that what is awaited goes on in between. */
  async function pass(milliseconds: number): Promise<void> {
    for (const end = now + milliseconds; now < end; ) {
      now++;
      mock.timers.tick(1);
      await Promise.resolve().then(() => undefined);
    }
  }

  it('is done after each pause', async () => {
    await pass(9100);
    assert.deepEqual(runs, [3000, 6000, 9000]);
  });

  it('is done more rarely when it is slow twice: a fiftieth of the time', async () => {
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

  it('is done after the longest pause at the latest, and often again when it is quick', async () => {
    took = 5000;
    await pass(46_000);
    assert.deepEqual(runs, [3000, 11_000, 46_000]);
    took = 0;
    await pass(33_000);
    assert.deepEqual(runs.slice(3), [81_000, 84_000]);
  });

  it('is not done any more behind its end', async () => {
    await pass(3000);
    every.dispose();
    await pass(9000);
    assert.deepEqual(runs, [3000]);
  });
});
