import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';

describe('the editor', () => {
  it('is a VS Code the extension supports, and the extension is awake @oldest', async () => {
    console.log(`      VS Code ${vscode.version}, Node ${process.versions.node}, ${process.platform}`);
    assert.ok(Number(vscode.version.split('.')[1]) >= 103, vscode.version);

    const extension = vscode.extensions.getExtension('pi-session-tree.pi-session-tree');
    assert.ok(extension, 'the extension is not there');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
describe('explore', () => {
  it('cdp', async () => {
    const t0 = Date.now();
    const { chromium } = require(join(__dirname, '../../../test/host/node_modules/playwright-core'));
    const browser = await chromium.connectOverCDP(process.env.PST_DRIVER);
    console.log('connect', Date.now() - t0, browser.contexts().length, browser.contexts()[0].pages().map((p: any) => p.url()));
    const page = browser.contexts()[0].pages().find((p: any) => p.url().startsWith('http'));
    const panel = vscode.window.createWebviewPanel('some.type', 'The Title', vscode.ViewColumn.One, { enableScripts: true });
    panel.webview.html = '<!doctype html><html><head><title>inner title</title></head><body><h1>Hi there</h1><button onclick="this.textContent=\'clicked\'">press</button></body></html>';
    await page.waitForSelector('iframe.webview.ready');
    console.log('ready', Date.now() - t0);
    for (let i=0;i<2;i++) {
    for (const f of page.frames()) { const el = f.parentFrame() && await f.frameElement(); console.log(f.name(), f.url().slice(0, 300), el && await el.evaluate((e: any) => e.outerHTML.slice(0,600))); }
    await page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('h1').waitFor();
    }
    await page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('button').click();
    console.log(await page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('body').innerText());
    await page.screenshot({ path: '/tmp/shot.png' });
    console.log('done', Date.now() - t0);
    await browser.close();
    console.log('closed', Date.now() - t0);
    const b2 = await chromium.connectOverCDP(process.env.PST_DRIVER);
    console.log(b2.contexts()[0].pages().length);
    await b2.contexts()[0].pages()[0].screenshot({ path: '/tmp/shot2.png' });
    await b2.close();
  });
});
