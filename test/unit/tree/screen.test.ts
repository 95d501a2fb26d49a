import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { CopyOf, ListedSession } from '../../../src/core/index';
import { DEFAULT_ARRANGEMENT } from '../../../src/tree/projects/arrangement';
import type * as itemsModule from '../../../src/tree/items/treeItems';
import { Levels } from '../../../src/tree/rows/levels';
import type { ViewRow } from '../../../src/tree/rows/viewRows';
import { parseScreen, screenText, type Screen } from '../../../src/tree/screen/screen';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { groupsOf } from './renderRows';
import { broken, file } from './storedFiles';

const { createTreeItem, treeItemFingerprint } = loadWithVscode(
  join(__dirname, '../../../src/tree/items/treeItems.js'),
  fakeEditor().api,
) as typeof itemsModule;

const DAY = 24;

describe('A stored screen', () => {
  const copyOf: CopyOf = { path: '/root/one', hasDiverged: true };
  const marked: ListedSession[] = [
    file('/root/one', '/w/a', 1, { name: 'One *bold*', marks: { isPinned: true, state: 'waiting' }, problems: 3 }),
    file('/root/two', '/w/a', 2, { name: 'Two', isOld: true, suspectedTip: 'tip', firstMessage: 'What rows don’t show' }),
    file('/root/fork', '/w/a', 3, { name: 'Fork', parentSession: '/root/two' }),
    file('/root/away', '/w/b', 4, { name: 'Away', parentSession: '/root/two', machine: 'laptop', isProtected: true, copyOf }),
    file('/root/part', '/x/b', 5, { name: 'Part', isPartial: true, dialect: 'omp', marks: { isArchived: true } }),
    broken('/root/broken', 6),
  ];
  const many = (count: number, name = 'A'): ListedSession[] =>
    Array.from({ length: count }, (_, at) => file(`/root/${String(at)}`, '/w/many', at, { name: `${name} ${String(at)}` }));

  function levelsOf(files: readonly ListedSession[], group = DEFAULT_ARRANGEMENT.group): Levels {
    const groups = groupsOf({
      files: new Map(files.map((each) => [each.path, each])),
      group,
      now: 5 * DAY * 3_600_000,
      isMissing: (cwd) => cwd === '/x/b',
    });
    return new Levels({ groups: () => groups, session: () => assert.fail(), filter: () => 'default', pendingChanges: () => [] });
  }
  const store = (levels: Levels): string => screenText('key', levels, () => true) ?? assert.fail('There are no rows.');
  const restore = (text: string, key = 'key'): Screen | undefined => parseScreen(text, key, (path) => path.startsWith('/root/'));
  const shown = (row: ViewRow): [string, string] => [
    row.id,
    treeItemFingerprint(
      createTreeItem(row, {
        arrangement: { ...DEFAULT_ARRANGEMENT, group: 'none' },
        now: 0,
        isLive: () => false,
        presence: () => undefined,
        needsInput: () => false,
        filesHere: () => undefined,
        pendingChanges: () => [],
        summary: () => undefined,
        isExpanded: () => false,
        showsBadges: false,
        opensOnClick: false,
      }),
    ),
  ];

  for (const group of ['project', 'day', 'program', 'none'] as const)
    it(`has rows that look like those that it was made from, by ${group}`, () => {
      const levels = levelsOf(marked, group);
      const screen = restore(store(levels));
      const top = levels.topRows();
      assert.deepEqual(screen?.get(undefined)?.map(shown), top.map(shown));
      for (const row of top)
        if (row.row === 'project' || row.row === 'group')
          assert.deepEqual(screen.get(row.id)?.map(shown), (levels.children(row) as ViewRow[]).map(shown));
    });

  it('has no text of a session but what rows show', () => {
    assert.doesNotMatch(store(levelsOf(marked)), /What rows don’t show/);
  });

  it('has the rows that a new window shows, and a limited number of them', () => {
    const levels = levelsOf([...many(300), ...marked]);
    const [project] = levels.topRows();
    const more = project && (levels.children(project) as ViewRow[]).at(-1);
    assert.ok(more?.row === 'more');
    levels.showMore(more);
    const rows = [...(restore(store(levels))?.values() ?? [])].flat();
    assert.equal(rows.find((row) => row.row === 'more')?.hidden, 100);
    assert.equal(restore(store(levelsOf(many(300), 'none')))?.get(undefined)?.length, 201);
    const long = [...(restore(store(levelsOf(many(200, 'A'.repeat(10_000))))) ?? [])].flatMap(([, level]) => level);
    assert.ok(long.length > 50 && long.length < 150, String(long.length));
  });

  it('leaves out sessions with a time that is none', () => {
    const odd = file('/root/odd', '/w/a', Number.MAX_VALUE);
    assert.deepEqual(
      restore(store(levelsOf([odd, ...many(2)], 'none')))
        ?.get(undefined)
        ?.map(({ id }) => id),
      ['session /root/1', 'session /root/0'],
    );
  });

  it('is none without rows, with another key, and with a path outside the session folders', () => {
    assert.equal(
      screenText('key', levelsOf([]), () => true),
      undefined,
    );
    const text = store(levelsOf(marked));
    assert.ok(restore(text));
    assert.equal(restore(text, 'other'), undefined);
    assert.equal(restore(text.replaceAll('/root/one', '//server/share/one')), undefined);
  });

  it('is none with any value of another type', () => {
    const text = store(levelsOf(marked, 'none'));
    const whole: unknown = JSON.parse(store(levelsOf(marked)));
    let tried = 0;
    // Replaces each value in turn, and puts it back.
    const visit = (at: unknown): void => {
      if (typeof at !== 'object' || at === null) return;
      for (const [name, value] of Object.entries(at)) {
        for (const other of [null, [], {}, 'x', -1, true, 1e300, '__proto__']) {
          if (JSON.stringify(other) === JSON.stringify(value)) continue;
          Reflect.set(at, name, other);
          tried++;
          const screen = restore(JSON.stringify(whole));
          for (const row of [...(screen?.values() ?? [])].flat()) shown(row);
        }
        Reflect.set(at, name, value);
        visit(value);
      }
    };
    visit(whole);
    assert.ok(tried > 500, String(tried));
    for (const broken of ['', '{', 'null', '[]', '{"key":"key"}', '{"key":"key","levels":[]}', '['.repeat(100_000), text.slice(0, -5)])
      assert.equal(restore(broken), undefined, broken.slice(0, 40));
    for (const row of [
      ['session', {}],
      ['project', { kind: 'all' }],
      ['group', { kind: 'all' }],
      ['entry', {}],
      [],
      'x',
      { __proto__: null },
    ])
      assert.equal(restore(JSON.stringify({ key: 'key', levels: [[null, [row]]] })), undefined, JSON.stringify(row));
    const [, rows] = (whole as { levels: [null, unknown[]][] }).levels[0]!;
    assert.equal(restore(JSON.stringify({ key: 'key', levels: [[null, [rows[0], rows[0]]]] })), undefined, 'a row twice');
  });
});
