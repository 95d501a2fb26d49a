// Measures single actions in an open context view: each one's time, its longest task in the page, and the longest pause
// of the extension host.
import { appendFile, readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { longSession } from './longSession.mjs';
import { writeSessions } from './store.mjs';
import { watchTasks } from './tasks.mjs';

/** Limit in milliseconds for a task and for a pause. It leaves slower machines some room. */
const SHORT = 25;
/** Messages of a session of about 100 MB. */
const LARGE = 36_000;
const BRANCHES = 1000;
const USED_SESSIONS = 5000;
/** A word of many messages, and one of the last messages only: all others are searched first. */
const COMMON = 'total';
const RARE = 'build.log';
/** Timeout of an action in milliseconds. */
const PATIENCE = 20_000;
/** Milliseconds after an action in which its tasks still count. */
const AFTER = 700;

/**
 * @param {object} options
 * @param {object} options.window a window with an open context
 * @param {object} options.frame the frame of the page, scrolled to the end
 * @param {string} options.path the session
 * @param {string} options.root the folder of all sessions
 * @param {(path: string) => Promise<object>} options.open opens another session's context, and returns its frame
 * @param {boolean} [options.isDetailed] true to print what the longest tasks did
 * @returns {Promise<string[][]>} rows of a table: action, time, tasks of the page, pause of the host
 */
export async function measurePageWork({ window, frame, path, root, open, isDetailed }) {
  const rows = [];
  const add = (row) => {
    rows.push(row);
    console.log(row.join(' | '));
  };
  const measure = async (what, act) => add([what, ...(await measured(window, act, isDetailed))]);
  // The others are measured even if one fails.
  const group = async (what, act) => {
    try {
      await act();
    } catch (error) {
      add([what, `failed: ${String(error.message).split('\n')[0].replaceAll('|', '\\|')}`, '', '']);
    }
  };
  await group('moves', () => moves(window, frame, path, measure));
  await group('find', () => finds(window, frame, measure));
  await close(window);

  const folder = join(root, '--work-long--');
  const large = join(folder, 'large.jsonl');
  await writeLong(large, { messages: LARGE, images: 300, huge: 10_000_000 });
  await settled(window);
  await group('100 MB', async () => {
    let other;
    await measure('a session of 100 MB is opened', async () => {
      other = await open(large);
      return shown(other);
    });
    await finds(window, other, measure, ', in 100 MB');
  });
  await close(window);

  const forked = join(folder, 'forked.jsonl');
  await writeLong(forked, { messages: 5000, images: 0, huge: 1000, branches: BRANCHES });
  await settled(window);
  await group('branches', () => branches({ path: forked, open, measure }));
  await close(window);

  await writeSessions(root, USED_SESSIONS);
  await settled(window);
  await group('usage', () =>
    measure(`the usage of ${USED_SESSIONS.toLocaleString('en')} sessions is shown`, () =>
      window.ask('command', { id: 'sessionTree.usage' }),
    ),
  );
  return rows;
}

/** Returns what `pageWork` measures as a Markdown table. */
export function workTable(rows) {
  const head = [
    [
      'Action',
      'Time',
      `Tasks of the page by processor time: over ${SHORT} ms, the longest; the same without collections of the whole heap`,
      'Longest pause of the extension host; by processor time',
      'Goal',
    ],
    ['---', '---', '---', '---', '---'],
  ];
  return [...head, ...rows.map((row) => [...row, `no task and no pause over ${SHORT} ms`])]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

const ms = (value) => `${Math.round(value)} ms`;
/** Waits until all sessions are read, or for 10 seconds. */
const settled = ({ ask }) => ask('command', { id: 'sessionTree.usage', args: [{ by: 'day' }] });
const close = ({ ask }) => ask('command', { id: 'workbench.action.closeAllEditors' });

/** Performs an action. It may return its own time in milliseconds, a text in its place, or a `note` to add. */
async function measured({ page, ask }, act, isDetailed) {
  const endOfTasks = await watchTasks(await page.context().newCDPSession(page), isDetailed);
  await ask('startDelay');
  const began = performance.now();
  let result;
  let time;
  let pauses;
  let tasks;
  try {
    result = await act();
    time = performance.now() - began;
    await page.evaluate((wait) => new Promise((resolve) => globalThis.setTimeout(resolve, wait)), AFTER);
  } finally {
    pauses = await ask('stopDelay');
    tasks = await endOfTasks();
  }
  for (const { time, parts } of tasks)
    if (parts && time > SHORT) console.log(ms(time), parts.map(([name, own]) => `${name} ${own.toFixed(1)}`).join(', '));
  const counts = (times) => `${times.filter((one) => one > SHORT).length}, ${ms(Math.max(0, ...times))}`;
  return [
    typeof result === 'string' ? result : typeof result === 'number' ? ms(result) : [ms(time), result?.note].filter(Boolean).join('; '),
    `${counts(tasks.map((task) => task.time))}; ${counts(tasks.map((task) => task.time - task.collecting))}`,
    `${ms(pauses.held)}; ${ms(pauses.work)}`,
  ];
}

const writeLong = (path, options) => pipeline(Readable.from(longSession({ ...options, cwd: '/work/long' })), createWriteStream(path));

async function moves({ ask }, frame, path, measure) {
  const end = 'main.scrollTop + main.clientHeight >= main.scrollHeight - 2';
  await act(frame, '', 'main.scrollTop = 1e9', `${end} && drawn()`);
  await measure('the first entry is gone to, from the end: the page changes to the full transcript', () =>
    act(
      frame,
      '',
      `document.querySelector('.branch-row').click()`,
      `document.querySelector('.navigation-target') && main.scrollTop < 5000 && drawn()`,
    ),
  );
  await measure('the leaf is gone to, from the beginning', () => act(frame, '', 'main.scrollTop = 1e9', `${end} && drawn()`));
  for (const [view, name] of [
    ['model', 'the model view'],
    ['transcript', 'the full transcript'],
    ['model', 'the model view again'],
  ])
    await measure(`the page changes to ${name}`, () =>
      act(
        frame,
        '',
        `document.querySelector('[data-key=${view}]').click()`,
        `document.querySelector('[data-key=${view}]').ariaPressed === 'true' && drawn()`,
      ),
    );
  for (const isShown of [true, false])
    await measure(`hidden messages are ${isShown ? 'un' : ''}folded`, () =>
      act(
        frame,
        '',
        `document.querySelector('[data-key=hidden]').click()`,
        `document.querySelector('[data-key=hidden]').ariaPressed === '${isShown}' && drawn()`,
      ),
    );
  const changeTheme = async () => {
    const before = await frame.evaluate('document.body.dataset.vscodeThemeId');
    const changed = act(frame, '', '', `document.body.dataset.vscodeThemeId !== ${JSON.stringify(before)} && drawn()`);
    await ask('command', { id: 'workbench.action.toggleLightDarkThemes' });
    return changed;
  };
  // The editor loads extensions of its own at the first change.
  for (let round = 0; round < 2; round++) await changeTheme();
  for (const name of ['another', 'the first']) await measure(`the editor changes to ${name} theme`, changeTheme);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  let parentId = JSON.parse(lines.at(-1)).id;
  const times = [];
  await measure('10 messages are appended, one by one, until each is shown: median, longest', async () => {
    for (let number = 0; number < 10; number++) {
      const [id, text] = [`appended${number}`, `Appended ${number}.`];
      const message = { role: 'user', content: [{ type: 'text', text }], timestamp: Date.now() };
      const appeared = act(frame, '', '', `main.textContent.includes(${JSON.stringify(text)})`);
      await frame.evaluate('0');
      await appendFile(path, `${JSON.stringify({ type: 'message', id, parentId, timestamp: new Date().toISOString(), message })}\n`);
      times.push(await appeared);
      parentId = id;
    }
    times.sort((a, b) => a - b);
    return `${ms(times[5])}, ${ms(times.at(-1))}`;
  });
}

async function finds({ page, ask }, frame, measure, where = '') {
  const open = async () => {
    await frame.evaluate(`document.querySelector('main').scrollTop = 0`);
    await ask('command', { id: 'sessionTree.findInContext' });
    await act(frame, '', '', `!document.querySelector('.find').hidden && drawn()`);
    await frame.locator('.find-input').fill('');
    await act(frame, '', '', `!marked()`);
  };
  await open();
  const times = [];
  await measure(`find: each key of a common word until the match is marked${where}: median, longest`, async () => {
    for (const key of COMMON) {
      const marked = act(
        frame,
        `document.querySelector('.find-input').addEventListener('input', () => (began = performance.now(), isBegun = true), { once: true, capture: true });`,
        '',
        `isBegun && marked()`,
      );
      await frame.evaluate('0');
      await page.keyboard.type(key);
      times.push(await marked);
    }
    times.sort((a, b) => a - b);
    return `${ms(times[times.length >> 1])}, ${ms(times.at(-1))}`;
  });
  await open();
  await measure(`find: a rare word until its match is marked${where}`, () => typeWord(page, frame, RARE, 'marked()'));
  await open();
  await measure(`find: a common word that replaces a rare one while that is searched${where}`, async () => {
    await typeWord(page, frame, RARE, 'true');
    await act(frame, '', '', 'performance.now() - began > 400');
    await frame.locator('.find-input').selectText();
    return typeWord(page, frame, COMMON, 'marked()');
  });
  await frame.locator('.find-input').press('Escape');
}

/** Types a word in one go, and returns the milliseconds from its last key. */
async function typeWord(page, frame, word, done) {
  const wait = `document.querySelector('.find-input').addEventListener('input', () => { began = performance.now(); isBegun = document.querySelector('.find-input').value === ${JSON.stringify(word)}; }, { capture: true });`;
  const ended = act(frame, wait, '', `isBegun && ${done}`);
  await frame.evaluate('0');
  await page.keyboard.type(word);
  return ended;
}

async function branches({ path, open, measure }) {
  let frame;
  await measure(`a session with ${BRANCHES.toLocaleString('en')} branches is opened`, async () => {
    frame = await open(path);
    await act(frame, '', '', `document.querySelector('.branch-row') && drawn()`);
    return shown(frame);
  });
  await measure('its next folded branches are unfolded', async () => {
    const folded = await frame.evaluate(`document.querySelectorAll('.branch-row').length`);
    await act(
      frame,
      '',
      `document.querySelector('.branch-row.is-more').click()`,
      `document.querySelectorAll('.branch-row').length > ${folded}`,
    );
    return { note: `${folded} → ${await frame.evaluate(`document.querySelectorAll('.branch-row').length`)} rows` };
  });
  await measure('another branch is chosen', () =>
    act(
      frame,
      '',
      `document.querySelector('.branch-row.is-tip:not(.is-current)').click()`,
      `document.querySelector('.branch-row.is-tip.is-current') && drawn()`,
    ),
  );
  await measure('the leaf is chosen again', () =>
    act(
      frame,
      '',
      `document.querySelector('[data-key=leaf]').click()`,
      `document.querySelector('.branch-row.is-leaf.is-current') && drawn()`,
    ),
  );
}

/** Returns how long a page took from its being ready until its messages were drawn. */
const shown = async (frame) => ({
  note: `from the ready page ${ms(await frame.evaluate(`performance.getEntriesByName('rendered')[0].startTime - performance.getEntriesByName('ready')[0].startTime`))}`,
});

/**
 * Runs in the page: does something, and waits for a frame in which a condition is true.
 * @returns {Promise<number>} the milliseconds until then
 */
function act(frame, setup, action, condition) {
  return frame.evaluate(`new Promise((resolve, reject) => {
    const main = document.querySelector('main');
    const drawn = () => !document.querySelector('.placeholder');
    const marked = () => CSS.highlights.get('find-current')?.size > 0;
    let began = performance.now();
    let isBegun = false;
    const end = began + ${PATIENCE};
    ${setup}
    ${action};
    const look = () => {
      if (${condition}) resolve(performance.now() - began);
      else if (performance.now() > end) reject(new Error(${JSON.stringify(`timed out: ${condition}`)}));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`);
}
