import assert from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { entryId, session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { menuTexts } from './menus';
import { linesOf } from './temporarySessions';
import { showClosed } from './treeRows';
import { eventually } from './waiting';

const LIST = '.part.sidebar .pane:has(.pane-header[aria-label^="Labels"]) .monaco-list';
const ROW = `${LIST} .monaco-list-row`;

describe('the labels view', function () {
  editorSuite({ tall: true });
  let path: string;
  beforeEach(async () => {
    // The newest rows come first, and the view shows only a few.
    const at = (ago: number) => ({ timestamp: new Date(Date.now() - ago).toISOString() });
    const lines = session({ cwd: own.cwd })
      .user('Where to?')
      .assistant('There')
      .label(entryId(1), 'a crossing', at(2000))
      .label(entryId(2), 'an answer', at(1000));
    path = await own.put('labeled', lines);
    await showClosed();
    await vscode.commands.executeCommand('sessionTree.labels.focus');
    // Those of the test before are gone, so that no row moves under the pointer.
    const expected = [basename(own.cwd), 'an answer', 'a crossing', 'webshop'].join();
    await eventually('its labels', async () => (await labels()).slice(0, 4).join() === expected);
  });
  afterEach(async () => {
    // The hover of a row would cover the header.
    await driver.awayFromRows();
    await driver.click('.part.sidebar .pane-header[aria-expanded="true"] >> text=Labels');
  });

  const labels = async (): Promise<string[]> => (await driver.texts(`${ROW} .label-name`)).map((text) => text.replaceAll('\u00a0', ' '));
  const rowOf = (label: string): string => `${ROW} >> text=${label}`;
  const selectedSession = (): Promise<string> => driver.plainText('.part.sidebar .monaco-list-row.selected');

  it('lists the labels of all sessions by project, the newest first, and opens one', async () => {
    assert.deepEqual((await labels()).slice(0, 4), [basename(own.cwd), 'an answer', 'a crossing', 'webshop']);
    await driver.click(rowOf('a crossing'));
    await eventually('the entry', async () => (await selectedSession()).includes('Where to?'));
  });

  it('renames the selected label from the keyboard, like the ordinary command', async () => {
    await driver.click(rowOf('a crossing'));
    await eventually('its entry', async () => (await selectedSession()).includes('Where to?'));
    await driver.find(rowOf('a crossing')).click();
    await eventually('the focus', async () =>
      (await driver.texts(`${LIST}:focus-within .monaco-list-row.focused`)).join().includes('crossing'),
    );
    await driver.press('F2');
    await eventually('what it is', async () => (await driver.find('.quick-input-widget input').inputValue()) === 'a crossing');
    await driver.press('Control+A');
    await driver.type('the crossing');
    await driver.press('Enter');
    await eventually('its new name', async () => (await labels()).includes('the crossing') && !(await labels()).includes('a crossing'));
    assert.deepEqual((await linesOf(path)).at(-1)?.['label'], 'the crossing');
    assert.deepEqual((await linesOf(path)).at(-1)?.['targetId'], entryId(1));
  });

  it('clears a label from the keyboard, which goes on beside it', async () => {
    const isFocused = async (label: string): Promise<boolean> =>
      (await driver.plainText(`${LIST}:focus-within .monaco-list-row.focused`)).includes(label);
    await driver.click(rowOf('an answer'));
    await eventually('its entry', async () => (await selectedSession()).includes('There'));
    await driver.find(rowOf('an answer')).click();
    await eventually('the focus', () => isFocused('an answer'));
    await driver.press('Delete');
    await eventually('the focus on the next one', async () => !(await labels()).includes('an answer') && (await isFocused('a crossing')));
  });

  it('clears a label with the button of its row, and restores it', async () => {
    await driver.find(rowOf('an answer')).hover();
    await driver.click(`${ROW}:has-text("an answer") .action-label[aria-label^="Clear Label"]`);
    await eventually('it goes', async () => !(await labels()).includes('an answer'));
    assert.ok(!('label' in (await linesOf(path)).at(-1)!));
    await driver.click('.notification-toast >> text=Undo');
    await eventually('it comes back', async () => (await labels()).includes('an answer'));
  });

  it('offers the commands for the entry of a label', async () => {
    const menu = await menuTexts(() => driver.find(rowOf('a crossing')).click({ button: 'right' }));
    for (const entry of ['Show Context', 'Open as Markdown', 'Rename Label…', 'Clear Label', 'Copy Text'])
      assert.ok(menu.includes(entry), entry);
  });

  it('reports that the index was cleared, and fills it again', async () => {
    await run('clearIndex', {});
    await eventually('what was done', async () => (await driver.text('.part.sidebar')).includes('The search index was cleared.'));
    await eventually('no rows', async () => (await labels()).length === 0);
    await driver.click('.part.sidebar .monaco-button >> text=Rebuild Now');
    await eventually('its labels', async () => (await labels()).includes('a crossing'));
  });

  it('explains labels if there are none', async () => {
    const folders = ['.pi', '.omp', '.jensen', '.gsd', '.openclaw']
      .map((name) => join(homedir(), name))
      .filter((folder) => existsSync(folder));
    for (const folder of folders) renameSync(folder, `${folder}.aside`);
    try {
      await run('refresh');
      await eventually('the words', async () => (await driver.text('.part.sidebar')).includes('There are no labels yet.'));
      await driver.waitFor('.part.sidebar .monaco-button >> text=Label an Entry…');
    } finally {
      for (const folder of folders) renameSync(`${folder}.aside`, folder);
      await run('refresh');
    }
    await eventually('its labels', async () => (await labels()).includes('a crossing'));
  });

  it('clears with plain arguments, and shows nothing', async () => {
    const answer = await run<{ entryId: string }>('clearLabel', { path, entryId: entryId(1) });
    const last = (await linesOf(path)).at(-1)!;
    assert.deepEqual([last['id'], last['targetId'], last['label']], [answer.entryId, entryId(1), undefined]);
    await eventually('it goes', async () => !(await labels()).includes('a crossing'));
    // The server has no TypeScript of its own, which VS Code may report at any time.
    const toasts = driver.page.locator('.notification-toast').filter({ hasText: /^(?!.*tsserver)/s });
    assert.equal(await toasts.count(), 0);
  });
});
