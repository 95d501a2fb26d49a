import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import type { UsageSum } from '../../src/core/index';
import { session } from '../fixtures/build';
import { until } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { atEnd } from './replacements';
import { eventually } from './waiting';

/** Chooses a range of days, as a person does. */
const choose = (name: string): string => `(() => {
  const range = document.querySelector('select');
  range.value = '${name}';
  range.dispatchEvent(new Event('change'));
})()`;

const between = (first: string, last: string): string => `(() => {
  const [from, to] = document.querySelectorAll('input');
  [from.value, to.value] = ['${first}', '${last}'];
  to.dispatchEvent(new Event('change'));
})()`;

/** What is wider than its place, once the page has got its size. */
const tooWide = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(
  [document.documentElement, ...document.querySelectorAll('.wide')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ className, scrollWidth }) => [className, scrollWidth])))))`;

/** Where the heading of shares and a share end, and the costs in the first two tables. */
const ends = `(() => {
  const end = (selector) => {
    const text = document.createRange();
    text.selectNodeContents(document.querySelector(selector).firstChild);
    return Math.round(text.getBoundingClientRect().right);
  };
  const costs = [...document.querySelectorAll('table')].slice(0, 2).map((table) => table.querySelector('td').getBoundingClientRect().right);
  return [end('thead th:nth-child(3)'), end('tbody td:nth-child(3)'), ...costs];
})()`;

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
    // The sessions of tests are from January.
    await driver.evaluate(choose('all'), frame);
    await until(frame, `document.body.innerText.includes('$7.50')`);
    const text = (await driver.evaluate('document.body.innerText', frame)) as string;
    assert.match(text, /anthropic\/\[x\]\(https:\/\/e\.example\)\s+\$7\.50/);
    assert.equal(await driver.evaluate(`document.querySelector('main a, main img, main script') === null`, frame), true);
    // The page's policy lets its style sheet apply.
    assert.equal(await driver.evaluate(`getComputedStyle(document.querySelector('td')).textAlign`, frame), 'end');
    // Names of sessions don't take many lines beside wide headings of numbers, and those of the chart are as large as other text.
    assert.ok(Number(await driver.evaluate(`document.querySelector('tbody th').clientWidth`, frame)) >= 234);
    await driver.screenshot('usage.png');
    // Names stay legible in a narrow window.
    await driver.page.setViewportSize({ width: 640, height: 800 });
    await eventually('a narrow page', async () => Number(await driver.evaluate('innerWidth', frame)) < 400);
    assert.ok(
      Number(await driver.evaluate(`Math.min(...Array.from(document.querySelectorAll('tbody th'), (name) => name.clientWidth))`, frame)) >
        100,
    );
    // There each number is beside the name of its column.
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    atEnd(() => vscode.commands.executeCommand('workbench.view.explorer'));
    await driver.page.setViewportSize({ width: 358, height: 800 });
    await eventually('a page of 300 pixels', async () => Number(await driver.evaluate('innerWidth', frame)) < 310);
    await until(frame, `document.querySelector('main').className === 'narrow'`);
    assert.equal(await driver.evaluate('document.documentElement.scrollWidth <= innerWidth', frame), true);
    assert.ok(Number(await driver.evaluate(`document.querySelector('.days span').getBoundingClientRect().height`, frame)) > 12);
    const narrow = `(() => {
      const tables = [...document.querySelectorAll('.wide')];
      const cells = [...tables[0].querySelectorAll('tbody tr:first-child td')];
      return [tables.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
        cells.map((cell) => JSON.parse(getComputedStyle(cell, '::before').content.split(' / ')[0])).slice(0, 2)];
    })()`;
    assert.deepEqual(await driver.evaluate(narrow, frame), [0, ['Cost', 'Share']]);
    await driver.screenshot('usage-narrow.png');
    // With more room, all columns of a compared range fit, too.
    await driver.evaluate(between('2026-01-01', '2026-01-31'), frame);
    await until(frame, `document.querySelector('main h2 + .legend + .wide') !== null`);
    for (const width of [700, 850, 950, 1150]) {
      await driver.page.setViewportSize({ width, height: 800 });
      await eventually('the width', async () => Math.abs(width - Number(await driver.evaluate('innerWidth', frame))) < 70);
      assert.deepEqual(await driver.evaluate(tooWide, frame), [], `${width} pixels`);
    }
    // Percentages end where their heading does, and costs end at the same place in both tables.
    const [heading, share, ...costs] = (await driver.evaluate(ends, frame)) as number[];
    assert.equal(heading, share);
    assert.ok(Math.abs((costs[0] ?? 0) - (costs[1] ?? 0)) <= 4, costs.join());
    await driver.screenshot('usage-compared.png');
  });

  it('leads from a number to the turns behind it by keyboard, in all themes without a finding of axe', async () => {
    const usage = { input: 1000, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 1010, cost: { total: 3 } };
    const path = await own.put(
      'turns',
      session({ cwd: own.cwd })
        .user('Spend it')
        .assistant('Spent.', { message: { usage, model: 'turning' } }),
    );
    await eventually('the sum', async () => (await run<UsageSum[]>('usage', { by: 'session' })).some(({ key }) => key === path));
    await run('usage');
    const frame = await driver.frame('Usage');
    await driver.evaluate(choose('all'), frame);
    await until(frame, `document.body.innerText.includes('turning')`);
    const axe = await readFile(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
    atEnd(() => vscode.workspace.getConfiguration('workbench').update('colorTheme', undefined, vscode.ConfigurationTarget.Global));
    for (const theme of ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast', 'Default High Contrast Light']) {
      await vscode.workspace.getConfiguration('workbench').update('colorTheme', theme, vscode.ConfigurationTarget.Global);
      const names = JSON.stringify([theme, theme.replace('Default ', '')]);
      await until(frame, `${names}.includes(document.body.dataset.vscodeThemeId)`);
      await driver.evaluate(axe, frame);
      const found =
        'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))';
      assert.deepEqual(await driver.evaluate(found, frame), [], theme);
      await driver.screenshot(`usage-${theme.replaceAll(' ', '-')}.png`);
    }
    const button = `[data-by="model"][data-key="anthropic/turning"] button`;
    await driver.evaluate(`document.querySelector('${button}').focus()`, frame);
    await driver.press('Enter');
    await until(frame, `document.activeElement.textContent === 'Sessions: anthropic/turning'`);
    await driver.press('Tab');
    await driver.press('Enter');
    await until(frame, `document.activeElement.textContent.startsWith('Turns: Spend it')`);
    await driver.screenshot('usage-turns.png');
    await driver.press('Tab');
    await driver.press('Enter');
    await driver.waitFor('article >> text=Spend it', {}, await driver.frame('Session context'));
    await run('usage');
    const again = await driver.frame('Usage');
    await driver.waitFor('button >> text=Back', {}, again);
    await driver.click('button >> text=Back', again);
    await until(again, `document.querySelector('h2').textContent === 'Sessions: anthropic/turning'`);
  });
});
