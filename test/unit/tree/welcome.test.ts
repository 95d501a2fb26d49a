import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lookAtRoots, stateOf } from '../../../src/tree/welcome';
import { testFolder } from '../../fixtures/folder';

describe('What an empty view says', () => {
  const folder = testFolder();
  const roots = (...paths: string[]) => paths.map((path) => ({ path, dialect: 'pi', flat: false, named: false }) as const);

  it('tells folders that are there from those that are not', async () => {
    const there = join(folder.path, 'there');
    await mkdir(there);
    assert.deepEqual(await lookAtRoots(roots(there, join(folder.path, 'missing'))), { there: 1, unreadable: [] });
  });

  it('is nothing where there are rows', () => assert.equal(stateOf({ there: 1, unreadable: ['/x'] }, 5, 1), 'ok'));
  it('is that all are hidden', () => assert.equal(stateOf({ there: 1, unreadable: [] }, 5, 0), 'allHidden'));
  it('is that a folder cannot be read', () => assert.equal(stateOf({ there: 2, unreadable: ['/x'] }, 0, 0), 'unreadableRoot'));
  it('is that there are no folders', () => assert.equal(stateOf({ there: 0, unreadable: [] }, 0, 0), 'noRoot'));
  it('is that there are no sessions yet', () => assert.equal(stateOf({ there: 1, unreadable: [] }, 0, 0), 'noSessions'));
});
