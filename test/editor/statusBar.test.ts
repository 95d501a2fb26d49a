import * as assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { connectDriver, type Driver } from './driver';
import { OwnSessions } from './temporarySessions';
import { untilMatches } from './testWindow';
import { until } from './treeRows';

describe('the status bar', function () {
  let driver: Driver, own: OwnSessions;
  before(async () => {
    driver = await connectDriver();
    own = await OwnSessions.make();
  });
  after(async () => {
    await own.remove();
    await driver.close();
  });

  it('counts the running sessions of the folder, and goes to one', async function () {
    if (process.platform !== 'linux') this.skip();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
    const path = await own.put('running', session({ cwd: folder, id: 'running-one' }).user('Still at work').text());
    const file = await open(path, 'r');
    const holder = spawn('sleep', ['60'], { stdio: ['ignore', file.fd, 'ignore'] });
    await file.close();
    try {
      const item = driver.page.locator('.statusbar-item[id*="sessionTree.running"]:visible a');
      await item.waitFor();
      await untilMatches(async () => (await item.getAttribute('aria-label')) ?? '', /running session.*Still at work/);
      await item.click();
      await driver.pick('Still at work');
      await until('its context', () =>
        Promise.resolve(vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes('Still at work') === true),
      );
    } finally {
      holder.kill();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });
});
