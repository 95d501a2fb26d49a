import assert from 'node:assert/strict';
import fc from 'fast-check';
import { contextPlan } from '../../../src/core/format/context/contextPlan';
import { isBookkeeping } from '../../../src/core/format/context/markdown/markdownSection';
import type { EntryHead } from '../../../src/core/format/entry/entryHead';
import { formatMessage } from '../../../src/core/format/entry/problem';
import { planSections, type PlannedSections } from '../../../src/core/files/export/markdown/sectionPlan';
import { systemStamp } from '../../../src/core/files/write/systemStamp';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { isDamaged } from '../../../src/core/format/parse/damagedLine';
import { finishSteps, STEP_LENGTH } from '../../../src/core/format/session/steps';
import { forkPoint, pathTo } from '../../../src/core/format/session/treeTraversal';
import { planFork } from '../../../src/core/format/write/fork';
import { planExport, type ExportPlan, type ExportRequest } from '../../../src/core/format/write/exportPlan';
import { session as builder } from '../../fixtures/build';
import { countPauses } from '../../fixtures/countPauses';
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
          assert.equal(new Set(grouped).size, grouped.length);
          const inOrder = (heads: readonly EntryHead[]): EntryHead[] => expected.filter((head) => heads.includes(head));
          const firsts = planned.groups.map(([head]) => head);
          assert.deepEqual(firsts, inOrder(firsts));
          for (const group of planned.groups) {
            const between = expected.slice(expected.indexOf(group[0]), expected.indexOf(group.at(-1)!) + 1);
            assert.deepEqual(
              between.filter((head) => group.includes(head) || !isBookkeeping(head)),
              group,
              'only bookkeeping is between an answer and its results',
            );
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are planned in steps', () => {
    const built = builder();
    const count = 10 * STEP_LENGTH;
    for (let n = 0; n < count; n++) built.user('a');
    const { pauses, result } = countPauses(planSections(read(built), { translate: formatMessage }));
    assert.equal(result.groups.length, count);
    assert.ok(pauses >= 20, `${pauses} pauses`);
  });
});

describe('The plan of any session’s export', function () {
  this.timeout(120_000);

  it('has the entries that aren’t damaged, in the order of the file or of the branch', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, fc.nat(), async (from, at) => {
        const session = await sessionOf(from);
        if (!session || session.entries.length === 0) return;
        const entryId = session.entries[at % session.entries.length]!.id;
        const planned = (request: ExportRequest): ExportPlan => finishSteps(planExport(session, request, systemStamp()));
        const whole = planned({}).entries;
        assert.deepEqual(
          whole.map(({ head }) => head),
          session.entries.filter((head) => !isDamaged(head)),
        );
        for (const { head, target } of whole) assert.equal(target.id, head.id);
        const path = pathTo(session, entryId).filter((head) => !isDamaged(head));
        const branch = planned({ entryId }).entries.map(({ head }) => head);
        // Labels and edits of other branches' entries are left out, and labels of this one's are added.
        const isAbout = ({ type }: EntryHead): boolean => type === 'label' || type === 'context_edit';
        assert.deepEqual(
          branch.filter((head) => !isAbout(head)),
          path.filter((head) => !isAbout(head)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('has compactions that keep what they kept, from the next entry on that is in it', async () => {
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(anySession, fc.nat(), fc.nat({ max: 5 }), async (from, at, every) => {
        const session = await sessionOf(from);
        if (!session || session.entries.length === 0) return;
        const { entries, byId } = session;
        const keeping = entries.filter(({ firstKeptEntryId }) => firstKeptEntryId !== undefined);
        const leaveOut = new Set(entries.filter((_, index) => (index + at) % (every + 2) === 0).map(({ id }) => id));
        for (const { firstKeptEntryId = '' } of keeping) leaveOut.add(firstKeptEntryId);
        for (const { id } of keeping) leaveOut.delete(id);
        const plan = finishSteps(planExport(session, { leaveOut }, systemStamp())).entries;
        const kept = new Set(plan.map(({ head }) => head.id));
        for (const { head, target } of plan) {
          const { id, firstKeptEntryId: first } = head;
          if (first === undefined || session.version < 2) continue;
          const path: readonly EntryHead[] = pathTo(session, id).slice(0, -1);
          const below: readonly EntryHead[] = path.slice(path.findIndex((one) => one.id === first) + 1);
          const isThere = kept.has(first) || !byId.has(first);
          const expected: string = isThere ? first : (below.find((one) => kept.has(one.id))?.id ?? first);
          if (expected !== first) moved++;
          assert.equal(target.firstKeptEntryId, expected);
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(moved > 50, `${moved} moved`);
  });

  it('is made in one walk of a hundred thousand compactions that keep an entry which is left out', () => {
    const count = 100_000;
    const built = builder().user('a', { id: 'a' }).user('b', { id: 'b' });
    for (let n = 0; n < count; n++) built.compaction('s', 'a');
    const { entries } = finishSteps(planExport(read(built), { leaveOut: new Set(['a']) }, systemStamp()));
    assert.equal(entries.filter(({ target }) => target.firstKeptEntryId === 'b').length, count);
  });

  it('is made in steps', () => {
    const built = builder();
    const count = 10 * STEP_LENGTH;
    for (let n = 0; n < count; n++) built.user('a');
    const { pauses, result } = countPauses(planExport(read(built), {}, systemStamp()));
    assert.equal(result.entries.length, count);
    assert.ok(pauses >= 20, `${pauses} pauses`);
  });
});

describe('The plan of any session’s fork', function () {
  this.timeout(120_000);

  it('has the entries of the branch or of the file that aren’t damaged, and labels of these', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, fc.nat(), async (from, at) => {
        const session = await sessionOf(from);
        if (!session || session.entries.length === 0 || session.version > 3) return;
        const whole = finishSteps(planFork(session, { isWhole: true }, systemStamp())).entries;
        assert.deepEqual(
          whole.map(({ head }) => head),
          session.entries.filter((head) => !isDamaged(head)),
        );
        const entryId = session.entries[at % session.entries.length]!.id;
        const { entries, addedLines } = finishSteps(planFork(session, { entryId, position: 'at' }, systemStamp()));
        const kept = pathTo(session, entryId).filter((head) => head.type !== 'label' && !isDamaged(head));
        assert.deepEqual(
          entries.map(({ head, target }) => [head, target.parentId]),
          kept.map((head, index) => [head, kept[index - 1]?.id ?? null]),
        );
        assert.deepEqual(
          addedLines.map(({ targetId, label }) => [targetId, label]),
          [...session.labels].filter(([id]) => kept.some((head) => head.id === id)),
        );
        const ids = new Set([...kept, ...addedLines].map(({ id }) => id));
        assert.equal(ids.size, kept.length + addedLines.length);
      }),
      { numRuns: 300 },
    );
  });

  it('is made in steps', () => {
    const built = builder();
    const count = 10 * STEP_LENGTH;
    for (let n = 0; n < count; n++) built.user('a');
    for (const isWhole of [true, false]) {
      const { pauses, result } = countPauses(planFork(read(built), { isWhole }, systemStamp()));
      assert.equal(result.entries.length, count);
      assert.ok(pauses >= 20, `${pauses} pauses`);
    }
  });
});
