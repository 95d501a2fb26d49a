import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session, type SessionBuilder } from '../fixtures/build';
import type { Frame } from './playwright';
import { openContext, until, untilStateKept } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { choose } from './menus';
import { eventually, untilEqual } from './waiting';

const talk = (cwd: string): SessionBuilder =>
  session({ cwd })
    .user('Which way?', { id: 'ask' })
    .assistant('Left or right.', { id: 'answer' })
    .user('Left.', { id: 'left' })
    .assistant('A wall.', { id: 'wall' })
    .branchFrom('answer')
    .user('Up.', { id: 'up' })
    .assistant('The sky.', { id: 'sky' })
    .branchFrom('answer')
    .user('Right.', { id: 'right' })
    .assistant('A **door**.', { id: 'door' })
    .user('Open it.', { id: 'open' })
    .compaction('A door was found.', 'open', { id: 'comp' })
    .assistant('It is open.', { id: 'end' })
    .label('door', 'way out', { id: 'tag' })
    .name('Doors');

/** A row of the drawn map. */
interface Row {
  readonly text: string;
  readonly level: number;
  readonly kind: string;
  readonly here: boolean;
}

const ROWS = `[...document.querySelectorAll('[role=tree] [role=treeitem]')].map((row) => ({
  text: row.innerText.replaceAll('\\n', ' | ').replace(/ · [^·]*$/, ''),
  level: Number(row.ariaLevel),
  kind: [...row.classList].find((name) => /^is-(?!current|active)/.test(name)).slice(3),
  here: row.ariaCurrent === 'location',
}))`;

