// npm run bench:editor: measures the extension's cost in a real VS Code with 10,000 sessions. Writes EDITOR.md beside
// this file. With `-- --sessions 50000` it measures as many, and writes a section of their own. With `-- --starts 3` it
// only starts three windows of each kind, and writes nothing; `--profiles folder` also leaves a CPU profile of each
// start's extension host there.
import { access, appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeHome, still, writeSettings } from '../host/home.mjs';
import { installHost } from '../host/install.mjs';
import { exitOnSignals } from '../host/processes.mjs';
import { build } from '../host/steps.mjs';
import { line, pathOf, PROJECTS, SESSIONS, writeSessions } from './editor/store.mjs';
import { openWindow, twistieOf, until, whenShown } from './editor/window.mjs';

const {
  starts: onlyStarts,
  profiles,
  sessions,
} = parseArgs({
  options: { starts: { type: 'string' }, profiles: { type: 'string' }, sessions: { type: 'string' } },
}).values;
const COUNT = Number(sessions ?? SESSIONS);
/** Number of windows that are opened without a database, and as many with one, and with another extension. The slowest counts. */
const STARTS = Number(onlyStarts ?? 5);
/** Milliseconds until the editor's own extensions have started and its garbage is collected, which V8 does after 8 idle seconds. */
const QUIET = 12_000;
const APPENDS = 60;
const MANY_APPENDS = 10_000;
/** Number of entries in a long session. */
const LONG = 50_000;
/** The measurement of the editor itself, for comparison. */
const OTHER = 'another extension with a single row';
/** Minimum pause in milliseconds. The pause is random up to twice this, so that appends don't fall into step with the polling. */
const BETWEEN = 400;

/** Parts of the time until a row is shown. The first one is this extension's, and so is the making of items in the third one. */
const PARTS = [
  ['… until the editor is told', ({ told }) => told],
  ['… from then until it requests the rows below', ({ requested }, { told }) => requested - told],
  ['… from then until it has their items', ({ given }, { requested }) => given - requested],
  ['… from then until it shows them', ({ shown }, { given }) => shown - given],
];

exitOnSignals();
// Measures the production build, which is what ships. Only a profile needs its names.
if (!(await build(...(profiles === undefined ? ['--production'] : []))).ok) process.exit(1);
const host = await installHost();
const home = await makeHome();
await writeSettings(join(home.data, 'data', 'User'), still);
const root = join(home.env.HOME, '.pi', 'agent', 'sessions');
await rm(join(home.env.HOME, '.pi'), { recursive: true, force: true });
await writeSessions(root, COUNT);

const starts = new Map();
const results = [];
const note = (what, value, wanted) => {
  results.push([what, value, wanted]);
  console.log(`${what}: ${value}${wanted ? ` (goal: ${wanted})` : ''}`);
};
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

const catalog = join(home.data, 'data', 'User', 'globalStorage', 'pi-session-tree.pi-session-tree', 'catalog');
for (let count = 0; count < STARTS; count++) {
  await rm(catalog, { recursive: true, force: true });
  await inWindow(`first${count}`, (window) => firstStart(window, count === 0));
  // Without the database the next start would not be a warm one.
  await access(join(catalog, 'catalog.sqlite'));
}
for (let count = 0; count < STARTS; count++) await inWindow(`other${count}`, otherStart, { isBare: true });
for (let count = 0; count < STARTS; count++) {
  await inWindow(`next${count}`, async (window) => {
    await nextStart(window);
    if (count < STARTS - 1) return;
    noteStarts();
    if (onlyStarts === undefined) await atWork(window);
  });
}
if (onlyStarts === undefined) await write();
home.remove();

async function inWindow(name, work, options) {
  const window = await openWindow({ host, home, name, ...options });
  try {
    await pause(QUIET);
    if (profiles) await window.ask('startProfile');
    await work(window);
    if (profiles) await window.ask('stopProfile', { file: join(resolve(profiles), `${name}.cpuprofile`) });
  } finally {
    await window.close();
  }
}

