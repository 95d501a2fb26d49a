import assert from 'node:assert/strict';
import { appendFileSync, Dir, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mock } from 'node:test';
import { DiskInventory } from '../../../src/core/catalog/refresh/diskInventory';
import { foldersSync } from '../../../src/core/catalog/worker/foldersSync';
import type { IdleThread } from '../../../src/core/catalog/refresh/inspectionThread';
import type { FolderRequest, ReadFolder } from '../../../src/core/catalog/worker/protocol/packedFolder';
import type { Root } from '../../../src/core/index';
import { testFolder } from '../../fixtures/folder';

const MANY = Array.from({ length: 200 }, (_, index) => `f${index}`);

describe('folders that a thread reads', () => {
  const folder = testFolder();
  const at = (name: string): string => join(folder.path, 'sessions', ...name.split('/')) + '.jsonl';
  let roots: Root[];
  /** Each request with its answer. */
  let read: [FolderRequest, ReadFolder | undefined][];
  let beforeAnswer: () => void | Promise<void>;

  const thread: IdleThread = {
    requestIfIdle: async (kind, params) => {
      assert.equal(kind, 'folders', 'no version is read alone');
      const requests = params as readonly FolderRequest[];
      const folders = foldersSync(requests);
      requests.forEach((request, index) => read.push([request, folders[index]]));
      await beforeAnswer();
      return folders;
    },
  };

  beforeEach(() => {
    read = [];
    beforeAnswer = () => undefined;
    roots = [{ path: join(folder.path, 'sessions'), dialect: 'omp', flat: false }];
    for (const name of [...MANY.map((one) => `p/${one}`), 'p/f0/sub', 'p/f0/sub/inner', 'q/a', 'q/gone']) write(name);
    mkdirSync(at('q/folder'));
    write('q/archived');
    renameSync(at('q/archived'), `${at('q/archived')}.zst`);
    writeFileSync(`${at('q/a')}.gz`, '');
    utimesSync(`${at('q/a')}.gz`, statSync(at('q/a')).mtime, statSync(at('q/a')).mtime);
  });

  function write(name: string, text = name): void {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }

  /** Inspections without the thread, then with it. */
  async function inspected(): Promise<DiskInventory> {
    const disk = new DiskInventory(() => roots);
    await disk.inspect();
    disk.useThread(thread);
    await disk.inspect();
    return disk;
  }

  const found = (disk: DiskInventory): unknown =>
    new Map([...disk.files().values()].map(({ path, owner, version }) => [path, { owner, version }]));

  async function assertLikeANewOne(disk: DiskInventory): Promise<void> {
    const other = new DiskInventory(() => roots);
    await other.inspect();
    assert.deepEqual(found(disk), found(other));
  }

  /** How the folders were answered since the last call. */
  function answers(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [, answer] of read) {
      const kind = typeof answer === 'string' ? answer : answer ? 'content' : String(answer);
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    read = [];
    return counts;
  }

  it('give the files and versions that are found without it', async () => {
    const disk = await inspected();
    assert.deepEqual(answers(), { content: 4 });
    assert.equal(disk.files().get(at('p/f0/sub/inner'))?.owner, at('p/f0/sub'));
    assert.ok(disk.files().has(`${at('q/archived')}.zst`) && !disk.files().has(`${at('q/a')}.gz`) && !disk.files().has(at('q/folder')));
    await assertLikeANewOne(disk);
  });

  it('are not sent again while nothing in them changes', async () => {
    const disk = await inspected();
    answers();
    const before = new Map(disk.files());
    const { files, failed } = await disk.inspect();
    assert.deepEqual([answers(), failed, files.length], [{ same: 4 }, [], before.size]);
    assert.ok(files.every((file) => file === before.get(file.path)));
    appendFileSync(at('p/f0/sub'), 'more');
    write('q/new');
    rmSync(at('q/gone'));
    await disk.inspect();
    assert.deepEqual(answers(), { same: 2, content: 2 });
    await assertLikeANewOne(disk);
    // The owner of subagents' sessions in a folder that stays the same.
    renameSync(at('p/f0'), `${at('p/f0')}.zst`);
    await disk.inspect();
    await assertLikeANewOne(disk);
    roots = [{ path: join(folder.path, 'sessions'), dialect: 'pi', flat: false }];
    await disk.inspect();
    assert.equal(disk.files().get(at('q/a'))?.root.dialect, 'pi');
    rmSync(dirname(at('q/a')), { recursive: true });
    await disk.inspect();
    await assertLikeANewOne(disk);
  });

  it('are read again after something else found one of their files changed', async () => {
    const disk = await inspected();
    answers();
    // The file is back in its old version when the next inspection begins.
    const { mtime, atime } = statSync(at('q/a'));
    write('q/a', 'b/q');
    await disk.inspect([at('q/a')]);
    write('q/a');
    utimesSync(at('q/a'), atime, mtime);
    disk.recordRead(disk.files().get(at('p/f1'))!, undefined);
    await disk.inspect();
    assert.deepEqual(answers(), { same: 2, content: 2 });
    await assertLikeANewOne(disk);
  });

  it('are read again after something else found one of their files changed while they were read', async () => {
    const disk = new DiskInventory(() => roots);
    await disk.inspect();
    disk.useThread(thread);
    beforeAnswer = async () => {
      beforeAnswer = () => undefined;
      rmSync(at('q/gone'));
      await disk.inspect([at('q/gone')]);
      write('q/gone');
    };
    await disk.inspect();
    answers();
    await disk.inspect();
    assert.equal(read.find(([{ path }]) => path === dirname(at('q/gone')))?.[0].digest, '');
    await assertLikeANewOne(disk);
  });

  it('are read again after an inspection that was aborted', async () => {
    const disk = await inspected();
    const enough = new AbortController();
    write('q/a', 'longer');
    beforeAnswer = () => enough.abort(new Error('enough'));
    await disk.inspect(undefined, enough.signal).catch(() => undefined);
    beforeAnswer = () => undefined;
    answers();
    await disk.inspect();
    await assertLikeANewOne(disk);
  });

  it('are listed here if they can not be read there, with the problem', async () => {
    const disk = await inspected();
    rmSync(dirname(at('q/a')), { recursive: true });
    symlinkSync('q', dirname(at('q/a')));
    answers();
    const { failed } = await disk.inspect();
    assert.deepEqual([answers(), failed.map(({ path }) => path)], [{ same: 3, null: 1 }, [dirname(at('q/a'))]]);
    assert.ok(disk.files().has(at('q/gone')), 'what was known of it stays');
  });

  it('are closed, also if reading them fails', () => {
    const requests = [{ path: dirname(at('q/a')), digest: '' }];
    const close = mock.method(Dir.prototype, 'closeSync');
    const next = mock.method(Dir.prototype, 'readSync');
    try {
      assert.notEqual(foldersSync(requests)[0], null);
      assert.equal(close.mock.callCount(), 1);
      next.mock.mockImplementation(() => {
        throw new Error('It hangs.');
      });
      assert.deepEqual([foldersSync(requests), close.mock.callCount()], [[null], 2]);
    } finally {
      mock.restoreAll();
    }
  });

  it('are listed here if roots contain each other', async () => {
    roots.push({ path: dirname(at('q/a')), dialect: 'pi', flat: true });
    const disk = new DiskInventory(() => roots);
    await disk.inspect();
    const kinds: string[] = [];
    disk.useThread({
      requestIfIdle: (kind) => {
        kinds.push(kind);
        return Promise.resolve(undefined);
      },
    });
    await disk.inspect();
    assert.deepEqual(kinds, ['versions']);
    assert.equal(disk.files().get(at('q/a'))?.root, disk.files().get(at('p/f0'))?.root);
  });
});
