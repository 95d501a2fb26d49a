import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { driver } from './driver';

const PAGE = '.gettingStartedContainer';

describe('the walkthrough', () => {
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('has not opened by itself in the tests, and shows its steps and pictures when asked', async () => {
    assert.equal(await driver.page.locator(`${PAGE}:visible`).count(), 0);
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'pi-session-tree.pi-session-tree#sessionTree.start', false);
    await driver.waitFor(`${PAGE} >> text=Export without secrets`);
    // In a narrow page there are no pictures.
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    await driver.click(`${PAGE} >> text=Go back safely`);
    await driver.waitFor(`${PAGE} img[alt^="The context menu of a message"]`);
  });
});
