import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import { driver } from './driver';

describe('the editor', () => {
  it('is a VS Code that the extension supports, and the extension is active @oldest', async () => {
    console.log(`      VS Code ${vscode.version}, Node ${process.versions.node}, ${process.platform}`);
    assert.ok(Number(vscode.version.split('.')[1]) >= 103, vscode.version);

    const extension = vscode.extensions.getExtension('pi-session-tree.pi-session-tree');
    assert.ok(extension, 'the extension is not there');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('shows its window @oldest', async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await driver.waitFor('.part.sidebar .composite.title >> text=/explorer/i');
    assert.ok(statSync(await driver.screenshot('workbench.png')).size > 10_000);
  });

  it('receives keys, and shows their effect', async () => {
    await driver.press('F1');
    await driver.waitFor('.quick-input-widget input');
    await driver.type('Help: About');
    await driver.waitFor('.quick-input-list .monaco-list-row >> text=About');
    await driver.press('Escape');
    await driver.waitFor('.quick-input-widget', { state: 'hidden' });
  });

  it('shows notifications, and a test can answer them', async () => {
    const answer = vscode.window.showInformationMessage('Good evening', 'Undo');
    await driver.click('.notification-toast .monaco-button >> text=Undo');
    assert.equal(await answer, 'Undo');
  });

  it('lets a test read and use a webview', async () => {
    const panel = vscode.window.createWebviewPanel('smoke', 'Smoke', vscode.ViewColumn.One, { enableScripts: true });
    try {
      panel.webview.html = `<!doctype html><p>Good morning</p><button onclick="this.textContent = 'Pressed'">Press</button>`;
      const frame = await driver.frame('Smoke');
      await driver.click('button', frame);
      assert.equal(await driver.text('button', frame), 'Pressed');
      assert.match(await driver.frameText('Smoke'), /Good morning/);
      assert.equal(await driver.evaluate('document.querySelectorAll("p").length', frame), 1);
    } finally {
      panel.dispose();
    }
  });

  it('lists the existing webviews when the requested one is missing', async () => {
    await assert.rejects(driver.frame('Nothing', { timeout: 100 }), /No webview "Nothing"/);
  });
});
