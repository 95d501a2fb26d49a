import assert from 'node:assert/strict';
import { join } from 'node:path';
import { finishSteps, type ListedSession } from '../../../src/core/index';
import type * as itemsModule from '../../../src/tree/items/treeItems';
import { DEFAULT_ARRANGEMENT } from '../../../src/tree/projects/arrangement';
import { withFolderState } from '../../../src/tree/projects/projectGroup';
import type { ProjectsInput, SessionGroup, SessionItem } from '../../../src/tree/projects/projects';
import { updateGroups } from '../../../src/tree/projects/updateProjects';
import { Levels } from '../../../src/tree/rows/levels';
import { pathToRow } from '../../../src/tree/rows/pathToRow';
import { staleRows } from '../../../src/tree/rows/staleRows';
import { RowRegistry, type ViewRow } from '../../../src/tree/rows/viewRows';
import { parseScreen, screenText } from '../../../src/tree/screen/screen';
import { ExpandedRows } from '../../../src/tree/view/stored/expandedRows';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { groupsOf, inputFrom } from './renderRows';
import { broken, file } from './storedFiles';

const { createTreeItem } = loadWithVscode(join(__dirname, '../../../src/tree/items/treeItems.js'), fakeEditor().api) as typeof itemsModule;

/** Worktrees in `/wt` belong to `/code/größe`. */
const worktreeOf: ProjectsInput['worktreeOf'] = (cwd) => {
  const folder = /^\/wt\/[^/]+/.exec(cwd)?.[0];
  return folder === undefined ? undefined : { folder, repository: '/code/größe' };
};

const FILES = [
  file('/root/main', '/code/größe', 1),
  file('/root/fork', '/wt/a/inner', 5, { parentSession: '/root/main' }),
  file('/root/a1', '/wt/a', 2),
  file('/root/a2', '/wt/a/inner', 3, { parentSession: '/root/a1' }),
  file('/root/b', '/wt/日本', 4),
  file('/root/else', '/else', 9),
];

const inputOf = (files: readonly ListedSession[], given: Partial<ProjectsInput> = {}): ProjectsInput =>
  inputFrom({ files: new Map(files.map((each) => [each.path, each])), worktreeOf, worktreeLevel: true, ...given });

const levelsOf = (groups: readonly SessionGroup[]): Levels =>
  new Levels({ groups: () => groups, session: () => assert.fail(), filter: () => 'default', pendingChanges: () => [] });

/** The ids of the rows of groups and sessions, with the worktrees' names on sessions. */
function picture(groups: readonly SessionGroup[]): string[] {
  const levels = levelsOf(groups);
  const draw = (rows: readonly ViewRow[], indent: string): string[] =>
    rows.flatMap((row) => {
      if (row.row === 'project' || row.row === 'group') return [indent + row.id, ...draw(levels.groupLevel(row), `${indent}  `)];
      return row.row === 'session' ? drawItem(row.item, indent) : [indent + row.row];
    });
  const drawItem = (item: SessionItem, indent: string): string[] =>
    item.kind === 'session'
      ? [
          `${indent}${item.path}${item.worktree === undefined ? '' : ` in ${item.worktree}`}`,
          ...item.children.flatMap((child) => drawItem(child, `${indent}  `)),
        ]
      : [indent + item.path];
  return draw(levels.topRows(), '');
}

