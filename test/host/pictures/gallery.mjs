// Pictures of every surface in each theme, by default in a window of 1,400 pixels with a sidebar of 300, for looking at them.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEditor } from '../editor.mjs';
import { makeHome } from '../home.mjs';
import { chooseTheme, resizeSidebar, SIDEBAR, THEMES } from './appearance.mjs';
import { commitOlderCode } from './olderCode.mjs';
import { EMPTY_SURFACES, REPOSITORY_SURFACES, reset, speak, SURFACES } from './surfaces.mjs';

const WINDOW = { width: 1400, height: 900 };
/** Milliseconds for each step of a surface. */
const PATIENCE = 20_000;

/** The surfaces, the home that each of them needs, and how its window is opened: rows of a list that is still read move. */
const HOMES = [
  [SURFACES, makeHome, (editor) => editor.showSessions()],
  [REPOSITORY_SURFACES, repositoryHome, (editor) => editor.showSessions()],
  [EMPTY_SURFACES, emptyHome, (editor) => editor.open()],
];

/**
 * Writes `<surface>-<theme>.png` for each surface. One that can't be shown doesn't prevent the others; its window is
 * pictured as it is, as `<surface>-<theme>-failed.png`.
 *
 * @param {string} folder made if it's missing
 * @param {object} [options]
 * @param {string[]} [options.names] of the surfaces; by default all
 * @param {number[]} [options.widths] of the sidebar in pixels, which then are in the pictures' names
 * @param {string[]} [options.themes] names in `THEMES`; by default all
 * @param {string} [options.language] such as `de`, of the extension's texts
 * @param {number} [options.zoom] 2 for a window with half as much room
 * @throws {Error} if a name is unknown; at the end, if surfaces couldn't be shown
 */
export async function takeGallery(folder, { names, widths = [SIDEBAR], themes = Object.keys(THEMES), language, zoom = 1 } = {}) {
  const known = HOMES.flatMap(([surfaces]) => Object.keys(surfaces));
  const unknown = (names ?? []).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`There are no such surfaces: ${unknown.join(', ')}`);
  await mkdir(folder, { recursive: true });
  await speak(language);
  const failed = [];
  for (const [all, makeItsHome, open] of HOMES) {
    const surfaces = Object.fromEntries(Object.entries(all).filter(([name]) => names?.includes(name) ?? true));
    const options = { widths, themes, language, zoom };
    if (Object.keys(surfaces).length > 0) failed.push(...(await takeAll(folder, surfaces, await makeItsHome(), open, options)));
  }
  if (failed.length > 0) throw new Error(`${failed.length} surfaces couldn't be shown:\n${failed.join('\n')}`);
}

/** A home whose workspace is a repository with uncommitted changes. */
async function repositoryHome() {
  const home = await makeHome();
  await commitOlderCode(home);
  await addLookups(home);
  return home;
}

/** Calls of agents, as the record of them has them. */
async function addLookups({ env }) {
  const folder = join(env.HOME, '.local', 'share', 'session-tree', 'code-oss');
  const [client, time] = ['claude-code', Date.now()];
  const calls = [
    { tool: 'search_sessions', input: '{"query":"stock holds"}', bytes: 2381, isRefused: false },
    { tool: 'why_line', input: '{"file":"src/checkout.ts","line":12}', bytes: 912, isRefused: false },
    { tool: 'read_session', input: '{"ref":"0190aaaa"}', isRefused: true },
  ];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lines = calls.map((call, at) => `${JSON.stringify({ time: time + at * 1000, client, ...call })}\n`);
  await writeFile(join(folder, 'lookups.jsonl'), lines.join(''), { mode: 0o600 });
}

/** A home without sessions. */
async function emptyHome() {
  const home = await makeHome();
  for (const name of ['.pi', '.omp', '.jensen', '.gsd', '.openclaw']) await rm(join(home.env.HOME, name), { recursive: true, force: true });
  return home;
}

async function takeAll(folder, surfaces, home, open, { widths, themes, language, zoom }) {
  const failed = [];
  const editor = await openEditor(home, {
    'window.title': '${rootName}',
    'workbench.colorTheme': 'Default Dark Modern',
    'editor.stickyScroll.enabled': false,
  });
  const { page } = editor;
  try {
    await page.setViewportSize({ width: WINDOW.width / zoom, height: WINDOW.height / zoom });
    // As with a language pack, which has the editor's own texts in addition.
    if (language !== undefined) await page.addInitScript((name) => (globalThis._VSCODE_NLS_LANGUAGE = name), language);
    await open(editor);
    page.setDefaultTimeout(PATIENCE);
    for (const [name, theme] of Object.entries(THEMES).filter(([name]) => themes.includes(name))) {
      await reset(page);
      await chooseTheme(page, theme);
      for (const width of widths) {
        for (const [surface, show] of Object.entries(surfaces)) {
          const path = join(folder, [surface, name, ...(widths.length > 1 ? [width] : [])].join('-'));
          try {
            await resizeSidebar(page, width);
            const clip = await show(page);
            await page.screenshot({ path: `${path}.png`, animations: 'disabled', ...(clip ? { clip } : {}) });
            console.log(`${path}.png`);
          } catch (error) {
            failed.push(`${surface} (${name}, ${width}): ${error.message}`);
            await page.screenshot({ path: `${path}-failed.png` });
          }
          await reset(page);
        }
      }
    }
  } finally {
    await editor.close();
    home.remove();
  }
  return failed;
}
