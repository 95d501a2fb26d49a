// npm run screenshots:walkthrough: takes the walkthrough's pictures from the sample store, in a dark and in a light theme.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEditor } from './editor.mjs';
import { makeHome, project } from './home.mjs';
import { commitOlderCode } from './pictures/olderCode.mjs';
import { exitOnSignals } from './processes.mjs';
import { build } from './steps.mjs';

const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern' };
/** The package has room for about 130 KB of pictures. Each is a part of the window in its own size, so that its words are sharp. */
const QUALITY = 0.2;
/** A secret for the review of an export. Its format is one of a service's; it opens nothing. */
const SECRET = ['sk', 'live', '51Nq8vT2xZp0RkY7mWc4NsB9dH'].join('_');

exitOnSignals();
if (!(await build()).ok) throw new Error('The build failed.');
for (const [name, theme] of Object.entries(THEMES)) await takeAll(name, theme);

async function takeAll(name, theme) {
  const home = await makeHome();
  await commitOlderCode(home);
  await addSecret(home);
  const editor = await openEditor(home, {
    'window.title': '${rootName}',
    'workbench.statusBar.visible': false,
    'workbench.colorTheme': theme,
    'editor.minimap.enabled': false,
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
    await row('Fix the flaky checkout test').locator('.monaco-tl-twistie').click();
    await row('Fixed: all lines').waitFor();
    await row('Fixed: all lines').click();
    const context = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await context.locator('article').last().waitFor();
    await page.mouse.move(900, 5);
    await take('see', { x: 0, y: 36, width: 440, height: 260 });
    await take('read', { x: 330, y: 66, width: 520, height: 260 });

    await command('Pi Session Tree: Search Sessions');
    await page.locator('.quick-input-widget:visible .monaco-list-row').first().waitFor();
    await page.keyboard.type('stock');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'stock' }).first().waitFor();
    await take('search', { x: 250, y: 0, width: 600, height: 220 });
    await page.keyboard.press('Escape');

    await page.keyboard.press('Control+P');
    await page.locator('.quick-input-widget:visible input').fill('checkout.ts');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'src' }).first().click();
    await page.locator('.tab.active', { hasText: 'checkout.ts' }).waitFor();
    await page.locator('.view-line', { hasText: 'Promise.allSettled(cart' }).locator('span', { hasText: 'allSettled' }).last().hover();
    await page.locator('.monaco-hover a', { hasText: 'All Edits of This Line' }).first().waitFor();
    await take('lines', { x: 440, y: 150, width: 640, height: 190 });

    await command('Pi Session Tree: Review Changes in Working Tree');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'checkout.ts' }).first().click();
    await page.locator('.monaco-diff-editor .view-line', { hasText: 'allSettled' }).first().waitFor();
    await page.locator('.monaco-diff-editor [class*="TextEditorDecorationType"]').first().waitFor();
    await page.mouse.move(900, 5);
    await take('review', { x: 390, y: 100, width: 560, height: 230 });

    await row('Pay with a test card').click();
    await command('Pi Session Tree: Export Session');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'HTML' }).first().click();
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'stripe' }).first().waitFor();
    await take('export', { x: 250, y: 0, width: 600, height: 170 });
    await page.keyboard.press('Escape');

    await row('Fixed: all lines').click({ button: 'right' });
    const menu = page.locator('.monaco-menu:visible', { hasText: 'Branch Here' });
    await menu.waitFor();
    const { x, y } = await menu.boundingBox();
    await take('back', { x: Math.max(0, x - 130), y: y - 40, width: 440, height: 260 });
  } finally {
    await editor.close();
    home.remove();
  }
}

/** Adds a session with a secret in it. */
async function addSecret({ workspace, env }) {
  const folder = join(env.HOME, '.pi', 'agent', 'sessions', `--${workspace.replaceAll('/', '-').replace(/^-/, '')}--`);
  const timestamp = new Date().toISOString();
  const message = (role, text) => ({ role, content: [{ type: 'text', text }], timestamp: Date.parse(timestamp) });
  const lines = [
    { type: 'session', version: 3, id: '0190aaaa-0000-7000-8000-00000000000a', timestamp, cwd: workspace },
    { type: 'message', id: 'a0000001', parentId: null, timestamp, message: message('user', `Pay with a test card, STRIPE_KEY=${SECRET}`) },
    {
      type: 'message',
      id: 'a0000002',
      parentId: 'a0000001',
      timestamp,
      message: message('user', `Mail the receipt to jane@example.org, from ${env.HOME}`),
    },
  ];
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'secret.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Returns a picture as WebP, which is a third as large. */
async function asWebp(page, png) {
  const encoded = await page.evaluate(
    async ([base64, quality]) => {
      const bytes = Uint8Array.from(globalThis.atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await globalThis.createImageBitmap(new globalThis.Blob([bytes]));
      const canvas = new globalThis.OffscreenCanvas(bitmap.width, bitmap.height);
      canvas.getContext('2d').drawImage(bitmap, 0, 0);
      const webp = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality })).arrayBuffer());
      return globalThis.btoa(Array.from(webp, (byte) => String.fromCharCode(byte)).join(''));
    },
    [png.toString('base64'), QUALITY],
  );
  return Buffer.from(encoded, 'base64');
}
