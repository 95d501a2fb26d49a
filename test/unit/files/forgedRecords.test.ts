import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { assertOwnFolder } from '../../../src/core/files/storage/privateFolder';
import { fileVersion, readSession } from '../../../src/core/files/read/sessionFile';
import { TRASH_FOLDER } from '../../../src/core/files/trash/trash';
import type { Writes } from '../../../src/core/files/history/writes';
import { entryId, session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';

const text = session().user('one').assistant('first').text();
const DAY = 24 * 60 * 60 * 1000;
const ID = '0mabcdefg-00000001';
const GONE = { pid: 2 ** 30, began: 1, machine: hostname(), since: 1 };
const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

describe('Forged records in the storage', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let home: string;
  let storage: string;
  let root: string;
  let path: string;
  let writes: Writes;
  const problems: unknown[] = [];

  const snapshot = async (at = home): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const entry of await readdir(at, { withFileTypes: true, recursive: true }))
      if (entry.isFile()) found[join(entry.parentPath, entry.name)] = await readFile(join(entry.parentPath, entry.name), 'latin1');
    return found;
  };
  const put = async (name: string, content: unknown): Promise<string> => {
    const file = join(storage, name);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  const start = async (): Promise<void> => {
    await writes.recover();
    await writes.prune(30 * DAY);
  };

  beforeEach(async () => {
    problems.splice(0);
    home = join(folder.path, 'home');
    storage = join(folder.path, 'storage');
    root = join(home, 'sessions');
    await mkdir(join(root, 'project'), { recursive: true });
    await mkdir(join(home, '.ssh'));
    for (const [name, content] of [
      ['.ssh/id_ed25519', 'secret'],
      ['letter.txt', 'dear'],
      ['x.jsonl', text],
    ] as const)
      await age(await folder.write(`home/${name}`, content));
    path = await age(await folder.write('home/sessions/project/a.jsonl', text));
    writes = await openWindow(storage, root, { onProblem: (error) => problems.push(error) });
  });

  it('of deletions reach nothing but a session and its trash folder', async () => {
    const good = {
      trashId: ID,
      path: join(home, 'x.jsonl'),
      name: 'x',
      at: Date.now(),
      size: 1,
      folder: join(home, TRASH_FOLDER),
      parent: home,
      things: [{ name: 'x.jsonl', as: '0' }],
    };
    const forged: object[] = [
      { ...good, folder: home },
      { ...good, folder: join(home, '.ssh', TRASH_FOLDER) },
      { ...good, folder: `${home}/.ssh/../${TRASH_FOLDER}` },
      { ...good, path: join(home, 'letter.txt') },
      { ...good, path: 'x.jsonl' },
      { ...good, things: [{ name: 'letter.txt', as: '0' }] },
      { ...good, things: [{ name: 'x.jsonl', as: '../letter.txt' }] },
      { ...good, things: [] },
      { ...good, trashId: '../letter' },
      { ...good, at: 'now' },
      { ...good, parent: '..' },
    ];
    const before = await snapshot();
    for (const record of forged) {
      const file = await put(`trash/records/${ID}.json`, record);
      for (const task of ['delete', 'restore', 'discard']) {
        const operation = await put(`trash/trashing/${ID}.steps`, { ...GONE, since: Date.now(), task, ...record });
        await start();
        assert.deepEqual(
          [await snapshot(), await writes.trash.list(), await writes.trash.empty(), existsSync(file)],
          [before, [], [], true],
          JSON.stringify(record),
        );
        await unlink(operation);
      }
      await unlink(file);
    }
    await put(`trash/records/${ID.replace('1', '2')}.json`, good);
    await put(`trash/trashing/${ID}.steps`, { ...GONE, since: Date.now(), task: 'other', ...good });
    await start();
    assert.deepEqual([await snapshot(), problems], [before, []]);
  });

  it("of a deletion while the clock was wrong aren't removed by age", async () => {
    const { trashId } = await writes.trash.delete(path);
    const file = join(storage, 'trash', 'records', `${trashId}.json`);
    for (const at of [0, -1, Date.now() + 400 * DAY]) {
      await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), at }));
      assert.deepEqual([await writes.trash.prune(30 * DAY), (await writes.trash.list()).length], [[], 1], String(at));
    }
    await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), at: Date.now() - 31 * DAY }));
    assert.deepEqual([(await writes.trash.prune(30 * DAY)).length, await writes.trash.list()], [1, []]);
  });

  it('of an interrupted deletion that no start could finish are removed, and its files are found', async () => {
    const { trashId } = await writes.trash.delete(path);
    const record = JSON.parse(await readFile(join(storage, 'trash', 'records', `${trashId}.json`), 'utf8')) as object;
    await put(`trash/trashing/${ID}.steps`, { ...GONE, since: Date.now() - 31 * DAY, task: 'restore', ...record });
    assert.deepEqual(await writes.trash.found(), []);
    await writes.trash.prune(30 * DAY);
    const [found] = await writes.trash.found();
    assert.deepEqual([found?.path, await writes.trash.restoreFound(found!.place)], [path, { path }]);
    assert.equal(await readFile(path, 'utf8'), text);
  });

  it('in the journal are ignored unless their values are possible, and undo checks the bytes', async () => {
    const common = { id: ID, at: new Date().toISOString(), machine: hostname(), path };
    const sizes = { sizeBefore: 6, sizeAfter: Buffer.byteLength(text) };
    const migrate = {
      ...common,
      ...sizes,
      kind: 'migrate',
      backupPath: `${path}.v1.bak`,
      sha256: sha256(text),
      backupSha256: sha256('secret'),
    };
    const impossible: object[] = [
      { ...common, kind: 'fork', source: 's', sizeAfter: -1, sha256: '' },
      { ...common, kind: 'fork', source: 's', sizeAfter: 1, sha256: 'no hash' },
      { ...common, path: '../x.jsonl', kind: 'delete', trashId: ID },
      { ...common, kind: 'delete', trashId: '../../x' },
      { ...common, id: 'x', kind: 'delete', trashId: ID },
      { ...common, at: 'yesterday', kind: 'delete', trashId: ID },
      { ...migrate, backupPath: join(home, '.ssh', 'id_ed25519') },
      { ...migrate, backupPath: `${root}/../.ssh/x.v1.bak` },
      { ...common, kind: 'label', entryId: 'e', targetId: 't', from: '', to: 'x' },
    ];
    for (const record of impossible) {
      const day = await put(`journal/${new Date().toISOString().slice(0, 10)}.writes`, `${JSON.stringify(record)}\n`);
      assert.equal(await writes.nextUndo(), undefined, JSON.stringify(record));
      await unlink(day);
    }
    // A backup beside another session, with exactly those bytes.
    await writeFile(join(home, '.ssh', 'id_ed25519.v1.bak'), 'secret');
    await put(
      `journal/${new Date().toISOString().slice(0, 10)}.writes`,
      `${JSON.stringify({ ...migrate, backupPath: join(home, '.ssh', 'id_ed25519.v1.bak') })}\n`,
    );
    const before = await snapshot();
    await assert.rejects(writes.undo(), { code: 'changed', message: /links to another file now/ });
    assert.deepEqual(await snapshot(), before);
  });

  it('of a migration through a link are undone on the target', async () => {
    const real = await age(await folder.write('home/real.jsonl', session({ version: 1 }).user('one').text()));
    const old = await readFile(real, 'utf8');
    const linked = join(root, 'project', 'linked.jsonl');
    await symlink(real, linked);
    await writes.writer.migrate(linked);
    assert.equal((await readSession(real)).version, 3);
    await writes.undo();
    assert.deepEqual([await readFile(real, 'utf8'), existsSync(`${real}.v1.bak`)], [old, false]);
    assert.equal(await readFile(linked, 'utf8'), old);
  });

  it('in the queue are only valid as exact changes, and lead to no file outside the session folders', async () => {
    const item = { id: ID, path, at: Date.now() - DAY, leafId: null, label: '' };
    const odd: object[] = [
      { ...item, change: { kind: 'append', lines: [{ type: 'custom' }] } },
      { ...item, change: { kind: 'label', entryId: entryId(1), label: 'x', force: true } },
      { ...item, change: { kind: 'label', entryId: entryId(1) } },
      { ...item, change: { kind: 'branch', entryId: 7 } },
      { ...item, path: 'project/a.jsonl', change: { kind: 'rename', name: 'x' } },
      { ...item, path: `${root}/project/../project/a.jsonl`, change: { kind: 'rename', name: 'x' } },
      { ...item, at: null, change: { kind: 'rename', name: 'x' } },
      { ...item, id: 'other', change: { kind: 'rename', name: 'x' } },
      { ...item, leafId: 1, change: { kind: 'rename', name: 'x' } },
      { ...item, stuck: { code: 'invalid', template: 7, args: {} }, change: { kind: 'rename', name: 'x' } },
    ];
    for (const value of odd) {
      const file = await put(`queue/${ID}.waiting`, value);
      assert.deepEqual(await writes.queue.list(), [], JSON.stringify(value));
      await unlink(file);
    }
    const outside = join(home, 'x.jsonl');
    await put(`queue/${ID}.waiting`, { ...item, path: outside, change: { kind: 'rename', name: 'x' } });
    const { written, waiting } = await writes.queue.settle(outside, writes.writer);
    assert.deepEqual([written, waiting[0]?.stuck?.code, await readFile(outside, 'utf8')], [[], 'invalid', text]);
    // A change that this window enqueued is written.
    await writes.queue.enqueue(outside, { kind: 'rename', name: 'y' });
    assert.equal((await writes.queue.settle(outside, writes.writer)).written.length, 1);
    assert.equal((await readSession(outside)).name, 'y');
  });

  it('in the queue are bounded in number and size', async () => {
    for (let n = 0; n < 1100; n++) {
      const id = `0mabcdefg-${n.toString(16).padStart(8, '0')}`;
      await put(`queue/${id}.waiting`, { id, path, at: 1, leafId: null, label: '', change: { kind: 'rename', name: 'x' } });
    }
    assert.equal((await writes.queue.list()).length, 1000);
    await assert.rejects(writes.queue.enqueue(path, { kind: 'rename', name: 'x'.repeat(600_000) }), { code: 'invalid' });
  });

  it('of moved projects move and remove nothing outside the session folders', async () => {
    const before = text.slice(0, text.indexOf('\n'));
    const after = before.replace('"cwd":"', '"cwd":"/new');
    const moved = text.replace(before, after);
    const outside = await age(await folder.write('home/a.jsonl', text));
    await age(await folder.write('home/.ssh/a.jsonl', text));
    await symlink(join(home, '.ssh'), join(root, 'linked'));
    await mkdir(join(root, 'other'));
    const newPath = await age(await folder.write('home/sessions/other/a.jsonl', moved));
    const step = { path, newPath, before, after };
    const forged: (typeof step)[] = [
      { ...step, path: outside },
      { ...step, path: join(root, 'linked', 'a.jsonl') },
      { ...step, path: outside, newPath: path },
    ];
    const everything = await snapshot();
    for (const one of forged) {
      const record = await put(`journal/relinking/${ID}.steps`, `${JSON.stringify(GONE)}\n${JSON.stringify(one)}\n`);
      await start();
      assert.deepEqual(await snapshot(), everything, `recovery of ${JSON.stringify(one)}`);
      await rm(record, { force: true });
      // Only the new file is there, as after a move.
      await rm(one.path, { force: true });
      const left = await snapshot();
      const entry = { ...one, id: ID, at: new Date().toISOString(), machine: hostname(), kind: 'relink', group: ID };
      const day = await put(`journal/${new Date().toISOString().slice(0, 10)}.writes`, `${JSON.stringify(entry)}\n`);
      await assert.rejects(writes.undo(), { code: 'invalid' });
      assert.deepEqual(await snapshot(), left, `undo of ${JSON.stringify(one)}`);
      await unlink(day);
      for (const [name, content] of Object.entries(everything)) if (!existsSync(name)) await age((await writeFile(name, content), name));
    }
    // The step that is none of these removes the old file.
    await put(`journal/relinking/${ID}.steps`, `${JSON.stringify(GONE)}\n${JSON.stringify(step)}\n`);
    await start();
    assert.deepEqual([existsSync(path), existsSync(newPath), problems], [false, true, []]);
  });

  it('of migrations remove no backup but a copy of its session', async () => {
    const begun = { ...GONE, path, version: fileVersion(await stat(path, { bigint: true })), backups: [] };
    await writeFile(`${path}.v1.bak`, 'the only old one');
    await writeFile(`${path}.v2.bak`, text);
    await put('journal/migrating/a.json', begun);
    await put('journal/migrating/b.json', { ...begun, path: 'a.jsonl' });
    await start();
    assert.deepEqual((await readdir(join(root, 'project'))).sort(), ['a.jsonl', 'a.jsonl.v1.bak']);
    assert.equal(await readFile(`${path}.v1.bak`, 'utf8'), 'the only old one');
  });

  it('that are FIFOs, devices or links block nothing, and are reported', async function () {
    if (process.platform === 'win32') this.skip();
    for (const name of [`trash/records/${ID}.json`, `queue/${ID}.waiting`]) execFileSync('mkfifo', [join(storage, name)]);
    await symlink('/dev/zero', join(storage, 'queue', `${ID.replace('1', '2')}.waiting`));
    assert.deepEqual([await writes.trash.list(), await writes.queue.list()], [[], []]);
    assert.equal(problems.length, 3, problems.join());
    // A write never follows a link out of the storage.
    const day = join(storage, 'journal', `${new Date().toISOString().slice(0, 10)}.writes`);
    await symlink(join(home, 'letter.txt'), day);
    await writes.writer.submit(path, { kind: 'rename', name: 'x' });
    const [own] = await readdir(join(storage, 'windows', 'writes'));
    await rename(join(storage, 'windows', 'writes', own!), join(folder.path, 'was'));
    await symlink(join(home, 'letter.txt'), join(storage, 'windows', 'writes', own!));
    await writes.writer.own(path);
    assert.deepEqual([await readFile(join(home, 'letter.txt'), 'utf8'), problems.length], ['dear', 4]);
  });

  it('are avoided: a storage that is a link or belongs to another user is refused, and one that others can write to is reported', async function () {
    if (process.platform === 'win32') this.skip();
    await symlink(storage, join(folder.path, 'link'));
    await assert.rejects(openWindow(join(folder.path, 'link'), root), { code: 'invalid', message: /symbolic link/ });
    await rename(join(storage, 'queue'), join(folder.path, 'queue'));
    await symlink(join(folder.path, 'queue'), join(storage, 'queue'));
    await assert.rejects(openWindow(storage, root), { code: 'invalid', message: /symbolic link/ });
    const real = process.getuid!.bind(process);
    process.getuid = () => real() + 1;
    try {
      await assert.rejects(assertOwnFolder(storage), { code: 'permission', message: /another user/ });
    } finally {
      process.getuid = real;
    }
    await chmod(storage, 0o777);
    await unlink(join(storage, 'queue'));
    await openWindow(storage, root);
    assert.equal((await stat(storage)).mode & 0o777, 0o700);
  });
});
