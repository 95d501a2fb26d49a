import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as headerModule from '../../../src/tree/view/viewHeader';
import type { ViewSettings } from '../../../src/tree/view/stored/viewSettings';
import type { Root } from '../../../src/core/index';
import { fakeEditor, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';

const SHOWN = { workspaceOnly: false, unfinishedOnly: false, unfinished: 0, tag: '', query: '', budget: '' };

describe('The view’s header', () => {
  const folder = testFolder();
  const settings: ViewSettings = {
    filter: 'default',
    program: 'all',
    hideEmpty: true,
    hideSubagents: false,
    worktreeLevel: false,
    showsBadges: true,
    opensOnClick: true,
  };
  let editor: FakeEditor;
  let view: { message: string | undefined; description: string | undefined };
  let reading: headerModule.ReadingProgress;
  let header: headerModule.ViewHeader;
  let problems: unknown[];

  beforeEach(() => {
    editor = fakeEditor();
    const { ViewHeader } = loadWithVscode(join(__dirname, '../../../src/tree/view/viewHeader.js'), editor.api) as typeof headerModule;
    view = { message: undefined, description: undefined };
    reading = { done: 0, total: 0 };
    problems = [];
    header = new ViewHeader(
      view as never,
      () => reading,
      (error) => problems.push(error),
    );
  });

  it('shows progress from 50 files on, until all are read', () => {
    const shown = [
      { done: 0, total: 49 },
      { done: 0, total: 60 },
      { done: 59, total: 60 },
      { done: 60, total: 60 },
      { done: 0, total: 49 },
    ].map((progress) => {
      reading = progress;
      header.updateDescription({ ...settings, ...SHOWN });
      return view.description;
    });
    assert.deepEqual(shown, [undefined, '0 of 60 read', '59 of 60 read', '', '']);
    assert.deepEqual(editor.executed, [
      ['setContext', 'sessionTree.reading', true],
      ['setContext', 'sessionTree.reading', false],
    ]);
  });

  it('offers to refresh beside the title when reading was stopped', () => {
    for (const isStopped of [true, undefined, undefined]) {
      reading = { done: 1, total: 60, ...(isStopped ? { isStopped } : {}) };
      header.updateDescription({ ...settings, ...SHOWN });
    }
    assert.deepEqual(
      editor.executed.filter(([, key]) => key === 'sessionTree.readingStopped').map(([, , value]) => value),
      [true, false],
    );
  });

  it('names above the rows what hides some of them, and has a button then', async () => {
    const roots: readonly Root[] = [{ path: folder.path, dialect: 'pi', flat: false }];
    const says = async (given: Partial<headerModule.ShownSettings>, message: string): Promise<void> => {
      const isChanged = header.updateDescription({ ...settings, ...SHOWN, ...given });
      assert.equal(isChanged, message !== (view.message ?? ''));
      header.updateWelcome({ roots, silent: [], truncated: [] }, 5, 2);
      await until(() => (view.message ?? '') === message);
    };
    await says({}, '');
    await says(
      {
        filter: 'user-only',
        program: 'omp',
        hideSubagents: true,
        workspaceOnly: true,
        unfinishedOnly: true,
        tag: 'bug',
        query: 'after:3w\nfloor',
      },
      'Filters: This Workspace, Unfinished Only, Search: after:3w floor, #bug, oh-my-pi, Your Messages, Without Subagents',
    );
    await says({ filter: 'user-only' }, 'Filters: Your Messages');
    await says({}, '');
    assert.deepEqual(
      editor.executed.filter(([, key]) => key === 'sessionTree.hasFilters').map(([, , value]) => value),
      [true, false],
    );
  });

  it('shows the name of a saved view, a passed budget and unfinished sessions in the title', () => {
    header.updateDescription({ ...settings, ...SHOWN, savedView: 'Bugs' });
    assert.equal(view.description, 'Bugs');
    header.updateDescription({ ...settings, ...SHOWN, unfinished: 3 });
    assert.equal(view.description, '3 unfinished');
    header.updateDescription({ ...settings, ...SHOWN, unfinished: 3, budget: 'Budget: $12.30' });
    assert.equal(view.description, 'Budget: $12.30 · 3 unfinished');
  });

  it('selects the welcome content of an empty view', async () => {
    const roots: readonly Root[] = [{ path: folder.path, dialect: 'pi', flat: false }];
    header.updateWelcome({ roots, silent: [], truncated: [] }, 0, 0);
    await until(() => editor.executed.length > 0);
    assert.deepEqual(editor.executed, [['setContext', 'sessionTree.state', 'noSessions']]);
  });

  it('names silent and truncated folders above the rows, and says that reading was stopped', async () => {
    const root: Root = { path: folder.path, dialect: 'pi', flat: false };
    const silent: Root = { ...root, path: '/session-tree-gone' };
    reading = { done: 1, total: 9, isStopped: true };
    header.updateWelcome({ roots: [root, silent], silent: [silent], truncated: [root] }, 5, 2);
    await until(() => (view.message ?? '') !== '');
    assert.match(view.message!, /A session folder isn’t responding: \/session-tree-gone/);
    assert.match(view.message!, new RegExp(`too many files to list: ${folder.path}`));
    assert.match(view.message!, /Stopped reading sessions \(1 of 9 read\)/);
    assert.equal(problems.length, 1, 'the silent folder is logged');
  });
});
