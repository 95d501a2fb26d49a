import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { blobIn, commitRange, resolveCommit, workingChanges } from '../../../src/core/files/git/commitChanges';
import type { SessionError } from '../../../src/core/format/entry/problem';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';

describe('Changes of commits', () => {
  const folder = testFolder();
  const { git, commit } = gitRepository(() => folder.path);
  const error = (code: SessionError['code']) => (thrown: SessionError) => thrown.code === code;

  it('name files that are new, renamed, changed and deleted, and no links', async () => {
    git('10:00:00', 'init', '--quiet');
    assert.equal(await resolveCommit(folder.path, 'HEAD'), undefined);
    await folder.write('a.txt', 'one\ntwo\nthree\n');
    await folder.write('b.txt', 'other\n');
    assert.deepEqual((await workingChanges(folder.path)).map(({ path }) => path).sort(), ['a.txt', 'b.txt']);
    const first = commit('10:01:00', 'First');
    git('10:02:00', 'mv', 'a.txt', 'c.txt');
    rmSync(join(folder.path, 'b.txt'));
    await symlink('c.txt', join(folder.path, 'link'));
    const second = commit('10:03:00', 'Second');
    const ranges = [await commitRange(folder.path, '', second), await commitRange(folder.path, first, 'HEAD')];
    const told = ranges.map((commits) =>
      commits.map(({ hash, subject, files }) => [
        hash,
        subject,
        files.map(({ path, renamedFrom, isDeleted }) => [path, renamedFrom, isDeleted]),
      ]),
    );
    const later = [second, 'Second', [['b.txt', undefined, true], ['c.txt', 'a.txt', false]]]; // prettier-ignore
    const earlier = [first, 'First', [['a.txt', undefined, false], ['b.txt', undefined, false]]]; // prettier-ignore
    assert.deepEqual(told, [[earlier, later], [later]]);
    assert.match((await blobIn(folder.path, first, 'a.txt')) ?? '', /^[0-9a-f]{40}$/);
    assert.equal(await blobIn(folder.path, second, 'a.txt'), undefined);
    assert.equal(await blobIn(folder.path, 'gone', 'a.txt'), undefined);
    await folder.write('c.txt', 'changed\n');
    git('10:04:00', 'rm', '--quiet', '--cached', 'c.txt');
    assert.deepEqual(
      (await workingChanges(folder.path)).map(({ path, isDeleted }) => [path, isDeleted]),
      [['c.txt', false]],
    );
  });

  it('are refused for names of no commit, and where there’s no repository', async () => {
    git('10:00:00', 'init', '--quiet');
    commit('10:01:00');
    for (const name of ['none', 'x'.repeat(300), 'HEAD\n', '--all']) {
      assert.equal(await resolveCommit(folder.path, name), undefined);
      await assert.rejects(commitRange(folder.path, '', name), error('not-found'));
    }
    rmSync(join(folder.path, '.git'), { recursive: true });
    await assert.rejects(workingChanges(folder.path), error('invalid'));
    await assert.rejects(commitRange(folder.path, '', 'HEAD'), error('not-found'));
  });
});
