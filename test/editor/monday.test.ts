import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own } from './editorSuite';
import { rows, showClosed } from './treeRows';
import { eventually } from './waiting';

const DAY = 24 * 60 * 60 * 1000;
const INPUT = '.quick-input-widget:visible input[type="text"]:focus';
const ROWS = '.quick-input-list .monaco-list-row';

const at = (days: number) => ({ message: { timestamp: Date.now() - days * DAY } });

describe('Monday morning', function () {
  editorSuite({ tall: true });

  afterEach(async () => {
    await vscode.commands.executeCommand('sessionTree.clearFilters');
  });

  it('finds the bug three weeks ago by a date and two vague words of different messages', async () => {
    const texts = ['Water drips from the ceiling again', 'The pump of the heating leaks.'] as const;
    await own.put('old', session({ cwd: own.cwd, id: 'old' }).user(texts[0], at(21)).assistant(texts[1], at(21)));
    await own.put('new', session({ cwd: own.cwd, id: 'new' }).user(`New: ${texts[0]}`, at(1)).assistant(texts[1], at(1)));
    await showClosed();
    void vscode.commands.executeCommand('sessionTree.search');
    await driver.waitFor(INPUT);
    await driver.find('.quick-input-widget:visible input').fill('after:4w before:2w ceiling pump');
    await eventually('the old session alone', async () => {
      const found = (await driver.texts(ROWS)).join('\n');
      return found.includes('‹pump›') && !found.includes('New:') && (await driver.texts(ROWS)).length === 1;
    });
    assert.match((await driver.texts('.quick-input-title')).join(), / · since .+ · before .+/);
    assert.doesNotMatch((await driver.texts(ROWS)).join(), /since|before/, 'the result has its room for itself');
    await driver.press('Enter');
    await eventually('its context', async () =>
      (await driver.texts('.tabs-container .tab')).some((tab) => tab.includes('Water drips from the ceiling')),
    );
  });

  it('lists what is unfinished in one step, with the reason in words', async () => {
    await own.put('asks', session({ cwd: own.cwd, id: 'asks' }).user('Paint it', at(2)).assistant('Shall I also paint the door?', at(2)));
    await own.put('done', session({ cwd: own.cwd, id: 'done' }).user('Sweep it', at(2)).assistant('The floor is swept.', at(2)));
    await showClosed();
    const named = async (): Promise<string[]> => (await rows()).map(({ name }) => name);
    assert.ok(!(await named()).includes('Paint it'), 'its project is collapsed');
    await driver.find('.pane-header[aria-label^="Sessions"]').hover();
    await driver.click('.pane-header .action-label[aria-label="Show Unfinished Only"]');
    await eventually('the unfinished one', async () => (await named()).includes('Paint it'));
    assert.match((await rows()).find(({ name }) => name === 'Paint it')?.spoken ?? '', /asks you/i);
    assert.ok(!(await named()).includes('Sweep it'));
    await driver.click('.pane-header .action-label[aria-label="Show Finished Sessions, Too"]');
    await eventually('its project collapsed again', async () => !(await named()).includes('Paint it'));
  });
});
