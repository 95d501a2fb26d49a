import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { TRASH_FOLDER } from '../../../src/core/files/trash/trash';
import type { Writes } from '../../../src/core/files/history/writes';
import { SessionError } from '../../../src/core/format/entry/problem';
import { session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { withFailingCalls } from '../../fixtures/testDisk';
import { age } from '../../fixtures/writes';

const text = session().user('one').assistant('first').text();
const CALLS = ['mkdir', 'chmod', 'open', 'rename', 'link', 'unlink', 'rm', 'rmdir', 'readdir', 'readFile', 'stat', 'lstat'] as const;

/** Makes the n-th call to the disk fail. Resolves to the error, and to true if there were as many calls. */
async function failing(
  n: number,
  code: string,
  work: () => Promise<unknown>,
): Promise<{ readonly failed: boolean; readonly error: unknown }> {
  let count = 0;
  const done = withFailingCalls(CALLS, () => (++count === n ? code : undefined), work);
  const error: unknown = await done.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { failed: count >= n, error };
}

describe('Disk errors during a deletion or a restore', function () {
  this.timeout(60_000);
  const folder = testFolder();

  const DEEDS: Readonly<
    Record<
      string,
      {
        readonly before: (writes: Writes, path: string) => Promise<unknown>;
        readonly work: (writes: Writes, path: string) => Promise<unknown>;
      }
    >
  > = {
    'a deletion': { before: () => Promise.resolve(), work: (writes, path) => writes.trash.delete(path) },
    'a restore': {
      before: (writes, path) => writes.trash.delete(path),
      work: async (writes) => writes.trash.restore((await writes.trash.list())[0]?.trashId ?? 'none'),
    },
  };
  for (const [name, { before, work }] of Object.entries(DEEDS)) {
    for (const code of ['ENOSPC', 'EACCES', 'EIO']) {
      it(`${name}, each call fails once with ${code}: everything is in place, or everything is in the trash`, async () => {
        const seen = { here: 0, trash: 0 };
        for (let n = 1, failed = true; failed; n++) {
          const root = join(folder.path, String(n));
          const path = join(root, 'project', 'a.jsonl');
          await mkdir(join(root, 'project', 'a'), { recursive: true });
          await writeFile(path, text);
          await age(path);
          await writeFile(join(root, 'project', 'a', 'log.txt'), 'log');
          const problems: unknown[] = [];
          const writes = await openWindow(join(root, '.storage'), root, { onProblem: (error) => problems.push(error) });
          await before(writes, path);
          const at = `${name}, call ${String(n)}: ${code}`;
          const done = await failing(n, code, () => work(writes, path));
          failed = done.failed;
          if (done.error !== undefined)
            assert.ok(
              done.error instanceof SessionError || (done.error as { code?: string }).code === code,
              `${at}: ${inspect(done.error)}`,
            );
          const items = await writes.trash.list();
          // If the root has no place for a trash folder, it's beside the session.
          const names = (await readdir(join(root, 'project'))).filter((one) => one !== TRASH_FOLDER);
          assert.deepEqual(names.sort(), items.length === 0 ? ['a', 'a.jsonl'] : [], at);
          seen[items.length === 0 ? 'here' : 'trash']++;
          if (items[0]) await writes.trash.restore(items[0].trashId);
          assert.equal(await readFile(path, 'utf8'), text, at);
          assert.equal(await readFile(join(root, 'project', 'a', 'log.txt'), 'utf8'), 'log', at);
          await writes.recover();
          // A failed restore is finished after this process is gone.
          if (name === 'a deletion' || done.error === undefined) assert.deepEqual((await readdir(root)).includes(TRASH_FOLDER), false, at);
          assert.ok(n < 300);
        }
        assert.ok(seen.here > 0 && seen.trash > 0, JSON.stringify(seen));
      });
    }
  }

  it('a folder on another file system: moves nothing, and reports that in a sentence', async () => {
    const root = join(folder.path, 'mounted');
    const path = join(root, 'project', 'a.jsonl');
    const mounted = join(root, 'project', 'a');
    await mkdir(mounted, { recursive: true });
    await writeFile(path, text);
    await age(path);
    await writeFile(join(mounted, 'log.txt'), 'log');
    const writes = await openWindow(join(root, '.storage'), root, { onProblem: (error) => assert.fail(String(error)) });
    const refused = (at: string, work: () => Promise<unknown>): Promise<void> =>
      assert.rejects(
        withFailingCalls(['rename'], (_name, [from]) => (from === at ? 'EXDEV' : undefined), work),
        (error) =>
          error instanceof SessionError &&
          error.code === 'invalid' &&
          /on different file systems/.test(error.message) &&
          error.args['path'] === path,
      );
    await refused(mounted, () => writes.trash.delete(path));
    assert.deepEqual(
      [await writes.trash.list(), (await readdir(join(root, 'project'))).sort(), (await readdir(root)).includes(TRASH_FOLDER)],
      [[], ['a', 'a.jsonl'], false],
    );

    const { trashId } = await writes.trash.delete(path);
    await refused(join(root, TRASH_FOLDER, trashId, '1'), () => writes.trash.restore(trashId));
    assert.deepEqual([(await writes.trash.list()).map((item) => item.trashId), await readdir(join(root, 'project'))], [[trashId], []]);
    await writes.trash.restore(trashId);
    assert.equal(await readFile(join(mounted, 'log.txt'), 'utf8'), 'log');
  });
});
