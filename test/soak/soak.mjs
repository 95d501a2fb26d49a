// npm run soak [-- minutes]: a real VS Code with 10,000 sessions, while five agents append and sessions are created,
// moved and deleted. Fails if the extension host's memory, descriptors, handles or watches grow.
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { line, pathOf, sessionText, writeSessions } from '../bench/editor/store.mjs';
import { openWindow, whenShown } from '../bench/editor/window.mjs';
import { makeHome, still, writeSettings } from '../host/home.mjs';
import { installHost } from '../host/install.mjs';
import { exitOnSignals } from '../host/processes.mjs';
import { build } from '../host/steps.mjs';

const MINUTES = Number(process.argv[2] ?? 10);
/** Milliseconds between two measurements, and until the first one that counts: by then the caches are full. */
const BETWEEN = 20_000;
const WARM_UP = Math.min(120_000, (MINUTES * 60_000) / 3);
/** Milliseconds of quiet before a measurement, so that no pending work is counted. */
const QUIET = 4000;
const WRITERS = 5;
/** Milliseconds between two lines of a writer. */
const PACE = 150;
/** Number of lines after which a writer's session starts over. */
const LINES = 200;
/**
 * Bytes that the editor itself keeps for each tree item that was ever made: its `ExtHostTreeView` registers a
 * disposable store for each, and releases them only with the view. Two heap snapshots showed this.
 */
const OF_ITEM = 240;
/** Maximum growth between the first and the last measurements. At either end the smallest of three counts. */
const BOUNDS = { ownHeap: 4e6, descriptors: 4, handles: 6, watches: 4, editorWatches: 8 };

exitOnSignals();
// Measures the production build, which is what ships.
if (!(await build('--production')).ok) process.exit(1);
const host = await installHost();
const home = await makeHome();
await writeSettings(join(home.data, 'data', 'User'), still);
const root = join(home.env.HOME, '.pi', 'agent', 'sessions');
await rm(join(home.env.HOME, '.pi'), { recursive: true, force: true });
await writeSessions(root);

const window = await openWindow({ host, home, name: 'soak' });
let isOver = false;
/** Pending while a measurement is taken; the writers wait for it. */
let resting = Promise.resolve();
const counts = { lines: 0, made: 0, renamed: 0, deleted: 0, searches: 0 };
try {
  await begin();
  const works = [...Array.from({ length: WRITERS }, (_, number) => agent(number)), comeAndGo(), searches()];
  // A failing task ends the whole run.
  const looks = await Promise.race([look(), Promise.all(works)]);
  isOver = true;
  await Promise.all(works);
  judge(looks);
} finally {
  isOver = true;
  await window.close();
  home.remove();
}

/** Opens rows, a context view, a document and a raw file of sessions that grow. */
async function begin() {
  const { page, ask } = window;
  await ask('activate');
  await ask('command', { id: 'sessionTree.sessions.focus' });
  await ask('command', { id: 'sessionTree.refresh' });
  await whenShown(page, 'project0');
  const expand = async (text) =>
    await page.locator('.part.sidebar .monaco-list-row').filter({ hasText: text }).first().locator('.monaco-tl-twistie').click();
  await expand('project0');
  for (const number of [0, 1]) {
    await whenShown(page, `Please do 0 ${number} `);
    await expand(`Please do 0 ${number} `);
    await whenShown(page, `answer 0 ${number}`);
  }
  await ask('command', { id: 'sessionTree.showContext', args: [{ path: pathOf(root, 0, 0) }] });
  await ask('command', { id: 'workbench.action.splitEditor' });
  await ask('command', { id: 'sessionTree.openMarkdown', args: [{ path: pathOf(root, 0, 1) }] });
  await ask('command', { id: 'sessionTree.openRaw', args: [{ path: pathOf(root, 0, 2) }] });
}

/** Appends lines to its session like a running program; starts over from time to time. */
async function agent(number) {
  const path = pathOf(root, 0, number);
  while (!isOver) {
    await writeFile(path, sessionText(0, number));
    for (let count = 6; count < 6 + LINES && !isOver; count++) {
      await resting;
      await appendFile(path, line(count));
      counts.lines++;
      await pause(PACE);
    }
  }
}

/** Creates, renames and deletes sessions and projects. */
async function comeAndGo() {
  for (let number = 0; !isOver; number++) {
    await resting;
    const folder = join(root, `--work-new${number}--`);
    await mkdir(folder);
    const paths = [join(folder, 'a.jsonl'), join(root, '--work-project1--', `new${number}.jsonl`)];
    for (const path of paths) await writeFile(path, sessionText(1, 1000 + number));
    counts.made += paths.length;
    await pause(400);
    for (const path of paths) await rename(path, path.replace('.jsonl', '-b.jsonl'));
    counts.renamed += paths.length;
    await pause(400);
    await rm(folder, { recursive: true });
    await rm(paths[1].replace('.jsonl', '-b.jsonl'));
    counts.deleted += paths.length;
    await pause(400);
  }
}

async function searches() {
  const { ask } = window;
  while (!isOver) {
    await resting;
    for (const query of ['please', 'appended', 'role:user answer']) await ask('command', { id: 'sessionTree.search', args: [{ query }] });
    await ask('command', {
      id: 'sessionTree.label',
      args: [{ path: pathOf(root, 3, 0), entryId: 'e1', label: counts.searches % 2 ? '' : 'mark', force: true }],
    });
    counts.searches += 3;
    await pause(3000);
  }
}

async function look() {
  const looks = [];
  const end = Date.now() + MINUTES * 60_000;
  const path = pathOf(root, 3, 0);
  const before = await readFile(path);
  console.log('   time      heap       rss  descriptors  handles  watches  watched by the editor  tree items made');
  for (const start = Date.now(); Date.now() < end; await pause(BETWEEN - QUIET)) {
    let goOn;
    resting = new Promise((resolve) => (goOn = resolve));
    await pause(QUIET);
    // The labels that were set are lines, too.
    await writeFile(path, before);
    const found = await window.ask('resources');
    goOn();
    const seconds = Math.round((Date.now() - start) / 1000);
    const mb = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
    console.log(
      [
        `${seconds} s`.padStart(7),
        mb(found.heap).padStart(9),
        mb(found.rss).padStart(9),
        String(found.descriptors).padStart(12),
        String(found.handles).padStart(8),
        String(found.watches).padStart(8),
        String(found.editorWatches).padStart(8),
        String(found.items).padStart(30),
      ].join(' '),
    );
    if (seconds * 1000 >= WARM_UP) looks.push({ ...found, ownHeap: found.heap - found.items * OF_ITEM });
  }
  return looks;
}

function judge(looks) {
  console.log(
    `${counts.lines} lines appended by ${WRITERS} agents; ${counts.made} sessions made, ${counts.renamed} renamed, ${counts.deleted} deleted; ${counts.searches} searches`,
  );
  if (looks.length < 6) throw new Error(`${looks.length} looks are too few to tell: let it run longer.`);
  const least = (some, key) => Math.min(...some.map((each) => each[key]));
  for (const [key, bound] of Object.entries(BOUNDS)) {
    const [from, to] = [least(looks.slice(0, 3), key), least(looks.slice(-3), key)];
    const isFine = to - from <= bound;
    console.log(`${isFine ? '✓' : '✗'} ${key}: ${from} → ${to}, at most ${bound} more`);
    if (!isFine) process.exitCode = 1;
  }
}
