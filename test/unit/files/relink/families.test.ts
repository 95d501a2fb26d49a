import assert from 'node:assert/strict';
import { findFamilies } from '../../../../src/core/files/relink/families';
import type { KnownSession } from '../../../../src/core/files/relink/knownSessions';
import { finishSteps, STEP_LENGTH } from '../../../../src/core/format/session/steps';
import { countPauses } from '../../../fixtures/countPauses';

const known = (path: string, owner?: string): KnownSession =>
  ({ path, ...(owner === undefined ? {} : { owner }) }) as Partial<KnownSession> as KnownSession;

describe('Families of sessions', () => {
  it('are the sessions of a project with those of their subagents', () => {
    const [top, below, deepest, other] = [known('/a'), known('/a/b', '/a'), known('/a/b/c', '/a/b'), known('/d')];
    const families = finishSteps(findFamilies([top, below, deepest, other], new Set([top])));
    assert.deepEqual(families, [{ session: top, subagents: [below, deepest] }]);
    assert.deepEqual(finishSteps(findFamilies([top, below], new Set([below]))), [{ session: below, subagents: [] }]);
  });

  it('are found in steps among thousands of sessions', () => {
    const sessions = Array.from({ length: 10 * STEP_LENGTH }, (_, index) => known(`/${index}`));
    const { pauses, result } = countPauses(findFamilies(sessions, new Set(sessions.slice(-3))));
    assert.ok(pauses >= 10, `${pauses} pauses`);
    assert.equal(result.length, 3);
  });
});
