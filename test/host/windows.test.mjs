// Tests for windows in which no test runs: real dialogs and progress, and two windows side by side.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { choose, openEditor, runCommand, until } from './editor.mjs';
import { makeHome, project } from './home.mjs';
import { exitOnSignals } from './processes.mjs';

const built = createRequire(join(project, 'out', 'test', 'fixtures', 'doomed.js'));
const { session } = built('./build.js');
const { readSession } = built('../../src/core/files/read/sessionFile.js');

/** Enough to leave time for canceling. */
const OLD = 150;

exitOnSignals();

describe('the editor as a person has it', function () {
  this.timeout(240_000);
  let home, root, editor;

  beforeEach(async () => {
    home = await makeHome();
    root = join(home.env.HOME, '.pi', 'agent', 'sessions');
  });
  afterEach(async function () {
    if (this.currentTest.state === 'failed') await picture(this.currentTest.title);
    await editor?.close();
    editor = undefined;
    home.remove();
  });

  /** Writes a file that was last changed an hour ago. */
  const write = async (path, text) => {
    await writeFile(path, text);
    const then = Date.now() / 1000 - 3600;
    await utimes(path, then, then);
    return path;
  };
  const picture = async (name, page = editor?.page) => {
    const folder = join(project, 'out', 'artifacts', 'host');
    await mkdir(folder, { recursive: true });
    await page?.screenshot({ path: join(folder, `${name.replaceAll(/\W+/g, '-')}.png`) });
  };
  const row = (text, page = editor.page) => page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
  const menu = (text, command, page = editor.page) => choose(row(text, page), command);
  const dialog = () => editor.page.locator('.monaco-dialog-box');
  const message = (text, page = editor.page) => page.locator('.notification-toast .notification-list-item', { hasText: text }).first();

  it('“Migrate All…” says what it will do, shows how far it is, and is cancelled between two files', async () => {
    const cwd = '/work/attic';
    const folder = join(root, '--work-attic--');
    await mkdir(folder);
    const texts = new Map();
    for (let n = 1; n <= OLD; n++) {
      const text = session({ version: 1, cwd }).user(`Question ${n}`).assistant('Answer').text();
      texts.set(await write(join(folder, `old-${String(n).padStart(3, '0')}.jsonl`), text), text);
    }
    await write(join(folder, 'torn.jsonl'), `${session({ version: 1, cwd }).user('Torn').text()}{"ty`);
    await write(join(folder, 'current.jsonl'), session({ cwd }).user('Current').text());
    const migrated = async () => (await readdir(folder)).filter((name) => name.endsWith('.bak')).length;

    editor = await openEditor(home);
    await editor.showSessions();
    await menu('attic', 'Migrate All…');
    await dialog().waitFor();
    const asked = await dialog().innerText();
    await picture('migrate-all-asks');
    assert.match(asked, new RegExp(`Migrate ${OLD} of ${OLD + 2} sessions in attic\\?`));
    for (const part of [
      'Question 150 · format 1, 1 KB',
      'and 142 more',
      '1 session is already in the current format',
      'Torn · The file’s last line isn’t complete',
    ])
      assert.ok(asked.includes(part), asked);
    await editor.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(await migrated(), 0, 'who declines has changed nothing');

    await menu('attic', 'Migrate All…');
    await dialog().getByRole('button', { name: 'Migrate All' }).click();
    const progress = message('Migrating sessions in attic');
    await progress.waitFor();
    await until(
      async () => /\b[1-9]\d*\/150/.test(await progress.innerText()),
      () => 'the progress does not count',
    );
    await picture('migrate-all-progress');
    await progress.getByRole('button', { name: 'Cancel' }).click();
    const told = message('Canceled before migrating');
    await told.waitFor();
    await picture('migrate-all-cancelled');
    const done = await migrated();
    assert.ok(done > 0 && done < OLD, `${done} were migrated`);
    assert.match(
      await told.innerText(),
      new RegExp(`^Migrated ${done} sessions\\. Canceled before migrating ${OLD - done} sessions\\.`, 'm'),
    );
    for (const [path, text] of texts) {
      const now = await readFile(path, 'utf8');
      if (now === text) continue;
      assert.equal((await readSession(path)).version, 3);
      assert.equal(await readFile(`${path}.v1.bak`, 'utf8'), text);
    }
    await told.getByRole('button', { name: 'Show Report' }).click();
    await reportSays('Canceled before migrating', 'Canceled', '/old-');
    await picture('migrate-all-report');

    const [held] = [...texts.keys()].filter((path) => !existsSync(`${path}.v1.bak`));
    await writeFile(join(folder, `.${basename(held)}.lock`), `${process.pid}:${Date.now()}\n`);
    await menu('attic', 'Migrate All…');
    assert.ok((await dialog().innerText()).includes(`Migrate ${OLD - done} of ${OLD + 2} sessions in attic?`));
    await dialog().getByRole('button', { name: 'Migrate All' }).click();
    const end = message('Couldn’t migrate 1 session');
    await end.waitFor();
    assert.equal(await migrated(), OLD - 1);
    assert.equal(await readFile(held, 'utf8'), texts.get(held));
    await end.getByRole('button', { name: 'Show Report' }).click();
    await reportSays('Couldn’t migrate 1 session', held, 'has locked this session', 'Migrated', '.v1.bak');
    await picture('migrate-all-refused');
  });

  it('a pending change of one window appears in the other; either drops it, and it is written once', async () => {
    const cwd = '/work/shared';
    const folder = join(root, '--work-shared--');
    await mkdir(folder);
    const path = await write(join(folder, 'talk.jsonl'), session({ cwd }).user('Which way?').assistant('Left.').text());
    const before = await readFile(path, 'utf8');
    const lock = join(folder, '.talk.jsonl.lock');

    editor = await openEditor(home);
    await editor.showSessions();
    const one = editor.page;
    const other = await editor.another();
    for (const page of [one, other]) {
      await row('shared', page).locator('.monaco-tl-twistie').click();
      await row('Which way?', page).waitFor();
    }
    const rename = async (name) => {
      await writeFile(lock, `${process.pid}:${Date.now()}\n`);
      await one.bringToFront();
      await menu('Which way?', 'Rename…', one);
      await one.locator('.quick-input-widget:visible input').fill(name);
      await one.keyboard.press('Enter');
      await message('locked this session', one).getByRole('button', { name: 'Apply When Closed' }).click();
      for (const page of [one, other]) await row(`pending: name “${name}”`, page).waitFor();
      assert.equal(await readFile(path, 'utf8'), before);
    };
    const nothingWaits = async () => {
      for (const page of [one, other]) await row('pending:', page).waitFor({ state: 'detached' });
    };

    await rename('Never');
    await other.bringToFront();
    await picture('waiting-in-the-other-window', other);
    await menu('pending: name “Never”', 'Discard Pending Change', other);
    await nothingWaits();
    await rm(lock);
    await rename('Doors');
    await rm(lock);
    await nothingWaits();
    for (const page of [one, other]) await row('Doors', page).waitFor();
    const added = (await readFile(path, 'utf8'))
      .slice(before.length)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      added.map(({ type, name }) => [type, name]),
      [['session_info', 'Doors']],
    );
  });

  it('the index that one window clears, the other knows to be empty; its next search fills it again', async () => {
    editor = await openEditor(home);
    await editor.showSessions();
    const one = editor.page;
    const other = await editor.another();
    const palette = async (command, page) => {
      await page.bringToFront();
      await runCommand(page, `Pi Session Tree: ${command}`);
    };
    const labels = (text) => one.locator('.sidebar .pane', { hasText: 'Labels' }).getByText(text).first();
    await one.bringToFront();
    await one.locator('.sidebar .pane-header', { hasText: 'Labels' }).click();
    await labels('money = cents').waitFor();

    await palette('Clear Search Index', other);
    await other.locator('.monaco-dialog-box').getByRole('button', { name: 'Clear Search Index' }).click();
    await message('Cleared the search index', other).waitFor();
    await one.bringToFront();
    await labels('The search index was cleared.').waitFor();

    await palette('Search Sessions', one);
    const list = one.locator('.quick-input-list .monaco-list-row');
    await list.first().waitFor();
    await one.keyboard.type('token bucket');
    await list.filter({ hasText: 'A token bucket' }).first().waitFor();
    await one.keyboard.press('Escape');
    await labels('money = cents').waitFor();
  });

  /** Converts text to the form in which the editor draws it, with its own blanks. */
  const reportSays = async (...parts) => {
    let text = '';
    const isSo = async () => {
      const editors = await editor.page.locator('.part.editor .editor-instance .view-lines').allInnerTexts();
      text = editors.join('\n').replaceAll('\u00a0', ' ');
      return parts.every((part) => text.includes(part));
    };
    await until(isSo, () => `the report does not say all of ${parts.join(', ')}: ${text}`);
  };
});
