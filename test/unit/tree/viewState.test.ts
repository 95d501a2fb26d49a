import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectRoots, viewStateOf } from '../../../src/tree/view/viewState';
import { testFolder } from '../../fixtures/folder';

describe('What an empty view says', () => {
  const folder = testFolder();
  const unreadable = { path: '/x', error: new Error('no') };
  const roots = (...paths: string[]) => paths.map((path) => ({ path, dialect: 'pi', flat: false, named: false }) as const);

  it('tells folders that are there from those that are not', async () => {
    const there = join(folder.path, 'there');
    await mkdir(there);
    assert.deepEqual(await inspectRoots(roots(there, join(folder.path, 'missing')), []), { existing: 1, unreadable: [], silent: [] });
  });

  it('tells files and links in a circle from folders, and from what has a file above it', async () => {
    const [file, circle] = [join(folder.path, 'file'), join(folder.path, 'circle')];
    await writeFile(file, '');
    await symlink(circle, circle);
    const seen = await inspectRoots(roots(file, circle, join(file, 'below')), []);
    assert.deepEqual([seen.existing, seen.unreadable.map(({ path, error }) => [path, (error as NodeJS.ErrnoException).code])], [2, [[file, 'ENOTDIR'], [circle, 'ELOOP']]]);
  });

  it('is nothing where there are rows', () => assert.equal(viewStateOf({ existing: 1, unreadable: [unreadable], silent: ['/y'] }, 5, 1), 'ok'));
  it('is that all are hidden', () => assert.equal(viewStateOf({ existing: 1, unreadable: [], silent: [] }, 5, 0), 'allHidden'));
  it('is that a folder cannot be read', () => assert.equal(viewStateOf({ existing: 2, unreadable: [unreadable], silent: [] }, 0, 0), 'unreadableRoot'));
  it('is that a folder does not answer', () => assert.equal(viewStateOf({ existing: 0, unreadable: [unreadable], silent: ['/y'] }, 0, 0), 'silentRoot'));
  it('is that there are no folders', () => assert.equal(viewStateOf({ existing: 0, unreadable: [], silent: [] }, 0, 0), 'noRoot'));
  it('is that there are no sessions yet', () => assert.equal(viewStateOf({ existing: 1, unreadable: [], silent: [] }, 0, 0), 'noSessions'));
});
