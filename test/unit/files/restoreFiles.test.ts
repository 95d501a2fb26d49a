import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashOf } from '../../../src/core/files/restore/foundFile';
import { applyRestore, recoverRestores, undoRestore, type PlannedFile, type RestorePlan } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('Restoring files', () => {
  const folder = testFolder();
  const project = (): string => join(folder.path, 'project');
  const storage = (): string => join(folder.path, 'storage');
  const sessionPath = (): string => join(folder.path, 'sessions', 'p', 'a.jsonl');
  const at = (name: string): string => join(project(), name);

  beforeEach(async () => {
    await mkdir(project());
    await mkdir(dirname(sessionPath()), { recursive: true });
    await writeFile(sessionPath(), session({ cwd: project() }).user('go').text());
  });

  const put = async (name: string, content: string | Uint8Array, mode = 0o644): Promise<void> => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), content);
    await chmod(at(name), mode);
  };

  async function planned(name: string, action: PlannedFile['action'], text?: string): Promise<PlannedFile> {
    const bytes = await readFile(at(name)).catch(() => undefined);
    const was = bytes ? { sha256: hashOf(bytes), mode: (await stat(at(name))).mode & 0o777 } : null;
    return { file: at(name), action, certainty: 'exact', was, ...(text === undefined ? {} : { text }) };
  }

  const planOf = (files: PlannedFile[], more: Partial<RestorePlan> = {}): RestorePlan => ({
    ref: { path: sessionPath(), entryId: 'x' },
    folder: project(),
    time: 0,
    files,
    ...more,
  });

  /** All files below the project with bytes and modes. */
  async function tree(): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const name of (await readdir(project(), { recursive: true })).sort()) {
      const stats = await stat(at(name));
      found[name] = `${(stats.mode & 0o777).toString(8)} ${stats.isFile() ? (await readFile(at(name))).toString('base64') : 'folder'}`;
    }
    return found;
  }

  it('writes, creates and deletes, and undo gives back all bytes, modes and folders', async () => {
    await put('a.sh', '#!/bin/sh\r\n\uFEFFäöü\r\n', 0o755);
    await put('old/deep/b.txt', 'no newline', 0o600);
    await chmod(at('old/deep'), 0o750);
    await put('empty', '');
    const before = await tree();
    const plan = planOf([
      await planned('a.sh', 'write', '#!/bin/sh\nnew'),
      await planned('old/deep/b.txt', 'delete'),
      await planned('new/folder/c', 'create', '\uFEFFc\r\n'),
      await planned('empty', 'none'),
    ]);
    const { restoreId, done, left } = await applyRestore(plan, { storage: storage() });
    assert.deepEqual([done.length, left], [3, []]);
    const text = (value: string): string => Buffer.from(value).toString('base64');
    assert.deepEqual(await tree(), {
      'a.sh': `755 ${text('#!/bin/sh\nnew')}`,
      empty: '644 ',
      new: '755 folder',
      'new/folder': '755 folder',
      'new/folder/c': `644 ${text('\uFEFFc\r\n')}`,
    });
    assert.deepEqual(await recoverRestores({ storage: storage() }), [{ restoreId, state: 'whole' }]);
    const undone = await undoRestore(restoreId, { storage: storage() });
    assert.deepEqual([undone.done.map(({ action }) => action).sort(), undone.left], [['create', 'delete', 'write'], []]);
    assert.deepEqual(await tree(), before);
    const again = await undoRestore(restoreId, { storage: storage() });
    assert.deepEqual([again.done.map(({ action }) => action), again.left], [['none', 'none', 'none'], []]);
    await rm(storage(), { recursive: true });
  });
});