/** Measures a start without a database. */
async function firstStart(window, isFirst) {
  if (isFirst) await idle(window);
  const began = Date.now();
  const shown = whenShown(window.page, 'project0');
  await started(window, 'first start, no database yet', async () => {
    await activation(window, 'first start');
    await rows(window, 'first start', began, shown);
    await window.ask('command', { id: 'sessionTree.refresh' });
    of('first start: until everything is read and indexed').push(Date.now() - began);
  });
}

/** Measures a start with the database of the first one. */
async function nextStart(window) {
  const began = Date.now();
  const shown = whenShown(window.page, 'project0');
  await started(window, 'next start, with the database', async () => {
    await activation(window, 'next start');
    await rows(window, 'next start', began, shown);
    await pause(3000);
  });
}

/** Measures what the editor itself takes to show a row. */
async function otherStart(window) {
  const began = Date.now();
  const shown = whenShown(window.page, 'project0');
  await activation(window, OTHER);
  await window.ask('startDelay');
  await rows(window, OTHER, began, shown);
}

/** Opens the view, and measures the parts of the time until it has rows. */
async function rows(window, start, began, shown) {
  await window.ask('command', { id: 'sessionTree.sessions.focus' });
  const at = await shown;
  // The rows that are shown first may be stored ones.
  const { requested, given, current, work, held } = await until('current rows', async () => {
    const answer = await window.ask('firstRows');
    return answer.current > 0 && answer;
  });
  of(`${start}: from activation until rows are shown`).push(at - began);
  of(`${start}: … until the editor requests them`).push(requested - began);
  of(`${start}: … from then until it has them`).push(given - requested);
  of(`${start}: … from then until they are shown`).push(at - given);
  of(`${start}: from activation until the editor has rows, without waiting for a processor`).push(held);
  of(`${start}: … by processor time`).push(work);
  of(`${start}: from activation until the rows are current`).push(current - began);
}

async function atWork(window) {
  const { page, ask } = window;
  await delayed(window, 'refresh: longest pause', () => ask('command', { id: 'sessionTree.refresh' }));
  await delayed(window, `a project of ${COUNT / PROJECTS} sessions is opened: longest pause`, async () => {
    const shown = whenShown(page, 'Please do 0 0');
    await twistieOf(page, 'project0').click();
    await shown;
  });
  await delayed(window, 'searches for words that every session has, with and without filters: longest pause', async () => {
    for (const query of ['please', 'please do', 'answer', 'please role:user', 'answer tool:read', 'file:src please'])
      await ask('command', { id: 'sessionTree.search', args: [{ query }] });
  });
  await appends(window);
  await longSession(window);
  await manyAppends(window);
}

/**
 * Measures the activation like the editor's “Show Running Extensions”: loading the code, and calling `activate`. What it
 * returned resolves later, when everything is loaded.
 */
async function activation({ ask }, start) {
  const { resolved, ...taken } = await ask('activate');
  of(`${start}: activation`).push(taken);
  of(`${start}: from activation until \`activate\` has resolved`).push(resolved);
}

async function started(window, start, work) {
  await window.ask('startDelay');
  await work();
  of(start).push(await window.ask('stopDelay'));
}

/** Returns a measurement of all starts. */
function of(what) {
  if (!starts.has(what)) starts.set(what, []);
  return starts.get(what);
}

/** Records the slowest of all starts, and each of them. */
function noteStarts() {
  for (const [what, values] of starts) {
    const worst = (value) => Math.max(...values.map(value));
    const each = (value) => values.map((one) => value(one).toFixed(0)).join(' ');
    if (what.endsWith('activation')) {
      const times = (key) => `${ms(worst((one) => one[key]))} (${each((one) => one[key])})`;
      note(
        `${what} (code and \`activate\`), ${STARTS} times: longest (each)`,
        `${times('clock')}; by processor time ${times('work')}`,
        'under 50 ms',
      );
    } else if (what.includes(': ')) note(`${what}, ${STARTS} times: longest (each)`, `${ms(worst(Number))} (${each(Number)})`);
    else {
      const times = (key) => `${ms(worst((one) => one[key]))} (${each((one) => one[key])})`;
      note(
        `${what}, ${COUNT} sessions, ${STARTS} times: longest pause (each)`,
        `${times('held')}; by processor time ${times('work')}; by the clock ${times('max')}`,
        'under 50 ms',
      );
    }
  }
}

