import assert from 'node:assert/strict';
import { LostRows } from '../../../src/tree/rows/lostRows';
import { RowRegistry, type ViewRow } from '../../../src/tree/rows/viewRows';

describe('Rows that the editor has lost', () => {
  let registry: RowRegistry;
  let lost: LostRows;
  let project: ViewRow, talk: ViewRow, entry: ViewRow;
  const row = (id: string): ViewRow => ({ id, row: 'note', path: '/a.jsonl' }) as unknown as ViewRow;
  beforeEach(() => {
    registry = new RowRegistry();
    lost = new LostRows(registry);
    [project] = registry.setLevel(undefined, [row('project')]) as [ViewRow];
    [talk] = registry.setLevel(project, [row('talk')]) as [ViewRow];
    [entry] = registry.setLevel(talk, [row('entry')]) as [ViewRow];
    registry.setExpanded(project, true);
    registry.setExpanded(talk, true);
  });

  it('are reported themselves until 1.5 seconds have passed without a request for their item', () => {
    assert.equal(lost.rowToReport(entry, 100), entry);
    assert.equal(lost.rowToReport(entry, 1599), entry);
    assert.equal(lost.rowToReport(entry, 1600), talk);
  });

  it('aren’t lost if their item was requested', () => {
    lost.rowToReport(entry, 0);
    lost.requested(entry);
    assert.equal(lost.rowToReport(entry, 5000), entry);
    assert.equal(lost.rowToReport(entry, 6499), entry);
    assert.equal(lost.rowToReport(entry, 6500), talk);
  });

  it('are reported with the nearest row above that isn’t lost, at last with the top level', () => {
    lost.rowToReport(entry, 0);
    lost.rowToReport(talk, 0);
    assert.equal(lost.rowToReport(entry, 2000), project);
    assert.equal(lost.rowToReport(talk, 4000), undefined);
  });

  it('aren’t reported with the row above each time, but 1.5 seconds later', () => {
    lost.rowToReport(entry, 0);
    assert.equal(lost.rowToReport(entry, 2000), talk);
    lost.requested(talk);
    assert.equal(lost.rowToReport(entry, 3499), entry);
    assert.equal(lost.rowToReport(entry, 3500), talk);
  });

  it('are none below a collapsed row: the editor requests those again when it’s expanded', () => {
    lost.rowToReport(entry, 0);
    registry.setExpanded(project, false);
    assert.equal(lost.rowToReport(entry, 2000), entry);
  });
});
