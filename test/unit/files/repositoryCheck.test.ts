import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { commitRange, resolveCommit, workingChanges } from '../../../src/core/files/git/commitChanges';
import { fileCommits } from '../../../src/core/files/git/fileCommits';
import { lineCommit } from '../../../src/core/files/git/lineCommit';
import { safeOptionsFor } from '../../../src/core/files/git/repositoryCheck';
import { runGit } from '../../../src/core/files/git/runGit';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';

describe('Git in a repository whose configuration leads elsewhere', function () {
  this.timeout(30_000);
  const folder = testFolder();
  const repository = () => join(folder.path, 'r');
  const { git, commit } = gitRepository(repository);
  const file = () => join(repository(), 'a.txt');
  let hash: string;
  beforeEach(async () => {
    await mkdir(repository());
    git('10:00:00', 'init', '--quiet');
    await folder.write('r/a.txt', 'one\ntwo\n');
    commit('10:01:00', 'Erste Änderung');
    await folder.write('r/a.txt', 'one\nthree\n');
    hash = commit('10:02:00', 'Zweite Änderung');
    await folder.write('r/b.txt', 'new\n');
  });
  const config = (key: string, value: string): void => {
    git('10:03:00', 'config', key, value);
  };

  /** Everything that is asked of Git, which reads all kinds of its configuration. */
  const everything = async () => ({
    range: (await commitRange(repository(), '', 'HEAD')).map(({ subject }) => subject),
    changes: (await workingChanges(repository())).map(({ path }) => path),
    commits: (await fileCommits(repository(), file())).length,
    line: (await lineCommit(file(), 'one\nthree\n', 2))?.hash,
    head: await resolveCommit(repository(), 'HEAD'),
  });
  const expected = () => ({ range: ['Erste Änderung', 'Zweite Änderung'], changes: ['b.txt'], commits: 2, line: hash, head: hash });

  /** A pipe: whoever opens it is let in, which the test notices, and what's read is an option that would spoil the result. */
  const pipe = (name: string): { readonly path: string; readonly wasOpened: () => boolean } => {
    const path = join(folder.path, name);
    execFileSync('mkfifo', [path]);
    return {
      path,
      wasOpened: () => {
        try {
          closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
          return true;
        } catch {
          return false;
        }
      },
    };
  };

  for (const key of ['diff.orderFile', 'core.attributesFile', 'core.excludesFile', 'mailmap.file']) {
    it(`opens no file that ${key} names`, async function () {
      if (platform() === 'win32') this.skip();
      const { path, wasOpened } = pipe('trap');
      config(key, path);
      const answers = everything();
      const state = { isDone: false };
      void answers.then(
        () => (state.isDone = true),
        () => (state.isDone = true),
      );
      while (!state.isDone) {
        assert.equal(wasOpened(), false);
        await new Promise(setImmediate);
      }
      assert.deepEqual(await answers, expected());
    });
  }

  it('reads no commit that mailmap.blob names, and no other setting changes what it prints', async () => {
    config('mailmap.blob', 'HEAD:map');
    await writeFile(join(repository(), 'map'), 'other <a@b>\n');
    await rm(join(repository(), 'b.txt'));
    hash = commit('10:04:00', 'Dritte');
    assert.equal((await lineCommit(file(), 'one\nthree\n', 2))?.author, 'a');
    for (const [key, value] of [
      ['i18n.logOutputEncoding', 'UTF-16'],
      ['format.pretty', 'raw'],
      ['log.showSignature', 'true'],
      ['blame.showEmail', 'true'],
      ['blame.date', 'iso'],
      ['color.ui', 'always'],
      ['diff.noprefix', 'true'],
      ['diff.relative', 'true'],
      ['core.worktree', '/nowhere'],
      ['core.alternateRefsCommand', 'touch ran; false'],
      ['diff.external', 'touch ran; false'],
      ['core.quotePath', 'true'],
    ] as const)
      config(key, value);
    assert.deepEqual(
      (await commitRange(repository(), 'HEAD~1', 'HEAD')).map(({ subject, files }) => [subject, files.map(({ path }) => path)]),
      [['Dritte', ['map']]],
    );
    assert.deepEqual(
      (await commitRange(repository(), '', 'HEAD~1')).map(({ subject }) => subject),
      expected().range,
    );
    assert.equal((await lineCommit(file(), 'one\nthree\n', 2))?.summary, 'Zweite Änderung');
    assert.deepEqual(await workingChanges(repository()), []);
  });

  it('takes no commit for another one that blame.ignoreRevsFile leaves out, and reads a small file of these alone', async function () {
    if (platform() === 'win32') this.skip();
    writeFileSync(join(repository(), '.git-blame-ignore-revs'), `${hash}\n`);
    config('blame.ignoreRevsFile', '.git-blame-ignore-revs');
    assert.equal((await lineCommit(file(), 'one\nthree\n', 2))?.hash, hash);
    config('blame.ignoreRevsFile', '/dev/zero');
    await assert.rejects(lineCommit(file(), 'one\nthree\n', 2), /can’t be checked/);
    config('blame.ignoreRevsFile', pipe('trap').path);
    await assert.rejects(lineCommit(file(), 'one\nthree\n', 2), { code: 'invalid' });
  });

  it('runs with an included file nearby, whose settings count as the repository’s', async function () {
    if (platform() === 'win32') this.skip();
    const { path } = pipe('trap');
    await writeFile(join(repository(), 'shared.config'), `[diff]\n\torderFile = ${path}\n[includeIf "gitdir:/x"]\n\tpath = more.config\n`);
    await writeFile(join(repository(), 'more.config'), `[core]\n\texcludesFile = ${path}\n[include]\n\tpath = ../gone.config\n`);
    commit('10:04:00', 'Dritte');
    config('include.path', '../shared.config');
    assert.deepEqual(
      (await commitRange(repository(), 'HEAD~1', 'HEAD')).map(({ subject }) => subject),
      ['Dritte'],
    );
    assert.deepEqual(await workingChanges(repository()), []);
  });

  /** Paths of another computer; there is none, so that Git would answer. */
  const AWAY = '/net/host/x';
  const refused = /names a place that may be on another computer: .*\/r$/;
  const changes: Readonly<Record<string, () => unknown>> = {
    'include.path': () => config('include.path', AWAY),
    'includeIf.….path': () => config('includeIf.gitdir:/.path', AWAY),
    'an include in an include': async () => {
      config('include.path', '../more.config');
      await writeFile(join(repository(), 'more.config'), `[include] path = ${AWAY}\n`);
    },
    'an include behind another section on its line': () =>
      appendFile(join(repository(), '.git', 'config'), `[core] bare = false\n[x][InClude] Path = "${AWAY}"\n`),
    'blame.ignoreRevsFile': () => config('blame.ignoreRevsFile', AWAY),
    'objects/info/alternates': () => writeFile(join(repository(), '.git', 'objects', 'info', 'alternates'), `# x\n${AWAY}\n`),
    'alternates of alternates': async () => {
      await mkdir(join(folder.path, 'store', 'info'), { recursive: true });
      await writeFile(join(repository(), '.git', 'objects', 'info', 'alternates'), '../../../store\n');
      await writeFile(join(folder.path, 'store', 'info', 'alternates'), `${AWAY}\n`);
    },
    commondir: () => writeFile(join(repository(), '.git', 'commondir'), `${AWAY}\n`),
    'a file .git': async () => {
      await rm(join(repository(), '.git'), { recursive: true });
      await writeFile(join(repository(), '.git'), `gitdir: ${AWAY}\n`);
    },
    'a link .git': async () => {
      await rm(join(repository(), '.git'), { recursive: true });
      await symlink(AWAY, join(repository(), '.git'));
    },
    'config.worktree': async () => {
      config('extensions.worktreeConfig', 'true');
      await writeFile(join(repository(), '.git', 'config.worktree'), `[include]\npath = ${AWAY}\n`);
    },
  };
  for (const [what, change] of Object.entries(changes))
    it(`doesn’t run where ${what} names another computer`, async function () {
      if (platform() === 'win32') this.skip();
      await change();
      await assert.rejects(runGit(repository(), ['rev-parse', 'HEAD']), refused);
      await assert.rejects(commitRange(repository(), '', 'HEAD'), refused);
      await assert.rejects(lineCommit(file(), 'one\nthree\n', 2), refused);
    });

  it('doesn’t run where its configuration is no small file, includes too much, or can’t be read', async function () {
    if (platform() === 'win32') this.skip();
    const own = join(repository(), '.git', 'config');
    const text = readFileSync(own, 'utf8');
    for (const make of [
      () => execFileSync('mkfifo', [own]),
      () => symlink('/dev/zero', own),
      () => writeFile(own, `${text}#${'x'.repeat(1024 * 1024)}\n`),
      () => writeFile(own, `${text}[include] path = config\n`),
      () => writeFile(own, `${text}[include] path = ~nobody/config\n`),
      () => writeFile(own, `${text}[include] path = gone\n[oh\n`),
    ]) {
      await rm(own);
      await make();
      await assert.rejects(runGit(repository(), ['rev-parse', 'HEAD']), /can’t be checked/);
    }
  });

  it('runs in linked worktrees, in submodules, with borrowed objects, and where the person works on a share', async () => {
    git('10:03:00', 'worktree', 'add', '--quiet', '../linked');
    const linked = join(folder.path, 'linked');
    assert.equal(await resolveCommit(linked, 'HEAD'), hash);
    assert.equal((await lineCommit(join(linked, 'a.txt'), 'one\nthree\n', 2))?.hash, hash);
    const outer = gitRepository(() => join(folder.path, 'outer'));
    await mkdir(join(folder.path, 'outer'));
    outer.git('10:04:00', 'init', '--quiet');
    outer.git('10:04:00', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository(), 'inner');
    assert.equal(await resolveCommit(join(folder.path, 'outer', 'inner'), 'HEAD'), hash);
    assert.deepEqual(await workingChanges(join(folder.path, 'outer', 'inner')), []);
    git('10:05:00', 'clone', '--quiet', '--shared', repository(), '../borrowed');
    assert.match(await readFile(join(folder.path, 'borrowed/.git/objects/info/alternates'), 'utf8'), /objects/);
    assert.equal(await resolveCommit(join(folder.path, 'borrowed'), 'HEAD'), hash);
    config('include.path', AWAY);
    const everywhere = { isRefused: () => Promise.resolve(true) };
    assert.deepEqual(await safeOptionsFor(repository(), everywhere), []);
  });

  it('stays in the repository that was checked', async () => {
    // Git would go on to the folders above a `.git` that is none, and takes a folder with Git's own files for a repository.
    const inner = join(repository(), 'inner');
    await mkdir(join(inner, '.git'), { recursive: true });
    config('found.above', 'x');
    assert.equal(await runGit(inner, ['config', 'found.above']), undefined);
    git('10:04:00', 'clone', '--quiet', '--bare', '.', 'bare');
    const bare = join(repository(), 'bare');
    execFileSync('git', ['-C', bare, 'config', 'found.bare', 'x']);
    await mkdir(join(bare, '.git'));
    assert.equal(await runGit(bare, ['config', 'found.bare']), undefined);
    assert.equal((await runGit(repository(), ['config', 'found.above']))?.toString(), 'x\n');
  });

  it('may allocate two gigabytes', async function () {
    if (platform() !== 'linux') this.skip();
    const limit = await runGit(realpathSync(repository()), ['-c', 'alias.limit=!ulimit -d', 'limit']);
    assert.equal(limit?.toString().trim(), String(2 * 1024 * 1024));
  });
});
