import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createWriter,
  importSession,
  openWrites,
  readSession,
  recoverSession,
  relinkProject,
  type Root,
  type Writes,
} from '../../../src/core/index';
import { TRASH_FOLDER } from '../../../src/core/files/trash/trash';
import { session } from '../../fixtures/build';
import { defined } from '../../../src/core/format/values/defined';
import { testFolder } from '../../fixtures/folder';
import { hashTree } from '../../fixtures/hashTree';
import { refusalCode } from '../../fixtures/refusals';
import { age, countingStamp } from '../../fixtures/writes';

const CWD = '/there/code/demo';
const lines = (): string => session({ cwd: CWD }).user('Make it so').assistant('done').text();

describe('A read-only session folder', function () {
  this.timeout(60_000);
  const folder = testFolder();
  const from = () => join(folder.path, 'laptop');
  const own = () => join(folder.path, 'own');
  const storage = () => join(folder.path, 'storage');
  let path: string;
  let isReadOnly: boolean;
  const roots = (): Root[] => [
    {
      path: from(),
      dialect: 'pi',
      flat: false,
      machine: 'laptop',
      map: { '/there': '/here' },
      ...(isReadOnly ? { readOnly: true } : {}),
    },
    { path: own(), dialect: 'pi', flat: false },
  ];
  const put = async (file: string, text: string): Promise<string> => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return age(file);
  };
  const open = (): Promise<Writes> =>
    openWrites({
      folder: storage(),
      writer: createWriter({ ...countingStamp(), locksDir: join(storage(), 'windows'), roots }),
      roots,
      onProblem: (error) => {
        throw error;
      },
    });
  const hash = (): Promise<string> => hashTree(from());
  const untouched = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = await hash();
    try {
      return await work();
    } finally {
      assert.equal(await hash(), before);
    }
  };
  const refuses = async (work: () => Promise<unknown>): Promise<void> =>
    assert.equal(await untouched(() => refusalCode(work())), 'read-only');

  beforeEach(async () => {
    isReadOnly = true;
    path = await put(join(from(), '--there-code-demo--', 'a.jsonl'), lines());
    await mkdir(own(), { recursive: true });
  });

  it('refuses every change of a session, with the bytes and times as they were', async () => {
    const writes = await open();
    const { writer, trash, queue } = writes;
    const entryId = (await readSession(path)).entries[0]?.id ?? '';
    const old = await put(
      join(from(), 'p', 'old.jsonl'),
      '{"type":"session","id":"x","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/there"}\n',
    );
    const damaged = await put(join(from(), 'p', 'damaged.jsonl'), `${lines()}no JSON\n`);
    await refuses(() => writer.submit(path, { kind: 'label', entryId, label: 'x' }));
    await refuses(() => writer.submit(path, { kind: 'branch', entryId, summary: 'x' }, { force: true }));
    await refuses(() => writer.submit(path, { kind: 'rename', name: 'x' }));
    await refuses(() => queue.enqueue(path, { kind: 'rename', name: 'x' }));
    await refuses(() => trash.delete(path));
    await refuses(() => writer.migrate(old));
    await refuses(() => writer.create('recover', damaged, (tools) => recoverSession(damaged, { ...tools, roots: roots() })));
    await refuses(() => writer.create('import', path, (tools) => importSession(path, { ...tools, sessionDir: from() })));
    await refuses(() => writer.forkSession(path, { sessionDir: join(from(), 'p') }));
    await refuses(() => writer.forkSession(path, { roots: roots(), sessionDir: join(from(), 'p') }));
    await refuses(() => trash.restoreFound(join(from(), TRASH_FOLDER, 'x')));
    await untouched(() => writes.recover());
    await untouched(() => writes.prune(0));
    assert.equal(await writes.nextUndo(), undefined);
  });

  it('refuses a session that a link leads to, and one that the folder is linked to', async () => {
    const { writer, trash } = await open();
    await mkdir(join(own(), 'p'));
    await symlink(path, join(own(), 'p', 'link.jsonl'));
    await symlink(from(), join(own(), 'linked'));
    await refuses(() => writer.submit(join(own(), 'p', 'link.jsonl'), { kind: 'rename', name: 'x' }));
    await refuses(() => writer.submit(join(own(), 'linked', '--there-code-demo--', 'a.jsonl'), { kind: 'rename', name: 'x' }));
    await refuses(() => trash.delete(join(own(), 'linked', '--there-code-demo--', 'a.jsonl')));
  });

  it('keeps what was deleted there before it became read-only, and brings nothing back', async () => {
    isReadOnly = false;
    const writes = await open();
    const { trashId } = await writes.trash.delete(path);
    isReadOnly = true;
    await refuses(() => writes.trash.restore(trashId));
    assert.deepEqual(await untouched(() => writes.trash.empty()), []);
    await refuses(() => writes.undo());
    await untouched(() => writes.prune(-1));
    assert.equal((await writes.trash.list()).length, 1);
    isReadOnly = false;
    assert.equal((await writes.trash.restore(trashId)).path, path);
  });

  it('leaves out pending changes', async () => {
    isReadOnly = false;
    const writes = await open();
    await writes.queue.enqueue(path, { kind: 'rename', name: 'x' });
    isReadOnly = true;
    await untouched(() => writes.queue.settle(path, writes.writer));
    assert.equal((await writes.queue.list())[0]?.stuck?.code, 'read-only');
  });

  it('leaves its sessions when a project moves, with the reason, and moves a parent that one of them names', async () => {
    const name = '2026-03-04T05-06-07-890Z_p.jsonl';
    const parent = await put(join(own(), '--there-code-demo--', name), lines());
    const fork = await put(
      join(from(), '--there-code-demo--', 'fork.jsonl'),
      session({ cwd: '/other', parentSession: parent }).user('x').text(),
    );
    const { writer } = await open();
    const { moved, left } = await untouched(() => relinkProject({ from: CWD, to: '/here/new', roots: roots(), writer }));
    assert.deepEqual(
      left.map((one) => [one.path, one.reason.code]),
      [[path, 'read-only']],
    );
    assert.equal(moved.length, 1);
    assert.equal((await readSession(fork)).header.parentSession, parent);
    const writes = await open();
    await untouched(() => writes.undo());
    assert.equal((await readSession(parent)).header.cwd, CWD);
  });

  for (const [title, targetCwd, cwd, entries] of [
    ['in the project’s folder on this machine', undefined, '/here/code/demo', 2],
    ['in another project', '/here/other', '/here/other', 2],
  ] as const)
    it(`continues a session ${title}, in this machine’s own session folder`, async () => {
      const { writer } = await open();
      const fork = await untouched(() => writer.forkSession(path, { roots: roots(), ...defined({ targetCwd }) }));
      const read = await readSession(fork.path);
      assert.deepEqual([read.header.cwd, read.header.parentSession, read.entries.length], [cwd, path, entries]);
      assert.equal(dirname(fork.path), join(own(), `--${cwd.slice(1).replaceAll('/', '-')}--`));
    });

  it('imports a session into this machine’s own session folder', async () => {
    const { writer } = await open();
    const imported = await untouched(() => writer.create('import', path, (tools) => importSession(path, { ...tools, roots: roots() })));
    assert.equal(dirname(imported.path), join(own(), '--here-code-demo--'));
    assert.equal((await readSession(imported.path)).header.cwd, '/here/code/demo');
  });

  it('says that a session of OpenClaw can be imported, which has no fork', async () => {
    const claw = await put(join(from(), 'p', 'claw.jsonl'), session({ cwd: CWD }).custom('openclaw:bootstrap-context').user('x').text());
    const { writer } = await open();
    await untouched(() =>
      assert.rejects(writer.forkSession(claw, { roots: roots(), targetCwd: '/here/other' }), {
        code: 'read-only',
        message: /OpenClaw.*Import it into a project/,
      }),
    );
    const imported = await untouched(() => writer.create('import', claw, (tools) => importSession(claw, { ...tools, roots: roots() })));
    assert.equal(dirname(imported.path), join(own(), '--here-code-demo--'));
  });

  it('asks for a project if the session’s folder has no path here', async () => {
    const windows = await put(join(from(), 'p', 'w.jsonl'), session({ cwd: 'C:\\code\\demo' }).user('x').text());
    const { writer } = await open();
    assert.equal(await untouched(() => refusalCode(writer.forkSession(windows, { roots: roots() }))), 'invalid');
    assert.equal((await readdir(own())).length, 0);
  });
});
