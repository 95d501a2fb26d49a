import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findMovedProject, UntrustedPaths } from '../../../../src/core/index';
import { testFolder } from '../../../fixtures/folder';

describe('The likely new folder of a project', () => {
  const folder = testFolder();
  const find = async (...known: string[]): Promise<string[]> =>
    (await findMovedProject(join(folder.path, 'code', 'demo'), known, new UntrustedPaths())).map((path) =>
      path.slice(folder.path.length + 1),
    );
  const repository = async (name: string, config: string): Promise<void> => {
    await mkdir(join(folder.path, 'code', name, '.git'), { recursive: true });
    await writeFile(join(folder.path, 'code', name, '.git', 'config'), config);
  };

  it('has its name, or a Git remote with its name', async () => {
    await mkdir(join(folder.path, 'code', 'new', 'demo'), { recursive: true });
    await repository('ssh', '[remote "origin"]\n\turl = git@host:me/demo.git\n');
    await repository('https', '[remote "origin"]\n\turl = https://host/me/demo/\n');
    await repository('windows', '[remote "origin"]\n\turl = C:\\repos\\demo.git\n');
    await repository('other', '[remote "origin"]\n\turl = https://host/demo/other.git\n\tpushurl = https://host/demo\n');
    assert.deepEqual(await find(), ['code/new/demo', 'code/https', 'code/ssh', 'code/windows']);
  });

  it('isn’t found for a path that ends in dots, which names no folder', async () => {
    await mkdir(join(folder.path, 'code', 'a'), { recursive: true });
    for (const odd of ['code/..', 'code/.', 'code/a/..']) {
      const found = await findMovedProject(`${folder.path}/${odd}`, [`${folder.path}/x/..`], new UntrustedPaths());
      assert.deepEqual(found, []);
    }
  });

  it('isn’t read from a configuration that is huge, a folder or a link', async () => {
    const good = '[remote "origin"]\n\turl = https://host/demo\n';
    await repository('huge', good + ' '.repeat(64 * 1024));
    await mkdir(join(folder.path, 'code', 'folder', '.git', 'config'), { recursive: true });
    await writeFile(join(folder.path, 'config'), good);
    await mkdir(join(folder.path, 'code', 'linked', '.git'), { recursive: true });
    await symlink(join(folder.path, 'config'), join(folder.path, 'code', 'linked', '.git', 'config'));
    assert.deepEqual(await find(), []);
    await repository('good', good);
    assert.deepEqual(await find(), ['code/good']);
  });

  it('is a folder that is known, before all others', async () => {
    const known = join(folder.path, 'elsewhere', 'demo');
    await mkdir(known, { recursive: true });
    await mkdir(join(folder.path, 'code', 'new', 'demo'), { recursive: true });
    const others = [join(folder.path, 'code', 'demo'), join(folder.path, 'none', 'demo'), join(folder.path, 'code')];
    assert.deepEqual(await find(known, ...others), ['elsewhere/demo', 'code/new/demo']);
  });

  it('is found where folders above are missing, too', async () => {
    await mkdir(join(folder.path, 'demo'));
    assert.deepEqual(await find(), ['demo']);
    await folder.write('code', 'a file');
    assert.deepEqual(await find(), ['demo']);
  });

  it('isn’t looked for without a name', async () => {
    assert.deepEqual(await findMovedProject('/', [folder.path], new UntrustedPaths()), []);
  });

  it('is one of eight at most, however many folders there are', async () => {
    for (let n = 0; n < 300; n++) await mkdir(join(folder.path, 'code', String(n), 'demo'), { recursive: true });
    const found = await find();
    assert.equal(found.length, 8);
  });
});
