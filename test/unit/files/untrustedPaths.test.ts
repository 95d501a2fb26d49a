import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UntrustedPaths } from '../../../src/core/files/io/untrustedPaths';
import { RealPathCache } from '../../../src/tree/projects/realPathCache';
import { testFolder } from '../../fixtures/folder';

describe('Untrusted paths', () => {
  const folder = testFolder();

  /** A disk whose results the test provides. */
  function slowDisk() {
    const asked: string[] = [];
    const answers = new Map<string, (real: string) => void>();
    const disk = {
      realpath: (path: string): Promise<string> => {
        asked.push(path);
        return new Promise((resolve) => answers.set(path, resolve));
      },
      stat: () => assert.fail('nothing is asked for'),
    };
    return { asked, disk, answer: (path: string, real: string) => answers.get(path)!(real) };
  }
  const noMounts = { mounts: () => Promise.resolve([]) };
  const soon = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise(setImmediate);
  };

  it('are resolved, and checked for files', async () => {
    await mkdir(join(folder.path, 'real'));
    await symlink('real', join(folder.path, 'link'));
    await writeFile(join(folder.path, 'file'), '');
    const named = new UntrustedPaths();
    assert.equal(await named.realPath(join(folder.path, 'link')), join(folder.path, 'real'));
    assert.equal(await named.realPath(join(folder.path, 'none')), undefined);
    assert.deepEqual(await Promise.all(['file', 'real', 'none'].map((name) => named.isFile(join(folder.path, name)))), [
      true,
      false,
      false,
    ]);
  });

  it('are never accessed where that may contact another computer', async () => {
    const { asked, disk } = slowDisk();
    const mounts = () => Promise.resolve([{ point: '/auto', type: 'autofs' }]);
    const named = new UntrustedPaths({ disk, mounts });
    for (const path of ['\\\\host\\share', '//host/share', '/net/host/share', '/auto/host', 'relative', '']) {
      assert.equal(await named.realPath(path), undefined);
      assert.equal(await named.isFile(path), false);
    }
    assert.deepEqual(asked, []);
  });

  it('are accessed two at a time, and each once', async () => {
    const { asked, disk, answer } = slowDisk();
    const named = new UntrustedPaths({ disk, ...noMounts, deadline: 60_000 });
    const found = ['/a', '/b', '/a', '/c', '/d'].map((path) => named.realPath(path));
    await soon(() => asked.length === 2);
    await new Promise(setImmediate);
    assert.deepEqual(asked, ['/a', '/b']);
    answer('/a', '/A');
    await soon(() => asked.length === 3);
    answer('/b', '/B');
    await soon(() => asked.length === 4);
    answer('/c', '/C');
    answer('/d', '/D');
    assert.deepEqual(await Promise.all(found), ['/A', '/B', '/A', '/C', '/D']);
    assert.deepEqual(asked, ['/a', '/b', '/c', '/d']);
  });

  it('block nothing when they don’t answer: there is no third call, and none is repeated', async () => {
    const { asked, disk, answer } = slowDisk();
    const named = new UntrustedPaths({ disk, ...noMounts, deadline: 20 });
    const dead = Array.from({ length: 50 }, (_, at) => `/dead/${String(at)}`);
    assert.deepEqual(
      await Promise.all(dead.map((path) => named.realPath(path))),
      dead.map(() => undefined),
    );
    assert.deepEqual(
      await Promise.all(dead.map((path) => named.realPath(path))),
      dead.map(() => undefined),
    );
    assert.deepEqual(asked, ['/dead/0', '/dead/1']);
    // One call ends after all, which makes room for another.
    answer('/dead/0', '/x');
    await new Promise(setImmediate);
    const next = named.realPath('/alive');
    await soon(() => asked.length === 3);
    answer('/alive', '/ALIVE');
    assert.equal(await next, '/ALIVE');
    assert.deepEqual(asked, ['/dead/0', '/dead/1', '/alive']);
  });

  it("keep no project from being shown: six folders on a dead server show as they're written", async () => {
    const { asked, disk } = slowDisk();
    const places = new RealPathCache(
      new UntrustedPaths({
        disk: { ...disk, realpath: (path) => (path === '/work' ? Promise.resolve('/real') : disk.realpath(path)) },
        ...noMounts,
        deadline: 20,
      }),
    );
    const dead = Array.from({ length: 6 }, (_, at) => `/dead/${String(at)}`);
    assert.equal(await places.resolve(dead), false, 'without a workspace nothing depends on them');
    assert.deepEqual(asked, []);
    await places.setWorkspace(['/work']);
    assert.deepEqual(places.workspace(), ['/real']);
    assert.equal(await places.resolve(dead), false);
    assert.deepEqual(dead.map(places.realPath), dead);
    assert.equal(asked.length, 2);
  });
});
