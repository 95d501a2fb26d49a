import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contextPlan } from '../../../src/core/format/context/contextPlan';
import { formatMessage } from '../../../src/core/format/entry/problem';
import { planSections, type PlannedSections } from '../../../src/core/files/export/sections';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { finishSteps, STEP_LENGTH } from '../../../src/core/format/session/steps';
import { forkPoint, pathTo } from '../../../src/core/format/session/treeTraversal';
import { session as builder } from '../../fixtures/build';
import { read } from '../../fixtures/read';
import { anySession, sessionOf } from './anySession';

describe('The sections of any session’s document', function () {
  this.timeout(120_000);

  it('are the entries of the path since the fork point, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, fc.nat(), fc.nat(), async (from, first, second) => {
        const session = await sessionOf(from);
        if (!session || session.entries.length === 0) return;
        const { entries } = session;
        const [end, since] = [entries[first % entries.length]!, entries[second % entries.length]!];
        const path = pathTo(session, end.id);
        const shared = forkPoint(path, pathTo(session, since.id));
        for (const [fork, expected] of [
          [null, path],
          [since.id, path.slice(path.findIndex(({ id }) => id === shared) + 1)],
        ] as const) {
          const steps = planSections(session, { entryId: end.id, since: fork, translate: formatMessage });
          const planned: PlannedSections = finishSteps(steps);
          assert.deepEqual(planned.entries, expected);
          assert.deepEqual(
            planned.places.map((place) => headsOf(session).at(place)),
            expected,
          );
          assert.deepEqual(planned.plan, contextPlan(session, end.id));
          const grouped = planned.groups.flat();
          assert.deepEqual(
            grouped,
            expected.filter((head) => grouped.includes(head)),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are planned in steps', () => {
    const built = builder();
    const count = 10 * STEP_LENGTH;
    for (let n = 0; n < count; n++) built.user('a');
    const steps = planSections(read(built), { translate: formatMessage });
    let [pauses, step] = [0, steps.next()];
    for (; step.done !== true; step = steps.next()) pauses++;
    assert.equal(step.value.groups.length, count);
    assert.ok(pauses >= 20, `${pauses} pauses`);
  });
});
