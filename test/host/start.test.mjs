// What a newcomer does first.
/* global afterEach, beforeEach, describe, it */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowser } from './browser.mjs';
import { spawnBound } from './processes.mjs';

describe('npm start', function () {
  this.timeout(60_000);
  let browser, profile, started;
  beforeEach(async () => {
    profile = await mkdtemp(join(tmpdir(), 'pst-start-'));
    browser = await launchBrowser(profile);
  });
  afterEach(async () => {
    started?.kill();
    await browser.context.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });

  it('prints the address of a VS Code with the sample sessions, and Ctrl-C leaves nothing behind', async () => {
    started = spawnBound(process.execPath, [join(import.meta.dirname, 'start.mjs'), '--browser', '--sample', '--no-open'], { env: process.env, stdio: ['ignore', 'pipe', 'inherit'] });
    const address = await printedAddress(started);
    const { origin, searchParams } = new URL(address);

    assert.equal((await fetch(origin)).status, 403, 'without the token nobody gets in');

    const page = browser.context.pages()[0];
    await page.goto(address);
    await page.locator('.part.activitybar').getByRole('tab', { name: 'Session Tree' }).waitFor();

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
