import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFile, open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { atEnd, changeSetting } from './replacements';
import { rows } from './treeRows';
import { eventually, untilMatches } from './waiting';

describe('the status bar', function () {
  editorSuite();

  it('counts the running sessions of the folder, and goes to one', async function () {
    if (process.platform !== 'linux') this.skip();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
    const path = await own.put('running', session({ cwd: folder, id: 'running-one' }).user('Still at work').text());
    const file = await open(path, 'r');
    const holder = spawn('sleep', ['60'], { stdio: ['ignore', file.fd, 'ignore'] });
    await file.close();
    atEnd(() => holder.kill());
    const item = driver.page.locator('.statusbar-item[id*="sessionTree.running"]:visible a');
    await item.waitFor();
    await untilMatches(async () => (await item.getAttribute('aria-label')) ?? '', /running session.*Still at work/);
    await item.click();
    await driver.pick('Still at work');
    await eventually('its context', () => vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes('Still at work') === true);
  });

  it('and the view’s icon count those that need input: a program has them, and their last answer is complete', async function () {
    if (process.platform !== 'linux') this.skip();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder is open');
    const talk = session({ cwd: folder, id: 'waiting-one' }).user('Still at work').tool('bash', { command: 'ls' }, 'a');
    const path = await own.put('waiting', talk);
    const file = await open(path, 'r');
    const holder = spawn('sleep', ['60'], { stdio: ['ignore', file.fd, 'ignore'] });
    await file.close();
    const badge = driver.page.locator('.activitybar .action-item:has([aria-label^="Pi Session Tree"])');
    const item = driver.page.locator('.statusbar-item[id*="sessionTree.running"]:visible a');
    const spoken = async (): Promise<string> => (await item.getAttribute('aria-label')) ?? '';
    const row = async (): Promise<string> => (await rows()).find(({ name }) => name === 'Still at work')?.spoken ?? '';
    atEnd(() => holder.kill());
    await run('revealSession', { path });
    await untilMatches(row, /^Still at work, session, Running: sleep \(PID \d+\), (?!needs input)/);
    await untilMatches(spoken, /Still at work(?! · needs input)/);
    await appendFile(path, `${talk.assistant('What next?').lines().at(-1)}\n`);
    await untilMatches(row, /^Still at work, session, Running: sleep \(PID \d+\), needs input,/);
    await untilMatches(spoken, /Still at work · needs input/);
    await untilMatches(async () => (await badge.locator('.badge-content').textContent()) ?? '', /^1$/);
    await driver.screenshot('needs-input.png');
    await changeSetting('sessionTree.badge', false);
    await eventually('no badge', async () => !(await badge.locator('.badge').isVisible()));
  });
});
