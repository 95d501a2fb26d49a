import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { ChangeBatch } from '../../../src/editorCatalog/changeBatch';

describe('Changed files that are indexed together', () => {
  let time = 1_000_000;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => time);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  const pass = (milliseconds: number): void => {
    time += milliseconds;
    mock.timers.tick(milliseconds);
  };

  it('are reported once their rows are drawn, and those that follow soon in one further report', () => {
    const reports: string[][] = [];
    const batch = new ChangeBatch((paths) => reports.push(paths));
    batch.add(['a']);
    pass(200);
    batch.add(['b', 'a']);
    assert.equal(reports.length, 0);
    pass(50);
    assert.deepEqual(reports, [['a', 'b']]);
    batch.add(['c']);
    pass(300);
    batch.add(['d']);
    assert.deepEqual(reports, [['a', 'b']]);
    pass(100);
    assert.deepEqual(reports, [
      ['a', 'b'],
      ['c', 'd'],
    ]);
    pass(1000);
    batch.add(['e']);
    pass(250);
    assert.deepEqual(reports.at(-1), ['e']);
    batch.dispose();
  });
});
