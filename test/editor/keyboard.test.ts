import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session, type SessionBuilder } from '../fixtures/build';
import { another } from './externalProcess';
import type { Frame } from './playwright';
import { focusMessages, openContext, openFind, until, untilPageHasFocus, whenStill } from './contextPage';
import { driver } from './driver';
import { editorSuite, own } from './editorSuite';
import { choose, menuTexts } from './menus';
import { eventually, untilEqual, untilMatches } from './waiting';

/** Describes the focused element in words. */
const FOCUS = `(() => {
  const at = document.activeElement;
  return at.tagName.toLowerCase() + ' ' + (at.ariaLabel ?? at.title ?? '').trim() + ' ' + at.innerText.trim().split('\\n')[0].slice(0, 40);
})()`;

describe('the context view with keyboard and screen reader', () => {
  editorSuite();

  const focused = async (frame: Frame): Promise<string> => String(await driver.evaluate(FOCUS, frame));
  const append = async (path: string, builder: SessionBuilder, add: () => unknown): Promise<void> => {
    const lines = builder.lines().length;
    add();
    await another.append(path, `${builder.lines().slice(lines).join('\n')}\n`);
  };

  it('reaches everything by Tab, in visual order, and never traps the focus', async function () {
    await driver.page.setViewportSize({ width: 1280, height: 1600 });
    await mkdir(join(own.cwd, 'src'), { recursive: true });
    await writeFile(join(own.cwd, 'src', 'a.ts'), 'one\n');
    const builder = session({ cwd: own.cwd })
      .user('See `src/a.ts` and [this](https://x.example)', { id: 'ask' })
      .assistant([
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: '```js\n1\n```' },
      ])
      .branchFrom('ask')
      .assistant('Another way')
      .tool('read', { path: 'src/a.ts' }, 'x\n'.repeat(60), { id: 'read' })
      .contextEdit('read', 'y\n'.repeat(60))
      .assistant('Done', { id: 'done' })
      .label('done', 'end');
    const frame = await openContext({ path: await own.put('tabs', builder.name('Tabs')) });
    await until(
      frame,
      '!!document.querySelector(".path-link") && document.querySelectorAll(".tool-buttons > button").length === 2 && !!document.querySelector(".branch-row") && !!document.querySelector(".usage-segment")',
    );
    await driver.evaluate('for (const fold of document.querySelectorAll("details:not([open])")) fold.open = true', frame);
    // The content of a fold is drawn when the fold reports that it's open.
    await whenStill(frame, 'document.querySelectorAll("a[href], button, input, summary, [tabindex]").length');
    const seen = 'window.seen = new Set(); document.addEventListener("focusin", ({ target }) => window.seen.add(target))';
    await driver.evaluate(seen, frame);
    await driver.find('header button', frame).focus();
    await untilPageHasFocus(frame);
    let steps = 0;
    const isInside = async (): Promise<boolean> =>
      (await driver.evaluate('document.hasFocus() && document.activeElement !== document.body', frame)) === true;
    while ((await isInside()) && steps < 200) {
      await driver.press('Tab');
      steps++;
    }
    assert.ok(steps < 200, `Tab never leaves; it is at ${await focused(frame)}`);
    const missed = `[...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')].filter((one) => one.tabIndex >= 0 && one.checkVisibility() && !window.seen.has(one)).map((one) => one.outerHTML.slice(0, 200))`;
    assert.deepEqual(await driver.evaluate(missed, frame), []);
    // Checks the other direction.
    await focusMessages(frame);
    for (steps = 0; (await isInside()) && steps < 200; steps++) await driver.press('Shift+Tab');
    assert.ok(steps < 200, `Shift+Tab never leaves; it is at ${await focused(frame)}`);
  });

  it('has landmarks and headings for navigation', async () => {
    const builder = session({ cwd: own.cwd })
      .user('# Not a heading of the page', { id: 'ask' })
      .assistant('a')
      .branchFrom('ask')
      .assistant('b')
      .label('ask', 'x');
    const frame = await openContext({ path: await own.put('landmarks', builder.name('Landmarks')) });
    await driver.waitFor('.branch-row', {}, frame);
    await untilEqual(
      () =>
        driver.evaluate(
          '[...document.querySelectorAll("h1, h2, h3")].filter((h) => h.checkVisibility()).map((h) => h.tagName + " " + h.innerText)',
          frame,
        ),
      ['H1 Landmarks', 'H2 User', 'H3 Not a heading of the page', 'H2 Assistant'],
    );
    assert.deepEqual(
      await driver.evaluate(
        '[...document.querySelectorAll("body > header, main, nav, section[aria-label], [role=search]")].map((e) => (e.role ?? e.tagName.toLowerCase()) + " " + (e.ariaLabel ?? ""))',
        frame,
      ),
      ['header ', 'section Context usage', 'nav Branches', 'search Find in Context', 'main Messages'],
    );
  });

  it('keeps the focus when a message is drawn again', async () => {
    const builder = session({ cwd: own.cwd })
      .user('Go', { id: 'go' })
      .assistant(
        [
          { type: 'text', text: 'I read.' },
          { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' } },
          { type: 'toolCall', id: 'c2', name: 'bash', arguments: { command: 'make' } },
        ],
        { id: 'calls' },
      );
    const path = await own.put('focus', builder.name('Focus'));
    const frame = await openContext({ path });
    const call = frame.locator('summary').filter({ hasText: 'make' });
    await call.focus();
    await driver.press('Enter');
    await driver.waitFor('details[open] >> text=no result', {}, frame);
    await append(path, builder, () =>
      builder.message({
        role: 'toolResult',
        toolCallId: 'c2',
        toolName: 'bash',
        content: [{ type: 'text', text: 'made' }],
        isError: false,
      }),
    );
    await driver.waitFor('details[open] >> text=made', {}, frame);
    await untilMatches(() => focused(frame), /^summary .*bash/);
    await driver.press('Enter');
    await driver.waitFor('details >> text=made', { state: 'hidden' }, frame);

    // A button of the same message, too.
    const button = frame.locator('article[data-entry=calls]').getByRole('button', { name: 'Copy Text' });
    await button.focus();
    await append(path, builder, () =>
      builder.message({
        role: 'toolResult',
        toolCallId: 'c1',
        toolName: 'read',
        content: [{ type: 'text', text: 'the text' }],
        isError: false,
      }),
    );
    await until(frame, 'document.querySelectorAll(".state.ok").length === 2');
    await untilMatches(() => focused(frame), /^button Copy Text/);
    await untilEqual(() => driver.evaluate('document.activeElement.closest("article").dataset.entry', frame), 'calls');
  });

  it('keeps the focus on the message when another context is shown, and on the element that opened a menu', async () => {
    const builder = session({ cwd: own.cwd })
      .user('One', { id: 'one' })
      .assistant('Two', { id: 'two' })
      .user('Three', { id: 'three' })
      .assistant('Four');
    const frame = await openContext({ path: await own.put('elsewhere', builder.name('Elsewhere')) });
    await frame.locator('article[data-entry=two]').getByRole('button', { name: 'Show Context' }).focus();
    await driver.press('Enter');
    await driver.waitFor('.location >> text=Two', {}, frame);
    await until(frame, 'document.activeElement.dataset.entry === "two"');

    await frame.locator('article[data-entry=two]').getByRole('button', { name: 'More Actions…' }).focus();
    // A menu that opens while the editor still moves the focus doesn't give it back to the page.
    await untilPageHasFocus(frame);
    await driver.press('Enter');
    await driver.waitFor('.monaco-menu .action-label[aria-label="Changes and Comparison"]');
    await driver.press('Escape');
    await driver.waitFor('.monaco-menu', { state: 'hidden' });
    await until(frame, 'document.hasFocus()');
    await untilMatches(() => focused(frame), /^button More Actions…/);
  });

  it('announces new messages, and search results', async () => {
    const builder = session({ cwd: own.cwd }).user('Begin');
    for (let turn = 1; turn <= 30; turn++) builder.assistant(`Answer ${turn}`).user(`Question ${turn}`);
    const path = await own.put('live', builder.name('Live'));
    const frame = await openContext({ path });
    await driver.waitFor('article >> text=Question 30', {}, frame);
    await driver.evaluate(
      `window.told = []; new MutationObserver((all) => { for (const { target, addedNodes } of all) if (addedNodes.length > 0) window.told.push(target.closest('[aria-live=polite], [role=alert]').textContent); }).observe(document.querySelector('.visually-hidden[role=status]'), { childList: true, subtree: true })`,
      frame,
    );
    const announces = (text: string): Promise<true> => until(frame, `window.told.at(-1) === ${JSON.stringify(text)}`);
    await append(path, builder, () => builder.assistant('A new one'));
    await announces('1 new message');
    await driver.find('main', frame).focus();
    await driver.press('Home');
    await until(frame, 'document.querySelector("main").scrollTop === 0');
    await append(path, builder, () => builder.user('b').assistant('c'));
    await announces('2 new messages');
    await append(path, builder, () => builder.user('d'));
    await announces('3 new messages');
    await openFind(frame);
    await driver.type('Answer 1');
    const count = frame.getByRole('status').filter({ hasText: '1 of 11' });
    await count.waitFor();
    assert.equal(await count.getAttribute('aria-live'), 'polite');
    await driver.press('Escape');
    // The hit keeps the focus, so that its menu and keys apply to it.
    await untilEqual(() => driver.evaluate('document.activeElement.tagName', frame), 'ARTICLE');
  });

  const menuOf = (selector: string, frame: Frame) => (): Promise<void> => driver.find(selector, frame).click({ button: 'right' });
  const itemsOf = (selector: string, frame: Frame): Promise<string[]> => menuTexts(menuOf(selector, frame));

  it('has the tree’s menu on a message, on the result of a tool and on a row; two are compared', async () => {
    const builder = session({ cwd: own.cwd })
      .user('Which?', { id: 'ask' })
      .tool('bash', { command: 'ls' }, 'a', { id: 'result' })
      .assistant('Left', { id: 'left' })
      .label('left', 'here');
    const frame = await openContext({ path: await own.put('menu', builder.name('Menu')) });
    assert.deepEqual(await itemsOf('article[data-entry=ask] .markdown', frame), [
      ...['Label…', 'Branch Here…', 'Branch Here with Files…', 'Branch and Resume…', 'Fork'],
      ...['Show Context', 'Open', 'Changes and Comparison'],
      ...['Share', 'Copy'],
    ]);
    assert.ok((await itemsOf('article[data-entry=left] .markdown', frame)).includes('Clear Label'));

    await choose(menuOf('summary', frame), 'Copy', 'Copy ID');
    await eventually('the id', async () => (await vscode.env.clipboard.readText()) === 'result');
    await choose(menuOf('article[data-entry=ask] .markdown', frame), 'Changes and Comparison', 'Select for Compare');
    await choose(menuOf('article[data-entry=left] .markdown', frame), 'Changes and Comparison', 'Compare with Selected');
    const { original, modified } = await eventually('a diff', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    assert.match((await vscode.workspace.openTextDocument(original)).getText(), /Nothing comes after the fork point on this side/);
    assert.match((await vscode.workspace.openTextDocument(modified)).getText(), /Left\n$/);
  });

  it('has the keys of the menu, which apply to the message with the focus', async () => {
    const builder = session({ cwd: own.cwd }).user('Which?', { id: 'ask' }).assistant('Left').label('ask', 'asked').name('Keys');
    const frame = await openContext({ path: await own.put('keys', builder) });
    await focusMessages(frame);
    await driver.press('Alt+ArrowUp');
    await untilEqual(() => driver.evaluate('document.activeElement.dataset.entry', frame), 'ask');
    await driver.press('F2');
    await untilEqual(() => driver.find('.quick-input-widget input').inputValue(), 'asked');
    // An input that closes before it has the focus takes it afterwards.
    await driver.waitFor('.quick-input-widget input:focus');
    await driver.press('Escape');
    await untilEqual(() => driver.evaluate('document.hasFocus() && document.activeElement.dataset.entry', frame), 'ask');
    await driver.press('Control+C');
    await eventually('a copy', async () => (await vscode.env.clipboard.readText()) === 'Which?');
    await driver.press('Control+Enter');
    await eventually('two groups', () => vscode.window.tabGroups.all.length === 2);
  });

  it('keeps the focus on the message when Escape closes the find widget', async () => {
    const frame = await openContext({
      path: await own.put('escape', session({ cwd: own.cwd }).user('Which?', { id: 'ask' }).assistant('Left')),
    });
    await openFind(frame);
    await driver.type('Which');
    await frame.getByRole('status').filter({ hasText: '1 of 1' }).waitFor();
    await driver.press('Escape');
    await untilEqual(() => driver.evaluate('document.activeElement.dataset.entry', frame), 'ask');
  });

  it('offers no writing command in a read-only session', async () => {
    const path = await own.put(
      'future',
      session({ cwd: own.cwd, version: 4 })
        .user('Which?', { id: 'ask' })
        .assistant('Left')
        .branchFrom('ask')
        .assistant('Right')
        .name('Future'),
    );
    const given = await own.put(
      'given',
      session({ cwd: own.cwd }).user('No id', { id: undefined }).user('Which?').assistant('Left', { id: undefined }).name('Given'),
    );
    for (const at of [path, given]) {
      const frame = await openContext({ path: at });
      await driver.waitFor('article >> text=Which?', {}, frame);
      assert.deepEqual(
        await driver.evaluate('[...document.querySelectorAll(".write-action")].filter((one) => one.checkVisibility()).length', frame),
        0,
      );
      const items = await itemsOf('article .markdown', frame);
      assert.deepEqual(
        items.filter((item) => /Label|Branch/.test(item)),
        [],
      );
      assert.ok(items.includes('Fork') && items.includes('Changes and Comparison'));
      assert.deepEqual(
        items.filter((item) => /^(Cut|Paste)$/.test(item)),
        [],
      );
      if (at !== path) continue;
      assert.deepEqual(
        (await itemsOf('.branch-row', frame)).filter((item) => /Label|Branch|Cut|Paste/.test(item)),
        [],
      );
    }
  });
});