describe('Worktrees as a level of rows', () => {
  it('have their sessions below them, the main working tree first, and names only on sessions below another one’s row', () => {
    assert.deepEqual(picture(groupsOf(inputOf(FILES))), [
      'project /else',
      '  /root/else',
      'project /code/größe',
      '  worktree /code/größe',
      '    /root/main',
      '      /root/fork in a',
      '  worktree /wt/日本',
      '    /root/b',
      '  worktree /wt/a',
      '    /root/a1',
      '      /root/a2',
    ]);
  });

  it('are left out without the setting, in other groups, and if all sessions are in one of them', () => {
    const names = ['  /root/main', '    /root/fork in a', '  /root/b in 日本', '  /root/a1 in a', '    /root/a2 in a'];
    assert.deepEqual(picture(groupsOf(inputOf(FILES, { worktreeLevel: false }))).slice(-5), names);
    assert.ok(!picture(groupsOf(inputOf(FILES, { group: 'day' }))).some((line) => line.includes('worktree ')));
    assert.deepEqual(picture(groupsOf(inputOf(FILES.slice(2, 4)))), ['project /code/größe', '  /root/a1 in a', '    /root/a2 in a']);
  });

  it('take unreadable files of the project into the main working tree, and show paths if names are equal', () => {
    const files = [broken('/root/x/broken', 1), file('/root/x/one', '/wt/größe', 1)];
    const [project] = groupsOf(inputOf(files));
    assert.ok(project?.kind === 'project');
    assert.deepEqual(
      project.worktrees?.map(({ cwd, worktree, showsPath, items }) => [cwd, worktree, showsPath, items.map(({ path }) => path)]),
      [
        ['/code/größe', 'main', true, ['/root/x/broken']],
        ['/wt/größe', 'linked', true, ['/root/x/one']],
      ],
    );
  });

  it('are updated with a session that grows, as if all were grouped again', () => {
    const grown = FILES.map((each) =>
      each.path === '/root/a2' ? file('/root/a2', '/wt/a/inner', 8, { parentSession: '/root/a1' }) : each,
    );
    const now = grown.map((each) =>
      each.kind === 'session' && each.path === '/root/a2' ? { ...each, summary: { ...each.summary, created: 3 * 3_600_000 } } : each,
    );
    const after = finishSteps(updateGroups(groupsOf(inputOf(FILES)), new Set(['/root/a2']), inputOf(now)));
    assert.deepEqual(after, groupsOf(inputOf(now)));
    assert.deepEqual(
      picture(after).filter((line) => line.includes('worktree /')),
      ['  worktree /code/größe', '  worktree /wt/a', '  worktree /wt/日本'],
    );
  });

  it('say if their folder is gone, also after it was found out or has returned', () => {
    const isGone = (cwd: string): boolean => cwd === '/wt/a';
    const known = groupsOf(inputOf(FILES, { isMissing: isGone }));
    const missing = (groups: readonly SessionGroup[]): string[] =>
      groups
        .flatMap((group) => (group.kind === 'project' ? [group, ...(group.worktrees ?? [])] : []))
        .flatMap((one) => (one.isMissing ? one.cwd : []));
    assert.deepEqual(missing(known), ['/wt/a']);
    const found = groupsOf(inputOf(FILES));
    assert.deepEqual(
      found.map((group) => withFolderState(group, isGone)),
      known,
    );
    assert.deepEqual(
      known.map((group) => withFolderState(group, () => false)),
      found,
    );
    assert.equal(withFolderState(known[1]!, isGone), known[1]);
  });

  it('are on the way to a session’s row, in a window of a long list', async () => {
    const files = Array.from({ length: 300 }, (_, at) => file(`/root/s${at}`, `/wt/w${at}`, at + 1));
    const groups = groupsOf(inputOf(files));
    const levels = levelsOf(groups);
    const [project] = levels.topRows() as [ViewRow];
    const more = (levels.children(project) as ViewRow[]).at(-1);
    assert.deepEqual(more && [more.row, more.row === 'more' && [more.hidden, more.of]], ['more', [100, 'worktrees']]);
    const steps = await pathToRow({ path: '/root/s3' }, groups, levels);
    assert.deepEqual(
      steps?.map(({ id, ensureShown }) => [id, ensureShown()]),
      [
        ['project /code/größe', false],
        ['worktree /wt/w3', true],
        ['session /root/s3', false],
      ],
    );
    assert.ok((levels.children(project) as ViewRow[]).some(({ id }) => id === 'worktree /wt/w3'));
  });

  it('are refreshed if one is new, or has a new session', () => {
    const rows = new RowRegistry();
    const show = (levels: Levels, parent: ViewRow | undefined): void => {
      const children = parent ? (levels.children(parent) as ViewRow[]) : levels.topRows();
      for (const row of rows.setLevel(parent, children)) if (row.row === 'project') show(levels, row);
    };
    const stale = (files: readonly ListedSession[]): (string | undefined)[] =>
      staleRows({ rows, levels: levelsOf(groupsOf(inputOf(files))), differs: () => false, hasNewEntries: () => false }).map(
        (row) => row?.id,
      );
    show(levelsOf(groupsOf(inputOf(FILES))), undefined);
    assert.deepEqual(stale(FILES), []);
    assert.deepEqual(stale([...FILES, file('/root/new', '/wt/new', 1)]), ['project /code/größe']);
    assert.deepEqual(stale([...FILES, file('/root/new', '/wt/a', 1)]), ['worktree /wt/a']);
  });

  it('are in a stored screen with their sessions', () => {
    const levels = levelsOf(groupsOf(inputOf(FILES)));
    const text = screenText('key', levels, (row) => row.id !== 'worktree /wt/a') ?? '';
    const screen = parseScreen(text, 'key', (path) => path.startsWith('/root/'));
    const ids = (parent: string): string[] | undefined => screen?.get(parent)?.map(({ id }) => id);
    assert.deepEqual(ids('project /code/größe'), ['worktree /code/größe', 'worktree /wt/日本', 'worktree /wt/a']);
    assert.deepEqual(ids('worktree /wt/日本'), ['session /root/b']);
    assert.equal(ids('worktree /wt/a'), undefined);
  });

  it('are expanded and collapsed apart from their project, and remembered', () => {
    const all: Record<string, unknown> = {};
    const state = {
      get: (key: string): unknown => all[key],
      update: (key: string, value: unknown): Promise<void> => Promise.resolve(void (all[key] = value)),
    };
    const levels = levelsOf(groupsOf(inputOf(FILES)));
    const project = levels.topRows().at(-1)!;
    const [main] = levels.children(project) as [ViewRow];
    new ExpandedRows(state as never).set(main, true);
    new ExpandedRows(state as never).set(project, false);
    const after = new ExpandedRows(state as never);
    assert.deepEqual([after.get(main), after.get(project)], [true, false]);
  });

  it('have names, icons, descriptions and a menu of their own', () => {
    const levels = levelsOf(groupsOf(inputOf(FILES, { isMissing: (cwd) => cwd === '/wt/a', workspace: ['/code/größe'] })));
    const items = (levels.children(levels.topRows()[0]) as ViewRow[]).map((row) =>
      createTreeItem(row, {
        arrangement: DEFAULT_ARRANGEMENT,
        now: 10 * 3_600_000,
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
    );
    assert.deepEqual(
      items.map(({ label, description, iconPath, contextValue, accessibilityInformation }) => [
        label,
        description,
        (iconPath as { id: string }).id,
        contextValue,
        accessibilityInformation?.label,
      ]),
      [
        ['größe', 'main working tree · 5h · 1 session', 'repo', 'worktree', 'größe, main working tree, 1 session, 5 hr. ago, /code/größe'],
        ['日本', '6h · 1 session', 'git-branch', 'worktree', '日本, worktree, 1 session, 6 hr. ago, /wt/日本'],
        [
          'a',
          'folder not found · 7h · 1 session',
          'warning',
          'worktree missing',
          'a, worktree, folder not found, 1 session, 7 hr. ago, /wt/a',
        ],
      ],
    );
  });
});
