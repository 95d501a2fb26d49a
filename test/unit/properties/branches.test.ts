import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commonAncestor, placesSince } from '../../../src/core/format/branches/compareBranches';
import { newestBranches, newestTipBelow, type NewestBranch } from '../../../src/core/format/branches/newestBranches';
import type { EntryHead } from '../../../src/core/format/entry/entryHead';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { isVisible } from '../../../src/core/format/session/entryFilter';
import type { Session } from '../../../src/core/format/session/session';
import { finishSteps } from '../../../src/core/format/session/steps';
import { forkPoint, pathTo, subtree, tips } from '../../../src/core/format/session/treeTraversal';
import { anySession, sessionOf } from './anySession';

/** Returns what `newestBranches` does, from the whole path of each branch. */
function branchesByPaths(session: Session, count: number, without: string | null): NewestBranch[] {
  const active = new Set(pathTo(session, session.leafId).map(({ id }) => id));
  return tips(session)
    .filter(({ id }) => id !== without)
    .sort((a, b) => b.time - a.time)
    .slice(0, count)
    .map((tip) => {
      const path = pathTo(session, tip.id);
      return {
        tip,
        lastVisible: path.findLast((head) => isVisible(session, head, 'default')) ?? tip,
        turns: path.filter(({ id, role }) => role === 'user' && !active.has(id)).length,
      };
    });
}

describe('Branches of any session', function () {
  this.timeout(120_000);

  it('are listed with the texts and the turns that their paths have', async () => {
    let forked = 0;
    await fc.assert(
      fc.asyncProperty(anySession, fc.nat({ max: 20 }), async (from, count) => {
        const session = await sessionOf(from);
        if (!session) return;
        for (const without of [null, session.leafId]) {
          const found: NewestBranch[] = finishSteps(newestBranches(session, count, without));
          assert.deepEqual(found, branchesByPaths(session, count, without));
          if (found.some(({ turns }) => turns > 0)) forked++;
        }
      }),
      { numRuns: 600 },
    );
    assert.ok(forked > 50, `${forked} lists had a branch with turns of its own`);
  });

  it('share the entries that both paths have', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, fc.nat(), fc.nat(), async (from, first, second) => {
        const session = await sessionOf(from);
        if (!session || session.entries.length < 2) return;
        const { entries } = session;
        const [left, right] = [entries[first % entries.length]!, entries[second % entries.length]!];
        if (left === right) return;
        const [a, b] = [pathTo(session, left.id), pathTo(session, right.id)];
        const shared = forkPoint(a, b) ?? null;
        const side = { session, entryId: left.id };
        assert.equal(commonAncestor(side, { session, entryId: right.id }), shared);
        const after = (since: readonly EntryHead[]): EntryHead[] => a.filter(({ id }) => !since.some((head) => head.id === id));
        const entriesSince = (since: string | null): EntryHead[] => placesSince(side, since).map((place) => headsOf(session).at(place));
        assert.deepEqual(entriesSince(right.id), after(b));
        assert.deepEqual(entriesSince(null), a);
        // The same entries under another path belong to a copy.
        assert.equal(commonAncestor(side, { session: { ...session, path: '/copy.jsonl' }, entryId: right.id }), shared);
      }),
      { numRuns: 400 },
    );
  });

  it('have a latest tip below each of their entries', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, fc.nat(), async (from, at) => {
        const session = await sessionOf(from);
        if (!session || session.entries.length === 0) return;
        const { id } = session.entries[at % session.entries.length]!;
        const ends = subtree(session, id).filter((head) => !session.children.has(head.id));
        const latest = ends.reduce((newest, head) => (newest.time > head.time ? newest : head));
        assert.equal(finishSteps(newestTipBelow(session, id)), latest.id);
      }),
      { numRuns: 600 },
    );
  });
});
