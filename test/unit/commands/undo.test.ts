import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newGroupId, type Writes } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { openWindow } from '../../fixtures/doomed';
import { age } from '../../fixtures/writes';
import { runCommands } from './runCommands';

describe('Undo Last Change', () => {
  const folder = testFolder();
  let writes: Writes;
  let path: string;
  let undone: () => Promise<string>;

  beforeEach(async () => {
    await mkdir(join(folder.path, 'project'));
    path = await age(await folder.write('project/a.jsonl', session().user('What is it?').assistant('A test.').text()));
    writes = await openWindow(join(folder.path, 'storage'), folder.path);
    const { run, editor } = runCommands({ writer: writes.writer, writes: () => Promise.resolve(writes) });
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
    assert.match(await undone(), /clean-up.*restored/);
  });
});
