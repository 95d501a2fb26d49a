import assert from 'node:assert/strict';
import { rangeAt, usageReport, type DayRange, type ReportKey, type UsageFact, type UsageRangeName } from '../../../src/core/index';
import { causeBit } from '../../../src/core/catalog/rows/usageCauses';
import { finishSteps, STEP_LENGTH } from '../../../src/core/format/session/steps';
import { countPauses } from '../../fixtures/countPauses';

const fact = (given: Partial<UsageFact>): UsageFact => ({
  path: '/s/a',
  family: '/s/a',
  project: '/work',
  program: 'pi',
  model: 'p/m',
  day: '2026-03-10',
  causes: 0,
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  cost: 1,
  ...given,
});

const today = Date.parse('2026-03-31') / 86_400_000;

describe('Ranges of days', () => {
  const at = (name: UsageRangeName, custom?: DayRange): unknown => {
    const { range, before } = rangeAt(name, today, custom);
    return [range, before].map((days) => days && [days.from, days.to]);
  };

  it('end today, and are compared with as many days before', () => {
    assert.deepEqual(at('today'), [
      ['2026-03-31', '2026-03-31'],
      ['2026-03-30', '2026-03-30'],
    ]);
    assert.deepEqual(at('30days'), [
      ['2026-03-02', '2026-03-31'],
      ['2026-01-31', '2026-03-01'],
    ]);
    assert.deepEqual(at('all'), [[undefined, undefined], undefined]);
  });

  it('are weeks from Monday, and months, up to the same day of the one before', () => {
    assert.deepEqual(at('week'), [
      ['2026-03-30', '2026-03-31'],
      ['2026-03-23', '2026-03-24'],
    ]);
    // February has no 31st.
    assert.deepEqual(at('month'), [
      ['2026-03-01', '2026-03-31'],
      ['2026-02-01', '2026-02-28'],
    ]);
    assert.deepEqual(at('lastMonth'), [
      ['2026-02-01', '2026-02-28'],
      ['2026-01-01', '2026-01-31'],
    ]);
  });

  it('are any dates, open ones without a range before', () => {
    assert.deepEqual(at('custom', { from: '2026-01-10', to: '2026-01-12' }), [
      ['2026-01-10', '2026-01-12'],
      ['2026-01-07', '2026-01-09'],
    ]);
    assert.deepEqual(at('custom', { from: '2026-01-10' }), [['2026-01-10', undefined], undefined]);
  });
});

describe('Usage of a range of days', () => {
  const sums = (facts: readonly UsageFact[], key: ReportKey, options?: Parameters<typeof usageReport>[3]): unknown => {
    const compared = { range: { from: '2026-03-01', to: '2026-03-31' }, before: { from: '2026-02-01', to: '2026-02-28' } };
    return finishSteps(usageReport(facts, [key], compared, options)).groups[0]?.rows.map((row) => [row.key, row.now.cost, row.before.cost]);
  };

  it('is by each key, beside the one before', () => {
    const facts = [
      fact({ cost: 1 }),
      fact({ day: '2026-03-31', cost: 2, project: '/other', path: '/s/b' }),
      fact({ day: '2026-02-28', cost: 8 }),
      fact({ day: '2026-04-01', cost: 100 }),
      fact({ day: '2026-01-31', cost: 100 }),
      fact({ day: '', cost: 100 }),
    ];
    assert.deepEqual(sums(facts, 'project'), [
      ['/other', 2, 0],
      ['/work', 1, 8],
    ]);
    assert.deepEqual(sums(facts, 'day'), [
      ['2026-03-31', 2, 0],
      ['2026-03-10', 1, 0],
    ]);
    assert.deepEqual(sums(facts, 'month'), [['2026-03', 3, 0]]);
    assert.deepEqual(sums(facts, 'path', { filters: [{ by: 'project', key: '/work' }] }), [['/s/a', 1, 8]]);
  });

  it('counts an answer for each of its causes', () => {
    const facts = [
      fact({ causes: causeBit('failed') | causeBit('subagent') }),
      fact({ causes: causeBit('failed'), cost: 2 }),
      fact({ cost: 4 }),
    ];
    assert.deepEqual(sums(facts, 'cause'), [
      ['failed', 3, 0],
      ['subagent', 1, 0],
    ]);
    assert.deepEqual(sums(facts, 'model', { filters: [{ by: 'cause', key: 'subagent' }] }), [['p/m', 1, 0]]);
  });

  it('has the highest rows only, if asked, and says how many there are', () => {
    const facts = [3, 1, 2, 2, 0].map((cost, index) => fact({ path: `/s/${index}`, cost }));
    const { groups } = finishSteps(usageReport(facts, ['path', 'day'], { range: {} }, { limit: 2 }));
    assert.deepEqual(
      groups.map(({ rows, count }) => [rows.map(({ key }) => key), count]),
      [
        [['/s/0', '/s/2'], 5],
        [['2026-03-10'], 1],
      ],
    );
  });

  it('has the groups of its own days, whatever ranges of the same facts were asked for before', () => {
    const facts = [fact({ project: '/new', causes: causeBit('retry') }), fact({ day: '2025-01-01', project: '/old', cost: 9 })];
    const groups = (range: DayRange): unknown =>
      finishSteps(usageReport(facts, ['project', 'cause'], { range }, { limit: 1 })).groups.map(({ rows, count }) => [
        rows.map(({ key, now }) => `${key} ${now.cost}`),
        count,
      ]);
    assert.deepEqual(groups({}), [
      [['/old 9'], 2],
      [['retry 1'], 1],
    ]);
    assert.deepEqual(groups({ from: '2026-01-01' }), [
      [['/new 1'], 1],
      [['retry 1'], 1],
    ]);
    assert.deepEqual(groups({ to: '2025-12-31' }), [
      [['/old 9'], 1],
      [[], 0],
    ]);
  });

  it('is added up in steps', () => {
    const facts = Array.from({ length: 10 * STEP_LENGTH }, (_, index) => fact({ path: `/s/${index}` }));
    const { pauses, result } = countPauses(usageReport(facts, ['model', 'path'], { range: {} }));
    assert.ok(pauses >= 10, `${pauses} pauses`);
    assert.deepEqual([result.total.now.cost, result.groups.map(({ rows }) => rows.length)], [10 * STEP_LENGTH, [1, 10 * STEP_LENGTH]]);
  });
});
