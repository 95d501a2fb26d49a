// Reloads the window: the context view keeps its view, its folds and its position, a session's raw file stays read-only,
// the stored rows show first, restored files can be taken back, and comments are found in a file that changed meanwhile.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { choose, contextFrame, openEditor, runCommand, until } from './editor.mjs';
import { makeHome, project } from './home.mjs';
import { exitOnSignals } from './processes.mjs';

exitOnSignals();

const TITLE = 'Fix the flaky checkout test';
const LAST_TITLE = 'A title of the last window';

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

  /** Waits for stored rows, leaves the window, and gives them a title that only they have. It shows that they're the ones in the view. */
  const leaveWithStoredTitle = async () => {
    const screens = join(home.data, 'data', 'User', 'globalStorage', 'pi-session-tree.pi-session-tree', 'catalog', 'screens');
    // Others are being written.
    const paths = async () =>
      (await readdir(screens).catch(() => [])).filter((name) => !name.startsWith('.')).map((name) => join(screens, name));
    const stored = async () => Promise.all((await paths()).map((path) => readFile(path, 'utf8')));
    await until(
      // Costs come last: they're stored with the rows once more.
      async () => (await stored()).some((text) => text.includes(TITLE) && text.includes('familyCost')),
      () => 'no rows are stored',
    );
    // The extension stores rows again when one changes.
    await editor.leave();
    for (const path of await paths()) await writeFile(path, (await readFile(path, 'utf8')).replaceAll(TITLE, LAST_TITLE));
  };

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
    await chooseOf(page, 'Open', 'Open Raw File');
    await typing();
    await reload(page);
    await typing();
    assert.deepEqual(await bytes(), before);
  });

  it('shows the stored rows of the last window first, and then those of the sessions', async () => {
    editor = await openEditor(home);
    await editor.showSessions();
    const { page } = editor;
    const rows = () =>
      page.locator('.sidebar .monaco-list-row').evaluateAll((all) =>
        all.map((row) => {
          const [name, facts] = ['.label-name', '.label-description'].map((part) => row.querySelector(part)?.textContent ?? '');
          // A project begins with its age, which goes on while the window is reloaded.
          return `${name}: ${facts.replace(/^[^·]*·\s(?=.*\bsessions?$)/, '')}`;
        }),
      );
    // The costs of a family come after its row.
    await page.locator('.sidebar .monaco-list-row', { hasText: 'with subagents' }).first().waitFor();
    const before = await rows();
    await leaveWithStoredTitle();
    await page.addInitScript(() => {
      const { document, MutationObserver } = globalThis;
      globalThis.titles = [];
      new MutationObserver(() => {
        const text = [...document.querySelectorAll('.sidebar .monaco-list-row')].map((row) => row.textContent).join('\n');
        for (const title of ['A title of the last window', 'Fix the flaky checkout test'])
          if (text.includes(title) && !globalThis.titles.includes(title)) globalThis.titles.push(title);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await editor.open();
    await page.locator('.sidebar .monaco-list-row', { hasText: 'Fix the flaky checkout test' }).first().waitFor();
    const titles = await page.evaluate(() => globalThis.titles);
    // A busy window draws the current rows at once. That stored ones come first is also tested without a window.
    assert.deepEqual(titles, ['A title of the last window', 'Fix the flaky checkout test'].slice(-titles.length));
    let after;
    await until(
      async () => JSON.stringify((after = await rows())) === JSON.stringify(before),
      () => `${JSON.stringify(after)} is not ${JSON.stringify(before)}`,
    );
  });

  it('lists what a saved view with a search finds, also when it is shown again', async () => {
    editor = await openEditor(home);
    await editor.showSessions();
    const { page } = editor;
    const row = (text) => page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
    const filters = (text) => page.locator('.sidebar .message', { hasText: text }).first();
    await row(TITLE).waitFor();
    const others = await page.locator('.sidebar .monaco-list-row').count();
    await runCommand(page, 'Pi Session Tree: Search Sessions…');
    await page.locator('.quick-input-widget input[placeholder^="Words"]').fill('flaky');
    await page.locator('.quick-input-widget [aria-label="Show These Sessions in the List"]').click();
    await filters('Filters: Search: flaky').waitFor();
    const count = () => page.locator('.sidebar .monaco-list-row').count();
    await until(
      async () => (await count()) < others,
      () => 'nothing is hidden',
    );
    const listed = await count();
    const savedViews = async (text) => {
      await runCommand(page, 'Pi Session Tree: Saved Views…');
      await page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first().click();
    };
    await runCommand(page, 'Pi Session Tree: Saved Views…');
    await page.locator('.quick-input-widget input[placeholder="There are no saved views yet"]').fill('Flaky');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Save Current View…' }).click();
    const name = page.locator('.quick-input-widget input[placeholder="Name of the view"]');
    await name.waitFor();
    assert.equal(await name.inputValue(), 'Flaky', 'what was typed in the list is the name');
    await page.keyboard.press('Enter');
    const description = page.locator('.sidebar .pane-header .description', { hasText: 'Flaky' }).first();
    await description.waitFor();
    await reload(page);
    await filters('Filters: Search: flaky').waitFor();
    await description.waitFor();
    await until(
      async () => (await count()) === listed,
      () => 'other rows are listed',
    );
    await runCommand(page, 'Pi Session Tree: Clear Filters');
    await until(
      async () => (await count()) === others,
      () => 'rows are still hidden',
    );
    await savedViews('Flaky');
    await until(
      async () => (await count()) === listed,
      () => 'the view is not shown again',
    );
  });

  it('takes back files that were restored before it, and finds comments in a file that changed meanwhile', async () => {
    const { session } = createRequire(import.meta.url)(join(project, 'out', 'test', 'fixtures', 'build.js'));
    const cwd = home.workspace;
    const file = join(cwd, 'doors.ts');
    await writeFile(file, 'const doors = 2;\n');
    const commented = join(cwd, 'roofs.ts');
    const content = 'export const roofs = 1;\nexport const chimneys = 2;\n';
    await writeFile(commented, content);
    const lines = session({ cwd })
      .user('Build a house')
      .tool('write', { path: 'doors.ts', content: 'const doors = 1;\n' })
      .tool('write', { path: 'roofs.ts', content })
      .user('One more door')
      .tool('edit', { path: 'doors.ts', oldText: 'doors = 1', newText: 'doors = 2' })
      .name('House');
    const folder = join(home.env.HOME, '.pi', 'agent', 'sessions', `--${cwd.slice(1).replaceAll('/', '-')}--`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'house.jsonl'), lines.text());
    editor = await openEditor(home);
    await editor.showSessions();
    const { page } = editor;
    const row = (text) => page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
    const hasText = async (text) => (await readFile(file, 'utf8')) === text;
    await row('House').locator('.monaco-tl-twistie').click();
    await choose(row('One more door'), 'Changes and Comparison', 'Restore Files to This Point…');
    await row('Restore 1 File').click();
    await page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Restore 1 File' }).click();
    await until(
      () => hasText('const doors = 1;\n'),
      () => 'the file is not restored',
    );
    await page.locator('.notification-toast', { hasText: 'Files restored: 1.' }).waitFor();
    const openCommented = async () => {
      await page.keyboard.press('Control+P');
      await page.locator('.quick-input-widget:visible input').fill('roofs.ts');
      await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'roofs.ts' }).waitFor();
      await page.keyboard.press('Enter');
    };
    const comments = page.locator('.sidebar .pane:has(.pane-header[aria-label^="Review Comments"]) .monaco-list-row[aria-level="2"]');
    const hasComments = async (...names) => {
      let found;
      await until(
        async () => {
          found = await comments.evaluateAll((all) => all.map((one) => one.ariaLabel));
          return JSON.stringify(found) === JSON.stringify(names);
        },
        () => `${JSON.stringify(found)} is not ${JSON.stringify(names)}`,
      );
    };
    await openCommented();
    for (const [words, text] of [
      ['roofs', 'Is one enough?'],
      ['chimneys', 'Why two?'],
    ]) {
      // The editor looks whether a line can have comments when the cursor moves.
      await page.locator('.comment-range-glyph').first().waitFor();
      await page.locator('.editor-instance .view-line', { hasText: words }).click();
      await runCommand(page, 'Comments: Add Comment on Current Selection');
      await page.locator('.review-widget .comment-form .monaco-editor.focused').waitFor();
      await page.keyboard.type(text);
      await page.locator('.review-widget .monaco-button', { hasText: 'Add Comment' }).click();
      await page.locator('.review-widget .comment-body', { hasText: text }).waitFor();
    }
    await runCommand(page, 'Focus on Review Comments View');
    const goesTo = 'Goes to “House”, after “One more door”';
    await hasComments(`Is one enough?, roofs.ts:1, ${goesTo}`, `Why two?, roofs.ts:2, ${goesTo}`);
    await runCommand(page, 'View: Close All Editors');
    await page.locator('.editor-instance').waitFor({ state: 'detached' });
    await writeFile(commented, '// A line above\nexport const roofs = 1;\n');
    await reload(page);
    await row('House').waitFor();
    await openCommented();
    // The view is there once the comments are.
    await page.locator('.sidebar .pane-header[aria-label^="Review Comments"]').waitFor();
    await runCommand(page, 'Focus on Review Comments View');
    await hasComments(`Is one enough?, roofs.ts:2, ${goesTo}`, 'Why two?, roofs.ts:2, Outdated: the file no longer has these lines.');
    await runCommand(page, 'Undo Last Change');
    await until(
      () => hasText('const doors = 2;\n'),
      () => 'the file is not taken back',
    );
  });
});
