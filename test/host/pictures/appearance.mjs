// The appearance of a window whose picture is taken.

/** Names of the pictures, with the theme, and the class of a window in it. */
export const THEMES = { dark: ['Dark Modern', 'vs-dark'], light: ['Light Modern', 'vs'], contrast: ['Dark High Contrast', 'hc-black'] };

/** The sidebar's width in pixels, as the editor has it at first. */
export const SIDEBAR = 300;

/**
 * Chooses a theme as a person does: at its start, the editor uses high contrast only if the system does.
 * @param {import('playwright-core').Page} page
 * @param {[theme: string, base: string]} theme one of `THEMES`
 */
export async function chooseTheme(page, [theme, base]) {
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+T');
  const list = page.locator('.quick-input-widget');
  await list.locator('input').first().fill(theme);
  await list.locator('.monaco-list-row.focused', { hasText: theme }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator(`.monaco-workbench.${base}`).waitFor();
}

/**
 * Drags the edge of the sidebar.
 * @param {import('playwright-core').Page} page
 * @param {number} width in pixels
 */
export async function resizeSidebar(page, width) {
  const edge = await page.locator('.part.sidebar').boundingBox();
  const y = edge.y + edge.height / 2;
  await page.mouse.move(edge.x + edge.width, y);
  await page.mouse.down();
  await page.mouse.move(edge.x + width, y, { steps: 4 });
  await page.mouse.up();
}

/** @param {import('playwright-core').Page} page @returns {Promise<number>} in pixels */
export const sidebarWidth = async (page) => (await page.locator('.part.sidebar').boundingBox()).width;

/**
 * The first row of a view that has a text.
 * @param {import('playwright-core').Page} page
 * @param {string} text
 */
export function row(page, text) {
  return page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
}
