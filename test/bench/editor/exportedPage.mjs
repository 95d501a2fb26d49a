// Measures an exported page: a session of 10,000 messages, opened from the disk in a browser of its own.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '../../host/browser.mjs';
import { project } from '../../host/home.mjs';
import { longSession } from './longSession.mjs';
import { watchTasks } from './tasks.mjs';

const MESSAGES = 10_000;
const IMAGES = 100;
const HUGE = 2_000_000;
/** Limit in milliseconds that leaves slower machines some room. */
const SHORT = 35;
const LONG = 50;

/**
 * @param {string} folder an empty folder
 * @returns {Promise<[what: string, value: string, goal: string][]>} needs the output of the build
 */
export async function measureExport(folder) {
  const { exportHtml } = await import(pathToFileURL(join(project, 'dist', 'core.mjs')).href);
  const jsonl = [...longSession({ messages: MESSAGES, images: IMAGES, huge: HUGE, cwd: '/work/long' })].join('');
  let html = '';
  for await (const piece of exportHtml(each(jsonl.trimEnd().split('\n')), { title: 'Long' })) html += piece;
  const path = join(folder, 'export.html');
  await writeFile(path, html);
  const { context } = await launchBrowser(join(folder, 'browser'));
  try {
    const page = await context.newPage();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(pathToFileURL(path).href);
    await page.waitForFunction(() => globalThis.performance.getEntriesByName('rendered').length > 0);
    const [ready, drawn] = await page.evaluate(() =>
      ['ready', 'rendered'].map((name) => globalThis.performance.getEntriesByName(name)[0].startTime),
    );
    const stop = await watchTasks(await context.newCDPSession(page));
    await page.evaluate(scrollUp);
    const times = (await stop()).map(({ time }) => time);
    return [
      [
        `an export of ${MESSAGES.toLocaleString('en')} messages: from opening the file until its session is read / until the messages are drawn`,
        `${Math.round(ready)} / ${Math.round(drawn)} ms`,
        'under 2,000 ms',
      ],
      ['its size: session / file', `${mb(jsonl.length)} / ${mb(html.length)}`, 'at most 1.5 times and 1 MB more'],
      [
        `main-thread tasks by processor time in it, while 300 screens are scrolled: over ${SHORT} / over ${LONG} ms`,
        `${times.filter((time) => time > SHORT).length} / ${times.filter((time) => time > LONG).length}, the longest ${Math.round(Math.max(0, ...times))} ms`,
        'none',
      ],
    ];
  } finally {
    await context.close();
  }
}

const mb = (value) => `${(value / 1e6).toFixed(1)} MB`;

async function* each(lines) {
  yield* lines;
}

/** Runs in the page. */
async function scrollUp() {
  const { document, requestAnimationFrame, setTimeout } = globalThis;
  const main = document.querySelector('main');
  for (let step = 0; step < 300; step++) {
    main.scrollTop -= main.clientHeight;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
}
