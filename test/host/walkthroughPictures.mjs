// npm run screenshots:walkthrough: takes the walkthrough's pictures from the sample store, in a dark and in a light theme.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEditor } from './editor.mjs';
import { makeHome, project } from './home.mjs';
import { exitOnSignals } from './processes.mjs';
import { build } from './steps.mjs';

const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' };
const QUALITY = 0.3;
/** Part of a picture’s size: the walkthrough shows about 450 pixels of width in a window of usual size. */
const SCALE = 0.75;

exitOnSignals();
if (!(await build()).ok) throw new Error('The build failed.');
for (const [name, theme] of Object.entries(THEMES)) await takeAll(name, theme);

async function takeAll(name, theme) {
  const home = await makeHome();
  const editor = await openEditor(home, {
    'window.title': '${rootName}',
    'workbench.statusBar.visible': false,
    'workbench.colorTheme': theme,
  });
  const { page } = editor;
  const row = (text) => page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
  const command = async (title) => {
    await page.keyboard.press('F1');
    const list = page.locator('.quick-input-widget:visible');
    await list.locator('input').fill(`>${title}`);
    await list.locator('.monaco-list-row', { hasText: title }).first().click();
  };
  const take = async (step, clip) => {
    const path = join(project, 'media', 'walkthrough', `${step}-${name}.webp`);
    await writeFile(path, await asWebp(page, await page.screenshot({ clip, animations: 'disabled' })));
    console.log(path);
  };
  try {
    await page.setViewportSize({ width: 1100, height: 800 });
    await editor.showSessions();
    await row('Fix the flaky checkout test').click();
    await row('Fixed: all lines').waitFor();
    await row('Fixed: all lines').click();
    const context = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await context.locator('article').last().waitFor();
    await page.mouse.move(900, 5);
    await take('see', { x: 0, y: 36, width: 560, height: 400 });
    await take('read', { x: 330, y: 36, width: 770, height: 460 });

    await command('Pi Session Tree: Search Sessions');
    await page.locator('.quick-input-widget:visible .monaco-list-row').first().waitFor();
    await page.keyboard.type('stock');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'stock' }).first().waitFor();
    await take('search', { x: 240, y: 0, width: 620, height: 310 });
    await page.keyboard.press('Escape');

    await row('Fixed: all lines').click({ button: 'right' });
    await page.locator('.monaco-menu:visible', { hasText: 'Branch Here' }).waitFor();
    await take('branch', { x: 40, y: 36, width: 440, height: 470 });
    await page.locator('.monaco-menu:visible .action-item', { hasText: 'Branch Here' }).click();
    await page.locator('.quick-input-widget:visible input').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.notification-toast').waitFor();
    await take('undo', { x: 600, y: 530, width: 500, height: 270 });
  } finally {
    await editor.close();
    home.remove();
  }
}

/** Returns a picture as WebP, which is a third as large. */
async function asWebp(page, png) {
  const encoded = await page.evaluate(
    async ([base64, quality, scale]) => {
      const bytes = Uint8Array.from(globalThis.atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await globalThis.createImageBitmap(new globalThis.Blob([bytes]));
      const canvas = new globalThis.OffscreenCanvas(bitmap.width * scale, bitmap.height * scale);
      const brush = canvas.getContext('2d');
      brush.imageSmoothingQuality = 'high';
      brush.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      const webp = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
      return globalThis.btoa(Array.from(webp, (byte) => String.fromCharCode(byte)).join(''));
    },
    [png.toString('base64'), QUALITY, SCALE],
  );
  return Buffer.from(encoded, 'base64');
}
