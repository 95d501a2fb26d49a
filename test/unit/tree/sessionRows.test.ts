import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Arrangement } from '../../../src/contract';
import { UntrustedPaths, type ListedSession } from '../../../src/core/index';
import { DEFAULT_ARRANGEMENT } from '../../../src/tree/projects/arrangement';
import type * as sessionRowsModule from '../../../src/tree/view/sessionRows';
import { Levels } from '../../../src/tree/rows/levels';
import type { ViewRow } from '../../../src/tree/rows/viewRows';
import { parseScreen, screenText, type Screen } from '../../../src/tree/screen/screen';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { groupsOf } from './renderRows';
import { file } from './storedFiles';

const { SessionRows } = loadWithVscode(
  join(__dirname, '../../../src/tree/view/sessionRows.js'),
  fakeEditor().api,
) as typeof sessionRowsModule;

describe('The rows of the Sessions view', () => {
  let files: Map<string, ListedSession>;
  let rows: sessionRowsModule.SessionRows;
  let make: () => void;
  let state: { get: () => unknown };
  let fired: number;
  let arrangement: Arrangement;
  /** The rows of the last window. */
  let screen: Screen | undefined;
  /** True once the sessions were looked for. */
  let isAsked: boolean;
  /** Called when the stored rows are known. */
  let known: () => void;
  /** Called if they can't be looked for. */
  let fail: (error: Error) => void;

  beforeEach(() => {
    files = new Map();
    fired = 0;
    arrangement = DEFAULT_ARRANGEMENT;
    screen = undefined;
    isAsked = false;
    const sessionsKnown = new Promise<void>((resolve, reject) => ([known, fail] = [resolve, reject]));
    const rowsKnown = (): Promise<void> => {
      isAsked = true;
      return sessionsKnown;
    };
    const disk = { realpath: (path: string) => Promise.resolve(path), stat: () => Promise.reject(new Error('It is missing.')) };
    make = () => {
      rows = new SessionRows({
        store: { files: () => files } as never,
        named: new UntrustedPaths({ disk }),
        rowsKnown,
        screen: { load: () => Promise.resolve(screen), rowsChanged: () => undefined },
        cost: () => undefined,
        familyCost: () => undefined,
        isPinned: () => false,
        marksOf: () => ({}),
        isFound: () => undefined,
        needsInput: () => false,
        settings: () => ({
          filter: 'default',
          program: 'all',
          hideEmpty: true,
          hideSubagents: false,
          worktreeLevel: false,
          showsBadges: true,
          opensOnClick: true,
        }),
        arrangement: () => arrangement,
        state: { ...state, update: () => Promise.resolve() } as never,
        isVisible: () => true,
        onGroups: () => undefined,
        presence: () => undefined,
        filesHere: () => undefined,
        pendingChanges: () => [],
        onError: (error) => assert.fail(String(error)),
      });
      rows.onDidChangeTreeData(() => fired++);
    };
    state = { get: () => undefined };
    make();
  });
  afterEach(() => rows.dispose());

  function put(path: string): void {
    files.set(path, file(path, '/w', files.size));
    rows.regroup([path]);
  }

  it('are expanded below each project while only sessions that a person looks for are listed', async () => {
    put('/w/a.jsonl');
    known();
    const [project] = await rows.getChildren(undefined);
    assert.ok(project);
    const look = (): unknown[] => {
      const { id, collapsibleState } = rows.getTreeItem(project);
      // The editor keeps the expansion of an item with a known id.
      return [id === project.id, collapsibleState];
    };
    const { Collapsed, Expanded } = fakeEditor().api.TreeItemCollapsibleState;
    assert.deepEqual(look(), [true, Collapsed]);
    for (const narrowed of [{ unfinishedOnly: true }, { tag: 'later' }, { query: 'flaky' }]) {
      arrangement = { ...DEFAULT_ARRANGEMENT, ...narrowed };
      assert.deepEqual(look(), [false, Expanded]);
    }
    arrangement = { ...DEFAULT_ARRANGEMENT, tag: '', query: '' };
    assert.deepEqual(look(), [true, Collapsed]);
  });

  it('are first answered when the stored ones are known, not empty before', async () => {
    const first = rows.getChildren(undefined);
    rows.regroupNow();
    await nextTurn();
    put('/r/1');
    known();
    assert.equal((await first).length, 1);
    assert.equal(fired, 0, 'the editor would request them again');
  });

  it('report that the editor has the first of them, with their items', async () => {
    put('/r/1');
    let isTold = false;
    void rows.firstRows.then(() => (isTold = true));
    const first = rows.getChildren(undefined);
    await nextTurn();
    assert.equal(isTold, false);
    known();
    for (const row of await first) rows.getTreeItem(row);
    assert.equal(isTold, false);
    await rows.firstRows;
  });

  it('are answered after a second without the stored ones, and refreshed when those are known', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const first = rows.getChildren(undefined);
      await nextTurn();
      mock.timers.tick(1000);
      assert.deepEqual(await first, []);
    } finally {
      mock.timers.reset();
    }
    put('/r/1');
    known();
    const refreshed = new Promise((resolve) => void rows.onDidChangeTreeData(resolve));
    rows.refreshNow();
    assert.equal(await refreshed, undefined, 'the top level');
    assert.equal((await rows.getChildren(undefined)).length, 1);
  });

  it('are answered a second after the first request, however often the editor repeats it', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const first = rows.getChildren(undefined);
      await nextTurn();
      mock.timers.tick(600);
      const second = rows.getChildren(undefined);
      mock.timers.tick(400);
      assert.deepEqual(await Promise.all([first, second]), [[], []]);
      assert.deepEqual(await rows.getChildren(undefined), []);
    } finally {
      mock.timers.reset();
    }
  });

  it('are answered if the stored ones can’t be looked for', async () => {
    fail(new Error('The disk is gone.'));
    put('/r/1');
    assert.equal((await rows.getChildren(undefined)).length, 1);
  });

  it('are not refreshed before the editor has requested their items', async () => {
    put('/r/1');
    known();
    const [project] = await rows.getChildren(undefined);
    assert.ok(project);
    files.set('/r/1', file('/r/1', '/w', 5, { name: 'new' }));
    rows.regroup(['/r/1']);
    rows.refreshNow();
    await rows.settled();
    assert.equal(fired, 0);
    rows.getTreeItem(project);
    put('/r/2');
    rows.refreshNow();
    await rows.settled();
    assert.equal(fired, 1);
  });

  it('are refreshed with the row above if the editor has lost them: it requests nothing of what is reported', async () => {
    put('/r/1');
    known();
    const [project] = await rows.getChildren(undefined);
    assert.ok(project);
    rows.getTreeItem(project);
    const reported: unknown[] = [];
    rows.onDidChangeTreeData((changed) => reported.push(changed));
    const clock = mock.method(performance, 'now', () => 10_000);
    try {
      put('/r/2');
      rows.refreshNow();
      await rows.settled();
      clock.mock.mockImplementation(() => 12_000);
      rows.refreshNow();
      await rows.settled();
    } finally {
      clock.mock.restore();
    }
    assert.deepEqual(reported, [[project], undefined]);
  });

  describe('of the last window', () => {
    /** The rows that a window would store now, restored. */
    function stored(...paths: readonly string[]): Screen {
      const groups = groupsOf({ files: new Map(paths.map((path, at) => [path, file(path, '/w', at)])) });
      const levels = new Levels({ groups: () => groups, session: () => assert.fail(), filter: () => 'default', pendingChanges: () => [] });
      return parseScreen(screenText('key', levels, () => true) ?? '', 'key', () => true) ?? assert.fail('There are no rows.');
    }
    const firstOf = async (parent?: ViewRow): Promise<ViewRow> => {
      const [row] = await rows.getChildren(parent);
      assert.ok(row);
      rows.getTreeItem(row);
      return row;
    };

    it('are answered before the sessions are looked for, and stay if the sessions are the same', async () => {
      screen = stored('/r/1');
      const project = await firstOf();
      const session = await firstOf(project);
      assert.deepEqual([project.id, session.id, isAsked], ['project /w', 'session /r/1', false]);
      await rows.restored.drawn();
      put('/r/1');
      known();
      await rows.restored.current;
      assert.equal(fired, 0);
      assert.equal(await firstOf(), project, 'the same object, so that the editor keeps what is selected');
      assert.equal(await firstOf(project), session);
      assert.ok(project.row === 'project' && project.project.items.length === 1, 'with the data of now');
    });

    it('are replaced where the sessions differ', async () => {
      screen = stored('/r/1', '/r/2');
      const project = await firstOf();
      await rows.getChildren(project);
      const refreshed = new Promise((resolve) => void rows.onDidChangeTreeData(resolve));
      put('/r/1');
      known();
      assert.deepEqual(await refreshed, [project]);
      assert.deepEqual(
        (await rows.getChildren(project)).map(({ id }) => id),
        ['session /r/1'],
      );
    });

    it('are all gone if the sessions are', async () => {
      screen = stored('/r/1');
      await firstOf();
      const refreshed = new Promise((resolve) => void rows.onDidChangeTreeData(resolve));
      known();
      assert.equal(await refreshed, undefined, 'the top level');
      assert.deepEqual(await rows.getChildren(undefined), []);
    });

    it('stay while anything else refreshes the view', async () => {
      screen = stored('/r/1');
      await firstOf();
      rows.regroupNow();
      rows.refreshSoon();
      await nextTurn();
      assert.equal((await rows.getChildren(undefined)).length, 1);
      assert.equal(fired, 0);
      put('/r/1');
      known();
      await rows.settled();
      assert.equal((await rows.getChildren(undefined)).length, 1);
    });

    it('wait for the sessions when a row is expanded below which none are stored', async () => {
      screen = new Map([[undefined, stored('/r/1').get(undefined) ?? []]]);
      const project = await firstOf();
      let isDone = false;
      const below = rows.getChildren(project).finally(() => (isDone = true));
      await nextTurn();
      assert.equal(isDone, false);
      put('/r/1');
      known();
      assert.deepEqual(
        (await below).map(({ id }) => id),
        ['session /r/1'],
      );
    });

    it('don’t wait for rows that aren’t stored below one that the editor expands, and get them later', async () => {
      const expanded = { '/w': true };
      state = { get: () => expanded };
      make();
      screen = new Map([[undefined, stored('/r/1').get(undefined) ?? []]]);
      const project = await firstOf();
      assert.deepEqual(await rows.getChildren(project), []);
      const refreshed = new Promise((resolve) => void rows.onDidChangeTreeData(resolve));
      put('/r/1');
      known();
      assert.deepEqual(await refreshed, [project]);
      assert.equal((await rows.getChildren(project)).length, 1);
    });

    it('have a hover and more rows once the sessions are known', async () => {
      screen = stored('/r/1');
      const project = await firstOf();
      let isDone = false;
      const hover = rows.resolveTreeItem(rows.getTreeItem(project), project).finally(() => (isDone = true));
      await nextTurn();
      assert.equal(isDone, false);
      put('/r/1');
      known();
      assert.ok((await hover).tooltip);
    });
  });
});
