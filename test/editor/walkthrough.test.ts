import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { connectDriver, type Driver } from './driver';

const PAGE = '.gettingStartedContainer';

describe('the walkthrough', () => {
  let driver: Driver;
  before(async () => {
    driver = await connectDriver();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await driver.close();
  });

  it('has not opened by itself in the tests, and shows its steps and pictures when asked', async () => {
    assert.equal(await driver.page.locator(`${PAGE}:visible`).count(), 0);
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'pi-session-tree.pi-session-tree#sessionTree.start', false);
    await driver.waitFor(`${PAGE} >> text=Undo any change`);
    // In a narrow page there are no pictures.
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    await driver.click(`${PAGE} >> text=Branch safely`);
    await driver.waitFor(`${PAGE} img[alt^="The context menu of a message"]`);
  });
});
