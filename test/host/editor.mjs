// The editor as a person uses it: a server, a browser, and windows with the extension. No test runs in its extension
// hosts, so it shows all dialogs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { launchBrowser } from './browser.mjs';
import { project, still, writeSettings } from './home.mjs';
import { installHost } from './install.mjs';
import { workbenchAddress } from './page.mjs';
import { startServer } from './server.mjs';

/** Timeout for everything in the editor, in milliseconds. */
export const patience = 60_000;

/** Milliseconds after which a menu counts as closed by the editor, and is opened again. */
const REOPEN = 3_000;

/** Milliseconds after which the palette is opened again. */
const REOPEN_PALETTE = 10_000;

/**
 * @param {import('./home.mjs').Home} home
 * @param {Record<string, unknown>} [settings] beside those that keep it still
 * @returns {Promise<Editor>}
 *
 * @typedef {object} Editor
 * @property {import('playwright-core').Page} page the first window
 * @property {() => Promise<import('playwright-core').Page>} another opens one more window, with an extension host of its own
 * @property {(page?: import('playwright-core').Page, title?: string) => Promise<void>} open reloads a window, and opens the container of the views, whose title is `title`
 * @property {(page?: import('playwright-core').Page, title?: string) => Promise<void>} showSessions the same, and waits for the sample sessions
 * @property {(keys: string, hasBegun: () => Promise<boolean>) => Promise<void>} killWhile presses keys in the first window, and kills the youngest extension host once something has begun
 * @property {() => Promise<void>} leave leaves the first window, and returns once its extension host is gone, which writes no more then
 * @property {() => Promise<void>} close
 */
export async function openEditor(home, settings = {}) {
  await writeSettings(join(home.data, 'data', 'User'), { ...still, ...settings });
  const hosts = [];
  let output = '';
  const onOutput = (text) => {
    output += text;
    hosts.splice(0, hosts.length, ...[...output.matchAll(/<(\d+)> Launched Extension Host Process/g)].map(([, pid]) => Number(pid)));
  };
  const server = await startServer({ host: await installHost(), data: home.data, env: home.env, onOutput });
  const browser = await launchBrowser(join(home.folder, 'browser')).catch(async (error) => {
    await server.stop();
    throw error;
  });
  const page = browser.context.pages()[0] ?? (await browser.context.newPage());
  page.setDefaultTimeout(patience);
  const open = async (at = page, title = 'Pi Session Tree') => {
    await at.goto(workbenchAddress({ origin: server.origin, folder: home.workspace, extension: project }));
    const tab = at.locator('.part.activitybar').getByRole('tab', { name: title });
    await tab.waitFor();
    if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
  };
  const showSessions = async (at = page, title = 'Pi Session Tree') => {
    await open(at, title);
    const rows = at.locator('.pane-body .monaco-list-row', { hasText: 'Fix the flaky checkout test' });
    await rows.first().waitFor();
    // While the first rows are replaced by later ones, the editor can't tell an extension which row a menu was opened on.
    await at.locator('.sidebar .pane > .monaco-progress-container.active').waitFor({ state: 'detached' });
    await rows.first().focus();
  };
  return {
    page,
    open,
    showSessions,
    another: async () => {
      const other = await browser.context.newPage();
      other.setDefaultTimeout(patience);
      await showSessions(other);
      return other;
    },
    killWhile: async (keys, hasBegun) => {
      const pid = hosts.at(-1);
      assert.ok(pid !== undefined, output);
      await page.keyboard.press(keys);
      await until(hasBegun, () => `nothing happens after ${keys}`);
      process.kill(pid, 'SIGKILL');
    },
    leave: async () => {
      const pid = hosts.at(-1);
      assert.ok(pid !== undefined, output);
      await page.goto('about:blank');
      const isGone = () => {
        try {
          process.kill(pid, 'SIGKILL');
          return false;
        } catch {
          return true;
        }
      };
      await until(
        async () => isGone(),
        () => 'the extension host is still there',
      );
    },
    close: async () => {
      await browser.context.close();
      await server.stop();
    },
  };
}

