// npm run screenshots:export: takes the README's pictures of an exported session, in dark and in light.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeHome, project } from './home.mjs';
import { installHost } from './install.mjs';
import { exitOnSignals } from './processes.mjs';
import { build } from './steps.mjs';

/** Words of the session, and of the entry that is in sight. */
const [SESSION, ENTRY] = ['fails about one run in five', 'Too much. Take'];

exitOnSignals();
if (!(await build()).ok) throw new Error('The build failed.');
await installHost();
const { launchBrowser } = await import('./browser.mjs');
const { exportHtml } = await import(pathToFileURL(join(project, 'dist', 'core.mjs')).href);

const home = await makeHome();
const { context } = await launchBrowser(join(home.env.HOME, 'browser'));
try {
  const lines = await sampleLines();
  const path = join(home.env.HOME, 'export.html');
  let text = '';
  for await (const piece of exportHtml(each(lines), { title: 'Fix the flaky checkout test' })) text += piece;
  await writeFile(path, text);
  for (const colorScheme of ['dark', 'light']) await take(path, lines, colorScheme);
} finally {
  await context.close();
  home.remove();
}

async function take(path, lines, colorScheme) {
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width: 1360, height: 760 });
  const { id } = JSON.parse(lines.find((line) => line.includes(ENTRY)));
  await page.goto(`${pathToFileURL(path).href}#${id}`);
  await page.locator('article.navigation-target').waitFor();
  await page.mouse.move(0, 0);
  const picture = join(project, 'media', `screenshot-export-${colorScheme}.png`);
  await page.screenshot({ path: picture, animations: 'disabled' });
  console.log(picture);
  await page.close();
}

/** Returns the lines of the sample's session. */
async function sampleLines() {
  const folder = join(home.env.HOME, '.pi', 'agent', 'sessions');
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.jsonl')) continue;
    const text = await readFile(join(folder, name), 'utf8');
    if (text.includes(SESSION)) return text.trimEnd().split('\n');
  }
  throw new Error('The sample has no such session.');
}

async function* each(lines) {
  yield* lines;
}
