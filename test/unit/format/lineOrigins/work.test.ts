import assert from 'node:assert/strict';
import { runSteps } from '../../../../src/core/format/session/steps';
import { finishWork, limitedWork, workSteps, type Work } from '../../../../src/core/format/lineOrigins/work';

describe('Counted work', () => {
  function* work(parts: number, amount: number, done: number[] = []): Work<string> {
    for (let part = 0; part < parts; part++) {
      yield amount;
      done.push(part);
    }
    return 'done';
  }

  it('ends at its limit, before the part that exceeds it', () => {
    const done: number[] = [];
    assert.equal(finishWork(limitedWork(work(10, 900, done), 3500, 'too much')), 'too much');
    assert.deepEqual(done, [0, 1, 2]);
    assert.equal(finishWork(limitedWork(work(3, 900), 3500, 'too much')), 'done');
  });

  it('has a limit for the number of parts, too', () => {
    assert.equal(finishWork(limitedWork(work(1000, 0), 50_000, 'too much')), 'too much');
  });

  it('pauses in the same places every time', async () => {
    const pauses = async (parts: number, amount: number): Promise<number> => {
      let count = 0;
      await runSteps(workSteps(work(parts, amount)), () => Promise.resolve(void count++));
      return count;
    };
    assert.equal(await pauses(10, 10), 0);
    assert.equal(await pauses(10, 99_900), 10);
    assert.equal(await pauses(10_000, 0), 10);
  });
});