/**
 * Runs a command of the palette. The editor offers some commands only once it has received a context key, and nothing reports it,
 * so the palette is opened until it has the command.
 * @param {import('playwright-core').Page} page
 * @param {string} title with its category, if others have the same
 */
export async function runCommand(page, title) {
  // The list follows the input with a delay, and Enter chooses what has the focus in it.
  const found = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title });
  for (let isFound = false; !isFound;) {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget:visible input').fill(`>${title}`);
    isFound = await found.waitFor({ timeout: REOPEN_PALETTE }).then(
      () => true,
      () => false,
    );
  }
  await page.keyboard.press('Enter');
}

/** Records in a page whether the next release of the mouse button reaches an entry of a menu, which then runs. @param {string} label */
function recordMouseUp(label) {
  globalThis.isReleasedOnEntry = false;
  const record = (event) => {
    globalThis.isReleasedOnEntry = event.composedPath().some((element) => element.getAttribute?.('aria-label') === label);
  };
  globalThis.addEventListener('mouseup', record, { capture: true, once: true });
}

/**
 * Opens a row's menu until it offers an entry, and closes it. The editor drops a menu when its row is replaced.
 * @param {import('playwright-core').Locator} row
 * @param {string} label
 */
export async function offers(row, label) {
  const page = row.page();
  const menus = page.locator('.monaco-menu');
  const isOffered = async () => {
    await row.click({ button: 'right' });
    const entry = menus.locator(`.action-label[aria-label="${label}"]`).first();
    return entry.waitFor({ timeout: REOPEN }).then(
      () => true,
      () => false,
    );
  };
  await until(isOffered, () => `the menu does not offer ${label}`);
  for (; (await menus.count()) > 0; await pause(25)) await page.keyboard.press('Escape');
}

/**
 * Chooses an entry of a row's menu. The editor drops a menu when its row is replaced, and offers some commands only once
 * it has received a context key. Nothing reports either, so the menu is opened until the entry takes a click.
 * @param {import('playwright-core').Locator} row
 * @param {string[]} labels those of the submenus and its own
 */
export async function choose(row, ...labels) {
  const page = row.page();
  const menus = page.locator('.monaco-menu');
  const isChosen = async () => {
    for (; (await menus.count()) > 0; await pause(25)) await page.keyboard.press('Escape');
    await row.click({ button: 'right' });
    try {
      for (const label of labels) {
        const entry = `.action-label[aria-label="${label}"]`;
        await menus.locator(entry).first().hover({ timeout: REOPEN });
        await menus.locator(`.action-item.focused ${entry}`).first().waitFor({ timeout: REOPEN });
      }
      await page.evaluate(recordMouseUp, labels.at(-1));
      // Not by Enter, which would reach the row if the menu has just gone.
      await menus
        .locator(`.action-label[aria-label="${labels.at(-1)}"]`)
        .first()
        .click({ timeout: REOPEN });
      // The editor ignores a mouse button that is released a moment after the menu opened. Otherwise the menu closes at once.
      await menus.first().waitFor({ state: 'detached', timeout: REOPEN });
      // The menu may also have gone between the press and the release of the button.
      return await page.evaluate(() => globalThis.isReleasedOnEntry);
    } catch (error) {
      if (error.name !== 'TimeoutError') throw error;
      return false;
    }
  };
  await until(isChosen, () => `the menu does not offer ${labels.join(' › ')}`);
}

/**
 * Returns the frame of a context view that shows its messages.
 * @param {import('playwright-core').Page} page
 */
export async function contextFrame(page) {
  for (const frame of page.frames()) {
    if (frame.parentFrame()?.parentFrame() && (await frame.evaluate('!!document.querySelector("main article")').catch(() => false)))
      return frame;
  }
  return undefined;
}

/**
 * Polls a condition, because nothing outside the editor reports changes.
 * @param {() => Promise<boolean>} isSo
 * @param {() => string} orElse returns the message for a timeout
 */
export async function until(isSo, orElse) {
  for (const end = Date.now() + patience; !(await isSo()); await pause(20)) {
    if (Date.now() > end) assert.fail(orElse());
  }
}
