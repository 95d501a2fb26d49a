import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changesBetween, changesOnDisk, startOfBranch, type DiskChanges } from '../../../../src/core/files/git/treeChanges';
import { testFolder } from '../../../fixtures/folder';
import { gitRepository } from '../../../fixtures/gitRepository';

const TIME = '09:00:00';

describe('Changes of a tree', () => {
  const folder = testFolder();
  const { git, commit } = gitRepository(() => folder.path);
  const at = (name: string): string => join(folder.path, name);
  const init = (...args: string[]): string => git(TIME, 'init', '-q', ...args);
  const brief = ({ files, left }: DiskChanges): string =>
    [...files.map(({ path, isDeleted, before }) => `${path} ${isDeleted ? 'deleted' : before ? 'changed' : 'new'}`), `${left} left`].join(
      ', ',
    );

  describe('since the beginning of a branch', () => {
    beforeEach(() => void init());

    it('begin nowhere without a commit, and at the last commit without a remote', async () => {
      assert.equal(await startOfBranch(folder.path), undefined);
      const first = commit(TIME);
      assert.equal(await startOfBranch(folder.path), first);
      assert.equal(await startOfBranch(folder.path, 'unknown'), first);
    });

    it('begin at the last commit that the remote’s default branch has, of several remotes at that of origin', async () => {
      const first = commit(TIME);
      const second = commit(TIME);
      const third = commit(TIME);
      git(TIME, 'update-ref', 'refs/remotes/upstream/master', first);
      assert.equal(await startOfBranch(folder.path), first);
      git(TIME, 'update-ref', 'refs/remotes/upstream/HEAD', third);
      assert.equal(await startOfBranch(folder.path), third);
      git(TIME, 'update-ref', 'refs/remotes/origin/main', second);
      assert.equal(await startOfBranch(folder.path), second);
      assert.equal(await startOfBranch(folder.path, first), first);
    });

    it('begin at their end if it has nothing in common with the remote', async () => {
      const first = commit(TIME);
      git(TIME, 'update-ref', 'refs/remotes/origin/main', first);
      git(TIME, 'checkout', '-q', '--orphan', 'other');
      const other = commit('10:00:00', 'unrelated');
      assert.equal(await startOfBranch(folder.path), other);
    });

    it('aren’t looked for once they’re aborted', async () => {
      commit(TIME);
      await assert.rejects(startOfBranch(folder.path, 'HEAD', AbortSignal.abort(new Error('stop'))), /stop/);
    });
  });

  for (const format of ['sha1', 'sha256'])
    it(`are found on the disk by their size and content, with ${format}`, async () => {
      init(`--object-format=${format}`);
      for (const name of ['same', 'größe', 'longer', 'gone', 'link', 'folder', 'touched']) await writeFile(at(name), 'text 1\n');
      const start = commit(TIME);
      await writeFile(at('größe'), 'text 2\n');
      await writeFile(at('longer'), 'text 1\r\n');
      for (const name of ['gone', 'link', 'folder']) await rm(at(name));
      await symlink('same', at('link'));
      await mkdir(at('folder'));
      await utimes(at('touched'), 1, 1);
      await writeFile(at('new'), 'x');
      await writeFile(at('unasked'), 'x');
      assert.equal(
        brief(await changesOnDisk(folder.path, start, ['new', 'same', 'never'])),
        'gone deleted, größe changed, longer changed, new new, 0 left',
      );
    });

  it('are all files in question without a commit', async () => {
    init();
    await writeFile(at('new'), 'x');
    assert.equal(brief(await changesOnDisk(folder.path, undefined, ['new', 'never'])), 'new new, 0 left');
  });

  it('don’t count files that are too large to be compared, and read no pipe', async () => {
    init();
    await writeFile(at('large'), Buffer.alloc(8 * 1024 * 1024 + 1));
    await writeFile(at('pipe'), '');
    const start = commit(TIME);
    await rm(at('pipe'));
    execFileSync('mkfifo', [at('pipe')]);
    assert.equal(brief(await changesOnDisk(folder.path, start, [])), '1 left');
  });

  it('are refused if Git has no such commit, or if they’re aborted', async () => {
    init();
    const first = commit(TIME);
    const none = '1'.repeat(40);
    await assert.rejects(changesBetween(folder.path, none, first), { code: 'invalid' });
    await assert.rejects(changesOnDisk(folder.path, none, []), { code: 'invalid' });
    const signal = AbortSignal.abort(new Error('stop'));
    await assert.rejects(changesBetween(folder.path, first, first, signal), /stop/);
    await assert.rejects(changesOnDisk(folder.path, first, [], signal), /stop/);
    assert.deepEqual(await changesBetween(folder.path, first, first), []);
  });
});
