import assert from 'node:assert/strict';
import { encodeAnswers } from '../../../src/core/catalog/encoding/answerTable';
import { KeptUsage } from '../../../src/core/catalog/worker/keptUsage';

describe('the usage that the search thread keeps', () => {
  /** The database: its versions in the order in which they're asked for, and the number of times that its answers are read. */
  function keptUsage(versions: readonly string[]) {
    const read = { times: 0, since: [] as number[] };
    const left = [...versions];
    const usage = new KeptUsage({
      version: () => left.shift() ?? assert.fail('The version was asked for too often.'),
      *answers(since, only) {
        if (only) return;
        read.times += 1;
        read.since.push(since);
        const answer = { fingerprint: 1, time: Date.UTC(2026, 0, 1, 23, 30), model: 'm', numbers: [1], children: [], causes: 0 };
        for (const { model, bytes } of encodeAnswers([answer])) yield { session: 1, path: '/s', model, bytes };
      },
    });
    return { usage, read };
  }

  it('is read once from an unchanged database, and again from a changed one', () => {
    const { usage, read } = keptUsage(['a', 'a', 'b', 'b']);
    const first = usage.packed({});
    const timesOfOne = read.times;
    assert.ok(timesOfOne > 0);
    assert.equal(usage.packed({}), first);
    assert.equal(read.times, timesOfOne);
    assert.deepEqual(usage.packed({}), first);
    assert.equal(read.times, 2 * timesOfOne);
    usage.packed({});
    assert.equal(read.times, 2 * timesOfOne);
  });

  it('has the days of the time zone that is asked for', () => {
    const { usage } = keptUsage(['a', 'a', 'a']);
    const utc = usage.packed({});
    assert.notDeepEqual(usage.packed({ timeZone: 'Europe/Berlin' }).numbers, utc.numbers);
    assert.deepEqual(usage.packed({}), utc);
  });

  it('is read for a range alone, with a margin, and kept for ranges within it', () => {
    const { usage, read } = keptUsage(['a', 'a', 'a', 'a']);
    const [since, earlier] = [Date.UTC(2026, 0, 20), Date.UTC(2026, 0, 10)];
    const first = usage.packed({ since });
    assert.deepEqual(new Set(read.since), new Set([Date.UTC(2026, 0, 18)]));
    const timesOfOne = read.times;
    assert.equal(usage.packed({ since: since + 1 }), first);
    assert.equal(read.times, timesOfOne);
    usage.packed({ since: earlier });
    assert.equal(read.times, 2 * timesOfOne);
    usage.packed({});
    assert.deepEqual([read.times, read.since.at(-1)], [3 * timesOfOne, -Infinity]);
  });
});
