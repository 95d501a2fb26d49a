import assert from 'node:assert/strict';
import { endsWithQuestion } from '../../../src/core/format/ends/endsWithQuestion';
import { turnEnd } from '../../../src/core/format/ends/turnEnd';
import { LABELED_ENDS, type LabeledEnd } from '../../fixtures/labeledEnds';
import { read } from '../../fixtures/read';

/** Returns how a session ended. */
async function endOf({ build }: LabeledEnd): Promise<string> {
  const builder = build();
  const lines = builder.text().split('\n');
  const session = read(builder);
  const found = await turnEnd(session, ({ id }) =>
    Promise.resolve(JSON.parse(lines[(session.byId.get(id)?.line ?? 0) - 1] ?? '{}') as object as never),
  );
  return found ?? 'done';
}

/** Ends that the rule says something else of than a person. Each is a reason to change the rule, or to leave it as it is. */
const MISSED: ReadonlySet<string> = new Set();

describe('The end of a turn', () => {
  it('is what a person says of at least 95 % of 200 ends', async () => {
    assert.ok(LABELED_ENDS.length >= 200);
    const found = await Promise.all(LABELED_ENDS.map(async (one) => ({ end: one.end, says: one.says, rule: await endOf(one) })));
    const wrong = found.filter(({ says, rule }) => says !== rule);
    assert.deepEqual(
      wrong.filter(({ end }) => !MISSED.has(end)),
      [],
    );
    assert.ok(wrong.length <= LABELED_ENDS.length * 0.05);
  });

  it('is that of the last characters of a long sentence', () => {
    assert.equal(endsWithQuestion(`“Go on${' and on'.repeat(20)}, shall I?`), false, 'a quotation');
    assert.equal(endsWithQuestion(`“Go on${' and on'.repeat(200)}, shall I?`), true, 'the quotation begins before the part that counts');
  });
});
