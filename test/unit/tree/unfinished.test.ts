import assert from 'node:assert/strict';
import type { ListedSession } from '../../../src/core/index';
import { keyOf } from '../../../src/tree/projects/arrangement';
import type { ProjectsInput } from '../../../src/tree/projects/projects';
import { UnfinishedCount } from '../../../src/tree/projects/unfinishedSessions';
import { updateGroups } from '../../../src/tree/projects/updateProjects';
import { finishSteps } from '../../../src/core/index';
import { groupsOf, inputFrom } from './renderRows';
import { broken, file } from './storedFiles';

const mapOf = (files: readonly ListedSession[]): Map<string, ListedSession> => new Map(files.map((each) => [each.path, each]));
const shown = (files: readonly ListedSession[], given: Partial<ProjectsInput>): [string, string[]][] =>
  groupsOf({ files: mapOf(files), ...given }).map((group) => [keyOf(group), group.items.map(({ path }) => path)]);

describe('Unfinished sessions', () => {
  const sessions = [
    file('/done', '/w', 9),
    file('/error', '/w', 8, { unfinished: 'error' }),
    file('/asks', '/v', 7, { unfinished: 'question' }),
    file('/put', '/w', 6, { unfinished: 'error', marks: { isArchived: true } }),
    file('/parent', '/w', 5),
    file('/fork', '/w', 4, { unfinished: 'todos', parentSession: '/parent' }),
    file('/started', '/w', 3),
    file('/started/child', '/w', 2, { unfinished: 'unanswered', owner: '/started' }),
    broken('/broken', 1),
  ];

  it('are a group before the others, with the sessions that have an unfinished fork', () => {
    assert.deepEqual(shown(sessions, { group: 'state' }), [
      ['unfinished', ['/error', '/asks', '/parent']],
      ['finished', ['/done', '/started', '/put', '/broken']],
    ]);
  });

  it('are the only ones that are listed if that is chosen', () => {
    assert.deepEqual(shown(sessions, { group: 'none', unfinishedOnly: true }), [['', ['/error', '/asks', '/parent']]]);
  });

  it('are counted with forks, and without archived sessions and those of subagents', () => {
    const count = new UnfinishedCount();
    assert.equal(count.of(groupsOf({ files: mapOf(sessions) })), 3);
    assert.equal(count.of(groupsOf({ files: mapOf(sessions), group: 'none' })), 3);
  });

  it('are not those whose turn goes on: a program that runs has yet to answer', () => {
    const asked = [file('/asked', '/w', 9, { unfinished: 'unanswered' }), file('/error', '/w', 8, { unfinished: 'error' })];
    let running = new Set(['/asked', '/error']);
    const given = { files: mapOf(asked), group: 'state', isRunning: (path: string) => running.has(path) } as const;
    const groups = groupsOf(given);
    assert.deepEqual(
      groups.map((group) => [keyOf(group), group.items.map(({ path }) => path)]),
      [
        ['unfinished', ['/error']],
        ['finished', ['/asked']],
      ],
    );
    assert.equal(new UnfinishedCount().of(groups), 1);
    running = new Set();
    assert.equal(finishSteps(updateGroups(groups, new Set(['/asked']), inputFrom(given))), undefined, 'all groups are made again');
    const byProject = groupsOf({ ...given, group: 'project' });
    assert.equal(new UnfinishedCount().of(byProject), 2);
    running = new Set(['/asked']);
    const updated = finishSteps(updateGroups(byProject, new Set(['/asked']), inputFrom({ ...given, group: 'project' })));
    assert.equal(updated && new UnfinishedCount().of(updated), 1);
  });

  it('move to the other group, or leave the list, when they are finished', () => {
    const after = mapOf(sessions).set('/error', file('/error', '/w', 8));
    for (const given of [{ group: 'state' }, { unfinishedOnly: true }] as const) {
      const before = groupsOf({ files: mapOf(sessions), ...given });
      const input = inputFrom({ files: after, ...given });
      assert.equal(finishSteps(updateGroups(before, new Set(['/error']), input)), undefined, 'all groups are made again');
      assert.notEqual(finishSteps(updateGroups(before, new Set(['/asks']), input)), undefined, 'the groups are updated');
    }
  });
});
