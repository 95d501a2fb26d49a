import assert from 'node:assert/strict';
import { join } from 'node:path';
import { SESSION_SORTS, type Arrangement } from '../../../src/contract';
import type { ListedSession } from '../../../src/core/index';
import { dayOf, keyOf, startOfDay } from '../../../src/tree/projects/arrangement';
import type { ProjectsInput } from '../../../src/tree/projects/projects';
import type * as stateModule from '../../../src/tree/view/stored/arrangementState';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { groupsOf } from './renderRows';
import { broken, file } from './storedFiles';

const HOUR = 3_600_000;
const NOON = new Date(2026, 4, 20, 12).getTime();
const hoursAgo = (hours: number): number => NOON / HOUR - hours;

/** Groups by their keys, each with the paths of its sessions. */
const shown = (files: readonly ListedSession[], given: Partial<ProjectsInput>): [string, string[]][] =>
  groupsOf({ files: new Map(files.map((each) => [each.path, each])), now: NOON, ...given }).map((group) => [
    keyOf(group),
    group.items.map(({ path }) => path),
  ]);

describe('arrangement of sessions', () => {
  const sessions = [
    file('/a', '/w/one', hoursAgo(1), { name: 'Item 10', created: 5 }),
    file('/b', '/w/two', hoursAgo(20), { name: 'item 9', created: 9, dialect: 'omp' }),
    file('/c', '/w/one', hoursAgo(50), { name: 'Zebra', created: 7 }),
    file('/d', '/w/one', hoursAgo(500), { name: 'Apple', created: 1 }),
    file('/fork', '/w/one', hoursAgo(2), { name: 'Fork', parentSession: '/d', created: 2 }),
  ];
  const order = (sort: Arrangement['sort'], given: Partial<ProjectsInput> = {}): string =>
    shown(sessions, { group: 'none', sort, ...given })
      .flatMap(([, paths]) => paths)
      .join(' ');

  it('is by activity, date, name, cost or size', () => {
    const costs: Readonly<Record<string, number>> = { '/b': 2, '/c': 3 };
    assert.equal(order('modified'), '/a /d /b /c');
    assert.equal(order('created'), '/b /c /a /d');
    assert.equal(order('name'), '/d /b /a /c');
    assert.deepEqual(shown([broken('/0', 1), ...sessions], { group: 'none', sort: 'name' })[0]![1].at(-1), '/0');
    assert.equal(order('cost', { cost: (path) => costs[path] }), '/c /b /a /d');
    assert.equal(order('size'), '/a /d /b /c');
  });

  it('sorts titles that oh-my-pi made by what follows their code', () => {
    const titled = (path: string, title: string, dialect: 'omp' | 'pi' = 'omp') => file(path, '/w', 1, { name: title, title, dialect });
    const given = [
      titled('/c', 'A1: Cut the rope'),
      titled('/a', 'ZZ: Adjust the sail'),
      titled('/b', '\u{1f9ea} FLAKY: Build the hull'),
      titled('/e', 'AA: Of pi', 'pi'),
      titled('/d', 'DECK planks'),
    ];
    assert.deepEqual(shown(given, { group: 'none', sort: 'name' })[0]![1], ['/e', '/a', '/b', '/c', '/d']);
  });

  it('groups by the day of the last activity, or that of the creation if it sorts by that', () => {
    assert.deepEqual(shown(sessions, { group: 'day' }), [
      ['today', ['/a', '/d']],
      ['yesterday', ['/b']],
      ['lastWeek', ['/c']],
    ]);
    assert.deepEqual(shown(sessions, { group: 'day', sort: 'created' }), [['older', ['/b', '/c', '/a', '/d']]]);
  });

  it('has pinned sessions above all days, unless they are archived', () => {
    const files = [
      ...sessions,
      file('/own', '/w', hoursAgo(90), { marks: { isPinned: true } }),
      file('/gone', '/w', hoursAgo(91), { marks: { isPinned: true, isArchived: true } }),
    ];
    assert.deepEqual(shown(files, { group: 'day', isPinned: ({ path }) => path === '/b' }), [
      ['pinned', ['/b', '/own']],
      ['today', ['/a', '/d']],
      ['lastWeek', ['/c', '/gone']],
    ]);
  });

  it('has files that cannot be read at the end, and takes none of them for activity', () => {
    const files = [...sessions, broken('/r/new', hoursAgo(0), { dialect: 'omp' }), broken('/r/new.jsonl.gz', hoursAgo(0))];
    for (const sort of SESSION_SORTS)
      assert.deepEqual(shown(files, { group: 'none', sort })[0]![1].slice(-2), ['/r/new', '/r/new.jsonl.gz'], sort);
    assert.deepEqual(shown(files, { group: 'day' }).at(-1), ['older', ['/r/new', '/r/new.jsonl.gz']]);
    assert.deepEqual(
      groupsOf({ files: new Map(files.map((each) => [each.path, each])), now: NOON }).map(({ newest }) => newest / HOUR),
      [hoursAgo(1), hoursAgo(20), 0],
    );
  });

  it('groups by program, unreadable files included', () => {
    assert.deepEqual(shown([...sessions, broken('/x', 1, { dialect: 'omp' })], { group: 'program' }), [
      ['pi', ['/a', '/d', '/c']],
      ['omp', ['/b', '/x']],
    ]);
  });

  it('orders projects by name only if sessions are', () => {
    assert.deepEqual(
      (['modified', 'name'] as const).map((sort) => shown(sessions.slice(1, 3), { sort }).map(([key]) => key)),
      [
        ['/w/two', '/w/one'],
        ['/w/one', '/w/two'],
      ],
    );
  });

  it('lists only the workspace, if there is one', () => {
    const only = (workspace: string[], group: Arrangement['group']): [string, string[]][] =>
      shown(sessions, { workspaceOnly: true, workspace, group });
    assert.deepEqual(only(['/w/two'], 'project'), [['/w/two', ['/b']]]);
    assert.deepEqual(only(['/w/two'], 'none'), [['', ['/b']]]);
    assert.equal(only([], 'none')[0]![1].length, 4);
  });

  it('marks the program of sessions that have not the usual one among those around them', () => {
    const marked = (group: Arrangement['group']): string[] =>
      groupsOf({ files: new Map(sessions.map((each) => [each.path, each])), group, now: NOON }).flatMap(({ items }) =>
        items.flatMap((item) => (item.kind === 'session' && item.showsProgram ? [item.path] : [])),
      );
    assert.deepEqual([marked('project'), marked('none'), marked('program')], [[], ['/b'], []]);
  });

  it('begins days at midnight', () => {
    const midnight = startOfDay(NOON, 0);
    assert.deepEqual(
      [midnight, midnight - 1, startOfDay(NOON, -1) - 1, startOfDay(NOON, -7), startOfDay(NOON, -7) - 1].map((time) => dayOf(time, NOON)),
      ['today', 'yesterday', 'lastWeek', 'lastWeek', 'older'],
    );
  });

  it('is remembered, and marked in menus; what is not known counts as the default', async () => {
    const editor = fakeEditor();
    const { ArrangementState } = loadWithVscode(
      join(__dirname, '../../../src/tree/view/stored/arrangementState.js'),
      editor.api,
    ) as typeof stateModule;
    let stored: unknown = { sort: 'magic', group: 'day', workspaceOnly: 'yes' };
    const memento = {
      get: () => stored as never,
      update: (_: string, value: unknown) => {
        stored = value;
        return Promise.resolve();
      },
    };
    const state = new ArrangementState(memento);
    assert.deepEqual(state.get(), { sort: 'modified', group: 'day', workspaceOnly: false });
    await state.set({ sort: 'cost' });
    assert.deepEqual(new ArrangementState(memento).get(), { sort: 'cost', group: 'day', workspaceOnly: false });
    assert.deepEqual(editor.executed.slice(-3), [
      ['setContext', 'sessionTree.sort', 'cost'],
      ['setContext', 'sessionTree.group', 'day'],
      ['setContext', 'sessionTree.workspaceOnly', false],
    ]);
  });
});
