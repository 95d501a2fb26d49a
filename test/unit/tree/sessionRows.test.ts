import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UntrustedPaths, type ListedSession } from '../../../src/core/index';
import { DEFAULT_ARRANGEMENT } from '../../../src/tree/projects/arrangement';
import type * as sessionRowsModule from '../../../src/tree/view/sessionRows';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { file } from './storedFiles';

const { SessionRows } = loadWithVscode(
  join(__dirname, '../../../src/tree/view/sessionRows.js'),
  fakeEditor().api,
) as typeof sessionRowsModule;

describe('The rows of the Sessions view', () => {
  let files: Map<string, ListedSession>;
  let rows: sessionRowsModule.SessionRows;
  let fired: number;
  /** Called when the stored rows are known. */
  let known: () => void;
  /** Called if they can't be looked for. */
  let fail: (error: Error) => void;

  beforeEach(() => {
    files = new Map();
    fired = 0;
    const rowsKnown = new Promise<void>((resolve, reject) => ([known, fail] = [resolve, reject]));
    const disk = { realpath: (path: string) => Promise.resolve(path), stat: () => Promise.reject(new Error('It is missing.')) };
    rows = new SessionRows({
      store: { files: () => files } as never,
      named: new UntrustedPaths({ disk }),
      rowsKnown: () => rowsKnown,
      cost: () => undefined,
      isPinned: () => false,
      needsInput: () => false,
      settings: () => ({ filter: 'default', program: 'all', hideEmpty: true }),
      arrangement: () => DEFAULT_ARRANGEMENT,
      state: { get: () => undefined, update: () => Promise.resolve() } as never,
      isVisible: () => true,
      onGroups: () => undefined,
      presence: () => undefined,
      pendingChanges: () => [],
      onError: (error) => assert.fail(String(error)),
    });
    rows.onDidChangeTreeData(() => fired++);
  });
  afterEach(() => rows.dispose());

  function put(path: string): void {
    files.set(path, file(path, '/w', files.size));
    rows.regroup([path]);
  }

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
});
