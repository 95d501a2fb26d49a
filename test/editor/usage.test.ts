import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { UsageSum } from '../../src/core/index';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { atEnd } from './replacements';
import { eventually } from './waiting';

describe('The usage of all sessions', () => {
  editorSuite();

  it('is a page with the costs by day, project and model, in which names are text', async () => {
    const usage = { input: 1000, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 1010, cost: { total: 7.5 } };
    const model = '[x](https://e.example)';
    await own.put('costly', session({ cwd: own.cwd }).user('Spend').assistant('Spent.', { message: { usage, model } }));
    await eventually('the sums', async () => {
      const sums = await run<UsageSum[]>('usage', { by: 'project' });
      return sums.find(({ key }) => key === own.cwd)?.cost === 7.5;
    });
    await run('usage');
    const frame = await driver.frame('Usage');
    await driver.waitFor('h2 >> text=By Model', {}, frame);
    const text = (await driver.evaluate('document.body.innerText', frame)) as string;
    assert.match(text, /anthropic\/\[x\]\(https:\/\/e\.example\)\s+\$7\.50/);
    assert.equal(await driver.evaluate(`document.querySelector('body a, body img, script') === null`, frame), true);
    // The page's policy lets its style sheet apply.
    assert.equal(await driver.evaluate(`getComputedStyle(document.querySelector('td')).textAlign`, frame), 'end');
    await driver.screenshot('usage.png');
    // Names stay legible in a narrow window.
    await driver.page.setViewportSize({ width: 640, height: 800 });
    await eventually('a narrow page', async () => Number(await driver.evaluate('innerWidth', frame)) < 400);
    assert.ok(
      Number(await driver.evaluate(`Math.min(...Array.from(document.querySelectorAll('tbody th'), (name) => name.clientWidth))`, frame)) >
        100,
    );
    // There the tables scroll, not the page, and the names stay beside the numbers.
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    atEnd(() => vscode.commands.executeCommand('workbench.view.explorer'));
    await driver.page.setViewportSize({ width: 358, height: 800 });
    await eventually('a page of 300 pixels', async () => Number(await driver.evaluate('innerWidth', frame)) < 310);
    assert.equal(await driver.evaluate('document.documentElement.scrollWidth <= innerWidth', frame), true);
    const places = `(() => {
      const table = document.querySelector('table');
      const [name, last] = [table.querySelector('tbody th'), table.querySelector('tbody td:last-child')];
      const from = name.getBoundingClientRect().left;
      table.parentElement.scrollLeft = 10_000;
      return [name.getBoundingClientRect().left - from, last.getBoundingClientRect().right <= innerWidth];
    })()`;
    assert.deepEqual(await driver.evaluate(places, frame), [0, true]);
    await driver.screenshot('usage-narrow.png');
  });
});
