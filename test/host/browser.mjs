// Starts a browser for the tests.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { bringsBrowser, browserFolder } from './install.mjs';

/** Options for machines without a network, for root, and for containers. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--remote-debugging-port=0',
];

/** Paths of browsers in Linux distributions. playwright knows where Chrome and Edge are on all systems. */
const usualPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/snap/bin/chromium'];

/**
 * Starts a browser without a window: CHROME_PATH if set, otherwise the one in this package (Linux x64), otherwise an
 * installed one.
 * @param {string} profile an empty folder for its data
 * @returns {Promise<{ context: import('playwright-core').BrowserContext, endpoint: string }>} `endpoint` is the address
 *   for a second program (the extension host) that connects to the same browser
 * @throws {Error} if there is no browser
 */
export async function launchBrowser(profile) {
  const problems = [];
  for (const choice of choices()) {
    try {
      const context = await chromium.launchPersistentContext(profile, {
        ...choice,
        args: flags,
        viewport: { width: 1280, height: 800 },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const [port] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
      return { context, endpoint: `http://127.0.0.1:${port}` };
    } catch (error) {
      problems.push(error.message);
    }
  }
  throw new Error(`No browser for the tests could be started. Set CHROME_PATH to a Chrome or Chromium.\n${problems.join('\n')}`);
}

function choices() {
  if (process.env.CHROME_PATH) return [{ executablePath: process.env.CHROME_PATH }];
  if (bringsBrowser) {
    const libraries = [join(browserFolder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
    const env = { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(browserFolder, 'fonts') };
    return [{ executablePath: join(browserFolder, 'chromium'), env }];
  }
  return [
    { channel: 'chrome' },
    { channel: 'msedge' },
    ...usualPlaces.filter((path) => existsSync(path)).map((executablePath) => ({ executablePath })),
  ];
}
