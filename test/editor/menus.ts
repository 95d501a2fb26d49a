// Uses the editor's menus like a person.
import { driver } from './driver';
import { eventually } from './waiting';

/** Milliseconds after which a menu counts as closed by the editor, and is opened again. */
const REOPEN_MS = 3_000;
const MENU = '.monaco-menu';

/**
 * Chooses an entry of a menu by its label, after the labels of its submenus. The editor drops a menu when its row is
 * replaced or the focus moves, and offers some commands only once it has received a context key. Nothing reports any of
 * these, so the menu is opened until the entry has the focus.
 *
 * @param open opens the menu
 */
export async function choose(open: () => Promise<void>, ...labels: readonly string[]): Promise<void> {
  await eventually(`${labels.join(' › ')} in a menu`, async () => {
    await closeMenus();
    await open();
    return await isReached(labels);
  });
  // A menu ignores clicks in its first 100 ms, but not keys.
  await driver.press('Enter');
}

/**
 * Returns the texts of a menu's enabled entries. The menu is closed then.
 *
 * @param part the part of an entry: its label alone, or `.action-menu-item` for its key, too
 */
export async function menuTexts(open: () => Promise<void>, part = '.action-label'): Promise<string[]> {
  const texts = await eventually('a menu', async () => {
    await closeMenus();
    await open();
    await driver.waitFor(`${MENU} .action-label`, { timeout: REOPEN_MS }).catch(ignoreTimeout);
    const found = (await driver.texts(`${MENU} .action-item:not(.disabled) ${part}`)).filter((text) => text !== '');
    return found.length > 0 ? found : undefined;
  });
  await closeMenus();
  return texts;
}

/** Moves the pointer along the entries, and waits until each has the focus. */
async function isReached(labels: readonly string[]): Promise<boolean> {
  for (const label of labels) {
    const entry = `.action-label[aria-label=${JSON.stringify(label)}]`;
    const found = await driver
      .find(`${MENU} ${entry}`)
      .hover({ timeout: REOPEN_MS })
      .then(() => driver.waitFor(`${MENU} .action-item.focused ${entry}`, { timeout: REOPEN_MS }))
      .then(() => true, ignoreTimeout);
    if (found !== true) return false;
  }
  return true;
}

/** Closes submenus, too. */
async function closeMenus(): Promise<void> {
  await eventually('the menus to be closed', async () => {
    if ((await driver.page.locator(MENU).count()) === 0) return true;
    await driver.press('Escape');
    return undefined;
  });
}

function ignoreTimeout(error: unknown): undefined {
  if ((error as Error).name !== 'TimeoutError') throw error;
  return undefined;
}
