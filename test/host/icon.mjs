// npm run icon: draws media/icon.png, the icon of the extension's page, from the mark in media/icon.svg.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './browser.mjs';
import { project } from './home.mjs';
import { installHost } from './install.mjs';
import { smallPng } from './png.mjs';
import { exitOnSignals } from './processes.mjs';
import { temporaryFolder } from './temporary.mjs';

/** Width and height in pixels, as the Marketplace asks for. */
const SIZE = 256;

exitOnSignals();
await installHost();
const mark = readFileSync(join(project, 'media', 'icon.svg'), 'utf8');
const profile = temporaryFolder();
const browser = await launchBrowser(profile.path);
try {
  const page = await browser.context.newPage();
  await page.setViewportSize({ width: SIZE, height: SIZE });
  await page.setContent(`<style>
    body { margin: 0; background: transparent }
    div { width: 100vw; height: 100vh; border-radius: 22%; display: grid; place-items: center; color: #fff;
      background: linear-gradient(#2f7fd6, #1f4fa3) }
    svg { width: 68%; height: 68% }
  </style><div>${mark}</div>`);
  writeFileSync(join(project, 'media', 'icon.png'), smallPng(await page.screenshot({ omitBackground: true })));
} finally {
  await browser.context.close();
  profile.remove();
}
