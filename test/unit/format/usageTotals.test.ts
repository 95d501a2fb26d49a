import assert from 'node:assert/strict';
import { branchUsage, ownUsage, sessionUsage } from '../../../src/core/format/session/costs/usageTotals';
import { entryId, session, type Fields } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const cost = (input: number, total: number): Fields => ({ input, output: 1, cacheRead: 2, cacheWrite: 3, cost: { total } });
const answer = (input: number, total: number, model = 'm'): Fields => ({ message: { provider: 'p', model, usage: cost(input, total) } });
const [e1, e2, e3, e4] = [1, 2, 3, 4].map(entryId) as [string, string, string, string];

describe('Usage totals', () => {
  const branched = read(
    session()
      .user('a')
      .assistant('b', answer(10, 1))
      .assistant('left', answer(20, 2))
      .branchFrom(e2)
      .assistant('right', answer(40, 4, 'other')),
  );

  it('cover all branches, and each model', () => {
    assert.deepEqual(sessionUsage(branched), {
      ...{ input: 70, output: 3, cacheRead: 6, cacheWrite: 9, cost: 7 },
      byModel: [
        { model: { provider: 'p', modelId: 'other' }, input: 40, output: 1, cacheRead: 2, cacheWrite: 3, cost: 4 },
        { model: { provider: 'p', modelId: 'm' }, input: 30, output: 2, cacheRead: 4, cacheWrite: 6, cost: 3 },
      ],
    });
  });

  it('are grouped by the model that answered, if it is another one', () => {
    const one = { message: { provider: 'p', model: 'm', responseModel: 'm-2', usage: cost(10, 1) } };
    const { byModel } = sessionUsage(read(session().assistant('a', one).assistant('b', answer(5, 2)).assistant('c', one)));
    assert.deepEqual(
      byModel.map(({ model, input }) => [model?.modelId, input]),
      [
        ['m-2', 20],
        ['m', 5],
      ],
    );
  });

  it('cover a path, and the entries that are on no other branch', () => {
    const costs = (id: string): number[] => [branchUsage(branched, id).cost, ownUsage(branched, id).cost];
    assert.deepEqual(
      [costs(e3), costs(e4), costs(e2), costs(e1)],
      [
        [3, 2],
        [5, 4],
        [1, 1],
        [0, 0],
      ],
    );
  });

  it('count answers without usage, or with other values in it, as zero', () => {
    const built = session();
    for (const usage of [undefined, null, 'x', [], {}, { input: '5', cost: null }, { cost: { total: 'much' } }])
      built.assistant('a', { message: { usage } });
    const totals = sessionUsage(read(built.entry('model_usage', { model: 'p/m' })));
    assert.deepEqual([totals.input, totals.output, totals.cacheRead, totals.cacheWrite, totals.cost], [0, 0, 0, 0, 0]);
    assert.equal(JSON.stringify(totals).includes('null'), false);
  });

  it('count everything that is charged, and nothing else', () => {
    const paid = { usage: cost(1, 1) };
    const found = read(
      session()
        .message({ role: 'toolResult', ...paid })
        .compaction('s', e1, paid)
        .branchSummary('b', paid)
        .entry('usage', { provider: 'p', model: 'm', ...paid })
        .entry('model_usage', { model: 'p/m', ...paid })
        .custom('x', {}, paid)
        .user('u', { message: paid })
        .assistant('no cost', { message: { usage: { input: 5, cost: null } } })
        .assistant('none', { message: { usage: null } }),
    );
    assert.deepEqual([sessionUsage(found).cost, sessionUsage(found).input], [5, 10]);
    assert.equal(sessionUsage(found).byModel.find(({ model }) => model === null)?.cost, 3);
  });
});
