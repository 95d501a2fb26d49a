import assert from 'node:assert/strict';
import { errorsOf, runGrouped } from '../../../src/core/files/concurrency/runGrouped';

describe('runGrouped', () => {
  it('finishes the other groups beside one that never answers, and reports it', async () => {
    const done: string[] = [];
    const never = new Promise<never>(() => undefined);
    const work = (item: string): Promise<unknown> => (item.startsWith('hung') ? never : Promise.resolve(done.push(item)));
    const bounded = (group: string, running: Promise<void>): Promise<void> =>
      group === 'hung' ? Promise.reject(new Error('no answer')) : running;
    await assert.rejects(
      runGrouped(['hung 1', 'a 1', 'hung 2', 'a 2'], (item) => item.split(' ')[0]!, work, bounded),
      /no answer/,
    );
    assert.deepEqual(done, ['a 1', 'a 2']);
  });

  it('handles a group in order despite failures, and throws all of them', async () => {
    const done: number[] = [];
    const error: unknown = await runGrouped(
      [1, 2, 3, 4],
      () => 'one',
      (item) => (item % 2 === 0 ? Promise.reject(new Error(String(item))) : Promise.resolve(done.push(item))),
    ).catch((thrown: unknown) => thrown);
    assert.deepEqual(
      [done, errorsOf(error).map((each) => (each as Error).message)],
      [
        [1, 3],
        ['2', '4'],
      ],
    );
  });
});
