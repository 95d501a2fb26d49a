import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, readlink, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { TRASH_FOLDER } from '../../../src/core/files/trash/trash';
import type { Writes } from '../../../src/core/files/history/writes';
import { SessionError, type SessionErrorCode } from '../../../src/core/format/entry/problem';
import { session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';

const text = session().user('Make it so').assistant('done').text();
const DAY = 24 * 60 * 60 * 1000;
/** A process of this machine that is gone. */
const GONE = { pid: 2 ** 30, began: 1, machine: hostname(), since: Date.now() };

describe('Forged notes in a trash folder', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let home: string;
  let root: string;
  let writes: Writes;
  const problems: unknown[] = [];

  /** Returns everything below a folder: contents, and targets of links. */
  const snapshot = async (at = home): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const entry of await readdir(at, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) found[relative(at, path)] = await readFile(path, 'latin1');
      else found[relative(at, path)] = entry.isSymbolicLink() ? `-> ${await readlink(path)}` : 'folder';
    }
    return found;
  };

  /** Plants a note in the form that earlier versions wrote and obeyed, with its files. */
  const plant = async (id: string, note: Record<string, unknown>, files: Readonly<Record<string, string>> = {}): Promise<string> => {
    const place = join(root, TRASH_FOLDER, id);
    await mkdir(place, { recursive: true });
    await writeFile(
      join(place, 'note.json'),
      JSON.stringify({ trashId: id, name: 'planted', at: Date.now(), size: 1, doer: GONE, state: 'deleted', ...note }),
    );
    for (const [name, content] of Object.entries(files)) await writeFile(join(place, name), content);
    return place;
  };

  const refused = async (code: SessionErrorCode, work: () => Promise<unknown>): Promise<string> => {
    const before = await snapshot();
    const error: unknown = await work().then(
      () => assert.fail('not refused'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof SessionError, String(error));
    assert.equal(error.code, code, error.message);
    assert.deepEqual(await snapshot(), before);
    return error.message;
  };

  /** Runs everything that the extension does without a request. */
  const start = async (): Promise<void> => {
    const window = await openWindow(join(folder.path, 'storage'), root, { onProblem: (error) => problems.push(error) });
    await window.recover(() => assert.fail('there is nothing to end'));
    await window.prune(30 * DAY);
    await window.prune(-DAY);
  };

  beforeEach(async () => {
    problems.splice(0);
    home = join(folder.path, 'home');
    root = join(home, 'sessions');
    await mkdir(join(root, 'project'), { recursive: true });
    await mkdir(join(home, '.ssh'));
    await writeFile(join(home, '.ssh', 'id_ed25519'), 'secret');
    await writeFile(join(home, 'letter.txt'), 'dear');
    writes = await openWindow(join(folder.path, 'storage'), root, { onProblem: (error) => problems.push(error) });
  });

  it('cause nothing at start, whatever they contain', async () => {
    const ssh = join(home, '.ssh');
    const key = join(ssh, 'id_ed25519');
    const profile = join(home, '.bash_profile');
    const session = join(root, 'project', 'x.jsonl');
    await plant(
      'deleting',
      {
        state: 'deleting',
        path: ssh,
        things: [
          { from: join(root, 'project'), as: '0' },
          { from: ssh, as: '1' },
        ],
      },
      { '0': text },
    );
    await plant('old', { at: 0, path: session, things: [{ from: session, as: '0' }] }, { '0': text });
    await plant('restoring', { state: 'restoring', path: profile, things: [{ from: profile, as: '0' }] }, { '0': 'evil' });
    await plant('up', { state: 'restoring', path: key, things: [{ from: key, as: '..' }] });
    await plant('pid', { state: 'deleting', path: key, things: [{ from: key, as: '0' }], doer: { ...GONE, pid: -1 } });
    await plant('half.gone', {}, { kept: 'a file of the repository' });
    await plant('half.1.new', {}, { kept: 'a file of the repository' });
    const before = await snapshot();
    await start();
    assert.deepEqual(await snapshot(), before);
    assert.deepEqual(problems, []);
  });

  it('are like records of archives, moves, imports and writes among sessions: nothing acts on them', async () => {
    const project = join(root, 'project');
    const path = join(project, 'x.jsonl');
    await writeFile(path, text);
    await age(path);
    const record = { ...GONE, kind: 'archive', path, archive: `${path}.gz`, isKept: true };
    const move = { ...GONE, kind: 'relink', path, newPath: join(home, 'x.jsonl'), before: text.split('\n')[0], after: '{}', group: 'x' };
    for (const place of ['journal/archiving', 'journal/relinks', 'archiving', 'relink', 'windows/locks', 'queue', 'trash/records'])
      for (const at of [project, root])
        for (const [name, note] of Object.entries({ record, move })) {
          await mkdir(join(at, place), { recursive: true });
          await writeFile(join(at, place, `0mabcdefg-00000001-${name}.json`), JSON.stringify(note));
          await writeFile(join(at, place, '2026-01-02.writes'), `${JSON.stringify({ ...note, id: '0mabcdefg-00000001' })}\n`);
        }
    for (const name of ['.x.jsonl.moving', '.x.jsonl.archiving', 'x.jsonl.v1.bak', 'x.jsonl.gz'])
      await writeFile(join(project, name), 'planted');
    await symlink(join(home, 'letter.txt'), join(project, '.x.jsonl.lock'));
    execFileSync('mkfifo', [join(project, 'x.jsonl.lock')]);
    const before = await snapshot();
    await start();
    assert.deepEqual(await snapshot(), before);
    assert.equal(await writes.nextUndo(), undefined);
  });

  it("aren't listed as own deletions, and neither undone nor removed", async () => {
    const session = join(root, 'project', 'x.jsonl');
    await plant('0mabcdefg-00000001', { path: session, things: [{ from: session, as: '0' }] }, { '0': text });
    const before = await snapshot();
    assert.deepEqual([await writes.trash.list(), await writes.trash.empty(), await writes.nextUndo()], [[], [], undefined]);
    await refused('not-found', () => writes.trash.restore('0mabcdefg-00000001'));
    assert.deepEqual(await snapshot(), before);
  });

  it('of an earlier version or another machine can be restored by choice', async () => {
    const path = join(root, 'project', 'x.jsonl');
    const beside = join(root, 'project', 'x');
    const place = await plant(
      '0mabcdefg-00000001',
      {
        path,
        name: 'Lost',
        at: 5,
        things: [
          { from: path, as: '0' },
          { from: beside, as: '1' },
          { from: `${path}.v1.bak`, as: '2' },
        ],
      },
      { '0': text, '2': 'old' },
    );
    await mkdir(join(place, '1', 'deep'), { recursive: true });
    await writeFile(join(place, '1', 'deep', 'log.txt'), 'log');
    assert.deepEqual(await writes.trash.found(), [{ place, path, name: 'Lost', at: 5 }]);
    await rm(join(root, 'project'), { recursive: true });
    assert.deepEqual(await writes.trash.restoreFound(place), { path });
    assert.deepEqual(await snapshot(root), {
      project: 'folder',
      'project/x.jsonl': text,
      'project/x.jsonl.v1.bak': 'old',
      'project/x': 'folder',
      'project/x/deep': 'folder',
      'project/x/deep/log.txt': 'log',
    });
    assert.deepEqual(await writes.trash.found(), []);
  });

  it('of an archive can be restored by choice, with the folder of its session', async () => {
    const path = join(root, 'project', 'x.jsonl.gz');
    const things = [
      { from: path, as: '0' },
      { from: join(root, 'project', 'x'), as: '1' },
    ];
    const place = await plant('0mabcdefg-00000001', { path, things }, { '0': 'packed' });
    await mkdir(join(place, '1'));
    assert.deepEqual(await writes.trash.restoreFound(place), { path });
    assert.deepEqual(await snapshot(join(root, 'project')), { 'x.jsonl.gz': 'packed', x: 'folder' });
  });

  it('are restored only to the place of a session in the same folder', async () => {
    const outside = [
      join(home, '.bash_profile'),
      join(home, 'x.jsonl'),
      `${root}2/x.jsonl`,
      join(root, '.git', 'x.jsonl'),
      join(root, 'project', '.x.jsonl'),
      join(root, 'project', 'run.sh'),
      join(root, 'project', 'x.jsonl.xz'),
      join(root, 'archive', 'sessions', '-project', 'x.jsonl.gz'),
      join(root, TRASH_FOLDER, 'x.jsonl'),
      `${root}/project/../../x.jsonl`,
      `${root}//project/x.jsonl`,
      'x.jsonl',
      '',
    ];
    for (const [n, path] of outside.entries()) {
      const place = await plant(`outside${String(n)}`, { path, things: [{ from: path, as: '0' }] }, { '0': 'evil' });
      assert.match(await refused('invalid', () => writes.trash.restoreFound(place)), /Can’t restore this to/);
    }
    const path = join(root, 'project', 'x.jsonl');
    for (const thing of [
      { from: path, as: '..' },
      { from: path, as: '../../../../letter.txt' },
      { from: join(root, 'project', 'y'), as: '0' },
      { from: join(home, '.ssh'), as: '0' },
    ]) {
      const place = await plant('odd', { path, things: [thing] }, { '0': 'evil' });
      await refused('invalid', () => writes.trash.restoreFound(place));
    }
    for (const place of [
      home,
      join(home, 'letter.txt'),
      join(root, TRASH_FOLDER, 'none'),
      join(root, TRASH_FOLDER),
      `${root}/${TRASH_FOLDER}/odd/../odd`,
    ])
      await refused('not-found', () => writes.trash.restoreFound(place));
  });

  it('are never restored over something, nor through a link', async () => {
    const path = join(root, 'project', 'x.jsonl');
    const place = await plant('found', { path, things: [{ from: path, as: '0' }] }, { '0': text });
    await writeFile(path, 'mine');
    assert.match(await refused('invalid', () => writes.trash.restoreFound(place)), /in its place now/);
    await unlink(path);
    await rm(join(root, 'project'), { recursive: true });
    await symlink(join(home, '.ssh'), join(root, 'project'));
    assert.match(await refused('invalid', () => writes.trash.restoreFound(place)), /points somewhere else/);
  });

  it('restore no links, hard links, or anything but files and folders', async function () {
    if (process.platform === 'win32') this.skip();
    const path = join(root, 'project', 'x.jsonl');
    const beside = join(root, 'project', 'x');
    const place = await plant('found', {
      path,
      things: [
        { from: path, as: '0' },
        { from: beside, as: '1' },
      ],
    });
    const make: Readonly<Record<string, () => Promise<unknown>>> = {
      'a link': () => symlink(join(home, 'letter.txt'), join(place, '0')),
      'a hard link': () => link(join(home, 'letter.txt'), join(place, '0')),
      'a FIFO': () => Promise.resolve(execFileSync('mkfifo', [join(place, '0')])),
      'a folder for the session': () => mkdir(join(place, '0')),
      'a file for its folder': () => writeFile(join(place, '1'), 'x'),
      'a link in its folder': async () => {
        await mkdir(join(place, '1'));
        await symlink(home, join(place, '1', 'home'));
      },
    };
    for (const [what, put] of Object.entries(make)) {
      await put();
      const kept = await readdir(root, { recursive: true });
      await assert.rejects(writes.trash.restoreFound(place), (error) => error instanceof SessionError && error.code === 'invalid', what);
      assert.deepEqual(await readdir(root, { recursive: true }), kept, what);
      for (const name of ['0', '1']) await rm(join(place, name), { recursive: true, force: true });
    }
    assert.equal(await readFile(join(home, 'letter.txt'), 'utf8'), 'dear');
  });

  it('are bounded when unreadable, huge or numerous', async function () {
    if (process.platform === 'win32') this.skip();
    const path = join(root, 'project', 'x.jsonl');
    const fifo = await plant('fifo', {});
    await unlink(join(fifo, 'note.json'));
    execFileSync('mkfifo', [join(fifo, 'note.json')]);
    const linked = await plant('linked', {});
    await unlink(join(linked, 'note.json'));
    await symlink('/dev/zero', join(linked, 'note.json'));
    await plant('huge', { path, things: [], name: 'x'.repeat(100_000) });
    await plant('nonsense', { path: 7 });
    assert.deepEqual(await writes.trash.found(), []);
    assert.equal(problems.length, 3);
    for (let n = 0; n < 600; n++) await plant(`n${String(n)}`, { path, things: [] });
    const found = await writes.trash.found();
    assert.ok(found.length > 400 && found.length <= 500, String(found.length));
  });

  it("are ignored in a trash folder that is a link, which isn't used for deleting either", async () => {
    const elsewhere = join(home, 'elsewhere');
    const path = join(root, 'project', 'x.jsonl');
    await plant('found', { path, things: [{ from: path, as: '0' }] }, { '0': text });
    await rename(join(root, TRASH_FOLDER), elsewhere);
    await symlink(elsewhere, join(root, TRASH_FOLDER));
    await writeFile(path, text);
    await age(path);
    assert.match(await refused('invalid', () => writes.trash.delete(path)), /it’s a symbolic link/);
    assert.deepEqual(await writes.trash.found(), []);
    assert.match(String(problems[0]), /it’s a symbolic link/);
    await unlink(path);
    assert.match(await refused('invalid', () => writes.trash.restoreFound(join(root, TRASH_FOLDER, 'found'))), /it’s a symbolic link/);
  });

  it("don't matter for own deletions: while a link is in the trash folder’s place, they stay and it’s never followed", async () => {
    const path = join(root, 'project', 'x.jsonl');
    await writeFile(path, text);
    await age(path);
    const { trashId } = await writes.trash.delete(path);
    await rename(join(root, TRASH_FOLDER), join(home, 'moved'));
    await symlink(join(home, 'moved'), join(root, TRASH_FOLDER));
    await refused('invalid', () => writes.trash.restore(trashId));
    const before = await snapshot();
    await assert.rejects(writes.trash.prune(-DAY), /symbolic link/);
    assert.deepEqual([await snapshot(), await writes.trash.list()], [before, []]);
  });

  it('that are links in the place of own deletions are removed without being followed', async () => {
    const path = join(root, 'project', 'x.jsonl');
    await writeFile(path, text);
    await age(path);
    const { trashId } = await writes.trash.delete(path);
    const kept = join(root, TRASH_FOLDER, trashId, '0');
    await rename(kept, join(root, 'was'));
    await symlink(join(home, 'letter.txt'), kept);
    assert.equal((await writes.trash.prune(-DAY)).length, 1);
    assert.deepEqual([existsSync(join(root, TRASH_FOLDER)), await readFile(join(home, 'letter.txt'), 'utf8')], [false, 'dear']);
  });

  it("aren't restored into a folder that leads elsewhere since", async () => {
    const path = join(root, 'project', 'x.jsonl');
    await writeFile(path, text);
    await age(path);
    const { trashId } = await writes.trash.delete(path);
    await rm(dirname(path), { recursive: true });
    await symlink(join(home, '.ssh'), dirname(path));
    assert.match(await refused('invalid', () => writes.trash.restore(trashId)), /points somewhere else/);
    await unlink(dirname(path));
    await writes.trash.restore(trashId);
    assert.equal(await readFile(path, 'utf8'), text);
  });

  it("don't arise for other files: only sessions are deleted", async () => {
    await age(join(home, 'letter.txt'));
    await refused('not-a-session', () => writes.trash.delete(join(home, 'letter.txt')));
    assert.equal(existsSync(join(home, TRASH_FOLDER)), false);
  });
});
