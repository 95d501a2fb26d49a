// npm run bench:page [-- --profile file]: measures the cost of a long session for the context view's page in a real VS
// Code. Writes PAGE.md beside this file. With `-- --opens 5` it only opens five such sessions, one after the other, with
// `-- --steps 300` it only scrolls that far; both write nothing. `-- --parts` prints what the longest tasks of the page
// did, `-- --host file` writes a profile of the extension host and prints what it did in its longest tasks.
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeHome, still, writeSettings } from '../host/home.mjs';
import { installHost } from '../host/install.mjs';
import { exitOnSignals } from '../host/processes.mjs';
import { build } from '../host/steps.mjs';
import { measureExport } from './editor/exportedPage.mjs';
import { longSession } from './editor/longSession.mjs';
import { measurePageWork, workTable } from './editor/pageWork.mjs';
import { printPauses } from './editor/pauses.mjs';
import { watchTasks } from './editor/tasks.mjs';
import { openWindow, until } from './editor/window.mjs';

const MESSAGES = 20_000;
const IMAGES = 300;
const HUGE = 10_000_000;
/** Milliseconds until the editor's own extensions have started: loading one of them takes longer than the goals allow. */
const QUIET = 12_000;
/** Size of the window in pixels. */
const SIZE = { width: 1280, height: 900 };
/** The measurement of the editor itself, for comparison. */
const EMPTY = 'an empty page of another extension: ';
/** Number of view heights per scroll step. */
const STEP = 2;
const LONG = 50;
/** Limit in milliseconds that leaves slower machines some room. */
const SHORT = 25;

/** The heading in PAGE.md from which on it's written by hand. */
const BY_HAND = '\n## How to read the figures\n';

exitOnSignals();
const {
  profile: profileFile,
  opens,
  steps,
  parts,
  host: hostProfile,
} = parseArgs({
  options: {
    profile: { type: 'string' },
    opens: { type: 'string' },
    steps: { type: 'string' },
    parts: { type: 'boolean' },
    host: { type: 'string' },
  },
}).values;
// Measures the production build, which is what ships. Only a profile needs its names.
if (!(await build(...(profileFile === undefined && hostProfile === undefined ? ['--production'] : []))).ok) process.exit(1);
const host = await installHost();
const home = await makeHome();
await writeSettings(join(home.data, 'data', 'User'), still);
const folder = join(home.env.HOME, '.pi', 'agent', 'sessions', '--work-long--');
await mkdir(folder, { recursive: true });
const paths = Array.from({ length: Number(opens ?? 1) }, (_, index) => join(folder, `long${index}.jsonl`));
const path = paths.at(-1);
for (const each of paths)
  await pipeline(
    Readable.from(longSession({ messages: MESSAGES, images: IMAGES, huge: HUGE, cwd: '/work/long' })),
    createWriteStream(each),
  );

const rows = [];
const note = (what, value, wanted = '') => {
  rows.push([what, value, wanted]);
  console.log(`${what}: ${value}${wanted ? ` (goal: ${wanted})` : ''}`);
};
const ms = (value) => `${Math.round(value)} ms`;
const mb = (value) => `${(value / 1e6).toFixed(1)} MB`;

const window = await openWindow({ host, home, name: 'page' });
let work = [];
try {
  await window.page.setViewportSize(SIZE);
  await window.ask('command', { id: 'sessionTree.refresh' });
  await pause(QUIET);
  for (const other of paths.slice(0, -1)) {
    await openContext(window, other);
    await window.ask('command', { id: 'workbench.action.closeAllEditors' });
  }
  const { frame, ready } = await openContext(window, path);
  if (opens === undefined) {
    await scroll(window, frame, ready);
    const root = join(folder, '..');
    work = await measurePageWork({ window, frame, path, root, open: (other) => openFrame(window, other), isDetailed: parts });
  }
} finally {
  await window.close();
}
if (opens === undefined) await measureEmpty();
if (opens === undefined && steps === undefined) {
  const size = (await stat(path)).size;
  for (const row of await measureExport(home.env.HOME)) note(...row);
  await write(size);
}
home.remove();

/** Measures the tasks that the editor itself needs for a page. */
async function measureEmpty() {
  const window = await openWindow({ host, home, name: 'empty', isBare: true });
  try {
    await window.page.setViewportSize(SIZE);
    const { frame, ready } = await openContext(window, path, EMPTY);
    await noteFirstTasks(frame, ready, EMPTY);
  } finally {
    await window.close();
  }
}

