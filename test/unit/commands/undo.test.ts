import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newGroupId, type Writes } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { openWindow } from '../../fixtures/doomed';
import { age } from '../../fixtures/writes';
import { runCommands, type RunningCommands } from './runCommands';

describe('Undo Last Change', () => {
  const folder = testFolder();
  let writes: Writes;
  let path: string;
  let run: RunningCommands['run'];
  let undone: () => Promise<string>;

  beforeEach(async () => {
    await mkdir(join(folder.path, 'project'));
    path = await age(await folder.write('project/a.jsonl', session().user('What is it?').assistant('A test.').text()));
    writes = await openWindow(join(folder.path, 'storage'), folder.path);
    const { editor, ...commands } = runCommands({ writer: writes.writer, writes: () => Promise.resolve(writes) });
    ({ run } = commands);
    undone = async () => {
      await run('sessionTree.undo');
      return editor.messages.at(-1)?.[0] ?? '';
    };
  });

  it('says what it took back', async () => {
    await writes.writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    assert.match(await undone(), /label.*“x”/);
    await writes.writer.forkSession(path);
    assert.match(await undone(), /fork.*trash/);
    await writes.trash.delete(path);
    assert.match(await undone(), /restored “a\.jsonl”/);
    await writes.trash.delete(path, { group: newGroupId() });
    assert.match(await undone(), /move to trash: the sessions are restored/);
    await writes.writer.archive(path, { group: newGroupId() });
    assert.match(await undone(), /archiving: the sessions are unarchived/);
  });

  it('brings back all sessions that were moved to the trash together', async () => {
    const other = await age(await folder.write('project/b.jsonl', session().user('And this?').text()));
    const rows = [path, other].map((each) => ({ row: 'session', path: each }));
    await run('sessionTree.delete', rows[0], rows);
    assert.deepEqual([existsSync(path), existsSync(other)], [false, false]);
    await undone();
    assert.deepEqual([existsSync(path), existsSync(other)], [true, true]);
  });
});
