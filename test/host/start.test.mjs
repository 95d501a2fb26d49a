// The first steps of a newcomer.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './browser.mjs';
import { exitOnSignals, spawnBound } from './processes.mjs';
import { temporaryFolder } from './temporary.mjs';

exitOnSignals();

describe('npm start', function () {
  this.timeout(240_000);
  let browser, profile, started;
  beforeEach(async () => {
    profile = temporaryFolder();
    browser = await launchBrowser(profile.path);
  });
  afterEach(async () => {
    started?.kill();
    await started?.ended;
    await browser.context.close();
    profile.remove();
  });

  it('prints the address of a VS Code with the sample sessions, and Ctrl-C leaves nothing behind', async () => {
    const args = [join(import.meta.dirname, 'start.mjs'), '--browser', '--sample', '--no-open'];
    started = spawnBound(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }, 'SIGTERM');
    const address = await printedAddress(started);
    const { origin, searchParams } = new URL(address);

    assert.equal((await fetch(origin)).status, 403, 'without the token nobody gets in');

    const page = browser.context.pages()[0];
    await page.goto(address);
    await page.locator('.sidebar .monaco-list-row.selected', { hasText: 'Fix the flaky checkout test' }).waitFor();
    const context = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await context.locator('article').first().waitFor();
    for (const inTheWay of ['.notification-toast', '.monaco-dialog-box', '.part.banner']) {
      assert.equal(await page.locator(`${inTheWay}:visible`).count(), 0, inTheWay);
    }
    assert.equal(await page.getByText('Restricted Mode').count(), 0);

    started.child.kill('SIGINT');
    assert.equal((await started.ended).code, 130);
    await assert.rejects(fetch(origin), 'the server still answers');
    assert.equal(existsSync(searchParams.get('folder')), false, 'the samples are still there');
  });
});

async function printedAddress({ child, ended }) {
  let output = '';
  return await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      output += data;
      const found = /^http:\S+$/m.exec(output);
      if (found) resolve(found[0]);
    });
    void ended.then(({ why }) => reject(new Error(`npm start ended (${why}):\n${output}`)));
  });
}
