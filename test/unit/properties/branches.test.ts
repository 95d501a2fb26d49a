import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commonAncestor, entriesSince } from '../../../src/core/format/branches/compareBranches';
import { newestBranches, type NewestBranch } from '../../../src/core/format/branches/newestBranches';
import type { EntryHead } from '../../../src/core/format/entry/entryHead';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import { isVisible } from '../../../src/core/format/session/entryFilter';
import type { Session } from '../../../src/core/format/session/session';
import { finishSteps } from '../../../src/core/format/session/steps';
import { forkPoint, pathTo, tips } from '../../../src/core/format/session/treeTraversal';
import { generateOpenclawSession } from '../../fixtures/generateOpenclaw';
import { wholeText } from './brokenSessions';
import { CAPACITY, readBytes } from './readBytes';

const scanner = new Scanner(CAPACITY, 0);
const openclaw = fc.integer({ min: 1, max: 100_000 }).map((seed) => generateOpenclawSession(seed, '/work/demo').text);
/** Sessions with heads as objects and in columns, with `leaf` lines, repeated ids and circles. */
const anySession = fc.tuple(fc.oneof(wholeText, openclaw), fc.boolean());
const sessionOf = async ([text, isScanned]: readonly [string, boolean]): Promise<Session | undefined> =>
  (await readBytes(Buffer.from(text), isScanned ? scanner : undefined)).read;

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
        assert.deepEqual(entriesSince(side, right.id), after(b));
        assert.deepEqual(entriesSince(side, null), a);
        // The same entries under another path are those of a copy.
        assert.equal(commonAncestor(side, { session: { ...session, path: '/copy.jsonl' }, entryId: right.id }), shared);
      }),
      { numRuns: 400 },
    );
  });
});
