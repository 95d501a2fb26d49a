import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectRoots, viewStateOf } from '../../../src/tree/view/viewState';
import { testFolder } from '../../fixtures/folder';

describe('state of an empty view', () => {
  const folder = testFolder();
  const unreadable = { path: '/x', error: new Error('no') };
  const roots = (...paths: string[]) => paths.map((path) => ({ path, dialect: 'pi', flat: false, named: false }) as const);

  it('distinguishes existing folders from missing ones', async () => {
    const there = join(folder.path, 'there');
    await mkdir(there);
    assert.deepEqual(await inspectRoots(roots(there, join(folder.path, 'missing')), []), { existing: 1, unreadable: [], silent: [] });
  });

  it('distinguishes folders from files, link cycles and paths below a file', async () => {
    const [file, circle] = [join(folder.path, 'file'), join(folder.path, 'circle')];
    await writeFile(file, '');
    await symlink(circle, circle);
    const seen = await inspectRoots(roots(file, circle, join(file, 'below')), []);
    assert.deepEqual(
      [seen.existing, seen.unreadable.map(({ path, error }) => [path, (error as NodeJS.ErrnoException).code])],
      [
        2,
        [
          [file, 'ENOTDIR'],
          [circle, 'ELOOP'],
        ],
      ],
    );
  });

  it('is ok if there are rows', () => assert.equal(viewStateOf({ existing: 1, unreadable: [unreadable], silent: ['/y'] }, 5, 1), 'ok'));
  it('is allHidden if all sessions are hidden', () =>
    assert.equal(viewStateOf({ existing: 1, unreadable: [], silent: [] }, 5, 0), 'allHidden'));
  it('is unreadableRoot if a folder can’t be read', () =>
    assert.equal(viewStateOf({ existing: 2, unreadable: [unreadable], silent: [] }, 0, 0), 'unreadableRoot'));
  it('is silentRoot if a folder doesn’t respond', () =>
    assert.equal(viewStateOf({ existing: 0, unreadable: [unreadable], silent: ['/y'] }, 0, 0), 'silentRoot'));
  it('is noRoot without folders', () => assert.equal(viewStateOf({ existing: 0, unreadable: [], silent: [] }, 0, 0), 'noRoot'));
  it('is noSessions if the folders are empty', () =>
    assert.equal(viewStateOf({ existing: 1, unreadable: [], silent: [] }, 0, 0), 'noSessions'));
});
