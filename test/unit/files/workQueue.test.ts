import assert from 'node:assert/strict';
import { WorkQueue } from '../../../src/core/files/concurrency/workQueue';

describe('A queue of work', () => {
  it('runs one piece after the other, in the order in which they were added, also after one that fails', async () => {
    const queue = new WorkQueue();
    const events: string[] = [];
    const piece = (name: string, end: () => string | Promise<string>): Promise<string> =>
      queue.add(async () => {
        events.push(`${name} begins`);
        await Promise.resolve();
        events.push(`${name} ends`);
        return end();
      });
    const results = await Promise.allSettled([
      piece('one', () => 'result'),
      piece('two', () => Promise.reject(new Error('failed'))),
      piece('three', () => 'another'),
    ]);
    assert.deepEqual(events, ['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends']);
    assert.deepEqual(
      results.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
      ['result', 'Error: failed', 'another'],
    );
  });
});
