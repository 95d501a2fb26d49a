import assert from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { entryId, session } from '../fixtures/build';
import { connectDriver, type Driver } from './driver';
import { linesOf, OwnSessions } from './temporarySessions';
import { menuTexts } from './menus';
import { showClosed, tallWindow, until, usualWindow } from './treeRows';

const LIST = '.part.sidebar .pane:has(.pane-header[aria-label^="Labels"]) .monaco-list';
const ROW = `${LIST} .monaco-list-row`;

describe('the labels view', function () {
  let driver: Driver;
  let own: OwnSessions;
  let path: string;
  before(async () => {
    driver = await connectDriver();
    await tallWindow(driver);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await usualWindow(driver);
    await driver.close();
  });
  beforeEach(async () => {
    own = await OwnSessions.make();
    // The newest rows come first, and the view shows only a few.
    const at = (ago: number) => ({ timestamp: new Date(Date.now() - ago).toISOString() });
    const lines = session({ cwd: own.cwd })
      .user('Where to?')
      .assistant('There')
      .label(entryId(1), 'a crossing', at(2000))
      .label(entryId(2), 'an answer', at(1000));
    path = await own.put('labeled', lines);
    await showClosed(driver);
    await vscode.commands.executeCommand('sessionTree.labels.focus');
    // Those of the test before are gone, so that no row moves under the pointer.
    const expected = [basename(own.cwd), 'an answer', 'a crossing', 'webshop'].join();
    await until('its labels', async () => (await labels()).slice(0, 4).join() === expected);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('notifications.clearAll');
    await own.remove();
    // The hover of a row would cover the header.
    await driver.awayFromRows();
    await driver.click('.part.sidebar .pane-header[aria-expanded="true"] >> text=Labels');
  });

  const labels = async (): Promise<string[]> => (await driver.texts(`${ROW} .label-name`)).map((text) => text.replaceAll('\u00a0', ' '));
  const rowOf = (label: string): string => `${ROW} >> text=${label}`;
  const selectedSession = async (): Promise<string> =>
    (await driver.texts('.part.sidebar .monaco-list-row.selected')).join().replaceAll('\u00a0', ' ');

  it('lists the labels of all sessions by project, the newest first, and opens one', async () => {
    assert.deepEqual((await labels()).slice(0, 4), [basename(own.cwd), 'an answer', 'a crossing', 'webshop']);
    await driver.click(rowOf('a crossing'));
    await until('the entry', async () => (await selectedSession()).includes('Where to?'));
  });

  it('renames the selected label from the keyboard, like the ordinary command', async () => {
    await driver.click(rowOf('a crossing'));
    await until('its entry', async () => (await selectedSession()).includes('Where to?'));
    await driver.find(rowOf('a crossing')).click();
    await until('the focus', async () => (await driver.texts(`${LIST}:focus-within .monaco-list-row.focused`)).join().includes('crossing'));
    await driver.press('F2');
    await until('what it is', async () => (await driver.find('.quick-input-widget input').inputValue()) === 'a crossing');
    await driver.press('Control+A');
    await driver.type('the crossing');
    await driver.press('Enter');
    await until('its new name', async () => (await labels()).includes('the crossing') && !(await labels()).includes('a crossing'));
    assert.deepEqual((await linesOf(path)).at(-1)?.['label'], 'the crossing');
    assert.deepEqual((await linesOf(path)).at(-1)?.['targetId'], entryId(1));
  });

  it('clears a label from the keyboard, which goes on beside it', async () => {
    const isFocused = async (label: string): Promise<boolean> =>
      (await driver.texts(`${LIST}:focus-within .monaco-list-row.focused`)).join().replaceAll('\u00a0', ' ').includes(label);
    await driver.click(rowOf('an answer'));
    await until('its entry', async () => (await selectedSession()).includes('There'));
    await driver.find(rowOf('an answer')).click();
    await until('the focus', () => isFocused('an answer'));
    await driver.press('Delete');
    await until('the focus on the next one', async () => !(await labels()).includes('an answer') && (await isFocused('a crossing')));
  });

  it('clears a label with the button of its row, and restores it', async () => {
    await driver.find(rowOf('an answer')).hover();
    await driver.click(`${ROW}:has-text("an answer") .action-label[aria-label^="Clear Label"]`);
    await until('it goes', async () => !(await labels()).includes('an answer'));
    assert.ok(!('label' in (await linesOf(path)).at(-1)!));
    await driver.click('.notification-toast >> text=Undo');
    await until('it comes back', async () => (await labels()).includes('an answer'));
  });

  it('offers the commands for the entry of a label', async () => {
    const menu = await menuTexts(driver, () => driver.find(rowOf('a crossing')).click({ button: 'right' }));
    for (const entry of ['Show Context', 'Open as Markdown', 'Rename Label…', 'Clear Label', 'Copy Text'])
      assert.ok(menu.includes(entry), entry);
  });

  it('reports that the index was cleared, and fills it again', async () => {
    await vscode.commands.executeCommand('sessionTree.clearIndex', {});
    await until('what was done', async () => (await driver.text('.part.sidebar')).includes('The search index was cleared.'));
    await until('no rows', async () => (await labels()).length === 0);
    await driver.click('.part.sidebar .monaco-button >> text=Rebuild Now');
    await until('its labels', async () => (await labels()).includes('a crossing'));
  });

  it('explains labels if there are none', async () => {
    const folders = ['.pi', '.omp', '.jensen', '.gsd', '.openclaw']
      .map((name) => join(homedir(), name))
      .filter((folder) => existsSync(folder));
    for (const folder of folders) renameSync(folder, `${folder}.aside`);
    try {
      await vscode.commands.executeCommand('sessionTree.refresh');
      await until('the words', async () => (await driver.text('.part.sidebar')).includes('There are no labels yet.'));
      await driver.waitFor('.part.sidebar .monaco-button >> text=Label an Entry…');
    } finally {
      for (const folder of folders) renameSync(`${folder}.aside`, folder);
      await vscode.commands.executeCommand('sessionTree.refresh');
    }
    await until('its labels', async () => (await labels()).includes('a crossing'));
  });

  it('clears with plain arguments, and shows nothing', async () => {
    const answer = await vscode.commands.executeCommand<{ entryId: string }>('sessionTree.clearLabel', { path, entryId: entryId(1) });
    const last = (await linesOf(path)).at(-1)!;
    assert.deepEqual([last['id'], last['targetId'], last['label']], [answer.entryId, entryId(1), undefined]);
    await until('it goes', async () => !(await labels()).includes('a crossing'));
    // The server has no TypeScript of its own, which VS Code may report at any time.
    const toasts = driver.page.locator('.notification-toast').filter({ hasText: /^(?!.*tsserver)/s });
    assert.equal(await toasts.count(), 0);
  });
});
