import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { NotInTrashError } from '../../../src/core/files/trash/notInTrash';
import { newGroupId, withTrashedName, type Writes } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { openWindow } from '../../fixtures/doomed';
import { until } from '../../fixtures/until';
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

  it('takes back all of a change that is still being made to several sessions', async () => {
    const others = ['b', 'c'].map((name) => folder.write(`project/${name}.jsonl`, session().user('And this?').text()));
    const paths = [path, ...(await Promise.all((await Promise.all(others)).map(age)))];
    const rows = paths.map((each) => ({ row: 'session', path: each }));
    for (const [command, text] of [
      ['sessionTree.archive', /the sessions are unarchived/],
      ['sessionTree.delete', /the sessions are restored/],
    ] as const) {
      const changed = run(command, rows[0], rows);
      await until(() => paths.some((each) => !existsSync(each)));
      assert.match(await undone(), text);
      await changed;
      assert.deepEqual(
        paths.filter((each) => !existsSync(each)),
        [],
        command,
      );
    }
  });

  it('lets a session be changed again after the action of a message took back the change', async () => {
    const { run, editor } = runCommands({ writer: writes.writer, writes: () => Promise.resolve(writes) });
    const { window } = editor.api as {
      readonly window: { showInformationMessage: (text: string, ...titles: string[]) => Promise<unknown> };
    };
    let chosen: string | undefined = 'Undo';
    window.showInformationMessage = () => Promise.resolve(chosen);
    const row = { row: 'session', path };
    await run('sessionTree.archive', row);
    await until(() => existsSync(path));
    chosen = undefined;
    await run('sessionTree.delete', row);
    assert.deepEqual([editor.messages, existsSync(path)], [[], false]);
  });

  it('names the session that it can not bring back after the trash was emptied, as the action of the message does', async () => {
    await writes.trash.delete(path);
    await writes.trash.empty();
    assert.match(await undone(), /^“a\.jsonl” is no longer in the trash\./);
    const other = await age(await folder.write('project/b.jsonl', session().user('Why?').text()));
    const { run, editor } = runCommands({ writer: writes.writer, writes: () => Promise.resolve(writes) });
    const actions: ((title: string) => void)[] = [];
    const { window } = editor.api as { readonly window: { showInformationMessage: (text: string) => Promise<string> } };
    window.showInformationMessage = () => new Promise((choose) => actions.push(choose));
    await run('sessionTree.delete', { row: 'session', path: other });
    await writes.trash.empty();
    actions[0]!('Undo');
    await until(() => editor.messages.length > 0);
    assert.match(editor.messages[0]?.[0] ?? '', /^“Why\?” is no longer in the trash\./);
  });

  it('restores all that are in the trash by the action of the message, also after one that is gone', async () => {
    const other = await age(await folder.write('project/b.jsonl', session().user('Why?').text()));
    const { run, editor } = runCommands({ writer: writes.writer, writes: () => Promise.resolve(writes) });
    const actions: ((title: string) => void)[] = [];
    const { window } = editor.api as { readonly window: { showInformationMessage: (text: string) => Promise<string> } };
    window.showInformationMessage = () => new Promise((choose) => actions.push(choose));
    const rows = [path, other].map((each) => ({ row: 'session', path: each }));
    await run('sessionTree.delete', rows[0], rows);
    const gone = (await writes.trash.list()).find((item) => item.path === path);
    await writes.trash.empty([gone!.trashId]);
    actions[0]!('Undo');
    await until(() => editor.messages.length > 0);
    assert.deepEqual([existsSync(path), existsSync(other)], [false, true]);
  });

  it('keeps the name that the trash knows of a session, rather than that of its file', () => {
    const known = new NotInTrashError('Why?');
    assert.equal(withTrashedName(known, 'a.jsonl'), known);
    assert.deepEqual(withTrashedName(new NotInTrashError(), 'a.jsonl'), new NotInTrashError('a.jsonl'));
  });
});
