import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { ExpandedRows } from '../../../src/tree/view/stored/expandedRows';
import type { ViewRow } from '../../../src/tree/rows/viewRows';

/** Returns a replacement for the editor's storage, which outlives a window. */
function memory(all: Record<string, unknown> = {}): vscode.Memento {
  const update = (key: string, value: unknown): Promise<void> => {
    all[key] = JSON.parse(JSON.stringify(value)) as unknown;
    return Promise.resolve();
  };
  return { keys: () => Object.keys(all), get: (key: string) => all[key], update } as vscode.Memento;
}

const row = (kind: ViewRow['row'], id: string): ViewRow => ({ row: kind, id, cwd: id, project: {} }) as unknown as ViewRow;

describe('ExpandedRows', () => {
  it('remembers expanded and collapsed projects, and expanded sessions and branches', () => {
    const state = memory();
    const before = new ExpandedRows(state);
    before.set(row('project', '/one'), false);
    before.set(row('session', 'session /a'), true);
    before.set(row('branch', 'branch /a x'), true);
    before.set(row('session', 'session /b'), true);
    before.set(row('session', 'session /b'), false);
    const after = new ExpandedRows(state);
    assert.equal(after.get(row('project', '/one')), false);
    assert.equal(after.get(row('project', '/two')), undefined);
    assert.equal(after.get(row('session', 'session /a')), true);
    assert.equal(after.get(row('branch', 'branch /a x')), true);
    assert.equal(after.get(row('session', 'session /b')), undefined);
  });

  it('forgets the oldest rows beyond the limit', () => {
    const rows = new ExpandedRows(memory());
    for (let index = 0; index < 60; index++) rows.set(row('session', `session ${index}`), true);
    assert.equal(rows.get(row('session', 'session 9')), undefined);
    assert.equal(rows.get(row('session', 'session 10')), true);
    assert.equal(rows.get(row('session', 'session 59')), true);
  });

  it('ignores stored values of other types', () => {
    const rows = new ExpandedRows(memory({ 'sessionTree.openProjects': { '/one': 'yes' }, 'sessionTree.openRows': { a: 1 } }));
    assert.equal(rows.get(row('project', '/one')), undefined);
    assert.equal(rows.get(row('session', 'a')), undefined);
  });
});
