import assert from 'node:assert/strict';
import { isUnc, mayContactServer, parseMounts } from '../../../src/core/format/text/remotePath';

describe('mayContactServer', () => {
  const MOUNTS = parseMounts(
    [
      '22 1 259:1 / / rw,relatime shared:1 - ext4 /dev/root rw',
      '30 22 0:25 / /home rw,relatime shared:2 - autofs auto.home rw,fd=7,indirect',
      '31 30 0:51 / /home/me rw,relatime shared:3 - nfs4 server:/export/me rw,vers=4.2',
      '32 22 0:26 / /data\\040share rw - autofs systemd-1 rw,direct',
      '33 32 0:52 / /data\\040share rw - nfs server:/data rw',
      '34 22 0:27 / /proc/sys/fs/binfmt_misc rw master:7 propagate_from:1 - autofs systemd-1 rw',
      'no mount',
      '',
    ].join('\n'),
  );

  it('detects Windows shares and namespaces on every system', () => {
    for (const path of [
      '\\\\host\\share',
      '\\\\host\\share\\a\\b',
      '//host/share',
      '\\/host/share',
      '\\\\?\\UNC\\host\\share',
      '\\\\.\\pipe\\x',
      '\\\\wsl.localhost\\Ubuntu\\home',
    ]) {
      assert.equal(isUnc(path), true, path);
      for (const platform of ['win32', 'linux', 'darwin'] as const) assert.equal(mayContactServer(path, platform, []), true, path);
    }
    for (const path of ['C:\\work', 'C:/work//a', '/work//a', 'a\\\\b', '\\work', '/']) {
      assert.equal(isUnc(path), false, path);
      for (const platform of ['win32', 'linux', 'darwin'] as const) assert.equal(mayContactServer(path, platform, []), false, path);
    }
  });

  it('detects the folders that automounters serve by convention', () => {
    for (const path of ['/net', '/net/host/share', '/misc/cd', '/afs/cell/home', '/Network/Servers/host'])
      assert.equal(mayContactServer(path, 'linux', []), true, path);
    for (const path of ['/network', '/nets/a', '/home/net/a', '/mnt/wsl/a', '/mnt/c/a', '/home/me'])
      assert.equal(mayContactServer(path, 'linux', []), false, path);
    assert.equal(mayContactServer('/home/me', 'darwin', []), true);
    assert.equal(mayContactServer('/Users/me', 'darwin', []), false);
  });

  it('detects paths that a local automounter serves and that are not mounted yet', () => {
    const may = (path: string): boolean => mayContactServer(path, 'linux', MOUNTS);
    assert.deepEqual(['/home/you', '/home', '/home/mean', '/proc/sys/fs/binfmt_misc/x'].map(may), [true, true, true, true]);
    assert.deepEqual(['/home/me', '/home/me/work', '/data share/a', '/work', '/homes'].map(may), [false, false, false, false, false]);
  });

  it('reads mounts in the format of the kernel', () => {
    assert.deepEqual(
      MOUNTS.map(({ point, type }) => `${point} ${type}`),
      ['/ ext4', '/home autofs', '/home/me nfs4', '/data share autofs', '/data share nfs', '/proc/sys/fs/binfmt_misc autofs'],
    );
    assert.deepEqual(parseMounts(''), []);
  });
});
