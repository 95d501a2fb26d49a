// Reloads the window: the context view keeps its view, its folds and its position, and a session's raw file stays
// read-only.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { choose, contextFrame, openEditor, runCommand, until } from './editor.mjs';
import { makeHome } from './home.mjs';
import { exitOnSignals } from './processes.mjs';

exitOnSignals();

describe('a reload of the window', function () {
  this.timeout(240_000);
  let home, editor;
  beforeEach(async () => {
    home = await makeHome();
  });
  afterEach(async () => {
    await editor?.close();
    home.remove();
  });

  /** Returns the current view, the open folds, and the place of one of them on the screen. What's above it may have estimated heights. */
  const state = (frame) =>
    frame.evaluate(() => {
      const { document } = globalThis;
      return {
        title: document.querySelector('h1').textContent,
        view: document.querySelector('.segment[aria-pressed=true]').dataset.key,
        folds: [...document.querySelectorAll('main details[open]')].map((fold) => fold.dataset.fold),
        top: Math.round(document.querySelector('main details[open]')?.getBoundingClientRect().top),
      };
    });

  /** Chooses a command from the session's menu, by the names of its submenus and its own. */
  const chooseOf = (page, ...names) =>
    choose(page.locator('.sidebar .monaco-list-row', { hasText: 'Fix the flaky checkout test' }).first(), ...names);
  const reload = (page) => Promise.all([page.waitForEvent('load'), runCommand(page, 'Developer: Reload Window')]);
  /** Records each state that a page sends to the editor. The frame around the page's frame posts them over a port. */
  const keepStates = (frame) =>
    frame.parentFrame().evaluate(() => {
      const { postMessage } = globalThis.MessagePort.prototype;
      globalThis.keptState = '';
      globalThis.MessagePort.prototype.postMessage = function (message, ...more) {
        if (message?.channel === 'do-update-state') globalThis.keptState = String(message.data);
        return postMessage.call(this, message, ...more);
      };
    });

  it('gives the context view back as it was', async () => {
    editor = await openEditor(home);
    await editor.showSessions();
    const { page } = editor;
    await chooseOf(page, 'Show Context');
    let frame;
    await until(
      async () => (frame = await contextFrame(page)) !== undefined,
      () => 'the context view does not show',
    );
    await frame.locator('text=Full transcript').click();
    await frame.locator('.segment[data-key=transcript][aria-pressed=true]').waitFor();
    await keepStates(frame);
    // The browser reports the scrolling of a script only with the next frame, until when the list holds its position.
    await frame.evaluate(`(() => {
      const main = document.querySelector('main');
      main.scrollTop = 0;
      main.dispatchEvent(new Event('scroll'));
    })()`);
    await frame.locator('main details:not([open]) > summary').first().click();
    await until(
      async () => (await state(frame)).folds.length > 0,
      () => 'nothing unfolds',
    );
    // The page saves its state with a delay, and the editor when the window is left.
    await until(
      async () => {
        const kept = await frame.parentFrame().evaluate('window.keptState');
        return kept.includes('"view":"transcript"') && kept.includes('"folds":[[');
      },
      () => 'the page does not keep its state',
    );
    const before = await state(frame);
    await reload(page);
    await until(
      async () => (frame = await contextFrame(page)) !== undefined,
      () => 'the context view does not come back',
    );
    let after;
    await until(
      async () => JSON.stringify((after = await state(frame).catch(() => undefined))) === JSON.stringify(before),
      () => `${JSON.stringify(after)} is not ${JSON.stringify(before)}`,
    );
    assert.deepEqual(after, before);
  });

  it('leaves a raw session file read-only, with auto save on', async () => {
    editor = await openEditor(home, { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 50, 'files.hotExit': 'onExitAndWindowClose' });
    await editor.showSessions();
    const { page } = editor;
    const bytes = async () => {
      const names = (await readdir(home.env.HOME, { recursive: true })).filter((name) => name.endsWith('.jsonl')).sort();
      return await Promise.all(names.map(async (name) => [name, await readFile(join(home.env.HOME, name), 'latin1')]));
    };
    const before = await bytes();
    const typing = async () => {
      await page.locator('.editor-instance .view-line', { hasText: '"type":"session"' }).first().click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Enter');
      await page.keyboard.type('x');
      await page.locator('.monaco-editor-overlaymessage', { hasText: 'Session files open as read-only' }).waitFor();
    };
    await chooseOf(page, 'Open As', 'Open Raw File');
    await typing();
    await reload(page);
    await typing();
    assert.deepEqual(await bytes(), before);
  });
});
