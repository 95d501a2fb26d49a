// npm run screenshots: takes the README's pictures from the sample store.
import { join } from 'node:path';
import { launchBrowser } from './browser.mjs';
import { makeHome, project, still, writeSettings } from './home.mjs';
import { installHost } from './install.mjs';
import { workbenchAddress } from './page.mjs';
import { exitOnSignals } from './processes.mjs';
import { startServer } from './server.mjs';
import { build } from './steps.mjs';

/** Names of the pictures: the theme, and the class of the window in it. */
const THEMES = { dark: ['Dark Modern', 'vs-dark'], light: ['Light Modern', 'vs'], contrast: ['Dark High Contrast', 'hc-black'] };

exitOnSignals();
if (!(await build()).ok) throw new Error('The build failed.');
for (const [name, [theme, base]] of Object.entries(THEMES)) await take(name, theme, base);

async function take(name, theme, base) {
  const home = await makeHome();
  const settings = { ...still, 'window.title': '${rootName}', 'workbench.statusBar.visible': false, 'window.menuBarVisibility': 'compact' };
  await writeSettings(join(home.data, 'data', 'User'), settings);
  const server = await startServer({ host: await installHost(), data: home.data, env: home.env });
  const browser = await launchBrowser(join(home.folder, 'browser'));
  try {
    const page = browser.context.pages()[0] ?? (await browser.context.newPage());
    await page.setViewportSize({ width: 1360, height: 900 });
    await page.goto(workbenchAddress({ origin: server.origin, folder: home.workspace, extension: project }));
    await page.locator('.activitybar .action-label[aria-label^="Session Tree"]').first().click();
    // Set later, because at its start the editor uses high contrast only if the system does.
    await chooseTheme(page, theme);
    await page.locator(`.monaco-workbench.${base}`).waitFor();
    await row(page, 'Fix the flaky checkout test').click();
    await row(page, 'Write me the text').waitFor();
    await widen(page, 520);
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

async function chooseTheme(page, theme) {
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+T');
  const list = page.locator('.quick-input-widget');
  await list.locator('input').first().fill(theme);
  await list.locator('.monaco-list-row.focused', { hasText: theme }).waitFor();
  await page.keyboard.press('Enter');
}

function row(page, text) {
  return page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
}

async function widen(page, width) {
  const edge = await page.locator('.part.sidebar').boundingBox();
  const y = edge.y + edge.height / 2;
  await page.mouse.move(edge.x + edge.width, y);
  await page.mouse.down();
  await page.mouse.move(edge.x + width, y, { steps: 4 });
  await page.mouse.up();
}
