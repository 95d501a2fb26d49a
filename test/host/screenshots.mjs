// npm run screenshots: takes the README's pictures from the sample store; with --gallery FOLDER, pictures of everything, for
// looking at them; with --surface NAME, which can be repeated, only of some surfaces; with --width PIXELS, which can be repeated,
// --theme NAME, --language NAME and --zoom 2 in other sidebars, one theme, another language, and with half the room.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from './browser.mjs';
import { makeHome, project, still, writeSettings } from './home.mjs';
import { installHost } from './install.mjs';
import { workbenchAddress } from './page.mjs';
import { chooseTheme, resizeSidebar, row, THEMES } from './pictures/appearance.mjs';
import { takeGallery } from './pictures/gallery.mjs';
import { exitOnSignals } from './processes.mjs';
import { startServer } from './server.mjs';
import { build } from './steps.mjs';

const text = { type: 'string' };
const several = { type: 'string', multiple: true };
const { gallery, surface, width, theme, language, zoom } = parseArgs({
  options: { gallery: text, surface: several, width: several, theme: several, language: text, zoom: text },
}).values;
const options = {
  names: surface,
  widths: width?.map(Number),
  themes: theme,
  language,
  zoom: zoom === undefined ? undefined : Number(zoom),
};

exitOnSignals();
if (!(await build()).ok) throw new Error('The build failed.');
if (gallery !== undefined) await takeGallery(resolve(process.env.INIT_CWD ?? '.', gallery), options);
else for (const [name, theme] of Object.entries(THEMES)) await take(name, theme);

async function take(name, theme) {
  const home = await makeHome();
  const settings = { ...still, 'window.title': '${rootName}', 'workbench.statusBar.visible': false, 'window.menuBarVisibility': 'compact' };
  await writeSettings(join(home.data, 'data', 'User'), settings);
  const server = await startServer({ host: await installHost(), data: home.data, env: home.env });
  const browser = await launchBrowser(join(home.folder, 'browser'));
  try {
    const page = browser.context.pages()[0] ?? (await browser.context.newPage());
    await page.setViewportSize({ width: 1360, height: 900 });
    await page.goto(workbenchAddress({ origin: server.origin, folder: home.workspace, extension: project }));
    await page.locator('.activitybar .action-label[aria-label^="Pi Session Tree"]').first().click();
    await chooseTheme(page, theme);
    await row(page, 'Fix the flaky checkout test').locator('.monaco-tl-twistie').click();
    await row(page, 'Write me the text').waitFor();
    await resizeSidebar(page, 520);
    await row(page, 'journal looks like').locator('.monaco-tl-twistie').click();
    await row(page, 'Fixed: all lines').click();
    const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await frame.locator('article').last().waitFor();
    await page.mouse.move(900, 5);
    const path = join(project, 'media', `screenshot-${name}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    console.log(path);
  } finally {
    await browser.context.close();
    await server.stop();
    home.remove();
  }
}
