import assert from 'node:assert/strict';
import { finishSteps, STEP_LENGTH } from '../../../src/core/index';
import { groupLabels, type LabelGroup } from '../../../src/editorCatalog/labelGroups';
import { countPauses } from '../../fixtures/countPauses';

const grouped = (...given: Parameters<typeof groupLabels>): LabelGroup[] => finishSteps(groupLabels(...given));

describe('labels of all sessions', () => {
  it('are listed once although forks repeat them, where they were set', () => {
    const label = (path: string, timestamp = 5) => ({ path, entryId: 'e1', label: 'door', timestamp });
    const session = (path: string) => ({
      cwd: '/w',
      title: path,
      writable: true,
      ...(path === '/original' ? {} : { parentSession: '/original' }),
    });
    const groups = grouped([label('/a fork', 5), label('/original'), label('/b fork'), label('/original', 6)], session);
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
    const groups = grouped(
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

  it('are grouped in steps if there are thousands', () => {
    const labels = Array.from({ length: 5 * STEP_LENGTH }, (_, n) => ({ path: `/${n}`, entryId: 'e1', label: 'door', timestamp: n }));
    const { pauses, result } = countPauses(groupLabels(labels, () => undefined));
    assert.ok(pauses >= 10, `${pauses} pauses`);
    assert.deepEqual(
      result[0]?.labels.map(({ timestamp }) => timestamp),
      labels.map(({ timestamp }) => timestamp).reverse(),
    );
  });
});