/** Performs an action and records the longest time that the extension host's event loop was blocked. */
async function delayed(window, what, work) {
  await window.ask('startDelay');
  const result = await work();
  note(what, pauses(await window.ask('stopDelay')), 'under 50 ms');
  return result;
}

function pauses({ held, work, collecting, max, p99 }) {
  const garbage = collecting === 0 ? '' : `; ${ms(collecting)} by the clock were garbage collection`;
  return `${ms(held)}${garbage} (by processor time ${ms(work)}; by the clock ${ms(max)}, 99th percentile ${ms(p99)})`;
}

/** Measures the delays of an idle extension host on this machine. */
async function idle(window) {
  await window.ask('startDelay');
  await pause(5000);
  note('5 s idle, without this extension: longest pause', pauses(await window.ask('stopDelay')));
}

/** Measures how long a line of another process takes to reach the row of a closed session, and to appear as an entry of an open one. */
async function appends(window) {
  const { page } = window;
  const closed = [];
  const open = [];
  await delayed(window, `${APPENDS} appends to a closed and ${APPENDS} to an open session: longest pause`, async () => {
    const path = pathOf(root, 0, 0);
    for (let count = 6; count <= 5 + APPENDS; count++) closed.push(await took(window, path, count, `${count} messages`));
    const other = pathOf(root, 0, 1);
    await twistieOf(page, 'Please do 0 1 ').click();
    await whenShown(page, 'answer 0 1');
    for (let count = 6; count <= 5 + APPENDS; count++) open.push(await took(window, other, count, `Appended ${count}.`));
  });
  noteTimes('the row of a closed session', closed);
  noteTimes('the new row in an open session', open);
}

/** @param appends the times after each append, in milliseconds */
function noteTimes(what, appends) {
  const noteOne = (name, times, wanted) => {
    times.sort((a, b) => a - b);
    const at = (share) => ms(times[Math.min(times.length - 1, Math.floor(times.length * share))]);
    note(`${name}, ${times.length} times: median / 95th percentile / longest`, `${at(0.5)} / ${at(0.95)} / ${at(1)}`, wanted);
  };
  noteOne(
    `an append until ${what} is shown`,
    appends.map(({ shown }) => shown),
    '300 ms at the 95th percentile',
  );
  // The row of a closed session comes with the message, and has no rows below.
  const withRows = appends.filter(({ told, requested, given }) => told <= requested && requested <= given);
  if (withRows.length <= appends.length / 2) return;
  for (const [name, part] of PARTS)
    noteOne(
      name,
      withRows.map((times) => part(times, times)),
    );
}

/** Returns the times after an append, in milliseconds. */
async function took({ page, ask }, path, count, text) {
  await pause(BETWEEN * (1 + Math.random()));
  const shown = whenShown(page, text);
  // The page must be watching before the line is written.
  await page.evaluate(() => 0);
  await ask('watchRefresh');
  const began = Date.now();
  await appendFile(path, line(count));
  const after = { shown: (await shown) - began };
  for (const [name, at] of Object.entries(await ask('refreshTimes'))) after[name] = at - began;
  return after;
}

