import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { localFolder } from '../../../src/core/files/locate/paths/localFolder';
import { folderName } from '../../../src/core/files/locate/paths/mapPath';
import { resolveIn } from '../../../src/core/files/locate/paths/resolveIn';
import { MovedPaths, placeWithin } from '../../../src/core/files/relink/movedPaths';
import { testFolder } from '../../fixtures/folder';

describe('A path that a session names', () => {
  const folder = testFolder();

  it('is resolved against the session’s folder', () => {
    assert.equal(resolveIn(folder.path, join('src', 'a.ts')), join(folder.path, 'src', 'a.ts'));
    assert.equal(resolveIn(folder.path, join('~', 'a.ts')), join(homedir(), 'a.ts'));
  });

  (sep === '/' ? it : it.skip)('is resolved as Windows does in a folder of Windows', () => {
    assert.equal(resolveIn('C:\\code\\demo', 'src/a.ts'), 'C:\\code\\demo\\src\\a.ts');
    assert.equal(resolveIn('C:\\code\\demo', 'D:\\other\\..\\a.ts'), 'D:\\a.ts');
    assert.equal(resolveIn('\\\\host\\share', '~\\a.ts'), '\\\\host\\share\\~\\a.ts');
  });

  it('has its folder’s last name on each platform', () => {
    assert.deepEqual(['/code/demo', 'C:\\code\\demo', 'C:/code/demo/', '/code/a\\b'].map(folderName), ['demo', 'demo', 'demo', 'a\\b']);
  });

  it('may be within another one, which may be the root of the disk', () => {
    const at = (...names: string[]): string => join(folder.path, ...names);
    assert.equal(placeWithin(folder.path, at('a', 'b')), join('a', 'b'));
    assert.equal(placeWithin(at('a'), at('a')), '');
    assert.equal(placeWithin(at('a'), at('ab')), undefined);
    assert.equal(placeWithin(sep, `${sep}a`), 'a');
    assert.equal(placeWithin(`${at('a')}${sep}`, `${at('b', '..', 'a', 'c')}${sep}`), 'c');
    assert.equal(placeWithin(folder.path, 'a'), undefined);
    assert.equal(placeWithin(folder.path, `${at('a')}\0`), undefined);
  });

  if (process.platform !== 'win32')
    it('may end with a backslash', () => {
      assert.equal(placeWithin('/a\\', '/a/b'), undefined);
      assert.equal(placeWithin('/a\\', '/a\\/b\\'), 'b\\');
    });

  it('moves with the nearest folder around it', () => {
    const moved = new MovedPaths();
    moved.set(join(sep, 'code'), join(sep, 'new'));
    moved.set(join(sep, 'code', 'demo'), join(sep, 'demo'));
    assert.equal(moved.newPath(join(sep, 'code', 'demo', 'a')), join(sep, 'demo', 'a'));
    assert.equal(moved.newPath(join(sep, 'code', 'b')), join(sep, 'new', 'b'));
    assert.equal(moved.newPath(join(sep, 'other')), undefined);
    assert.equal(moved.newPath('code'), undefined);
  });
});

describe('The folder of a project’s sessions on this machine', () => {
  const folder = testFolder();
  const inRoots = (...roots: Parameters<typeof localFolder>[2]): string => localFolder('pi', join(sep, 'code', 'demo'), roots);

  it('is in the first root of its own, itself if that has no folders of projects', () => {
    assert.equal(inRoots({ path: folder.path, dialect: 'pi', flat: true }), folder.path);
    const other = join(folder.path, 'other');
    const own = inRoots({ path: other, dialect: 'omp', flat: true }, { path: folder.path, dialect: 'pi', flat: false });
    assert.ok(own.startsWith(folder.path + sep) && !own.startsWith(other), own);
  });

  it('is in the program’s usual root if only others are known: read-only, or of another machine', () => {
    const usual = inRoots();
    assert.ok(!usual.startsWith(folder.path));
    assert.equal(inRoots({ path: folder.path, dialect: 'pi', flat: true, readOnly: true }), usual);
    assert.equal(inRoots({ path: folder.path, dialect: 'pi', flat: true, machine: 'other' }), usual);
  });
});
