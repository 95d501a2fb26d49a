import assert from 'node:assert/strict';
import { appendFile, link, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import { forksOf, openTrash, TRASH_FOLDER } from '../../../src/core/files/trash/trash';
import { makePrivateFolder } from '../../../src/core/files/storage/privateFolder';
import { beginDeletion, moveToTrash, filesToTrash } from '../../../src/core/files/trash/trashEntry';
import { openTrashRecords, type TrashRecord, type TrashRecords } from '../../../src/core/files/trash/trashRecords';
import { fileVersion } from '../../../src/core/files/read/sessionFile';
import type { Writes } from '../../../src/core/files/history/writes';
import { SessionError, type SessionErrorCode } from '../../../src/core/format/entry/problem';
import { session } from '../../fixtures/build';
import { endsBefore, openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { withFailingCalls } from '../../fixtures/testDisk';
import { age } from '../../fixtures/writes';

const text = session().user('Make it so').assistant('done').text();

describe('The trash', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let root: string;
  let storage: string;
  let path: string;
  let writes: Writes;

  /** A session with a subagent, a log and a backup. */
  const make = async (name = 'a'): Promise<string> => {
    const file = join(root, 'project', `${name}.jsonl`);
    await mkdir(join(root, 'project', name, 'deep'), { recursive: true });
    for (const [place, content] of [
      [`${name}.jsonl`, text],
      [`${name}/sub.jsonl`, text],
      [`${name}/deep/log.txt`, 'log'],
      [`${name}.jsonl.v1.bak`, 'old'],
    ] as const) {
      await writeFile(join(root, 'project', place), content);
      await age(join(root, 'project', place));
    }
    return file;
  };

  /** Returns the content of every file below the root, except for the trash. */
  const files = async (at = root): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const entry of await readdir(at, { withFileTypes: true, recursive: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile() && !file.includes(TRASH_FOLDER)) found[relative(at, file)] = await readFile(file, 'utf8');
    }
    return found;
  };

  const listed = async () =>
    (await listFiles([{ path: root, dialect: 'pi', flat: false }], () => assert.fail())).files.map((file) => file.path);

  const refused = async (code: SessionErrorCode, work: () => Promise<unknown>): Promise<string> => {
    const before = await files();
    const error: unknown = await work().then(
      () => assert.fail('not refused'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof SessionError, String(error));
    assert.equal(error.code, code, error.message);
    assert.deepEqual(await files(), before);
    return error.message;
  };

  /** Makes a deletion that has begun but has moved nothing yet. */
  const begun = async (change: Partial<TrashRecord> = {}) => {
    const records: TrashRecords = await openTrashRecords(join(storage, 'trash'), assert.ifError);
    const version = fileVersion(await stat(path, { bigint: true }));
    const trash = join(root, TRASH_FOLDER);
    const deletion: TrashRecord = {
      trashId: '0mabcdefg-00000001',
      path,
      name: 'a',
      at: Date.now(),
      size: 1,
      folder: trash,
      ...(await filesToTrash(path)),
      ...change,
    };
    const operation = await beginDeletion(records, deletion, () => makePrivateFolder(trash));
    return { records, begun: { deletion, operation, version }, place: join(trash, deletion.trashId) };
  };
  /** Simulates that the process of the only operation is gone. */
  const abandon = async (): Promise<void> => {
    const [name] = await readdir(join(storage, 'trash', 'trashing'));
    const file = join(storage, 'trash', 'trashing', name!);
    const record = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...record, pid: 2 ** 30 }));
  };

  beforeEach(async () => {
    root = join(folder.path, 'root');
    storage = join(folder.path, 'storage');
    path = await make();
    writes = await openWindow(storage, root);
  });

  it('moves a session with everything that belongs to it out of every listing, and restores it', async () => {
    await make('b');
    const before = await files();
    const inode = (await stat(path)).ino;
    const item = await writes.trash.delete(path);
    assert.deepEqual(Object.keys(await files()).sort(), [
      'project/b.jsonl',
      'project/b.jsonl.v1.bak',
      'project/b/deep/log.txt',
      'project/b/sub.jsonl',
    ]);
    assert.deepEqual((await listed()).sort(), [join(root, 'project', 'b.jsonl'), join(root, 'project', 'b', 'sub.jsonl')]);
    assert.deepEqual(await writes.trash.list(), [item]);
    assert.deepEqual([item.path, item.name, item.size], [path, 'Make it so', 2 * Buffer.byteLength(text) + 6]);
    assert.ok(Math.abs(item.at - Date.now()) < 10_000);
    assert.deepEqual(await writes.trash.restore(item.trashId), { path });
    assert.deepEqual([await files(), (await stat(path)).ino, await writes.trash.list()], [before, inode, []]);
    assert.deepEqual((await readdir(root)).sort(), ['project']);
  });

  it('has no name that a listing one or two levels down would take for a session', async () => {
    await writes.trash.delete(path);
    for (const id of await readdir(join(root, TRASH_FOLDER))) {
      assert.ok(!id.endsWith('.jsonl'));
      assert.deepEqual(
        (await readdir(join(root, TRASH_FOLDER, id))).filter((name) => name.includes('.jsonl')),
        [],
      );
    }
  });

  it('is readable by this user only', async () => {
    const { trashId } = await writes.trash.delete(path);
    const mode = async (place: string) => (await lstat(join(root, TRASH_FOLDER, place))).mode & 0o777;
    assert.deepEqual([await mode(''), await mode(trashId), await mode(`${trashId}/note.json`)], [0o700, 0o700, 0o600]);
    for (const place of ['', 'trash', 'trash/records']) assert.equal((await stat(join(storage, place))).mode & 0o777, 0o700);
    assert.equal((await stat(join(storage, 'trash', 'records', `${trashId}.json`))).mode & 0o777, 0o600);
  });

  it('never overwrites on restore', async () => {
    const { trashId } = await writes.trash.delete(path);
    await writeFile(path, 'new');
    assert.match(await refused('invalid', () => writes.trash.restore(trashId)), /in its place now/);
    await unlink(path);
    await mkdir(path.slice(0, -'.jsonl'.length));
    await refused('invalid', () => writes.trash.restore(trashId));
    assert.equal((await writes.trash.list()).length, 1);
    await refused('not-found', () => writes.trash.restore('none'));
    await refused('not-found', () => writes.trash.restore('../trash'));
  });

  it('refuses a session that is in use, or has a subagent in use', async () => {
    for (const lock of ['.a.jsonl.lock', 'a/.sub.jsonl.lock']) {
      const file = join(root, 'project', lock);
      await writeFile(file, `${String(process.ppid)}:${String(Date.now())}\n`);
      await refused('live', () => writes.trash.delete(path, { force: true }));
      await unlink(file);
    }
    await refused('not-found', () => writes.trash.delete(join(root, 'project', 'none.jsonl')));
    assert.deepEqual(await writes.trash.list(), []);
  });

  it('accepts unreadable files, and keeps a file that changes during the check', async () => {
    await writeFile(path, 'nonsense');
    await age(path);
    await refused('changed', () => writes.trash.delete(path, { check: () => writeFile(path, 'nonsense') }));
    await age(path);
    assert.equal((await writes.trash.delete(path)).name, 'a.jsonl');
  });

  it('moves everything back if one file fails', async () => {
    const before = await files();
    const { things } = await filesToTrash(path);
    const { records, begun: deletion } = await begun({ things: [...things.slice(0, 2), { name: 'a.jsonl.v2.bak', as: '7' }] });
    await refused('not-found', () => moveToTrash(records, deletion));
    assert.deepEqual([await files(), await readdir(root), await records.all(), await records.underWay()], [before, ['project'], [], []]);
  });

  it('moves back a file that replaced the session just before the move', async () => {
    const { records, begun: deletion } = await begun();
    await rename(path, `${path}.other`);
    await writeFile(path, 'another file');
    await refused('changed', () => moveToTrash(records, deletion));
    assert.deepEqual([await readFile(path, 'utf8'), await readdir(root), await records.all()], ['another file', ['project'], []]);
  });

  it('finishes a deletion that was killed while everything was moved back, the session last', async () => {
    const before = await files();
    const { begun: deleting, place } = await begun();
    await link(path, join(place, '0'));
    await rename(join(root, 'project', 'a'), join(place, '1'));
    await writes.trash.recover(() => assert.fail('it is still at work'));
    await abandon();
    const ended: string[] = [];
    await writes.trash.recover(({ item, outcome: became }) => Promise.resolve(void ended.push(item.trashId, became)));
    assert.deepEqual(ended, [deleting.deletion.trashId, 'restored']);
    assert.deepEqual([await files(), await readdir(root)], [before, ['project']]);
  });

  it('recovers other deletions while a disk hangs', async () => {
    const hanging = join(folder.path, 'hanging');
    const other = join(hanging, 'project', 'a.jsonl');
    await mkdir(join(hanging, 'project'), { recursive: true });
    await writeFile(other, text);
    await age(other);
    await endsBefore(8, 'delete', storage, hanging, other);
    await endsBefore(8, 'delete', storage, root, path);
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const seen: string[] = [];
    let isDone = false;
    await withFailingCalls(
      ['lstat'],
      async (_name, [at]) => {
        if (String(at).startsWith(hanging)) await answered;
        return undefined;
      },
      async () => {
        await new Promise<void>((resolve) => {
          void writes.trash.recover(({ item }) => Promise.resolve(seen.push(item.path)).then(() => resolve())).then(() => (isDone = true));
        });
        assert.deepEqual([seen, isDone], [[path], false]);
      },
    ).finally(answer);
  });

  it('treats a deletion that fails at its very end as none, for undo too', async () => {
    const before = await files();
    await writes.writer.submit(path, { kind: 'rename', name: 'Before' });
    await age(path);
    await withFailingCalls(
      ['rename'],
      (_name, [, to]) => (dirname(String(to)).endsWith('records') ? 'ENOSPC' : undefined),
      () => assert.rejects(writes.trash.delete(path), { code: 'no-space' }),
    );
    assert.deepEqual([Object.keys(await files()), await readdir(root)], [Object.keys(before), ['project']]);
    assert.equal((await writes.nextUndo())?.kind, 'rename');
  });

  it('lists the content of a root once, even if the root has two names', async () => {
    await symlink(root, join(folder.path, 'other'));
    await writes.trash.delete(path);
    const both = await openTrash(join(storage, 'trash'), {
      writer: writes.writer,
      roots: () => [root, join(folder.path, 'other')].map((at) => ({ path: at, dialect: 'pi', flat: false })),
      onProblem: assert.ifError,
    });
    assert.deepEqual([(await both.list()).length, await both.found()], [1, []]);
  });

  it('handles a session outside of every root, and remembers its place', async () => {
    const alone = join(folder.path, 'elsewhere', 'x.jsonl');
    await mkdir(join(folder.path, 'elsewhere'));
    await writeFile(alone, text);
    await age(alone);
    const { trashId } = await writes.trash.delete(alone);
    assert.deepEqual(await readdir(join(folder.path, 'elsewhere')), [TRASH_FOLDER]);
    const next = await openWindow(storage, root);
    assert.deepEqual(
      (await next.trash.list()).map((item) => item.path),
      [alone],
    );
    await next.trash.restore(trashId);
    assert.deepEqual(await readdir(join(folder.path, 'elsewhere')), ['x.jsonl']);
  });

  it("creates the project folder again if it's gone", async () => {
    const { trashId } = await writes.trash.delete(path);
    await rm(join(root, 'project'), { recursive: true });
    await writes.trash.restore(trashId);
    assert.equal(await readFile(path, 'utf8'), text);
  });

  it('is emptied completely, partly, or by age', async () => {
    const [a, b, c] = [
      await writes.trash.delete(path),
      await writes.trash.delete(await make('b')),
      await writes.trash.delete(await make('c')),
    ];
    assert.deepEqual(
      (await writes.trash.list()).map((item) => item.path),
      [c.path, b.path, a.path],
    );
    assert.deepEqual(await writes.trash.empty([b.trashId, 'none']), [b]);
    assert.deepEqual(await writes.trash.prune(60_000), []);
    assert.deepEqual((await writes.trash.prune(-1000)).length, 2);
    assert.deepEqual([await writes.trash.list(), await readdir(root)], [[], ['project']]);
    await writes.trash.delete(await make('d'));
    assert.equal((await writes.trash.empty()).length, 1);
    await refused('not-found', () => writes.trash.restore(a.trashId));
  });

  it('isn’t emptied by age while the clock is years ahead of the newest deletion', async () => {
    const { at } = await writes.trash.delete(path);
    const now = Date.now;
    try {
      for (const [days, removed] of [
        [800, 0],
        [700, 1],
      ] as const) {
        Date.now = () => at + days * 86_400_000;
        assert.equal((await writes.trash.prune(30 * 86_400_000)).length, removed);
      }
    } finally {
      Date.now = now;
    }
  });

  it('restores and removes no other file in the place of the session, but one to which its program added', async () => {
    const [first, second] = [await writes.trash.delete(path), await writes.trash.delete(await make('b'))];
    const placeOf = (trashId: string): string => join(root, TRASH_FOLDER, trashId, '0');
    await appendFile(placeOf(second.trashId), 'more');
    const other = join(folder.path, 'other');
    await writeFile(other, 'other');
    await rename(other, placeOf(first.trashId));
    assert.deepEqual(
      (await writes.trash.list()).map(({ trashId }) => trashId),
      [second.trashId],
    );
    await refused('not-found', () => writes.trash.restore(first.trashId));
    await writes.trash.restore(second.trashId);
    assert.equal(await readFile(second.path, 'utf8'), `${text}more`);
    assert.equal((await writes.trash.prune(-1000)).length, 1);
    assert.equal(await readFile(placeOf(first.trashId), 'utf8'), 'other');
  });

  it('finds the forks of a session, by path and by id', () => {
    const of = { path: '/r/p/a.jsonl', id: 'A' };
    const others = [
      { path: '/r/p/a.jsonl', parentSession: 'A' },
      { path: '/r/p/b.jsonl', parentSession: '/r/p/a.jsonl' },
      { path: '/r/p/c.jsonl', parentSession: 'A' },
      { path: '/r/p/d.jsonl', parentSession: '/r/p/b.jsonl' },
      { path: '/r/p/e.jsonl' },
    ];
    for (const session of [of, { ...of, path: '/r/p/a.jsonl.zst' }])
      assert.deepEqual(
        forksOf(session, others.slice(session === of ? 0 : 1)).map((other) => other.path),
        ['/r/p/b.jsonl', '/r/p/c.jsonl'],
      );
  });

  for (const [write, of] of [
    ['delete', ''],
    ['restore', ''],
    ['empty', ''],
    ['delete', ' of an archive'],
    ['restore', ' of an archive'],
  ] as const) {
    it(`recovers from a process killed at any change of a ${write}${of}: everything is in place or in the trash`, async () => {
      if (of !== '') {
        await rename(path, `${path}.gz`);
        path = `${path}.gz`;
      }
      const whole = await files();
      const seen = { here: 0, trash: 0, gone: 0 };
      for (let n = 1, ended = false; !ended; n++) {
        if (write !== 'delete') await writes.trash.delete(path);
        ended = await endsBefore(n, write, storage, root, path);
        const next = await openWindow(storage, root);
        await next.recover();
        const [item, second] = await next.trash.list();
        assert.equal(second, undefined);
        const now = await files();
        if (item) {
          seen.trash++;
          assert.deepEqual(now, {}, `killed at ${String(n)}`);
          // The deletion can be undone even if it wasn't in the journal yet when the process was killed.
          if (write === 'delete')
            assert.deepEqual(
              await next.undo().then(({ did, record }) => [did, record.kind === 'delete' && record.trashId]),
              ['file', item.trashId],
              `killed at ${String(n)}`,
            );
          else await next.trash.restore(item.trashId);
        } else if (write === 'empty') {
          seen.gone++;
          assert.deepEqual(now, {}, `killed at ${String(n)}`);
          await make();
        } else seen.here++;
        assert.deepEqual(await files(), whole, `killed at ${String(n)}`);
        assert.deepEqual(await readdir(root), ['project'], `killed at ${String(n)}`);
        if (write !== 'empty') assert.equal(await next.nextUndo(), undefined, `killed at ${String(n)}`);
        assert.ok(n < 100);
      }
      assert.ok(seen.trash > 0 && (write === 'empty' ? seen.gone : seen.here) > 1, JSON.stringify(seen));
    });
  }
});
