import assert from 'node:assert/strict';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionError } from '../../../../src/core/format/entry/problem';
import type { KnownSession } from '../../../../src/core/files/relink/knownSessions';
import { assertMovable, assertRewritable, mappedReason } from '../../../../src/core/files/relink/refusals';
import { session } from '../../../fixtures/build';
import { testFolder } from '../../../fixtures/folder';

describe('A session whose header', () => {
  const folder = testFolder();
  const known = (path: string, more: Partial<KnownSession> = {}): KnownSession => ({
    path,
    root: { path: folder.path, dialect: 'pi', flat: false },
    id: 'a',
    cwd: '/work',
    parents: [],
    folders: [],
    ...more,
  });
  const codeOf = (found: Promise<unknown>): Promise<string> =>
    found.then(
      () => 'fine',
      (error: unknown) => (error as SessionError).code,
    );

  it('can’t be rewritten has a reason', async () => {
    const path = await folder.write('a.jsonl', session().user('hello').text());
    assert.equal(await assertRewritable(known(path)), 'pi');
    const newer = await folder.write('newer.jsonl', session({ version: 99 }).user('hello').text());
    const link = join(folder.path, 'link.jsonl');
    await symlink(path, link);
    assert.deepEqual(
      await Promise.all(
        [
          known(path, { root: { path: folder.path, dialect: 'pi', flat: false, readOnly: true } }),
          known(path, { isStored: true }),
          known(`${path}.gz`),
          known(newer),
          known(link),
        ].map((one) => codeOf(assertRewritable(one))),
      ),
      ['read-only', 'read-only', 'read-only', 'version', 'invalid'],
    );
  });

  it('is for another machine stays', () => {
    const mapped = known('/s/a.jsonl', {
      cwd: '/there/demo',
      root: { path: '/s', dialect: 'pi', flat: false, map: { '/there': '/here' } },
    });
    assert.equal(mappedReason(mapped)?.code, 'invalid');
    assert.equal(mappedReason({ ...mapped, cwd: '/elsewhere/demo' }), undefined);
  });

  it('may be rewritten doesn’t move through a link', async () => {
    const path = join(folder.path, 'p', 'a.jsonl');
    await mkdir(join(folder.path, 'p'));
    await mkdir(join(folder.path, 'real'));
    await writeFile(path, session().user('hello').text());
    await symlink(join(folder.path, 'real'), join(folder.path, 'linked'));
    await assertMovable(path, join(folder.path, 'new', 'a.jsonl'));
    await assertMovable(path, join(folder.path, 'real', 'a.jsonl'));
    assert.equal(await codeOf(assertMovable(path, join(folder.path, 'linked', 'a.jsonl'))), 'invalid');
    await rename(join(folder.path, 'p'), join(folder.path, 'q'));
    await symlink(join(folder.path, 'q'), join(folder.path, 'p'));
    assert.equal(await codeOf(assertMovable(path, join(folder.path, 'new', 'a.jsonl'))), 'invalid');
  });
});
