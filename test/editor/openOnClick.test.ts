import { basename } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own } from './editorSuite';
import { changeSetting } from './replacements';
import { open, row, rows, showClosed } from './treeRows';
import { eventually, untilEqual } from './waiting';

describe('a click on a session', () => {
  editorSuite();
  beforeEach(async () => {
    for (const name of ['apples', 'pears'])
      await own.put(name, session({ cwd: own.cwd }).user(`About ${name}`).assistant(`${name}!`).name(name));
    await showClosed();
    await open(basename(own.cwd));
  });

  const tabs = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
  const expanded = async (name: string): Promise<unknown> => (await rows()).find((one) => one.name === name)?.expanded;
  const focused = (): Promise<string> => driver.plainText('.part.sidebar .monaco-list:focus-within .monaco-list-row.focused');

  it('opens its context as a preview and leaves the focus in the list; its arrow expands it @oldest', async () => {
    await driver.click(row('apples'));
    await untilEqual(tabs, ['apples']);
    await eventually('the focus on its row', async () => (await focused()).includes('apples'));
    await untilEqual(() => expanded('apples'), 'false');
    await driver.click(row('pears'));
    await untilEqual(tabs, ['pears']);
    await open('pears');
    await untilEqual(tabs, ['pears']);
  });

  // The editor expands the row of a double click, too.
  it('keeps the context open if it is a double click', async () => {
    await driver.find(row('apples')).dblclick();
    await untilEqual(tabs, ['apples']);
    await driver.click(row('pears'));
    await untilEqual(tabs, ['apples', 'pears']);
  });

  it('is the same as Enter and Space, and the arrow keys expand and collapse', async () => {
    await driver.click(row('apples'));
    await untilEqual(tabs, ['apples']);
    const names = (await rows()).map(({ name }) => name);
    const isUp = names.indexOf('pears') < names.indexOf('apples');
    for (const [key, arrow, name] of [
      ['Enter', isUp ? 'ArrowUp' : 'ArrowDown', 'pears'],
      ['Space', isUp ? 'ArrowDown' : 'ArrowUp', 'apples'],
    ] as const) {
      await driver.press(arrow);
      await eventually(`the focus on ${name}`, async () => (await focused()).includes(name));
      await driver.press(key);
      await untilEqual(tabs, [name]);
      await untilEqual(() => expanded(name), 'false');
      await driver.press('ArrowRight');
      await untilEqual(() => expanded(name), 'true');
      await driver.press('ArrowLeft');
      await untilEqual(() => expanded(name), 'false');
    }
    // A project has no context, so the same keys expand and collapse it.
    await driver.press('ArrowLeft');
    await eventually('the focus on the project', async () => (await focused()).includes(basename(own.cwd)));
    await driver.press('Space');
    await untilEqual(() => expanded(basename(own.cwd)), 'false');
  });

  it('expands it if the setting says so', async () => {
    await changeSetting('sessionTree.openOnClick', false);
    // Until the rows are drawn again, a click still opens it.
    await eventually('a click expands the row', async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await untilEqual(tabs, []);
      const before = await expanded('apples');
      await driver.click(row('apples'));
      await eventually('the click', async () => tabs().length > 0 || (await expanded('apples')) !== before);
      return (await expanded('apples')) === 'true' && tabs().length === 0;
    });
    await untilEqual(tabs, []);
  });
});
