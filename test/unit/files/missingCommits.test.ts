import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobIn, commitRange, resolveCommit, workingChanges } from '../../../src/core/files/git/commitChanges';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';

describe('Commits and changes that a repository doesn’t have', () => {
  const folder = testFolder();
  const { git, commit } = gitRepository(() => folder.path);
  beforeEach(() => git('09:00:00', 'init', '--quiet'));

  it('have no content for a file that isn’t there', async () => {
    await folder.write('größe.ts', 'one\n');
    const first = commit('10:00:00', 'First');
    assert.match((await blobIn(folder.path, first, 'größe.ts')) ?? '', /^[0-9a-f]{40}$/);
    assert.equal(await blobIn(folder.path, first, 'none'), undefined);
  });

  it('aren’t found by names that no commit has', async () => {
    await folder.write('a', 'a');
    commit('10:00:00');
    for (const name of ['none', 'x'.repeat(300), 'HEAD\n', '--all', ''])
      assert.equal(await resolveCommit(folder.path, name), undefined, name);
    await assert.rejects(commitRange(folder.path, 'none', 'HEAD'), { code: 'not-found' });
    await assert.rejects(commitRange(folder.path, '', 'none'), { code: 'not-found' });
  });

  it('may be none, so that all files are new; ignored ones and those that are only gone from the index aren’t', async () => {
    for (const name of ['a', 'b', 'ignored']) await folder.write(name, name);
    await folder.write('.gitignore', 'ignored\n');
    const paths = async (): Promise<string[]> => (await workingChanges(folder.path)).map(({ path }) => path).sort();
    assert.deepEqual(await paths(), ['.gitignore', 'a', 'b']);
    commit('10:00:00');
    assert.deepEqual(await paths(), []);
    git('10:00:00', 'rm', '--cached', '--quiet', 'a');
    rmSync(join(folder.path, 'b'));
    assert.deepEqual((await workingChanges(folder.path)).map(({ path, isDeleted }) => [path, isDeleted]).sort(), [
      ['a', false],
      ['b', true],
    ]);
  });

  it('are refused with a sentence if Git can’t read the repository', async () => {
    await folder.write('a', 'a');
    commit('10:00:00');
    writeFileSync(join(folder.path, '.git', 'index'), 'no index');
    await assert.rejects(workingChanges(folder.path), { code: 'invalid' });
  });
});
