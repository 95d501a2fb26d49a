import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { blobIn, commitRange, parseChanges, resolveCommit, workingChanges } from '../../../src/core/files/git/commitChanges';
import { addNote } from '../../../src/core/files/git/gitNotes';
import { runGit } from '../../../src/core/files/git/runGit';
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

  it('are read from what Git prints as far as it’s understood', () => {
    const [one, two, none] = ['1', '2', '0'].map((digit) => digit.repeat(40));
    const file = { renamedFrom: undefined, before: one, after: two, isDeleted: false };
    const [changed, renamed, gone] = ['M', 'R100', 'D'].map((status) => `:100644 100644 ${one} ${two} ${status}`);
    assert.deepEqual(parseChanges([changed!, 'ä.ts', renamed!, 'ä.ts', 'ö.ts', `:000000 100755 ${none} ${two} A`, 'new']), [
      { ...file, path: 'ä.ts' },
      { ...file, path: 'ö.ts', renamedFrom: 'ä.ts' },
      { ...file, path: 'new', before: undefined },
    ]);
    assert.deepEqual(parseChanges([gone!, 'old', `:100644 100644 short ${two} C75`, 'a', 'b']), [
      { ...file, path: 'old', isDeleted: true },
      { ...file, path: 'b', renamedFrom: 'a', before: undefined },
    ]);
    const links = [
      `:120000 120000 ${one} ${two} M`,
      'link',
      `:120000 000000 ${one} ${none} D`,
      'link',
      `:160000 160000 ${one} ${two} M`,
      'part',
    ];
    for (const fields of [[], [''], ['text'], [':'], [':100644'], [changed!], [renamed!], [renamed!, 'a'], [gone!, ''], links])
      assert.deepEqual(parseChanges(fields), [], fields.join());
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

  it('are read without running a filter, whatever its name is', async () => {
    const ran = join(folder.path, 'ran');
    git('10:00:00', 'init', '--quiet');
    await folder.write('a.txt', 'one\n');
    commit('10:01:00');
    // Git compares the contents of a file that may have been renamed.
    rmSync(join(folder.path, 'a.txt'));
    await folder.write('b.txt', 'one\n');
    git('10:02:00', 'add', '--intent-to-add', 'b.txt');
    const setFilter = async (name: string): Promise<void> => {
      await folder.write('.gitattributes', `*.txt filter=${name}\n`);
      git('10:02:00', 'config', `filter.${name}.clean`, `touch "${ran}"; cat`);
    };
    await setFilter('x');
    assert.ok((await workingChanges(folder.path)).some(({ path }) => path === 'b.txt'));
    await setFilter('x=y');
    await assert.rejects(workingChanges(folder.path), /filter that can’t be turned off.*filter\.x=y\.clean/);
    assert.equal(existsSync(ran), false);
  });

  it('are read without a transport that the repository allows, also by a Git that would fetch missing objects', async () => {
    const ran = join(folder.path, 'ran');
    git('10:00:00', 'init', '--quiet');
    git('10:00:00', 'config', 'protocol.ext.allow', 'always');
    git('10:00:00', 'config', 'remote.origin.url', `ext::touch ${ran}`);
    assert.equal(await runGit(folder.path, ['fetch', 'origin']), undefined);
    assert.equal(existsSync(ran), false);
  });

  it('get no note where the ref of notes leads to a branch', async () => {
    git('10:00:00', 'init', '--quiet', '--initial-branch=main');
    git('10:00:00', 'config', 'user.name', 'a');
    git('10:00:00', 'config', 'user.email', 'a@b');
    const head = commit('10:01:00');
    git('10:02:00', 'symbolic-ref', 'refs/notes/agent-trace', 'refs/heads/main');
    await assert.rejects(addNote(folder.path, head, 'x'), /leads to another one.*refs\/heads\/main/);
    assert.equal(await resolveCommit(folder.path, 'main'), head);
    git('10:03:00', 'symbolic-ref', '--delete', 'refs/notes/agent-trace');
    await addNote(folder.path, head, 'x');
    await addNote(folder.path, head, 'y', { overwrite: true });
  });
});
