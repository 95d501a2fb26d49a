import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { entryId, session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';

/** Text of each file by path, as version 0.1.0 left them: after some changes, and killed in the middle of others. */
type Files = Readonly<Record<string, string>>;

const talk = session().user('one').text();
const BINARY = 'base64:';

describe('The storage of version 0.1.0', () => {
  const folder = testFolder();
  const root = () => join(folder.path, 'sessions');
  const pathOf = (name: string) => join(root(), 'p', name);

  /** Puts the files of a case into the folder, and starts a window. */
  const start = async (name: string) => {
    const cases = JSON.parse(await readFile(resolve('test/fixtures/earlierStorage.json'), 'utf8')) as Readonly<Record<string, Files>>;
    let ino = '';
    for (const [path, text] of Object.entries(cases[name]!)) {
      const file = join(folder.path, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(
        file,
        text.startsWith(BINARY)
          ? Buffer.from(text.slice(BINARY.length), 'base64')
          : text.replaceAll('{folder}', folder.path).replaceAll('{machine}', hostname()).replaceAll('{ino}', ino),
      );
      if (path.startsWith('sessions')) await age(file);
      if (path.includes('.session-tree-trash')) ino = String((await stat(file, { bigint: true })).ino);
    }
    const writes = await openWindow(join(folder.path, 'storage'), root());
    const found: string[] = [];
    await writes.recover((path) => found.push(path));
    return { writes, found: found.sort() };
  };
  const recordsLeft = async (kind: string): Promise<string[]> => readdir(join(folder.path, 'storage', 'journal', kind));

  it('keeps its undo history, its trash and its pending changes', async () => {
    const { writes } = await start('history');
    assert.deepEqual(
      (await writes.trash.list()).map(({ path, name }) => [path, name]),
      [[pathOf('deleted.jsonl'), 'one']],
    );
    assert.deepEqual(
      (await writes.queue.list()).map(({ path, change }) => [path, change]),
      [[pathOf('waits.jsonl'), { kind: 'label', entryId: entryId(1), label: 'later' }]],
    );
    assert.equal((await writes.queue.settle(pathOf('waits.jsonl'), writes.writer)).written.length, 1);
    assert.equal((await readSession(pathOf('waits.jsonl'))).labels.get(entryId(1)), 'later');
    const undone: string[] = [];
    for (let next = await writes.nextUndo(); next; next = await writes.nextUndo()) undone.push((await writes.undo()).record.kind);
    assert.deepEqual(undone, ['label', 'rename', 'delete', 'migrate', 'archive']);
    assert.equal((await readSession(pathOf('named.jsonl'))).name, undefined);
    assert.equal((await readSession(pathOf('old.jsonl'))).version, 1);
    for (const name of ['deleted', 'archived']) assert.equal(await readFile(pathOf(`${name}.jsonl`), 'utf8'), talk);
  });

  it('has an interrupted migration ended, which can be undone', async () => {
    const { writes, found } = await start('migrate');
    assert.deepEqual([found, await recordsLeft('migrating'), (await writes.nextUndo())?.kind], [[pathOf('a.jsonl')], [], 'migrate']);
  });

  it('has an interrupted archiving ended, with the session or its archive', async () => {
    const { writes, found } = await start('archive');
    assert.deepEqual(found, [pathOf('a.jsonl'), pathOf('a.jsonl.zst')]);
    assert.deepEqual([await recordsLeft('archiving'), await readdir(join(root(), 'p'))], [[], ['a.jsonl.zst']]);
    await writes.undo();
    assert.equal(await readFile(pathOf('a.jsonl'), 'utf8'), talk);
  });

  it('has an interrupted move of a project ended, which can be undone', async () => {
    const { writes, found } = await start('relink');
    const [moved, before] = ['--new-place-demo--', '--work-demo--'].map((name) => join(root(), name, 'a.jsonl')) as [string, string];
    assert.deepEqual([found, await recordsLeft('relinking')], [[moved, before], []]);
    assert.deepEqual([existsSync(before), (await readSession(moved)).header.cwd], [false, '/new/place/demo']);
    await writes.undo();
    assert.deepEqual([await readFile(before, 'utf8'), existsSync(moved)], [talk, false]);
  });

  it('has an interrupted deletion ended, which can be restored', async () => {
    const { writes, found } = await start('delete');
    assert.deepEqual([found, (await writes.trash.list()).map(({ path }) => path)], [[pathOf('a.jsonl')], [pathOf('a.jsonl')]]);
    await writes.undo();
    assert.equal(await readFile(pathOf('a.jsonl'), 'utf8'), talk);
  });
});
