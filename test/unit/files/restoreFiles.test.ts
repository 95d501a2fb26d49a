import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { realDisk, type Disk } from '../../../src/core/files/io/disk';
import { recordFolder } from '../../../src/core/files/restore/restoreRecord';
import { isGitName } from '../../../src/core/files/restore/restorePlaces';
import {
  applyRestore,
  finishRestore,
  pruneRestores,
  recoverRestores,
  undoRestore,
  type AppliedRestore,
  type ApplyOptions,
  type PlannedFile,
} from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { withEnvironment, home } from '../../fixtures/environment';
import { testRestores, treeOf } from '../../fixtures/restores';
import { beforeCall, disturbedDisk, faultyDisk } from '../../fixtures/testDisk';

const base64 = (value: string): string => Buffer.from(value).toString('base64');

describe('Restoring files', () => {
  const test = testRestores();
  const { at, put, planned, planOf, tree } = test;
  const apply = (files: readonly PlannedFile[], more: Partial<ApplyOptions> = {}): Promise<AppliedRestore> =>
    applyRestore(planOf(files), { storage: test.storage, ...more });
  const undo = (id: string) => undoRestore(id, { storage: test.storage });
  const actions = (files: readonly PlannedFile[]): string[] => files.map(({ action }) => action).sort();

  it('writes, creates and deletes, and undo gives back all bytes, modes and folders', async () => {
    await put('a.sh', '#!/bin/sh\r\n\uFEFFäöü\r\n', 0o755);
    await put('old/deep/b.txt', 'no newline', 0o600);
    await chmod(at('old/deep'), 0o750);
    await put('empty', '');
    await put('binary', Uint8Array.of(0, 255, 13, 10, 0xef, 0xbb));
    const before = await tree();
    const { restoreId, done, left } = await apply([
      await planned('a.sh', 'write', '#!/bin/sh\nnew'),
      await planned('old/deep/b.txt', 'delete'),
      await planned('new/folder/c', 'create', '\uFEFFc\r\n'),
      await planned('empty', 'none'),
      await planned('binary', 'merge', 'text'),
    ]);
    assert.deepEqual([actions(done), left], [['create', 'delete', 'merge', 'write'], []]);
    assert.deepEqual(await tree(), {
      'a.sh': `755 ${base64('#!/bin/sh\nnew')}`,
      binary: `644 ${base64('text')}`,
      empty: '644 ',
      new: '755 folder',
      'new/folder': '755 folder',
      'new/folder/c': `644 ${base64('\uFEFFc\r\n')}`,
    });
    assert.deepEqual(await recoverRestores({ storage: test.storage }), [{ restoreId, state: 'whole' }]);
    const undone = await undo(restoreId);
    assert.deepEqual([actions(undone.done), undone.left], [['create', 'delete', 'write', 'write'], []]);
    assert.deepEqual(await tree(), before);
    const again = await undo(restoreId);
    assert.deepEqual([actions(again.done), again.left], [['none', 'none', 'none', 'none'], []]);
    await finishRestore(restoreId, { storage: test.storage });
    assert.equal(await readFile(at('a.sh'), 'utf8'), '#!/bin/sh\nnew');
  });

  it('never writes what is none, a conflict or left', async () => {
    await put('a', '1');
    const before = await tree();
    const files = await Promise.all((['none', 'conflict', 'left'] as const).map((action) => planned('a', action, 'x')));
    const { restoreId, done, left } = await apply(files);
    assert.deepEqual([done, left, await tree()], [[], [], before]);
    assert.deepEqual(await undo(restoreId), { done: [], left: [] });
  });

  it('leaves a file that was changed since it was planned: its bytes, its mode, its kind', async () => {
    for (const name of ['bytes', 'mode', 'gone', 'folder', 'link', 'fifo']) await put(name, '1');
    const files = [
      ...(await Promise.all(['bytes', 'mode', 'gone', 'folder', 'link', 'fifo'].map((name) => planned(name, 'write', '2')))),
      await planned('made', 'create', '2'),
    ];
    await put('bytes', '3');
    await chmod(at('mode'), 0o755);
    for (const name of ['gone', 'folder', 'link', 'fifo']) await rm(at(name));
    await mkdir(at('folder'));
    await writeFile(join(test.folder.path, 'target'), '1');
    await symlink(join(test.folder.path, 'target'), at('link'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [at('fifo')]);
    await put('made', '2');
    const { done, left } = await apply(files);
    assert.deepEqual(done, []);
    assert.deepEqual(actions(left), Array<string>(7).fill('left'));
    for (const { reason } of left) assert.match(reason ?? '', /^[A-Z].{10,398}\.$/);
    assert.equal(await readFile(at('bytes'), 'utf8'), '3');
    assert.equal(await readFile(join(test.folder.path, 'target'), 'utf8'), '1');
  });

  it('leaves a file that is changed while others are written, and one that undo finds changed', async () => {
    await put('a', '1');
    await put('b', '1');
    const files = [await planned('a', 'write', '2'), await planned('b', 'write', '2'), await planned('c', 'create', '2')];
    const { disk } = disturbedDisk(beforeCall('sync', 3), () => writeFile(at('b'), 'a person’s'));
    const second = disturbedDisk(beforeCall('link'), () => writeFile(at('c'), 'a person’s, too')).disk;
    const { restoreId, done, left } = await apply(files, { disk: { ...disk, link: second.link } });
    assert.deepEqual([done, left.map(({ file }) => file).sort()], [[files[0]], [at('b'), at('c')]]);
    assert.deepEqual([await readFile(at('b'), 'utf8'), await readFile(at('c'), 'utf8')], ['a person’s', 'a person’s, too']);
    await put('a', 'changed later');
    const undone = await undo(restoreId);
    assert.deepEqual(undone.left.map(({ file }) => file).sort(), [at('a')]);
    assert.equal(await readFile(at('a'), 'utf8'), 'changed later');
  });

  it('writes nowhere but below the session’s folder, not in Git’s data, sessions or its own records', async () => {
    const outside = join(test.folder.path, 'outside');
    await mkdir(outside);
    await put('src/a', '1');
    await symlink(outside, at('away'));
    await symlink(join(outside, 'nowhere'), at('dangling'));
    await put('.git/config', '1');
    await mkdir(join(test.project, 'agent', 'sessions', 'p'), { recursive: true });
    await put('other.jsonl', await readFile(test.session));
    const before = await treeOf(outside);
    const places = [
      join(outside, 'x'),
      `${test.project}/../outside/x`,
      `${test.project}//src/x`,
      'src/x',
      '',
      '/',
      test.project,
      `${test.project}/a\0b`,
      at('away/x'),
      at('dangling/x'),
      at('src/a/x'),
      at('.git/hooks/post-checkout'),
      at('.GIT/x'),
      at('src/.git'),
      at('.git '),
      at('git~1/x'),
      at('.g\u200cit/x'),
      at('agent/sessions/p/x.jsonl'),
      test.session,
      at('other.jsonl'),
      join(dirname(test.session), 'other.jsonl'),
      join(test.storage, 'restores', 'x'),
    ];
    const made = places.map((file): PlannedFile => ({ file, action: 'create', certainty: 'exact', text: 'x', was: null }));
    await withEnvironment({ ...home(test.folder.path), PI_CODING_AGENT_DIR: at('agent') }, async () => {
      const { done, left } = await apply(made);
      assert.deepEqual([done.map(({ file }) => file), left.length], [[], places.length]);
    });
    assert.deepEqual(await treeOf(outside), before);
    assert.ok(!(await readdir(test.project)).includes('x'));
  });

  it('knows the names by which some system opens .git', () => {
    for (const name of ['.git', '.GIT', '.git.', '.git . ', 'GIT~1', '.git::$INDEX_ALLOCATION', '.gi\u200dt'])
      assert.ok(isGitName(name), name);
    for (const name of ['git', '.gitignore', '.github', 'a.git', 'git~2', '']) assert.ok(!isGitName(name), name);
  });

  it('follows links within the folder, and writes a file once', async () => {
    await put('real/a', '1');
    await symlink(at('real'), at('linked'));
    const [real, linked] = [await planned('real/a', 'write', '2'), await planned('linked/a', 'write', '3')];
    const { done, left } = await apply([linked, real]);
    assert.deepEqual([done.map(({ file }) => file), left.map(({ file }) => file)], [[at('linked/a')], [at('real/a')]]);
    assert.equal(await readFile(at('real/a'), 'utf8'), '3');
  });

  it('refuses what isn’t a plan of the session’s folder, and writes nothing', async () => {
    const file: PlannedFile = { file: at('a'), action: 'create', certainty: 'exact', text: 'x', was: null };
    const options = { storage: test.storage };
    await assert.rejects(applyRestore({ ...planOf([]), time: Number.NaN }, options), { code: 'invalid' });
    await assert.rejects(applyRestore(planOf([file], { folder: test.folder.path }), options), { code: 'invalid' });
    await assert.rejects(applyRestore(planOf([file], { folder: at('src') }), options), { code: 'invalid' });
    await assert.rejects(applyRestore(planOf([file], { ref: { path: join(test.folder.path, 'none.jsonl'), entryId: 'x' } }), options), {
      code: 'not-found',
    });
    await writeFile(test.session, session({ cwd: '//server/share' }).user('go').text());
    await assert.rejects(applyRestore(planOf([file], { folder: '//server/share' }), options), { code: 'invalid' });
    await writeFile(
      test.session,
      session({ cwd: at('gone') })
        .user('go')
        .text(),
    );
    await assert.rejects(applyRestore(planOf([file], { folder: at('gone') }), options), { code: 'not-found' });
    assert.deepEqual(await tree(), {});
    await assert.rejects(undo('zzzzzzzzz-00000000'), { code: 'not-found' });
    await assert.rejects(undo('../../etc'), { code: 'not-found' });
  });

  it('takes a worktree of the session’s repository for its folder', async () => {
    const git = (...args: string[]): unknown => execFileSync('git', ['-C', test.project, ...args], { stdio: 'ignore' });
    git('init', '-q');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
    const worktree = join(test.folder.path, 'worktree');
    git('worktree', 'add', '-q', worktree);
    const file: PlannedFile = { file: join(worktree, 'a'), action: 'create', certainty: 'exact', text: 'x', was: null };
    const { done } = await applyRestore(planOf([file], { folder: worktree }), { storage: test.storage });
    assert.equal(done.length, 1);
    await mkdir(join(worktree, 'sub'));
    await assert.rejects(applyRestore(planOf([file], { folder: join(worktree, 'sub') }), { storage: test.storage }), { code: 'invalid' });
  });

  it('puts everything back when it’s aborted, at any call', async () => {
    await put('a', '1', 0o755);
    await put('old/b', '1');
    const before = await tree();
    const files = [await planned('a', 'write', '2'), await planned('old/b', 'delete'), await planned('new/c', 'create', '2')];
    let aborted = 0;
    for (let index = 0; ; index++) {
      const controller = new AbortController();
      const { disk, calls } = disturbedDisk(
        (_, call) => call === index,
        () => {
          controller.abort(new Error('stop'));
          return Promise.resolve();
        },
      );
      const applied = await apply(files, { disk, signal: controller.signal }).catch((error: unknown) => error);
      if (calls.length <= index) break;
      if (applied instanceof Error) {
        assert.equal(applied.message, 'stop');
        aborted++;
        assert.deepEqual(await tree(), before, `call ${index}: ${calls[index]}`);
      } else await undo((applied as AppliedRestore).restoreId);
      assert.deepEqual(await tree(), before, `call ${index}`);
    }
    assert.ok(aborted > 10, String(aborted));
    await assert.rejects(apply(files, { signal: AbortSignal.abort(new Error('before')) }), /before/);
  });

  it('puts everything back when the disk fails, at any call', async () => {
    await put('a', '1');
    await put('old/b', '1');
    const before = await tree();
    const files = [await planned('a', 'write', '2'), await planned('old/b', 'delete'), await planned('new/c', 'create', '2')];
    for (const fault of ['ENOSPC', 'EIO after'] as const)
      for (let index = 0; ; index++) {
        const { disk, calls } = faultyDisk(index, fault);
        const applied = await apply(files, { disk }).catch((error: unknown) => error);
        if (calls.length <= index) break;
        if (applied instanceof Error && 'code' in applied && applied.code === 'damaged' && fault === 'ENOSPC')
          assert.fail(`${fault} at call ${index}, ${calls[index]}: ${applied.message}`);
        for (const { restoreId } of await recoverRestores({ storage: test.storage })) await undo(restoreId);
        // A hidden file that can't be removed stays until a later restore.
        const found = Object.entries(await tree()).filter(([name]) => calls[index] !== 'unlink' || !name.startsWith('new'));
        assert.deepEqual(Object.fromEntries(found), before, `${fault} at call ${index}, ${calls[index]}: ${String(applied)}`);
        await rm(test.storage, { recursive: true });
        await rm(at('new'), { recursive: true, force: true });
      }
  });

  it('says what is wrong with a folder that can’t be written, and changes nothing', async () => {
    await put('a', '1');
    await put('closed/b', '1');
    const files = [await planned('a', 'write', '2'), await planned('closed/b', 'write', '2')];
    // Its owner would be refused, too, but not the root user.
    const open: Disk['open'] = (path, ...rest) =>
      String(path).startsWith(at('closed/'))
        ? Promise.reject(Object.assign(new Error(`EACCES: permission denied, open '${String(path)}'`), { code: 'EACCES' }))
        : realDisk.open(path, ...rest);
    await assert.rejects(apply(files, { disk: { ...realDisk, open } }), { code: 'permission' });
    assert.deepEqual([await readFile(at('a'), 'utf8'), await readdir(join(test.storage, 'restores'))], ['1', []]);
  });

  it('leaves what a link leads away since, also in undo', async () => {
    await put('src/a', '1');
    const { restoreId } = await apply([await planned('src/a', 'write', '2')]);
    const outside = join(test.folder.path, 'outside');
    await rename(at('src'), outside);
    await symlink(outside, at('src'));
    const { done, left } = await undo(restoreId);
    assert.deepEqual([done, left.length, await readFile(join(outside, 'a'), 'utf8')], [[], 1, '2']);
  });

  it('reads no record that somebody changed so that it leads elsewhere', async () => {
    await put('a', '1');
    const outside = join(test.folder.path, 'victim');
    await writeFile(outside, '2');
    const { restoreId } = await apply([await planned('a', 'write', '2')]);
    const list = join(recordFolder(test.storage, restoreId), 'changes');
    const good = await readFile(list, 'utf8');
    const forge = async (change: (text: string) => string): Promise<void> => {
      const text = change(good);
      assert.notEqual(text, good);
      await writeFile(list, text);
      const undone = await undo(restoreId).catch((error: unknown) => error as { code?: string });
      if ('code' in undone) assert.match(undone.code ?? '', /^(not-found|invalid|damaged)$/);
      else assert.deepEqual((undone as AppliedRestore).done, []);
      assert.deepEqual([await readFile(outside, 'utf8'), await readFile(at('a'), 'utf8')], ['2', '2']);
    };
    const path = JSON.stringify(at('a'));
    await forge((text) => text.replaceAll(path, JSON.stringify(outside)));
    await forge((text) => text.replace(`"path":${path}`, `"path":${JSON.stringify(outside)}`));
    await forge((text) => text.replaceAll(path, JSON.stringify(`${test.project}/../victim`)));
    await forge((text) =>
      text.replaceAll(path, JSON.stringify(outside)).replaceAll(JSON.stringify(test.project), JSON.stringify(test.folder.path)),
    );
    await forge((text) => text.replaceAll(path, JSON.stringify(at('.git/config'))));
    await forge((text) => text.replace('"count":1', '"count":2'));
    await forge((text) => text.replace(restoreId, 'zzzzzzzzz-00000000'));
    await forge((text) => text.replace(/"offset":\d+/, '"offset":1e9'));
    await forge((text) => text.replace(/"offset":\d+/, '"offset":-1'));
    await forge((text) => text.replace(/"mode":\d+/, '"mode":2541'));
    await forge(() => '{}\n[]\n');
    await forge(() => '');
    await writeFile(list, good);
    await writeFile(join(recordFolder(test.storage, restoreId), 'bytes'), 'zz');
    await assert.rejects(undo(restoreId), { code: 'damaged' });
    assert.equal(await readFile(at('a'), 'utf8'), '2');
    await rm(list);
    await symlink('/dev/zero', list);
    await assert.rejects(undo(restoreId));
  });

  it('keeps records for some days', async () => {
    await put('a', '1');
    const { restoreId } = await apply([await planned('a', 'write', '2')]);
    await pruneRestores({ storage: test.storage }, 60_000);
    assert.deepEqual(await recoverRestores({ storage: test.storage }), [{ restoreId, state: 'whole' }]);
    await pruneRestores({ storage: test.storage }, -1);
    assert.deepEqual(await recoverRestores({ storage: test.storage }), []);
    await assert.rejects(undo(restoreId), { code: 'not-found' });
    assert.equal((await stat(test.storage)).mode & 0o777, 0o700);
  });
});
