import assert from 'node:assert/strict';
import { groupLabels } from '../../../src/editorCatalog/labelGroups';

describe('labels of all sessions', () => {
  it('are below their projects, the newest first', () => {
    const label = (path: string, name: string, timestamp: number) => ({ path, entryId: name, label: name, timestamp });
    const groups = groupLabels(
      [label('/a1', 'oldest', 1), label('/b', 'newest', 9), label('/a2', 'middle', 5), label('/gone', 'lost', 0)],
      [
        { path: '/a1', cwd: '/a', title: 'One', writable: true },
        { path: '/a2', cwd: '/a', title: 'second', writable: false },
        { path: '/b', cwd: '/b', title: 'third', writable: true },
      ],
    );
    assert.deepEqual(
      groups.map(({ cwd, labels }) => [cwd, labels.map((row) => [row.label, row.session, row.writable])]),
      [
        ['/b', [['newest', 'third', true]]],
        [
          '/a',
          [
            ['middle', 'second', false],
            ['oldest', 'One', true],
          ],
        ],
        ['', [['lost', undefined, false]]],
      ],
    );
  });
});
