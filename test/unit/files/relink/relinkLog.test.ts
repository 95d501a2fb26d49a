import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournal, type Journal } from '../../../../src/core/files/history/journal';
import { beginRelink, recordedMove } from '../../../../src/core/files/history/relinkLog';
import { recoverOperations, type OperationRecord } from '../../../../src/core/files/storage/operationRecord';
import { openWindow } from '../../../fixtures/doomed';
import { testFolder } from '../../../fixtures/folder';
import { age } from '../../../fixtures/writes';

describe('The record of a move that is under way', () => {
  const folder = testFolder();

  /** Returns all records, and leaves them. */
  const recordsOf = async (journal: Journal): Promise<OperationRecord[]> => {
    const found: OperationRecord[] = [];
    await recoverOperations(journal.folder, { relinking: (record) => Promise.resolve(found.push(record) === 0) });
    return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  };
  const fileOf = (journal: Journal, { id }: OperationRecord): string => join(journal.folder, 'relinking', `${id}.steps`);

  it('has the steps that were begun, without lines and files that are none', async () => {
    const journal = await openJournal(join(folder.path, 'journal'));
    assert.deepEqual(await recordsOf(journal), []);
    const header = (cwd: string): string => JSON.stringify({ type: 'session', version: 3, id: 's', cwd });
    const path = join(folder.path, 'a.jsonl');
    const step = { path, newPath: path, before: header('/old'), after: header('/new') };
    const log = await beginRelink(journal, [], assert.ifError);
    await log.begin(step);
    const [begun] = await recordsOf(journal);
    assert.deepEqual([begun?.kind, begun?.steps, recordedMove(begun!).steps], ['relinking', [step], [step]]);
    const noSteps = [7, null, { ...step, path: 'a.jsonl' }, { ...step, before: 1 }, { ...step, undoes: '../a' }];
    await appendFile(fileOf(journal, begun!), `${noSteps.map((line) => JSON.stringify(line)).join('\n')}\nno JSON\n`);
    const relinking = join(journal.folder, 'relinking');
    await writeFile(join(relinking, '0000000001-00000000.other'), JSON.stringify(begun!.process));
    await writeFile(join(relinking, '0000000001-00000000.steps'), '{}\n');
    const found = await recordsOf(journal);
    assert.deepEqual([found.map(({ id }) => id), recordedMove(found[0]!).steps], [[begun!.id], [step]]);
    await log.end(true);
    assert.deepEqual(await recordsOf(journal), []);
  });

  it('is removed when it’s old, but only after a start has ended its move', async () => {
    const DAY_MS = 24 * 60 * 60 * 1000;
    const [root, storage] = [join(folder.path, 'sessions'), join(folder.path, 'storage')];
    const header = (cwd: string): string => JSON.stringify({ type: 'session', version: 3, id: 's', cwd });
    const name = '2026-01-01T00-00-00-000Z_s.jsonl';
    const [path, newPath] = [join(root, '--old--', name), join(root, '--new--', name)];
    for (const at of ['--old--', '--new--']) await mkdir(join(root, at), { recursive: true });
    await folder.write(`sessions/--old--/${name}`, `${header('/old')}\n`);
    await age(join(root, '--old--', name));
    await folder.write(`sessions/--new--/${name}`, `${header('/new')}\n`);
    await age(join(root, '--new--', name));
    const begin = async (step: { readonly path: string; readonly newPath: string }): Promise<string> => {
      const { journal } = await openWindow(storage, root);
      await (await beginRelink(journal, [], assert.ifError)).begin({ ...step, before: header('/old'), after: header('/new') });
      const file = fileOf(journal, (await recordsOf(journal)).at(-1)!);
      const [owner = '', ...steps] = (await readFile(file, 'utf8')).split('\n');
      const gone = { ...(JSON.parse(owner) as object), pid: 4_194_303, since: Date.now() - 40 * DAY_MS };
      await writeFile(file, [JSON.stringify(gone), ...steps].join('\n'));
      return file;
    };
    const ended = await begin({ path, newPath });
    // This one’s disk is away.
    const away = await begin({ path: join(root, '--away--', name), newPath: join(root, '--gone--', name) });
    const window = await openWindow(storage, root);
    await window.prune(50 * DAY_MS);
    assert.deepEqual([existsSync(path), existsSync(newPath), existsSync(ended), existsSync(away)], [false, true, false, true]);
    await begin({ path, newPath });
    await mkdir(join(root, '--old--'), { recursive: true });
    await folder.write(`sessions/--old--/${name}`, `${header('/old')}\n`);
    await age(path);
    const next = await openWindow(storage, root);
    await Promise.all([next.recover(), next.prune(30 * DAY_MS)]);
    assert.deepEqual([existsSync(path), existsSync(newPath), existsSync(away)], [false, true, false]);
  });
});
