// Kills a process while it writes. After the next start of the editor, every session is complete, in its place or in
// the trash.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { openEditor, until } from './editor.mjs';
import { makeHome, project } from './home.mjs';
import { exitOnSignals } from './processes.mjs';

const built = createRequire(join(project, 'out', 'test', 'fixtures', 'doomed.js'));
const { endsBefore, openWindow } = built('./doomed.js');
const { session } = built('./build.js');
const { readSession } = built('../../src/core/files/read/sessionFile.js');
const { TRASH_FOLDER } = built('../../src/core/files/trash/trashRecords.js');

/** The project of the sessions, which no program uses. */
const cwd = '/work/killed';

exitOnSignals();

describe('a process killed while it writes', function () {
  this.timeout(240_000);
  let home, root, folder, storage, editor;

  beforeEach(async () => {
    home = await makeHome();
    root = join(home.env.HOME, '.pi', 'agent', 'sessions');
    folder = join(root, '--work-killed--');
    storage = join(home.data, 'data', 'User', 'globalStorage', 'pi-session-tree.pi-session-tree');
  });
  afterEach(async () => {
    await editor?.close();
    editor = undefined;
    home.remove();
  });

  it('at any change of a delete or a migration, is cleared up after by the next start', async () => {
    const sessions = [];
    for (const deed of ['delete', 'migrate']) {
      for (let n = 1, ended = false; !ended; n++) {
        const made = await make(`${deed}-${n}`, deed === 'delete' && n % 2 === 0 ? 'omp' : 'pi');
        sessions.push(made);
        ended = await endsBefore(n, deed, storage, root, made.path);
        assert.ok(n < 100);
      }
    }
    // A lock that was just made counts even if it has no owner yet.
    for (const name of await names(folder)) if (name.endsWith('.lock')) await age(join(folder, name));
    assert.notDeepEqual(await remains(), []);
    editor = await openEditor(home);
    await editor.showSessions();
    await cleared();
    await assertWhole(sessions);
  });

  it('the extension host in the middle of many: the next one finds all whole', async () => {
    const sessions = [];
    for (let n = 1; n <= 80; n++) sessions.push(await make(`many-${n}`, 'pi'));
    const deletes = sessions.slice(0, 40).map(({ path }) => ({ command: 'sessionTree.delete', args: { path, force: true } }));
    const keys = [
      { key: 'ctrl+alt+shift+f7', command: 'runCommands', args: { commands: deletes } },
      { key: 'ctrl+alt+shift+f8', command: 'sessionTree.migrateAll', args: { cwd, force: true } },
    ];
    await mkdir(join(home.data, 'data', 'User'), { recursive: true });
    await writeFile(join(home.data, 'data', 'User', 'keybindings.json'), JSON.stringify(keys));
    editor = await openEditor(home);
    await editor.showSessions();

    await editor.killWhile('Control+Alt+Shift+F7', async () => (await names(join(root, TRASH_FOLDER))).length > 3);
    await editor.showSessions();
    await cleared();
    const deleted = (await (await openWindow(storage, root)).trash.list()).length;
    assert.ok(deleted >= 3, `${deleted} are in the trash`);
    await assertWhole(sessions);

    await editor.killWhile('Control+Alt+Shift+F8', async () => (await names(folder)).filter((name) => name.endsWith('.bak')).length > 3);
    await editor.showSessions();
    await cleared();
    await assertWhole(sessions);
    assert.ok((await names(folder)).filter((name) => name.endsWith('.bak')).length >= 3);
  });

  /** Writes an old session with a folder of its own, last changed an hour ago. */
  async function make(name, dialect) {
    const path = join(folder, `${name}.jsonl`);
    const header = { version: 1, cwd, ...(dialect === 'omp' ? { title: name, titleSource: 'auto' } : {}) };
    const text = session(header).user(name).assistant('done').text();
    const others = { [join(folder, name, 'sub.txt')]: `of ${name}` };
    await mkdir(join(folder, name), { recursive: true });
    for (const [file, content] of Object.entries({ [path]: text, ...others })) {
      await writeFile(file, content);
      await age(file);
    }
    return { path, text, others };
  }

  /** Restores everything from the trash. Then every session is complete, old or migrated with its backup. */
  async function assertWhole(sessions) {
    const { trash } = await openWindow(storage, root);
    for (const item of await trash.list()) {
      assert.ok(!existsSync(item.path) && !existsSync(item.path.slice(0, -'.jsonl'.length)), `${item.path} is here and in the trash`);
      await trash.restore(item.trashId);
    }
    const expected = [];
    for (const { path, text, others } of sessions) {
      expected.push(basename(path), basename(path, '.jsonl'));
      for (const [file, content] of Object.entries(others)) assert.equal(await readFile(file, 'utf8'), content);
      const now = await readFile(path, 'utf8');
      if (now === text) continue;
      const { version, problems, entries } = await readSession(path);
      assert.deepEqual([version, problems, entries.length], [3, [], 2], path);
      assert.equal(await readFile(`${path}.v1.bak`, 'utf8'), text);
      expected.push(`${basename(path)}.v1.bak`);
    }
    assert.deepEqual((await names(folder)).sort(), expected.sort());
    assert.deepEqual(await names(join(root, TRASH_FOLDER)), []);
  }

  /** Returns the traces of unfinished work: hidden files, locks, notes. */
  async function remains() {
    const left = [];
    for (const place of [folder, join(root, TRASH_FOLDER), storage]) {
      for (const name of await names(place, true)) {
        if (!/\.(tmp|new|gone|lock|next|old|begun)$/.test(name) && !['migrating', 'trashing'].includes(basename(dirname(name)))) continue;
        // A lock without an owner is ignored after two seconds.
        const isEmptyTurn =
          place === storage && name.endsWith('.lock') && (await readFile(join(place, name), 'utf8').catch(() => '')) === '';
        if (!isEmptyTurn) left.push(name);
      }
    }
    return left;
  }

  async function cleared() {
    let left = [];
    await until(
      async () => (left = await remains()).length === 0,
      () => `not cleared up: ${left.join()}`,
    );
  }
});

/** Sets a file's time to an hour ago. */
async function age(path) {
  const then = Date.now() / 1000 - 3600;
  await utimes(path, then, then);
}

const names = (place, recursive = false) => readdir(place, { recursive }).catch(() => []);