describe('The branch graph of the context view', () => {
  editorSuite();

  const rows = async (frame: Frame): Promise<Row[]> => (await driver.evaluate(ROWS, frame)) as Row[];
  const pictured = async (frame: Frame): Promise<string[]> =>
    (await rows(frame)).map(({ text, level, kind, here }) => `${'  '.repeat(level - 1)}${kind}: ${text}${here ? ' ←' : ''}`);
  const focused = (frame: Frame): Promise<unknown> =>
    driver.evaluate('document.activeElement.querySelector(".branch-text")?.innerText ?? document.activeElement.className', frame);
  const opened = async (ref: object): Promise<Frame> => {
    const frame = await openContext(ref);
    await driver.waitFor('.branch-row', {}, frame);
    return frame;
  };

  it('shows forks, tips, labels, compactions, the leaf and the current entry, as rows and as lines @oldest', async () => {
    const frame = await opened({ path: await own.put('talk', talk(own.cwd)) });
    await untilEqual(
      () => pictured(frame),
      [
        'start: Which way?',
        'fork: Left or right.',
        '  tip: Left. | 1 turn · $0.04',
        '  tip: Up. | 1 turn · $0.04',
        'label: way out A door.',
        'compaction: compaction: 12k tokens',
        'leaf: It is open. | 3 turns · $0.11 ←',
      ],
    );
    assert.equal(await driver.evaluate('document.querySelectorAll(".branches-lines .node").length', frame), 7);
    assert.equal(await driver.evaluate('document.querySelectorAll(".branches-lines .edge").length', frame), 6);
    assert.deepEqual(await driver.evaluate('[...document.querySelectorAll(".edge-count")].map((e) => e.textContent)', frame), [
      '1',
      '1',
      '1',
      '1',
      '1',
    ]);
    const tip = driver.find('[role=treeitem]:has-text("Left.")', frame);
    assert.match((await tip.getAttribute('aria-label')) ?? '', /^branch, Left\. 1 turn · \$0\.04 · Jan \d, 2026$/);
    assert.match(
      (await tip.getAttribute('aria-description')) ?? '',
      /^assistant: A wall\., 1 message before it, 1 turn · 2 messages, \$0\.04 · 13 tokens in, 5 out, Jan 2, 2026, .+, Entry wall, .+\d$/,
    );
    assert.match((await tip.getAttribute('title')) ?? '', /A wall\.\n/);
  });

  it('shows a branch that is clicked, and goes back to the leaf', async () => {
    const frame = await opened({ path: await own.put('talk', talk(own.cwd)) });
    await driver.click('[role=treeitem] >> text=Left.', frame);
    await driver.waitFor('article >> text=A wall.', {}, frame);
    await until(frame, 'document.querySelector(".branch-row.is-current")?.innerText.startsWith("Left.")');
    await driver.click('[role=treeitem] >> text=It is open.', frame);
    await driver.waitFor('.location >> text=Current leaf', {}, frame);
    // The graph arrives after the header. Until then, its rows act for the branch that was shown before.
    await until(frame, 'document.querySelector(".branch-row.is-current")?.innerText.startsWith("It is open.")');
    // An entry of the current path is shown in the text.
    await driver.click('[role=treeitem] >> text=compaction', frame);
    await until(frame, 'document.activeElement.innerText.includes("A door was found.")');
    await driver.waitFor('.location >> text=Current leaf', {}, frame);
  });

  it('supports keyboard navigation', async () => {
    const frame = await opened({ path: await own.put('talk', talk(own.cwd)) });
    await driver.find('.branch-row[tabindex="0"]', frame).focus();
    await untilEqual(() => focused(frame), 'It is open.');
    const steps: readonly (readonly [string, string])[] = [
      ['ArrowUp', 'compaction: 12k tokens'],
      ['Home', 'Which way?'],
      ['ArrowUp', 'Which way?'],
      ['ArrowRight', 'Left or right.'],
      ['ArrowRight', 'Left.'],
      ['ArrowDown', 'Up.'],
      ['ArrowLeft', 'Left or right.'],
      ['End', 'It is open.'],
      ['ArrowDown', 'It is open.'],
    ];
    for (const [key, text] of steps) {
      await driver.press(key);
      await untilEqual(() => focused(frame), text, key);
    }
    assert.equal(await driver.evaluate('document.querySelectorAll(".branch-row[tabindex=\\"0\\"]").length', frame), 1);
    assert.notEqual(await driver.evaluate('getComputedStyle(document.activeElement).outlineStyle', frame), 'none');
    await driver.press('Home');
    for (let i = 0; i < 3; i++) await driver.press('ArrowDown');
    await driver.press('Enter');
    await driver.waitFor('article >> text=The sky.', {}, frame);
    await until(frame, 'document.querySelector(".branch-row.is-current")?.innerText.startsWith("Up.")');
    // Keyboard navigation continues where it was.
    await untilEqual(() => focused(frame), 'Up.');
  });

  it('follows a growing session, and is hidden for a session without branches', async () => {
    const path = await own.put('plain', session({ cwd: own.cwd }).user('Hello', { id: 'a' }).assistant('Hi', { id: 'b' }));
    const frame = await openContext({ path });
    await driver.waitFor('article >> text=Hi', {}, frame);
    assert.equal(await driver.find('nav.branches', frame).isVisible(), false);
    const line = {
      type: 'message',
      id: 'c',
      parentId: 'a',
      timestamp: '2026-01-02T11:00:00.000Z',
      message: { role: 'assistant', content: [{ type: 'text', text: 'Ho' }] },
    };
    await appendFile(path, `${JSON.stringify(line)}\n`);
    await run('refresh');
    await driver.waitFor('nav.branches', {}, frame);
    await untilEqual(async () => (await rows(frame)).map(({ kind }) => kind), ['fork', 'tip', 'leaf']);
  });

  it('folds the oldest of many branches, and unfolds them', async () => {
    const many = session({ cwd: own.cwd }).user('0', { id: 'root' });
    for (let i = 1; i <= 100; i++) many.branchFrom('root').user(`Try ${String(i)}`, { id: `t${String(i)}` });
    const frame = await opened({ path: await own.put('many', many) });
    await untilEqual(async () => (await pictured(frame)).slice(0, 3), ['fork: 0', '  more: 69 more branches', '  tip: Try 70 | 1 turn']);
    await driver.click('[role=treeitem] >> text=69 more branches', frame);
    await driver.waitFor('[role=treeitem] >> text=44 more branches', {}, frame);
    await untilEqual(async () => (await rows(frame)).length, 58);
  });

  it('has the editor’s context menu on its rows, which compares two branches', async () => {
    const frame = await opened({ path: await own.put('talk', talk(own.cwd)) });
    const menu = (text: string, command: string): Promise<void> =>
      choose(() => driver.find(`[role=treeitem] >> text=${text}`, frame).click({ button: 'right' }), 'Changes and Comparison', command);
    await menu('Left.', 'Select for Compare');
    await menu('Up.', 'Compare with Selected');
    const { original, modified } = await eventually('a diff', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    assert.match((await vscode.workspace.openTextDocument(original)).getText(), /> Left\.[^]*A wall\.\n$/);
    assert.match((await vscode.workspace.openTextDocument(modified)).getText(), /> Up\.[^]*The sky\.\n$/);
  });

  it('collapses to a button in a narrow panel, and keeps its state', async () => {
    const path = await own.put('talk', talk(own.cwd));
    let frame = await opened({ path });
    // The page applies a new width or state after the event that the test caused.
    const untilShown = (is: boolean): Promise<true> =>
      until(frame, `(document.querySelector('.branch-row')?.checkVisibility({ visibilityProperty: true }) ?? false) === ${String(is)}`);
    await untilShown(true);
    await untilStateKept(frame, ['"wide":false'], () => driver.click('.branches-toggle', frame));
    await untilShown(false);
    await untilEqual(() => driver.find('.branches-toggle', frame).getAttribute('aria-expanded'), 'false');
    // After hiding and showing, the page is a new one.
    const other = join(own.cwd, 'other.txt');
    await writeFile(other, '');
    await vscode.window.showTextDocument(vscode.Uri.file(other), { preview: false });
    await driver.waitFor('.tab.active >> text=other.txt');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    frame = await driver.frame('pi-session-tree');
    await driver.waitFor('.branches-toggle', {}, frame);
    await untilShown(false);
    await driver.click('.branches-toggle', frame);
    await driver.waitFor('.branch-row', {}, frame);

    await driver.page.setViewportSize({ width: 680, height: 800 });
    await until(frame, 'innerWidth < 400');
    await untilShown(false);
    await driver.click('.branches-toggle', frame);
    await driver.waitFor('.branch-row', {}, frame);
    await until(frame, 'document.documentElement.scrollWidth <= document.documentElement.clientWidth');
    await driver.find('.branch-row[tabindex="0"]', frame).focus();
    await driver.press('Escape');
    await untilShown(false);
    await untilEqual(() => focused(frame), 'branches-toggle');
    await driver.press('Enter');
    await driver.click('[role=treeitem] >> text=Up.', frame);
    await driver.waitFor('article >> text=The sky.', {}, frame);
    await untilShown(false);
    await driver.page.setViewportSize({ width: 1280, height: 800 });
    await driver.waitFor('.branch-row', {}, frame);
  });
});
