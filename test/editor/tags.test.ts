import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { rows, showClosed, showProject } from './treeRows';
import { eventually } from './waiting';

const INPUT = '.quick-input-widget:visible input[type="text"]:focus';
const DESCRIPTION = '.part.sidebar .pane-header[aria-label*="Sessions"] .description';

describe('Tags of sessions', function () {
  editorSuite({ tall: true });
  const paths: string[] = [];
  /** Marks stay when the session is gone, so that each test has other sessions. */
  let tests = 0;
  beforeEach(async () => {
    paths.length = 0;
    tests++;
    for (let n = 0; n < 12; n++) {
      const message = { message: { timestamp: Date.UTC(2026, 0, 1, 1, n) } };
      paths.push(await own.put(`s${n}`, session({ cwd: own.cwd, id: `tagged-${tests}-${n}` }).user(`Größe ${n}`, message)));
    }
    await showClosed();
    await showProject();
  });
  afterEach(async () => {
    await run('arrange', { sort: 'modified', group: 'project', tag: '', query: '' });
  });

  const tagged = async (): Promise<string[]> =>
    (await rows()).flatMap(({ name, spoken }) => (spoken.includes('Tags: Käfer 🐛') ? [name] : []));
  /** The number of rows of the test's sessions. Other projects may be expanded. */
  const sessions = async (): Promise<number> => (await rows()).filter(({ name }) => name.startsWith('Größe')).length;

  it('are given to ten sessions by a key, taken back by one undo, and change no file', async () => {
    const before = await Promise.all(paths.map((path) => readFile(path)));
    // Ctrl selects a row without opening it.
    await driver.find('.part.sidebar .monaco-list-row >> text=Größe 11').click({ modifiers: ['Control'] });
    for (let n = 0; n < 9; n++) await driver.press('Shift+ArrowDown');
    await eventually('ten selected rows', async () => (await driver.texts('.part.sidebar .monaco-list-row.selected')).length === 10);
    await driver.press('Shift+Alt+T');
    await driver.waitFor(INPUT);
    await driver.type('#Käfer 🐛');
    await driver.waitFor('.quick-input-list .monaco-list-row >> text=new tag');
    await driver.press('Enter');
    await eventually('ten tagged sessions', async () => (await tagged()).length === 10);
    assert.deepEqual((await tagged()).at(-1), 'Größe 2');
    await driver.screenshot('tagged.png');
    await vscode.commands.executeCommand('sessionTree.sessions.focus');
    await driver.press('Control+Z');
    await eventually('no tagged session', async () => (await tagged()).length === 0);
    assert.deepEqual(await Promise.all(paths.map((path) => readFile(path))), before);
  });

  it('filter the list, which a saved view shows again', async () => {
    await run('tag', { refs: paths.slice(0, 3).map((path) => ({ path })), tag: 'Käfer 🐛' });
    await run('arrange', { tag: 'käfer 🐛', sort: 'name' });
    await eventually('the tagged sessions', async () => (await sessions()) === 3);
    await eventually('the filter above the rows', async () =>
      (await driver.text('.part.sidebar .tree-explorer-viewlet-tree-view')).includes('Filters: #käfer'),
    );
    await run('saveView', { name: 'Käfer' });
    await eventually('the name of the view', async () => (await driver.plainText(DESCRIPTION)).includes('Käfer'));
    await run('arrange', { tag: '', sort: 'modified' });
    await eventually('all sessions', async () => (await sessions()) === 12);
    await vscode.commands.executeCommand('sessionTree.sessions.focus');
    void vscode.commands.executeCommand('sessionTree.applyView');
    await driver.waitFor(INPUT);
    await driver.screenshot('saved-views.png');
    await driver.pick('Käfer');
    await eventually('the tagged sessions', async () => (await sessions()) === 3);
    for (const [name, count] of [
      ['All', 12],
      ['Käfer', 3],
      ['All', 12],
      ['Käfer', 3],
    ] as const) {
      if (name === 'All') await vscode.commands.executeCommand('sessionTree.clearFilters');
      else await run('applyView', { name });
      // The command ends when the rows are current: the window gets its answer after them, and draws them in its next frames.
      await vscode.commands.executeCommand('setContext', 'sessionTree.tested', true);
      await driver.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
      assert.equal(await sessions(), count, name);
    }
    await run('deleteView', { name: 'Käfer' });
    await assert.rejects(
      async () => vscode.commands.executeCommand('sessionTree.applyView', { name: 'Käfer' }),
      (error) => (error as { code?: unknown }).code === 'not-found',
    );
  });

  it('and a search limit the list, which follows the sessions, until the filters are cleared', async () => {
    void vscode.commands.executeCommand('sessionTree.search');
    await driver.waitFor(INPUT);
    await driver.type('größe 3');
    await driver.waitFor('.quick-input-list .monaco-list-row >> text=Größe 3');
    await driver.screenshot('search-to-list.png');
    await driver.find('.quick-input-widget [aria-label="Show These Sessions in the List"]').click();
    await eventually('the session that is found', async () => (await sessions()) === 1);
    await eventually('the search above the rows', async () =>
      (await driver.text('.part.sidebar .tree-explorer-viewlet-tree-view')).includes('Filters: Search: größe 3'),
    );
    await driver.screenshot('listed-search.png');
    const [, , path = ''] = paths;
    await appendFile(path, `${session({ cwd: own.cwd }).user('Größe 2').user('and 3').lines().at(-1)}\n`);
    await eventually('a session that is found since', async () => (await sessions()) === 2);
    await run('saveView', { name: 'Drei' });
    await vscode.commands.executeCommand('sessionTree.clearFilters');
    await eventually('all sessions', async () => (await sessions()) === 12);
    await run('applyView', { name: 'Drei' });
    await eventually('the sessions of the view', async () => (await sessions()) === 2);
    await run('deleteView', { name: 'Drei' });
  });
});
