// Trash folders that someone else filled: starting the editor changes nothing, and a person who restores from them is
// warned.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, readlink, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { openEditor, runCommand, until } from './editor.mjs';
import { makeHome, project } from './home.mjs';
import { exitOnSignals } from './processes.mjs';

const built = createRequire(join(project, 'out', 'test', 'fixtures', 'doomed.js'));
const { endsBefore } = built('./doomed.js');
const { session } = built('./build.js');
const { TRASH_FOLDER } = built('../../src/core/files/trash/trashRecords.js');

const text = session({ cwd: '/work/planted' }).user('Planted words').assistant('done').text();
const GONE = { pid: 2 ** 30, began: 1, machine: hostname(), since: 1 };

exitOnSignals();

describe('a start with planted notes', function () {
  this.timeout(240_000);
  let home, root, storage, editor;

  beforeEach(async () => {
    home = await makeHome();
    root = join(home.env.HOME, '.pi', 'agent', 'sessions');
    storage = join(home.data, 'data', 'User', 'globalStorage', 'pi-session-tree.pi-session-tree');
    await mkdir(join(home.env.HOME, '.ssh'), { recursive: true });
    await writeFile(join(home.env.HOME, '.ssh', 'id_ed25519'), 'secret');
    await mkdir(join(home.workspace, '.pi'), { recursive: true });
    await writeFile(join(home.workspace, '.pi', 'settings.json'), JSON.stringify({ sessionDir: '../shared' }));
  });
  afterEach(async () => {
    await editor?.close();
    editor = undefined;
    home.remove();
  });

  const shared = () => join(home.workspace, '..', 'shared');

  async function plant(base, id, note) {
    const place = join(base, TRASH_FOLDER, id);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, '0'), text);
    await writeFile(
      join(place, 'note.json'),
      JSON.stringify({ trashId: id, name: 'Planted words', at: 0, size: 1, doer: GONE, state: 'deleted', ...note }),
    );
  }

  it('moves, makes and removes nothing; what is restored from them by hand stays in its folder', async () => {
    const ssh = join(home.env.HOME, '.ssh');
    const profile = join(home.env.HOME, '.bash_profile');
    for (const base of [root, shared()]) {
      const found = join(base, 'project', 'found.jsonl');
      await plant(base, 'moving', {
        state: 'deleting',
        path: ssh,
        things: [
          { from: found, as: '0' },
          { from: ssh, as: '1' },
        ],
      });
      await plant(base, 'making', { state: 'restoring', path: profile, things: [{ from: profile, as: '0' }] });
      await plant(base, 'removing', { path: found, things: [{ from: found, as: '0' }] });
      await plant(base, 'up', { state: 'restoring', path: profile, things: [{ from: profile, as: '..' }] });
    }
    // The result of an interrupted deletion of our own shows that the start has finished its work.
    const own = join(root, '--work-planted--', 'own.jsonl');
    await mkdir(join(own, '..'), { recursive: true });
    await writeFile(own, text);
    const then = Date.now() / 1000 - 3600;
    await utimes(own, then, then);
    assert.equal(await endsBefore(4, 'delete', storage, root, own), false);
    const before = await snapshot();

    editor = await openEditor(home);
    await editor.showSessions();
    await until(
      async () => (await readdir(join(storage, 'trash', 'trashing'))).length === 0,
      () => 'the start has not ended what was interrupted',
    );
    const isOurs = ([name]) =>
      name.startsWith(join('.pi', 'agent', 'sessions', '--work-planted--')) || new RegExp(`${TRASH_FOLDER}.0[0-9a-z]{8}-`).test(name);
    // The editor stores an id of the computer.
    const isEditors = ([name]) => name.startsWith(join('.cache', 'Microsoft'));
    const others = (files) => Object.fromEntries(Object.entries(files).filter((file) => !isOurs(file) && !isEditors(file)));
    assert.deepEqual(others(await snapshot()), others(before));

    await runCommand(editor.page, 'Restore from Trash');
    const list = editor.page.locator('.quick-input-list');
    await list.getByText('Not Deleted by This Installation').first().waitFor();
    await list
      .locator('.monaco-list-row', { hasText: join('~', relative(home.env.HOME, profile)) })
      .first()
      .click();
    const dialog = editor.page.locator('.monaco-dialog-box');
    await dialog.getByText('no record of deleting this session').first().waitFor();
    await dialog.locator('.monaco-button', { hasText: 'Restore' }).first().click();
    await editor.page.locator('.notification-toast', { hasText: 'isn’t a valid place for a session' }).first().waitFor();
    assert.deepEqual(others(await snapshot()), others(before));
  });

  /** Returns the content of the person's home and of the shared folder, with the targets of links. */
  async function snapshot() {
    const found = {};
    for (const base of [home.env.HOME, shared()]) {
      for (const entry of await readdir(base, { withFileTypes: true, recursive: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile()) found[relative(home.env.HOME, path)] = await readFile(path, 'latin1');
        else if (entry.isSymbolicLink()) found[relative(home.env.HOME, path)] = `-> ${await readlink(path)}`;
      }
    }
    return found;
  }
});
