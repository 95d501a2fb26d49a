import assert from 'node:assert/strict';
import { mkdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveCommit } from '../../../src/core/files/git/commitChanges';
import { runGit } from '../../../src/core/files/git/runGit';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';

describe('A “.git” that leads to another folder', function () {
  this.timeout(30_000);
  const folder = testFolder();
  const at = (...names: string[]): string => join(folder.path, ...names);
  const { git, commit } = gitRepository(() => at('main'));
  let hash: string;
  beforeEach(async () => {
    await mkdir(at('main'));
    git('10:00:00', 'init', '--quiet');
    await folder.write('main/a.txt', 'one\n');
    hash = commit('10:01:00', 'First');
  });
  const runs = async (repository: string, head: string | undefined = hash): Promise<void> =>
    assert.equal(await resolveCommit(repository, 'HEAD'), head, repository);
  const refuses = (repository: string, reason = /doesn’t list it as a worktree or a submodule/): Promise<void> =>
    assert.rejects(runGit(repository, ['rev-parse', 'HEAD']), (error: Error) => reason.test(error.message));
  /** Makes a file `.git` in a new folder. */
  const linked = async (name: string, target: string): Promise<string> => {
    await mkdir(at(name), { recursive: true });
    await writeFile(at(name, '.git'), `gitdir: ${target}\n`);
    return at(name);
  };

  it('is that of a worktree, also of one in the repository, of a renamed one, and through a link', async () => {
    git('10:02:00', 'worktree', 'add', '--quiet', '../tree');
    await runs(at('tree'));
    git('10:02:00', 'worktree', 'add', '--quiet', '-b', 'other', 'trees/inner');
    await runs(at('main', 'trees', 'inner'));
    git('10:03:00', 'worktree', 'move', '../tree', '../moved');
    await runs(at('moved'));
    if (platform() === 'win32') return;
    await symlink(folder.path, at('link'));
    await runs(at('link', 'moved'));
  });

  it('is that of a worktree with relative paths, and of one of a repository without files', async () => {
    git('10:02:00', 'worktree', 'add', '--quiet', '../tree');
    const data = at('main', '.git', 'worktrees', 'tree');
    await writeFile(at('tree', '.git'), 'gitdir: ../main/.git/worktrees/tree\n');
    await writeFile(join(data, 'gitdir'), '../../../../tree/.git\n');
    assert.equal((await readFile(join(data, 'commondir'), 'utf8')).trim(), '../..');
    await runs(at('tree'));
    git('10:03:00', 'clone', '--quiet', '--bare', '.', '../project/.bare');
    await runs(await linked('project', './.bare'));
    const bare = gitRepository(() => at('project'));
    bare.git('10:04:00', 'worktree', 'add', '--quiet', '-b', 'work', 'work');
    await runs(at('project', 'work'));
  });

  it('is that of a submodule, also of one in a submodule, in a worktree, and of a worktree of a submodule', async () => {
    const inner = gitRepository(() => at('inner'));
    const outer = gitRepository(() => at('outer'));
    const add = (into: typeof outer, from: string, name: string): void =>
      void into.git('10:04:00', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', at(from), name);
    for (const [repository, one] of [
      ['inner', inner],
      ['outer', outer],
    ] as const) {
      await mkdir(at(repository));
      one.git('10:03:00', 'init', '--quiet');
    }
    add(inner, 'main', 'libs/a');
    const head = inner.commit('10:05:00', 'With a');
    add(outer, 'inner', 'deep/inner');
    outer.commit('10:05:00', 'With inner');
    const update = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', '--recursive'];
    outer.git('10:06:00', ...update);
    await runs(at('outer/deep/inner'), head);
    await runs(at('outer/deep/inner/libs/a'));
    outer.git('10:06:00', 'worktree', 'add', '--quiet', '../tree');
    gitRepository(() => at('tree')).git('10:06:00', ...update);
    await runs(at('tree/deep/inner'), head);
    await runs(at('tree/deep/inner/libs/a'));
    gitRepository(() => at('outer/deep/inner')).git('10:07:00', 'worktree', 'add', '--quiet', at('elsewhere'));
    await runs(at('elsewhere'), head);
  });

  it('isn’t that of a repository that knows nothing of the folder', async () => {
    await refuses(await linked('plain', '../main/.git'));
    git('10:02:00', 'worktree', 'add', '--quiet', '../tree');
    await refuses(await linked('second', '../main/.git/worktrees/tree'));
    await refuses(await linked('gone', '../nowhere'));
    await runs(at('tree'));
    await rename(at('tree'), at('taken away'));
    await refuses(at('taken away'));
    if (platform() === 'win32') return;
    await mkdir(at('symbolic'));
    await symlink(at('main', '.git'), at('symbolic', '.git'));
    await refuses(at('symbolic'));
  });

  it('isn’t that of another repository through data that the folder brings along', async () => {
    const bring = async (name: string, data: string, files: Readonly<Record<string, string>>): Promise<string> => {
      const repository = await linked(name, data);
      await mkdir(at(name, data), { recursive: true });
      for (const [file, text] of Object.entries({ HEAD: 'ref: refs/heads/main\n', ...files })) await writeFile(at(name, data, file), text);
      return repository;
    };
    const common = `${await realpath(at('main', '.git'))}\n`;
    await refuses(await bring('worktree', 'data', { gitdir: '../.git\n', commondir: common }));
    await refuses(await bring('listed', 'repo/worktrees/x', { gitdir: '../../../.git\n', commondir: common }));
    await refuses(await bring('module', 'data', { commondir: common }));
    await mkdir(at('own', '.git'), { recursive: true });
    await writeFile(at('own', '.git', 'commondir'), common);
    await refuses(at('own'));
    // A submodule's data is in the data of the repository around it, not of any other.
    await mkdir(at('around', 'sub'), { recursive: true });
    await mkdir(at('around', '.git', 'modules'), { recursive: true });
    await mkdir(at('main', '.git', 'modules', 'x'), { recursive: true });
    await refuses(await linked('around/sub', '../../main/.git/modules/x'));
    await refuses(await linked('around/sub', '../.git/modules'));
    await refuses(await linked('around/sub', '../.git'));
  });

  it('isn’t followed through links to another repository or another computer', async function () {
    if (platform() === 'win32') this.skip();
    const project = await linked('project', 'data');
    await symlink(at('main', '.git'), at('project', 'data'));
    await refuses(project);
    const away = /may be on another computer/;
    for (const target of ['/net/host/x', '//host/x', '../../../../../../../../net/host']) {
      await rm(at('project', 'data'));
      await symlink(target, at('project', 'data'));
      await refuses(project, away);
    }
    for (const target of ['//host/share/x.git', '\\\\host\\share\\x.git', '/net/host/x', '/afs/cell/x']) {
      await refuses(await linked('project', target), away);
      await writeFile(at('main', '.git', 'commondir'), `${target}\n`);
      await refuses(at('main'), away);
      await rm(at('main', '.git', 'commondir'));
    }
    await rm(at('project'), { recursive: true });
    await mkdir(at('project', '.git'), { recursive: true });
    await symlink('y', at('x'));
    await symlink('x', at('y'));
    await refuses(await linked('circle', '../x/data'), /can’t be checked/);
  });

  it('has no links to another computer, but may have some to other folders', async function () {
    if (platform() === 'win32') this.skip();
    await rename(at('main', '.git', 'objects'), at('objects'));
    await symlink(at('objects'), at('main', '.git', 'objects'));
    await runs(at('main'));
    for (const name of ['HEAD2', 'logs/../shallow', 'objects/info/../ab', 'refs/x']) {
      await symlink('/net/host/x', at('main', '.git', name));
      await refuses(at('main'), /may be on another computer/);
      await rm(at('main', '.git', name));
    }
    await rm(at('main', '.git', 'objects'));
    await symlink('/net/host/objects', at('main', '.git', 'objects'));
    await refuses(at('main'), /may be on another computer/);
  });

  it('has to be named by the worktree’s data as a file of that name', async () => {
    git('10:02:00', 'worktree', 'add', '--quiet', '../tree');
    const back = at('main', '.git', 'worktrees', 'tree', 'gitdir');
    for (const text of ['', at('tree'), at('tree', 'x', '.git'), join(dirname(folder.path), '.git'), at('tree', '.git2')]) {
      await writeFile(back, `${text}\n`);
      await refuses(at('tree'));
    }
    const nested = at('main', '.git', 'worktrees');
    await mkdir(join(nested, '.git'));
    await writeFile(join(nested, '.git', 'commondir'), '../..\n');
    await refuses(nested);
    await writeFile(back, '//host/share/tree/.git\n');
    await refuses(at('tree'), platform() === 'win32' ? /./ : /may be on another computer/);
    await writeFile(back, `${at('tree', '.git')}\n`);
    await runs(at('tree'));
  });
});
