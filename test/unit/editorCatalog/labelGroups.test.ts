import assert from 'node:assert/strict';
import { groupLabels } from '../../../src/editorCatalog/labelGroups';

describe('labels of all sessions', () => {
  it('are listed once although forks repeat them, where they were set', () => {
    const label = (path: string, timestamp = 5) => ({ path, entryId: 'e1', label: 'door', timestamp });
    const session = (path: string) => ({
      cwd: '/w',
      title: path,
      writable: true,
      ...(path === '/original' ? {} : { parentSession: '/original' }),
    });
    const groups = groupLabels([label('/a fork', 5), label('/original'), label('/b fork'), label('/original', 6)], session);
    assert.deepEqual(
      groups[0]!.labels.map((row) => [row.path, row.timestamp, row.copies]),
      [
        ['/original', 6, 0],
        ['/original', 5, 2],
      ],
    );
  });

  it('are below their projects, the newest first', () => {
    const label = (path: string, name: string, timestamp: number) => ({ path, entryId: name, label: name, timestamp });
    const groups = groupLabels(
      [label('/a1', 'oldest', 1), label('/b', 'newest', 9), label('/a2', 'middle', 5), label('/gone', 'lost', 0)],
      (path) =>
        new Map([
          ['/a1', { cwd: '/a', title: 'One', writable: true }],
          ['/a2', { cwd: '/a', title: 'second', writable: false }],
          ['/b', { cwd: '/b', title: 'third', writable: true }],
        ]).get(path),
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