/** Opens a session's context, and returns its frame once its messages are drawn. The command itself waits for 10 seconds only. */
async function openFrame({ page, ask }, path) {
  await ask('command', { id: 'sessionTree.showContext', args: [{ path }] }).catch(() => undefined);
  const frame = await until('the page', async () => await frameOf(page));
  await until('the first messages', () => frame.evaluate(watchPage));
  return frame;
}

/** Opens a session's context, and measures until it is at rest. `of`: the beginning of the rows' names, for another page */
async function openContext({ page, ask }, path, of = '') {
  const endOfTasks = await watchTasks(await page.context().newCDPSession(page), parts);
  if (hostProfile) await ask('startProfile');
  await ask('startDelay');
  const began = Date.now();
  await ask('command', { id: 'sessionTree.showContext', args: [{ path }] });
  const frame = await until('the page', async () => await frameOf(page));
  const { ready, drawn, epoch } = await until('the first messages', () => frame.evaluate(watchPage));
  note(`${of}from the command until ${of ? 'it is' : 'the messages are'} drawn`, ms(epoch + drawn - began));
  if (!of) {
    note('from the start of the page until it is ready', ms(ready));
    note('first screen: from the ready page until the messages are drawn', ms(drawn - ready), 'under 150 ms');
  }
  await frame.evaluate('new Promise((resolve) => setTimeout(resolve, 3000))');
  const { held, work, max, long } = await ask('stopDelay');
  if (hostProfile) {
    await ask('stopProfile', { file: hostProfile });
    await printPauses(hostProfile, long);
  }
  const [what, times, wanted] = taskTimes(`${of}main-thread tasks by processor time, from the command on`, await endOfTasks());
  if (!of)
    note(
      'the extension host meanwhile: longest pause',
      `${ms(held)}; by processor time ${ms(work)}; by the clock ${ms(max)}`,
      'under 25 ms',
    );
  note(what, times, of ? '' : wanted);
  return { frame, ready };
}

function taskTimes(what, tasks) {
  for (const { time, parts } of tasks) if (parts) console.log(ms(time), parts.map(([name, own]) => `${name} ${own.toFixed(1)}`).join(', '));
  const over = (limit, times) => times.filter((time) => time > limit).length;
  const counts = (times) => `${over(SHORT, times)} / ${over(LONG, times)}, the longest ${ms(Math.max(0, ...times))}`;
  return [
    `${what}: over ${SHORT} / over ${LONG} ms; the same without collections of the whole heap`,
    `${counts(tasks.map(({ time }) => time))}; ${counts(tasks.map(({ time, collecting }) => time - collecting))}`,
    `none over ${SHORT} ms`,
  ];
}

async function noteFirstTasks(frame, ready, of = '') {
  const first = (await frame.evaluate('window.tasks.splice(0)')).filter(({ startTime }) => startTime >= ready);
  note(
    `${of}main-thread tasks over 50 ms in the first seconds`,
    first.map(({ duration }) => ms(duration)).join(', ') || 'none',
    of ? '' : 'none',
  );
}

/** Scrolls through all messages, or a few, twice. */
async function scroll({ page }, frame, ready) {
  const cdp = await page
    .context()
    .newCDPSession(frame)
    .catch(() => page.context().newCDPSession(page));
  const before = await memory(cdp, frame);
  if (profileFile) {
    await cdp.send('Profiler.enable');
    await cdp.send('Profiler.start');
  }
  await noteFirstTasks(frame, ready);
  const way = { step: STEP, limit: Number(steps ?? Infinity) };
  const scrolled = await frame.evaluate(scrollThrough, way);
  const tasks = await frame.evaluate('window.tasks');
  if (profileFile) await writeFile(profileFile, JSON.stringify((await cdp.send('Profiler.stop')).profile));
  const after = await memory(cdp, frame);
  const endOfTasks = await watchTasks(await page.context().newCDPSession(page), parts);
  await frame.evaluate(scrollThrough, way);
  const all = await endOfTasks();
  const again = await memory(cdp, frame);
  note(`a scroll through all of it, in ${scrolled.steps} steps of ${STEP} screens`, `${(scrolled.time / 1000).toFixed(0)} s`);
  note(
    'main-thread tasks over 50 ms during the scroll',
    `${tasks.length}${tasks.length > 0 ? `, the longest ${ms(Math.max(...tasks.map(({ duration }) => duration)))}` : ''}`,
    'none',
  );
  note(
    'a step until its messages are drawn: median / 95th percentile / longest',
    [0.5, 0.95, 1]
      .map((share) => ms(scrolled.waits[Math.min(scrolled.waits.length - 1, Math.floor(scrolled.waits.length * share))]))
      .join(' / '),
  );
  note(...taskTimes('main-thread tasks by processor time, in a second scroll', all));
  note(
    'the page’s memory (used heap after a garbage collection): before, after, after a second scroll',
    `${mb(before.heap)} → ${mb(after.heap)} → ${mb(again.heap)}`,
    'bounded',
  );
  note(
    'elements in the page: before, after, after a second scroll',
    `${before.elements} → ${after.elements} → ${again.elements}`,
    'bounded',
  );
  if (tasks.length > 0) console.log(tasks.map(({ duration, at }) => `${ms(duration)} at ${at}`).join('\n'));
}

