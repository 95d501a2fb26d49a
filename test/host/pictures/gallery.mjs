// Pictures of every surface in each theme, in a window of 1,400 pixels with a sidebar of 300, for looking at them.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openEditor } from '../editor.mjs';
import { makeHome } from '../home.mjs';
import { chooseTheme, resizeSidebar, SIDEBAR, THEMES } from './appearance.mjs';
import { EMPTY_SURFACES, reset, SURFACES } from './surfaces.mjs';

const WINDOW = { width: 1400, height: 900 };

/**
 * Writes `<surface>-<theme>.png` for each surface. One that can't be shown doesn't prevent the others; its window is
 * pictured as it is, as `<surface>-<theme>-failed.png`.
 *
 * @param {string} folder made if it's missing
 * @param {string[]} [names] of the surfaces; by default all
 * @throws {Error} if a name is unknown; at the end, if surfaces couldn't be shown
 */
export async function takeGallery(folder, names = Object.keys({ ...SURFACES, ...EMPTY_SURFACES })) {
  const unknown = names.filter((name) => !(name in SURFACES || name in EMPTY_SURFACES));
  if (unknown.length > 0) throw new Error(`There are no such surfaces: ${unknown.join(', ')}`);
  await mkdir(folder, { recursive: true });
  const failed = [];
  for (const [all, makeItsHome] of [
    [SURFACES, makeHome],
    [EMPTY_SURFACES, emptyHome],
  ]) {
    const surfaces = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
    if (Object.keys(surfaces).length > 0) failed.push(...(await takeAll(folder, surfaces, await makeItsHome())));
  }
  if (failed.length > 0) throw new Error(`${failed.length} surfaces couldn't be shown:\n${failed.join('\n')}`);
}

/** A home without sessions. */
async function emptyHome() {
  const home = await makeHome();
  for (const name of ['.pi', '.omp', '.jensen', '.gsd', '.openclaw']) await rm(join(home.env.HOME, name), { recursive: true, force: true });
  return home;
}

async function takeAll(folder, surfaces, home) {
  const failed = [];
  const editor = await openEditor(home, { 'window.title': '${rootName}', 'workbench.colorTheme': 'Default Dark Modern' });
  const { page } = editor;
  try {
    await page.setViewportSize(WINDOW);
    await editor.open();
    await resizeSidebar(page, SIDEBAR);
    for (const [name, theme] of Object.entries(THEMES)) {
      await reset(page);
      await chooseTheme(page, theme);
      for (const [surface, show] of Object.entries(surfaces)) {
        const path = join(folder, `${surface}-${name}`);
        try {
          const clip = await show(page);
          await page.screenshot({ path: `${path}.png`, animations: 'disabled', ...(clip ? { clip } : {}) });
          console.log(`${path}.png`);
        } catch (error) {
          failed.push(`${surface} (${name}): ${error.message}`);
          await page.screenshot({ path: `${path}-failed.png` });
        }
        await reset(page);
      }
    }
  } finally {
    await editor.close();
    home.remove();
  }
  return failed;
}
