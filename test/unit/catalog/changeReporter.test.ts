import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { ChangeReporter } from '../../../src/core/catalog/store/changeReporter';

describe('Reports of changes', () => {
  let time: number;
  let reports: [changed: string[], removed: string[]][];
  const reporter = (interval?: number): ChangeReporter =>
    new ChangeReporter(({ changed, removed }) => void reports.push([[...changed], [...removed]]), interval);
  const pass = (milliseconds: number): void => {
    time += milliseconds;
    mock.timers.tick(milliseconds);
  };
  beforeEach(() => {
    time = 1000;
    reports = [];
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => time);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  it('come after the interval, even if nothing else changes until then', () => {
    const report = reporter(150);
    report.add('a', 'changed');
    pass(100);
    report.add('b', 'removed');
    assert.deepEqual(reports, []);
    pass(50);
    assert.deepEqual(reports, [[['a'], ['b']]]);
    report.add('c', 'changed');
    pass(149);
    assert.equal(reports.length, 1);
    pass(1);
    assert.deepEqual(reports[1], [['c'], []]);
  });

  it('come at once if the last one was long ago, and only once', () => {
    const report = reporter(150);
    pass(150);
    report.add('a', 'changed');
    assert.deepEqual(reports, [[['a'], []]]);
    report.flush();
    pass(1000);
    assert.equal(reports.length, 1);
  });

  it('have the last change of each path', () => {
    const report = reporter();
    report.add('a', 'changed');
    report.add('a', 'removed');
    report.add('b', 'removed');
    report.add('b', 'changed');
    report.flush();
    assert.deepEqual(reports, [[['b'], ['a']]]);
  });

  it('come only with `flush` if the interval is infinite', () => {
    const report = reporter(Infinity);
    report.add('a', 'changed');
    pass(100_000);
    assert.deepEqual(reports, []);
    report.flush();
    assert.deepEqual(reports, [[['a'], []]]);
  });
});
