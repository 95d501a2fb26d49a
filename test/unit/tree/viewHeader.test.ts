import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as headerModule from '../../../src/tree/view/viewHeader';
import type { ViewSettings } from '../../../src/tree/view/viewSettings';
import type { Root } from '../../../src/core/index';
import { fakeEditor, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';

describe('The view’s header', () => {
  const folder = testFolder();
  const settings: ViewSettings = { filter: 'default', program: 'all', hideEmpty: true, hideSubagents: false, worktreeLevel: false };
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
      header.updateDescription({ ...settings, workspaceOnly: false });
      return view.description;
    });
    assert.deepEqual(shown, [undefined, '0 of 60 read', '59 of 60 read', '', '']);
    assert.deepEqual(editor.executed, [
      ['setContext', 'sessionTree.reading', true],
      ['setContext', 'sessionTree.reading', false],
    ]);
  });

  it('shows the filter and the program that are set', () => {
    header.updateDescription({ ...settings, filter: 'user-only', program: 'omp', workspaceOnly: true });
    assert.equal(view.description, 'This Workspace · Your Messages · oh-my-pi');
    header.updateDescription({ ...settings, workspaceOnly: false, unfinishedOnly: true, unfinished: 3 });
    assert.equal(view.description, '3 unfinished · Unfinished Only');
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
