import assert from 'node:assert/strict';
import { rename, rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { recordFolder } from '../../../src/core/files/restore/restoreRecord';
import { keptModes, restoreTexts } from '../../../src/core/files/restore/restoreTexts';
import { beginOperation } from '../../../src/core/files/storage/operationRecord';
import { applyRestore, undoRestore, type PlannedFile } from '../../../src/core/index';
import { testRestores } from '../../fixtures/restores';

describe('The texts that restores keep', () => {
  const test = testRestores();
  const { at, put, planned, planOf } = test;
  const apply = async (...files: PlannedFile[]): Promise<string> =>
    (await applyRestore(planOf(files), { storage: test.storage })).restoreId;
  const texts = async (file: string): Promise<(string | undefined)[]> => (await restoreTexts(test.storage))(file).map(({ text }) => text);

  it('are those before and after, in order of time, and what undo gave back', async () => {
    await put('a', 'größe 1', 0o600);
    const first = await apply(await planned('a', 'write', 'größe 2'));
    await apply(await planned('a', 'delete'));
    await apply(await planned('a', 'create', 'größe 3'));
    assert.deepEqual(await texts(at('a')), ['größe 1', 'größe 2', 'größe 2', undefined, undefined, 'größe 3']);
    assert.deepEqual(await texts(at('b')), []);
    await put('a', 'größe 2', 0o600);
    await undoRestore(first, { storage: test.storage });
    assert.equal((await texts(at('a'))).at(-1), 'größe 1');
    assert.deepEqual(await keptModes(test.storage, [at('a'), at('b')]), new Map([[at('a'), 0o600]]));
    assert.deepEqual(await keptModes(test.storage, []), new Map());
  });

  it('have the name that a link leads to, and the real one', async () => {
    await put('real/a', '1');
    await rename(at('real'), at('moved'));
    await symlink('moved', at('real'));
    await apply(await planned('real/a', 'write', '2'));
    assert.deepEqual(
      [await texts(at('real/a')), await texts(at('moved/a'))],
      [
        ['1', '2'],
        ['1', '2'],
      ],
    );
  });

  it('are none of a restore that was interrupted, or whose record is damaged', async () => {
    await put('a', '1');
    const id = await apply(await planned('a', 'write', '2'));
    const operation = await beginOperation(test.storage, 'restoring', { restore: id });
    assert.deepEqual(await texts(at('a')), []);
    await operation.done();
    assert.deepEqual(await texts(at('a')), ['1', '2']);
    const bytes = join(recordFolder(test.storage, id), 'bytes');
    await truncate(bytes, 1);
    assert.deepEqual(await texts(at('a')), []);
    await rm(bytes);
    assert.deepEqual(await texts(at('a')), []);
  });
});
