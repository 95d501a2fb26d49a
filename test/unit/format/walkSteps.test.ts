import assert from 'node:assert/strict';
import type { EntryTraits } from '../../../src/core/format/columns/headSource';
import { branchMapSteps } from '../../../src/core/format/branches/branchMap';
import { contextPlanSteps } from '../../../src/core/format/context/contextPlan';
import { systemPromptPlaces } from '../../../src/core/format/context/systemMessage';
import { headsOf } from '../../../src/core/format/linking/headsById';
import type { Session } from '../../../src/core/format/session/session';
import { finishSteps, STEP_LENGTH, type Steps } from '../../../src/core/format/session/steps';
import { branchUsage, totalsSteps } from '../../../src/core/format/session/costs/usageTotals';
import { session } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const TURNS = 2 * STEP_LENGTH;
const ENTRIES = 2 * TURNS;

/** Returns the result, and the most visits in one step: parents, types and usages that were read of entries. */
function visitsOf<T>(of: Session, steps: Steps<T>): { readonly most: number; readonly result: T } {
  const heads = headsOf(of);
  let visits = 0;
  let most = 0;
  for (const name of ['parentAt', 'usageAt'] as const) {
    const read = heads[name].bind(heads);
    Object.assign(heads, { [name]: (place: number) => (visits++, read(place)) });
  }
  const traitsAt = heads.traitsAt.bind(heads);
  const counted: ProxyHandler<EntryTraits> = {
    get: (traits, key) => {
      if (key === 'type') visits++;
      return Reflect.get(traits, key) as unknown;
    },
  };
  heads.traitsAt = (place) => new Proxy(traitsAt(place), counted);
  for (;;) {
    const { done, value } = steps.next();
    most = Math.max(most, visits);
    visits = 0;
    if (done === true) return { most, result: value };
  }
}

describe('A walk over a long session', () => {
  const long = (): Session => {
    const builder = session();
    for (let turn = 0; turn < TURNS; turn++) builder.user('a').assistant('b');
    return read(builder);
  };

  it('visits each entry once in a step that makes branches', () => {
    const of = long();
    const { most, result } = visitsOf(of, branchMapSteps(of));
    assert.ok(most <= ENTRIES + STEP_LENGTH, `${most} visits`);
    assert.equal(result.branchCount, 1);
  });

  it('looks for the settings of a context in another step than for its compaction', () => {
    const of = long();
    const { most, result } = visitsOf(of, contextPlanSteps(of));
    assert.ok(most <= 2 * ENTRIES, `${most} visits`);
    assert.equal(result.steps.size, ENTRIES);
  });

  it('looks for the entries of the system prompt in two steps', () => {
    const of = long();
    const planned = finishSteps(contextPlanSteps(of));
    const { most, result } = visitsOf(of, systemPromptPlaces(headsOf(of), planned));
    assert.ok(most <= ENTRIES, `${most} visits`);
    assert.deepEqual(result, []);
  });

  it('adds up its usage in steps', () => {
    const of = long();
    const total = branchUsage(of, of.leafId ?? '');
    const { most, result } = visitsOf(of, totalsSteps(headsOf(of), Array(ENTRIES).keys()));
    assert.ok(most <= 4 * STEP_LENGTH, `${most} visits`);
    assert.deepEqual(result, total);
  });
});
