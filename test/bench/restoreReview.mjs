// npm run bench:review: the time from “Restore Files to This Point” in a real VS Code until its review shows the first file, and until
// the editor shows the first difference: of 500 files with 2,000 edits in 30 sessions and 50 commits. With `-- --runs 5` it's opened
// five times. Measures the build for tests, which isn't minified.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeHome, still, writeSettings } from '../host/home.mjs';
import { installHost } from '../host/install.mjs';
import { exitOnSignals } from '../host/processes.mjs';
import { build } from '../host/steps.mjs';
import { openWindow, until } from './editor/window.mjs';
import { writeManyEdits } from './manyEdits.mjs';

/** Milliseconds until the sessions are indexed, and the editor's own extensions have started. */
const QUIET = 12_000;
const VIEW = '.part.sidebar .pane:has(.pane-header[aria-label^="Restore Files"])';
/** What is shown, in this order. */
const SHOWN = {
  'the first file in the list': `${VIEW} .monaco-list-row[aria-level="2"] .custom-view-tree-node-item-checkbox`,
  'the first difference': '.multiDiffEntry .view-line',
};

exitOnSignals();
const { runs } = parseArgs({ options: { runs: { type: 'string', default: '3' } } }).values;
if (!(await build()).ok) process.exit(1);
const host = await installHost();
const home = await makeHome();
await writeSettings(join(home.data, 'data', 'User'), still);
const sessions = join(home.env.HOME, '.pi', 'agent', 'sessions', '--many-edits--');
const ref = writeManyEdits(join(home.folder, 'many'), sessions);
const window = await openWindow({ host, home, name: 'review' });
try {
  const { page, ask } = window;
  await ask('command', { id: 'sessionTree.refresh' });
  await pause(QUIET);
  for (let run = 1; run <= Number(runs); run++) {
    const shown = Promise.all(Object.values(SHOWN).map((selector) => whenThere(page, selector)));
    const start = Date.now();
    const ended = ask('command', { id: 'sessionTree.restoreFiles', args: [{ row: 'entry', ...ref }] });
    const times = (await shown).map((time, at) => `${Object.keys(SHOWN)[at]} after ${time - start} ms`);
    console.log(`Run ${run}: ${times.join(', ')}`);
    await ask('command', { id: 'sessionTree.restoreReview.cancel' });
    await ended;
    await until('the end of the review', async () => (await page.locator(VIEW).count()) === 0);
  }
} finally {
  await window.close();
}
home.remove();

/** Resolves to the time (milliseconds since 1970) at which the page first has an element. The page itself reports it. */
function whenThere(page, selector) {
  return page.evaluate(
    (selector) =>
      new Promise((resolve) => {
        const { document, MutationObserver } = globalThis;
        const look = () => {
          if (!document.querySelector(selector)) return;
          watcher.disconnect();
          resolve(Date.now());
        };
        const watcher = new MutationObserver(look);
        watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
        look();
      }),
    selector,
  );
}
