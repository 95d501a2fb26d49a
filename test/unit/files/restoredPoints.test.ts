import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { recordFolder } from '../../../src/core/files/restore/restoreRecord';
import { beginOperation } from '../../../src/core/files/storage/operationRecord';
import { applyRestore, changedInGit, restoredPoints, undoRestore, type PlannedFile } from '../../../src/core/index';
import { testRestores } from '../../fixtures/restores';

describe('The points whose files are on the disk', () => {
  const test = testRestores();
  const { put, planned, planOf } = test;
  const apply = async (entryId: string, ...files: PlannedFile[]): Promise<string> =>
    (await applyRestore(planOf(files, { ref: { path: test.session, entryId } }), { storage: test.storage })).restoreId;
  const points = async (): Promise<string[]> => (await restoredPoints(test.storage)).map(({ entryId }) => entryId);

  it('are those of the newest restore, until it’s undone or a file is changed', async () => {
    assert.deepEqual(await points(), []);
    await put('a', '1');
    await put('b', '1');
    await apply('first', await planned('a', 'write', '2'), await planned('b', 'delete'), await planned('ü/c', 'create', '2'));
    const [point] = await restoredPoints(test.storage);
    assert.deepEqual([point?.path, point?.entryId, point?.folder], [test.session, 'first', test.project]);
    const second = await apply('second', await planned('a', 'write', '3'));
    assert.deepEqual(await points(), ['second']);
    await undoRestore(second, { storage: test.storage });
    assert.deepEqual(await points(), ['first']);
    await put('b', 'again');
    assert.deepEqual(await points(), []);
    await rm(test.at('b'));
    assert.deepEqual(await points(), ['first']);
    await rm(test.at('a'));
    await put('a/file', 'a folder has its name');
    assert.deepEqual(await points(), []);
  });

  it('are none of a restore that was interrupted, or whose record is gone', async () => {
    await put('a', '1');
    const id = await apply('x', await planned('a', 'write', '2'));
    const operation = await beginOperation(test.storage, 'restoring', { restore: id });
    assert.deepEqual(await points(), []);
    await operation.done();
    assert.deepEqual(await points(), ['x']);
    await rm(recordFolder(test.storage, id), { recursive: true });
    assert.deepEqual(await points(), []);
  });
});

describe('Files that changed without a recorded edit', () => {
  const test = testRestores();
  const { at, put } = test;

  it('are those that Git shows as changed below the folder, without recorded and ignored ones', async () => {
    const git = (...args: string[]) => execFileSync('git', ['-C', test.folder.path, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    assert.deepEqual(await changedInGit(test.project, []), []);
    git('init', '-q');
    for (const name of ['edited', 'formatted', 'gone', 'same']) await put(name, '1');
    await put('.gitignore', 'built\n');
    git('add', '--all');
    git('commit', '-q', '-m', 'x');
    for (const name of ['edited', 'formatted', 'new ü', 'built', '../outside']) await put(name, '22');
    await rm(at('gone'));
    assert.deepEqual(await changedInGit(test.project, [at('edited')]), [at('formatted'), at('gone'), at('new ü')]);
    await assert.rejects(changedInGit(test.project, [], AbortSignal.abort()), { name: 'AbortError' });
  });
});
