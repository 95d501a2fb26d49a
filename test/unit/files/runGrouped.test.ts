import assert from 'node:assert/strict';
import { errorsOf, runGrouped, settleAll } from '../../../src/core/files/concurrency/runGrouped';

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

  it('throws a single failure as it is, and those of several groups as one', async () => {
    const failures = ['a', 'b', 'c'].map((text) => new Error(text));
    await settleAll([Promise.resolve(1)]);
    await assert.rejects(settleAll([Promise.resolve(1), Promise.reject(failures[0]!)]), (error) => error === failures[0]);
    await assert.rejects(settleAll([Promise.reject(failures[0]!), Promise.reject(new AggregateError(failures.slice(1)))]), (error) => {
      assert.deepEqual(errorsOf(error), failures);
      return true;
    });
    assert.deepEqual(errorsOf('a text'), ['a text']);
  });
});
