import assert from 'node:assert/strict';
import { encodeAnswers } from '../../../src/core/catalog/encoding/answerTable';
import { KeptUsage } from '../../../src/core/catalog/worker/keptUsage';

describe('the usage that the search thread keeps', () => {
  /** The database: its versions in the order in which they're asked for, and the number of times that its answers are read. */
  function keptUsage(versions: readonly string[]) {
    const read = { times: 0 };
    const left = [...versions];
    const usage = new KeptUsage({
      version: () => left.shift() ?? assert.fail('The version was asked for too often.'),
      *answers() {
        read.times += 1;
        const answer = { fingerprint: 1, time: Date.UTC(2026, 0, 1, 23, 30), model: 'm', numbers: [1], children: [], causes: 0 };
        for (const { model, bytes } of encodeAnswers([answer])) yield { path: '/s', model, bytes };
      },
    });
    return { usage, read };
  }

  it('is read once from an unchanged database, and again from a changed one', () => {
    const { usage, read } = keptUsage(['a', 'a', 'b', 'b']);
    const first = usage.packed(undefined);
    const timesOfOne = read.times;
    assert.ok(timesOfOne > 0);
    assert.equal(usage.packed(undefined), first);
    assert.equal(read.times, timesOfOne);
    assert.deepEqual(usage.packed(undefined), first);
    assert.equal(read.times, 2 * timesOfOne);
    usage.packed(undefined);
    assert.equal(read.times, 2 * timesOfOne);
  });

  it('has the days of the time zone that is asked for', () => {
    const { usage } = keptUsage(['a', 'a', 'a']);
    const utc = usage.packed(undefined);
    assert.notDeepEqual(usage.packed('Europe/Berlin').numbers, utc.numbers);
    assert.deepEqual(usage.packed(undefined), utc);
  });
});
