// npm run screenshots:lines: takes the README's pictures of lines and their origins, in a dark and in a light theme.
import { join } from 'node:path';
import { openEditor } from './editor.mjs';
import { makeHome, project } from './home.mjs';
import { exitOnSignals } from './processes.mjs';
import { build } from './steps.mjs';

const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' };

exitOnSignals();
if (!(await build()).ok) throw new Error('The build failed.');
for (const [name, theme] of Object.entries(THEMES)) await take(name, theme);

async function take(name, theme) {
  const home = await makeHome();
  const editor = await openEditor(home, {
    'window.title': '${rootName}',
    'workbench.statusBar.visible': false,
    'workbench.colorTheme': theme,
    'editor.minimap.enabled': false,
  });
  const { page } = editor;
  const run = async (title) => {
    await page.keyboard.press('F1');
    const list = page.locator('.quick-input-widget:visible');
    await list.locator('input').fill(`>${title}`);
    await list.locator('.monaco-list-row', { hasText: title }).first().click();
  };
  try {
    await page.setViewportSize({ width: 1360, height: 640 });
    await editor.showSessions();
    await page.keyboard.press('Control+P');
    await page.locator('.quick-input-widget:visible input').fill('checkout.ts');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'src' }).first().click();
    await page.locator('.tab.active', { hasText: 'checkout.ts' }).waitFor();
    await run('Pi Session Tree: Toggle Session Annotations');
    await run('Pi Session Tree: Sessions for This File');
    await page.locator('.pane-body .monaco-list-row', { hasText: 'Too much' }).first().waitFor();
    // VS Code's own messages about its parts.
    await run('Notifications: Clear All Notifications');
    await page.locator('.view-line', { hasText: 'Promise.allSettled(cart' }).locator('span', { hasText: 'allSettled' }).last().hover();
    await page.locator('.monaco-hover a', { hasText: 'All Edits of This Line' }).first().waitFor();
    const path = join(project, 'media', `screenshot-lines-${name}.png`);
    await page.screenshot({ path, animations: 'disabled' });
    console.log(path);
  } finally {
    await editor.close();
    home.remove();
  }
}