/** Opens a very long session in the tree, and lets it grow while it is open. */
async function longSession(window) {
  const { page } = window;
  const path = join(root, '--work-project0--', '2026-05-01T08-00-00-000Z_long.jsonl');
  const header = { type: 'session', version: 3, id: 'long', timestamp: new Date().toISOString(), cwd: '/work/project0' };
  const lines = Array.from({ length: LONG }, (_, index) => line(index + 1));
  const shown = whenShown(page, `${LONG} messages`);
  await writeFile(path, `${JSON.stringify(header)}\n${lines.join('')}`);
  await shown;
  const twistie = twistieOf(page, `${LONG} messages`);
  await delayed(window, `a session of ${LONG} entries is opened: longest pause`, async () => {
    const earlier = whenShown(page, 'Show 500 Earlier');
    await twistie.click();
    await earlier;
  });
  const times = [];
  await delayed(window, `${APPENDS} appends to it while it is open: longest pause`, async () => {
    for (let count = LONG + 1; count <= LONG + APPENDS; count++) times.push(await took(window, path, count, `${count} messages`));
  });
  noteTimes(`the row of an open session of ${LONG} entries`, times);
  await delayed(window, 'the session continues at its first entry, all other entries are a branch: longest pause', async () => {
    const left = whenShown(page, `${LONG + APPENDS - 1} turns`);
    await appendFile(path, line(LONG + APPENDS + 1).replace(`"parentId":"e${LONG + APPENDS}"`, '"parentId":"e1"'));
    await left;
  });
  await delayed(window, 'that branch is opened: longest pause', async () => {
    const earlier = whenShown(page, 'Show 500 Earlier');
    await twistieOf(page, `${LONG + APPENDS - 1} turns`).click();
    await earlier;
  });
  await twistieOf(page, `${LONG + APPENDS + 1} messages`).click();
}

/** Lets a session grow by 100 lines and restores it, several times. */
async function manyAppends(window) {
  const { ask, page } = window;
  const path = pathOf(root, 0, 2);
  const before = await readFile(path);
  const used = [];
  for (let done = 0; done < MANY_APPENDS; done++) {
    if (done % 100 === 0) await writeFile(path, before);
    await appendFile(path, line(6 + (done % 100)));
    await pause(2);
    if (done % 1000 !== 999) continue;
    await whenShown(page, '105 messages');
    used.push((await ask('heap')).used / 1e6);
  }
  const [from, to] = [used[1], used.at(-1)];
  note(
    `memory in use after each 1,000 of ${MANY_APPENDS} appends`,
    `${used.map((each) => each.toFixed(1)).join(' ')} MB; from the second to the last ${to >= from ? '+' : ''}${(to - from).toFixed(1)} MB`,
    'no growth',
  );
}

/** Writes the table: the document's beginning, or the section of another number of sessions. The rest of it stays. */
async function write() {
  const table = `| Measurement | Result | Goal |
| --- | --- | --- |
${results.map(([what, value, wanted = '']) => `| ${what} | ${value} | ${wanted} |`).join('\n')}
`;
  const machine = `${cpus().length} processors, load ${loadavg()[0].toFixed(1)} at the end, ${new Date().toISOString().slice(0, 10)}`;
  const file = join(import.meta.dirname, 'EDITOR.md');
  const heading = `## With ${COUNT.toLocaleString('en')} sessions\n`;
  const [beginning, ...sections] = (await readFile(file, 'utf8')).split(/^(?=## )/m);
  const others = sections.filter((section) => !section.startsWith(heading)).map((section) => `${section.trimEnd()}\n`);
  const parts =
    COUNT === SESSIONS
      ? [
          `# Results of \`npm run bench:editor\`

A real VS Code with its window in a browser, the production build of the extension, ${SESSIONS} sessions in ${PROJECTS} projects; ${machine}. Each window was idle for ${QUIET / 1000} seconds before, and the session files are in the disk cache. The editor's search for ports is turned off: local windows don't have it, and it starts a process every two seconds.

A pause is the longest time between two turns of the event loop of the extension host, which also runs the editor's own code, without the time in which the thread waited for a processor (Linux reports that time). It is exact to about two milliseconds. If V8 collected garbage during a pause, the table gives the time of that by the clock. It also gives the longest pause by processor time and by the clock (\`perf_hooks.monitorEventLoopDelay\`). Times by the clock include other load on the machine, as the row of the idle host shows.

${table}`,
          ...others,
        ]
      : [
          `${beginning.trimEnd()}\n`,
          ...others,
          `${heading}
\`npm run bench:editor -- --sessions ${COUNT}\`, ${PROJECTS} projects; ${machine}.

${table}`,
        ];
  await writeFile(file, parts.join('\n'));
  console.log(`\nWritten to test/bench/EDITOR.md`);
}
