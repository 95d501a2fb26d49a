import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createWriter, openWrites, readSession, type Writer, type Writes } from '../../../src/core/index';
import type * as listModule from '../../../src/writing/pendingChangeList';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { age } from '../../fixtures/writes';

describe('Pending changes', () => {
  const folder = testFolder();
  let editor: FakeEditor;
  let writes: Writes;
  let list: listModule.PendingChangeList;
  let settled: listModule.SettledChanges[];
  let written: string[];
  /** The sessions that another program has. */
  let busy: string[];

  beforeEach(async () => {
    editor = fakeEditor();
    [settled, written, busy] = [[], [], []];
    const fail = (error: unknown): never => assert.fail(String(error));
    writes = await openWrites({
      folder: join(folder.path, 'storage'),
      writer: createWriter(),
      roots: () => [],
      onProblem: fail,
      onExposed: fail,
    });
    const { PendingChangeList } = loadWithVscode(
      join(__dirname, '../../../src/writing/pendingChangeList.js'),
      editor.api,
    ) as typeof listModule;
    const presence: Writer['presence'] = (paths) =>
      Promise.resolve(
        new Map(paths.map((path) => [path, busy.includes(path) ? { state: 'live', signs: [] } : { state: 'free' }])),
      ) as never;
    list = new PendingChangeList({
      writes: () => Promise.resolve(writes),
      presence,
      roots: () => [],
      onChange: () => undefined,
      onWritten: (paths) => Promise.resolve(void written.push(...paths)),
    });
    list.onSettled((changes) => settled.push(changes));
  });
  afterEach(() => list.dispose());

  const sessionFile = async (name: string): Promise<string> => age(await folder.write(name, session().user('a').user('b').text()));

  it('are listed by session, and offered in the palette while there are any', async () => {
    const path = await sessionFile('s.jsonl');
    await list.refresh();
    assert.equal(list.isEmpty(), true);
    const first = await list.add(path, { kind: 'label', entryId: entryId(1), label: 'one' });
    const second = await list.add(path, { kind: 'rename', name: 'two' });
    assert.equal(list.isEmpty(), false);
    assert.deepEqual(
      list.forSession(path).map(({ id }) => id),
      [first.id, second.id],
    );
    assert.equal(await list.drop(first.id), true);
    assert.equal(await list.drop(first.id), false);
    assert.equal(await list.drop(second.id), true);
    assert.equal(list.isEmpty(), true);
    assert.deepEqual(editor.executed, [
      ['setContext', 'sessionTree.waits', true],
      ['setContext', 'sessionTree.waits', false],
    ]);
  });

  it('are written to the sessions that are free, and stay for those that are not', async () => {
    const [free, live] = [await sessionFile('free.jsonl'), await sessionFile('live.jsonl')];
    busy = [live];
    for (const path of [free, live]) await list.add(path, { kind: 'rename', name: 'New name' });
    await list.settle();
    assert.deepEqual([(await readSession(free)).name, (await readSession(live)).name], ['New name', undefined]);
    assert.deepEqual([list.forSession(free).length, list.forSession(live).length], [0, 1]);
    assert.deepEqual(written, [free]);
    assert.deepEqual(
      settled.map((changes) => [changes.written.map(({ path }) => path), changes.stuck]),
      [[[free], []]],
    );
  });
});
