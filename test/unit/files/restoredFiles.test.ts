import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOf } from '../../../src/core/files/restore/foundFile';
import { beginOperation } from '../../../src/core/files/storage/operationRecord';
import { readSession, type InterruptedRestore, type PlannedFile, type RestorePlan, type Writes } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';

describe('Restored files in the journal', () => {
  const folder = testFolder();
  const project = (): string => join(folder.path, 'project');
  const storage = (): string => join(folder.path, 'storage');
  const at = (name: string): string => join(project(), name);
  const text = (name: string): Promise<string> => readFile(at(name), 'utf8');
  let path: string;
  let writes: Writes;

  beforeEach(async () => {
    for (const name of ['project', 'sessions/p']) await mkdir(join(folder.path, name), { recursive: true });
    const lines = session({ cwd: project() }).user('go').assistant('Done.').user('more').assistant('Done again.').text();
    path = await age(await folder.write('sessions/p/a.jsonl', lines));
    writes = await openWindow(storage(), join(folder.path, 'sessions'));
    await writeFile(at('a.txt'), 'new');
  });

  async function planned(name: string, action: PlannedFile['action'], to?: string): Promise<PlannedFile> {
    const bytes = await readFile(at(name)).catch(() => undefined);
    const was = bytes ? { sha256: hashOf(bytes), mode: (await stat(at(name))).mode & 0o777 } : null;
    return { file: at(name), action, certainty: 'exact', was, ...(to === undefined ? {} : { text: to }) };
  }
  const plan = async (...files: PlannedFile[]): Promise<RestorePlan> => ({
    ref: { path, entryId: entryId(2) },
    folder: project(),
    time: 0,
    files: files.length > 0 ? files : [await planned('a.txt', 'write', 'old'), await planned('b.txt', 'create', 'b')],
  });
  const leaf = async (): Promise<string | null> => (await readSession(path)).leafId;
  const parentOfLeaf = async (): Promise<string | null | undefined> => {
    const { byId, leafId } = await readSession(path);
    return byId.get(leafId ?? '')?.parentId;
  };
  const branch = { kind: 'branch', entryId: entryId(2) } as const;

  it('are taken back by the next undo, in another window too, and an undo says what stays', async () => {
    const { done, restoreId } = await writes.restoreFiles(await plan());
    assert.deepEqual([done.length, await text('a.txt'), await text('b.txt')], [2, 'old', 'b']);
    await writeFile(at('b.txt'), 'mine');
    const later = await openWindow(storage(), join(folder.path, 'sessions'));
    const { did, record, left = [], paths } = await later.undo();
    assert.deepEqual([did, paths, left.map(({ file }) => file)], ['file', [path], [at('b.txt')]]);
    assert.ok(record.kind === 'restoreFiles' && record.restoreId === restoreId && record.folder === project());
    assert.deepEqual([await text('a.txt'), await text('b.txt')], ['new', 'mine']);
    await assert.rejects(later.undo(), { code: 'invalid' });
  });

  it('aren’t recorded if none of them changed', async () => {
    const file = await planned('a.txt', 'write', 'old');
    await writeFile(at('a.txt'), 'mine');
    await writes.restoreFiles(await plan(file));
    assert.equal(await writes.nextUndo(), undefined);
  });

  it('can’t be taken back once all were changed, which the undo says once', async () => {
    await writes.restoreFiles(await plan(await planned('a.txt', 'write', 'old')));
    await writeFile(at('a.txt'), 'mine');
    await assert.rejects(writes.undo(), { code: 'changed' });
    await assert.rejects(writes.undo(), { code: 'invalid' });
    assert.equal(await text('a.txt'), 'mine');
  });

  it('are put back if they can’t be recorded', async () => {
    const change = await plan();
    await rm(writes.journal.folder, { recursive: true });
    await writeFile(writes.journal.folder, 'not a folder');
    await assert.rejects(writes.restoreFiles(change), /journal/);
    assert.equal(await text('a.txt'), 'new');
  });

  it('go back and forth together with a branch', async () => {
    const before = await leaf();
    const { entryId: line, restored } = await writes.branchWithFiles(branch, await plan());
    assert.deepEqual([restored?.done.length, await leaf(), await parentOfLeaf(), await text('a.txt')], [2, line, entryId(2), 'old']);
    const { record } = await writes.undo();
    assert.ok(record.kind === 'restoreFiles' && record.group !== undefined);
    assert.deepEqual([await parentOfLeaf(), await text('a.txt')], [before, 'new']);
    await assert.rejects(writes.undo(), { code: 'invalid' });
  });

  it('need no files to branch', async () => {
    const { restored } = await writes.branchWithFiles(branch, { ...(await plan()), files: [] });
    assert.deepEqual([restored, await parentOfLeaf()], [undefined, entryId(2)]);
    assert.equal((await writes.undo()).did, 'inverse');
  });

  it('stay if the branch is refused', async () => {
    await assert.rejects(writes.branchWithFiles({ ...branch, entryId: 'gone' }, await plan()), { code: 'unknown-entry' });
    assert.equal(await text('a.txt'), 'new');
    assert.equal(await writes.nextUndo(), undefined);
  });

  it('take the branch back if they’re refused or aborted', async () => {
    const before = await leaf();
    const bytes = await readFile(path);
    await assert.rejects(writes.branchWithFiles(branch, { ...(await plan()), folder: join(folder.path, 'gone') }), { code: 'invalid' });
    assert.deepEqual([await parentOfLeaf(), await text('a.txt')], [before, 'new']);
    assert.deepEqual((await readFile(path)).subarray(0, bytes.length), bytes, 'only lines were added');
    assert.equal(await writes.nextUndo(), undefined);
    const stop = new AbortController();
    stop.abort(new Error('stop'));
    await assert.rejects(writes.branchWithFiles(branch, await plan(), { signal: stop.signal }), /stop/);
    assert.equal(await text('a.txt'), 'new');
  });

  it('stay if the undo of their branch is refused, and are the next undo once it’s impossible', async () => {
    await writes.branchWithFiles(branch, await plan());
    // The session goes on from somewhere else.
    await writes.writer.submit(
      path,
      { kind: 'append', lines: [{ type: 'custom', parentId: entryId(1), customType: 'x' }] },
      { force: true },
    );
    await assert.rejects(writes.undo({ force: true }), { code: 'changed' });
    assert.equal(await text('a.txt'), 'old');
    const { record } = await writes.undo({ force: true });
    assert.deepEqual([record.kind, await text('a.txt')], ['restoreFiles', 'new']);
  });

  describe('after a process was killed', () => {
    const recover = async (): Promise<InterruptedRestore[]> => {
      const found: InterruptedRestore[] = [];
      const window = await openWindow(storage(), join(folder.path, 'sessions'), { onInterrupted: (one) => found.push(one) });
      await window.recover();
      await window.recover();
      return found;
    };
    /** Makes the record of a restore look like that of a process that ended, with one file written. */
    const interrupt = async (): Promise<string> => {
      const { restoreId } = await writes.restoreFiles(await plan());
      await rm(at('b.txt'));
      await beginOperation(join(storage(), 'files'), 'restoring', { restore: restoreId });
      return restoreId;
    };

    it('are reported once, and finished', async () => {
      const restoreId = await interrupt();
      assert.deepEqual(
        (await recover()).map((one) => [one.restoreId, one.folder]),
        [[restoreId, project()]],
      );
      await writes.finishRestore(restoreId);
      assert.deepEqual([await text('a.txt'), await text('b.txt')], ['old', 'b']);
      assert.deepEqual(await recover(), []);
      await writes.undo();
      assert.equal(await text('a.txt'), 'new');
    });

    it('are taken back, also if the journal lacks them', async () => {
      await interrupt();
      await rm(join(writes.journal.folder), { recursive: true });
      const [one] = await recover();
      const window = await openWindow(storage(), join(folder.path, 'sessions'));
      await window.undo({ id: one?.recordId ?? '' });
      assert.equal(await text('a.txt'), 'new');
      assert.deepEqual(await recover(), []);
    });

    it('are removed with all records once they’re old', async () => {
      const { restoreId } = await writes.restoreFiles(await plan());
      await writes.prune(-1);
      await assert.rejects(writes.finishRestore(restoreId), { code: 'not-found' });
      await assert.rejects(writes.undo(), { code: 'not-found' });
    });
  });
});