async function frameOf(page) {
  for (const frame of page.frames()) {
    if (!frame.parentFrame()?.parentFrame()) continue;
    if (await frame.evaluate('!!document.querySelector("main.main")').catch(() => false)) return frame;
  }
  return undefined;
}

async function memory(cdp, frame) {
  for (let round = 0; round < 3; round++) await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize: heap } = await cdp.send('Runtime.getHeapUsage');
  return { heap, elements: await frame.evaluate('document.querySelectorAll("*").length') };
}

/** Runs in the page: returns its performance marks once the messages are drawn, and starts watching its tasks. */
function watchPage() {
  const { window, document, PerformanceObserver, performance } = globalThis;
  const [ready, drawn] = ['ready', 'rendered'].map((name) => performance.getEntriesByName(name)[0]?.startTime);
  if (drawn === undefined) return undefined;
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries())
      window.tasks.push({ duration, startTime, at: document.querySelector('main').scrollTop });
  }).observe({ type: 'longtask', buffered: true });
  return { ready, drawn, epoch: performance.timeOrigin };
}

/** Runs in the page: scrolls from the beginning to the end, at most so many steps. */
async function scrollThrough({ step, limit }) {
  const { document, performance, requestAnimationFrame, setTimeout } = globalThis;
  const main = document.querySelector('main');
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const began = performance.now();
  const waits = [];
  main.scrollTop = 0;
  for (;;) {
    const asked = performance.now();
    do await frame();
    while (document.querySelector('.placeholder') && performance.now() - asked < 5000);
    waits.push(performance.now() - asked);
    const before = main.scrollTop;
    main.scrollTop += main.clientHeight * step;
    if (main.scrollTop <= before || waits.length >= limit) break;
  }
  return { steps: waits.length, time: performance.now() - began, waits: waits.sort((a, b) => a - b) };
}

async function write(size) {
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  const text = `# Results of \`npm run bench:page\`

The context view of one session of ${MESSAGES} messages and ${mb(size)} in a real VS Code, its window in a browser of 1280 × 900; ${cpus().length} processors, load ${loadavg()[0].toFixed(1)} at the end, ${new Date().toISOString().slice(0, 10)}. The messages are like those of real programs: prose in several alphabets, code, tables, diffs, ${IMAGES} images, hidden messages, branches, a compaction, and one tool result of ${mb(HUGE)}.

The browser reports tasks over ${LONG} ms (\`PerformanceObserver\`), also those of VS Code if it shares a thread with the page. Processor times come from the browser’s trace, which doesn’t include other load on the machine. The time of a collection of V8’s whole heap doesn’t depend on the task in which it happens, as the heap belongs to the whole thread, VS Code included; so some rows also have the figures without these collections. The export is opened from the disk in a browser of its own.

| Measurement | Result | Goal |
| --- | --- | --- |
${table}

## Single actions

One action after the other in the same page and window, each with the time until its result is drawn. Tasks and pauses are counted until 700 ms after that. The find widget waits 150 ms after each key for another one; the search begins at the first message, and the rare word is in the last messages only. The theme was changed twice before, because the editor loads extensions of its own at the first change. The session of 100 MB is indexed before it’s opened.

${workTable(work)}
`;
  const path = join(import.meta.dirname, 'PAGE.md');
  const before = await readFile(path, 'utf8');
  const byHand = before.indexOf(BY_HAND);
  if (byHand < 0) throw new Error(`${path} has no line “${BY_HAND.trim()}”: what follows it would be lost.`);
  await writeFile(path, text + before.slice(byHand));
  console.log('\nWritten to test/bench/PAGE.md');
}
