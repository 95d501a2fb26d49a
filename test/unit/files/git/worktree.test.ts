import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { recordedWorktrees, WorktreeFinder, worktreeOf } from '../../../../src/core/index';
import { wyhash } from '../../../../src/core/files/presence/wyhash';
import { testFolder } from '../../../fixtures/folder';
import { gitRepository } from '../../../fixtures/gitRepository';

describe('The worktree that a folder is in', () => {
  const folder = testFolder();
  const at = (...names: string[]): string => join(folder.path, ...names);
  const { git, commit } = gitRepository(() => at('Größe', 'main'));

  beforeEach(() => {
    mkdirSync(at('Größe', 'main'), { recursive: true });
    git('10:00:00', 'init', '--quiet', '--initial-branch=main');
    commit('10:00:01');
  });
  const add = (path: string, branch = 'b'): void => void git('10:00:02', 'worktree', 'add', '--quiet', path, '-b', branch);

  it('names its repository, also for folders in it', async () => {
    add(at('wt', '日本'));
    mkdirSync(at('wt', '日本', 'packages', 'a'), { recursive: true });
    const expected = { folder: at('wt', '日本'), repository: at('Größe', 'main') };
    assert.deepEqual(await worktreeOf(at('wt', '日本')), expected);
    assert.deepEqual(await worktreeOf(at('wt', '日本', 'packages', 'a')), expected);
  });

  it('is none in the main working tree, outside of repositories, and where there is no folder', async () => {
    mkdirSync(at('plain'));
    for (const path of [at('Größe', 'main'), at('plain'), at('gone')]) assert.equal(await worktreeOf(path), undefined, path);
  });

  it('is the nearest one if worktrees are in the repository, or in each other', async () => {
    add(at('Größe', 'main', '.worktrees', 'in'));
    add(at('Größe', 'main', '.worktrees', 'in', 'deep'), 'deep');
    for (const path of [at('Größe', 'main', '.worktrees', 'in'), at('Größe', 'main', '.worktrees', 'in', 'deep')])
      assert.deepEqual(await worktreeOf(path), { folder: path, repository: at('Größe', 'main') });
  });

  it('belongs to a bare repository’s folder', async () => {
    execFileSync('git', ['clone', '--quiet', '--bare', at('Größe', 'main'), at('bare.git')]);
    execFileSync('git', ['-C', at('bare.git'), 'worktree', 'add', '--quiet', at('wt'), '-b', 'b']);
    assert.deepEqual(await worktreeOf(at('wt')), { folder: at('wt'), repository: at('bare.git') });
    assert.deepEqual(await recordedWorktrees(at('bare.git')), [at('wt')]);
  });

  it('follows Git when it moves a worktree', async () => {
    add(at('wt'));
    git('10:00:03', 'worktree', 'move', at('wt'), at('moved'));
    assert.deepEqual(await worktreeOf(at('moved')), { folder: at('moved'), repository: at('Größe', 'main') });
    assert.equal(await worktreeOf(at('wt')), undefined);
  });

  it('isn’t one that the repository doesn’t list: a forged or copied file', async () => {
    add(at('wt'));
    mkdirSync(at('forged'));
    writeFileSync(at('forged', '.git'), `gitdir: ${at('Größe', 'main', '.git', 'worktrees', 'wt')}\n`);
    assert.equal(await worktreeOf(at('forged')), undefined);
    for (const [name, text] of Object.entries({
      empty: '',
      long: `gitdir: ${'x'.repeat(2_000_000)}`,
      loop: 'gitdir: .git\n',
      away: 'gitdir: //server/share\n',
    })) {
      mkdirSync(at(name));
      writeFileSync(at(name, '.git'), text);
      assert.equal(await worktreeOf(at(name)), undefined, name);
    }
  });

  it('isn’t looked for in what isn’t a file', async () => {
    mkdirSync(at('fifo'));
    execFileSync('mkfifo', [at('fifo', '.git')]);
    mkdirSync(at('link'));
    symlinkSync('/dev/zero', at('link', '.git'));
    for (const name of ['fifo', 'link']) assert.equal(await worktreeOf(at(name)), undefined);
    const records = at('Größe', 'main', '.git', 'worktrees', 'odd');
    mkdirSync(records, { recursive: true });
    execFileSync('mkfifo', [join(records, 'gitdir')]);
    assert.deepEqual(await recordedWorktrees(at('Größe', 'main')), []);
  });

  it('isn’t looked for in folders that may be on another computer, nor where its repository is in one', async () => {
    add(at('wt'));
    const refusing = (refused: string) => ({ isRefused: (path: string) => Promise.resolve(path.startsWith(refused)) });
    const found = { folder: at('wt'), repository: at('Größe', 'main') };
    assert.deepEqual(await worktreeOf(at('wt'), refusing(at('elsewhere'))), found);
    for (const refused of [at('wt'), at('Größe')]) assert.equal(await worktreeOf(at('wt'), refusing(refused)), undefined);
    assert.deepEqual(await recordedWorktrees(at('Größe', 'main'), refusing(at('elsewhere'))), [at('wt')]);
    assert.deepEqual(await recordedWorktrees(at('Größe', 'main'), refusing(at('Größe'))), []);
  });

  describe('as it’s found for many folders', () => {
    it('is known after its folder was removed, as long as the repository names it', async () => {
      add(at('wt'));
      const finder = new WorktreeFinder();
      const folders = [at('wt', 'inner'), at('Größe', 'main'), at('elsewhere'), ''];
      rmSync(at('wt'), { recursive: true });
      assert.equal(await finder.check(folders), true);
      assert.deepEqual(finder.of(at('wt', 'inner')), { folder: at('wt'), repository: at('Größe', 'main') });
      assert.equal(finder.of(at('elsewhere')), undefined);
      git('10:00:04', 'worktree', 'prune');
      const later = new WorktreeFinder();
      assert.equal(await later.check(folders), false);
    });

    it('is known by its name after oh-my-pi has removed it, whatever has its records', async () => {
      const finder = new WorktreeFinder();
      // The repository of which a session's folder is a part.
      const inside = at('Größe', 'main', 'packages');
      mkdirSync(inside);
      const hash = wyhash(at('Größe', 'main')).toString(16).slice(-7);
      const [folder, other] = [at('wt', `fix-it-${hash}`), at('wt', `fix-it-${hash}-2`)];
      const foreign = at('wt', 'fix-it-0000000');
      await finder.check([inside, join(folder, 'src'), other, foreign]);
      const repository = at('Größe', 'main');
      assert.deepEqual(
        [join(folder, 'src'), other, foreign, inside].map((one) => finder.of(one)),
        [{ folder, repository }, { folder: other, repository }, undefined, undefined],
      );
    });

    it('is looked at again after a while, and says whether anything is different', async () => {
      add(at('wt'));
      let now = 0;
      const finder = new WorktreeFinder(undefined, () => now);
      assert.equal(await finder.check([at('wt')]), true);
      await rename(at('wt'), at('elsewhere'));
      git('10:00:03', 'worktree', 'prune');
      assert.equal(await finder.check([at('wt')]), false, 'not looked at');
      now = 60_000;
      assert.equal(await finder.check([at('wt')]), true);
      assert.equal(finder.of(at('wt')), undefined);
    });

    it('is another one of the same repository once Git has moved it and put one below its place', async () => {
      add(at('wt'));
      mkdirSync(at('wt', 'in'));
      const repository = at('Größe', 'main');
      const finder = new WorktreeFinder();
      assert.equal(await finder.check([at('wt', 'in')], -1), true);
      assert.deepEqual(finder.of(at('wt', 'in')), { folder: at('wt'), repository });
      git('10:00:03', 'worktree', 'move', at('wt'), at('moved'));
      rmSync(at('wt'), { recursive: true, force: true });
      add(at('wt', 'in'), 'c');
      assert.equal(await finder.check([at('wt', 'in')], -1), true);
      assert.deepEqual(finder.of(at('wt', 'in')), { folder: at('wt', 'in'), repository });
      assert.equal(await finder.check([at('wt', 'in')], -1), false);
    });
  });
});
