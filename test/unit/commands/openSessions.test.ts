import assert from 'node:assert/strict';
import type { SessionRef } from '../../../src/contract';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, Uri, type FakeQuickPick } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { until } from '../../fixtures/until';
import { runCommands } from './runCommands';

describe('Reveal Session', () => {
  const shown: SessionRef = { path: '/sessions/a.jsonl', entryId: 'e1' };

  it('selects the entry that the active context view shows', async () => {
    const { run } = runCommands({ activeRef: () => shown, reveal: () => Promise.resolve(true) });
    assert.deepEqual(await run('sessionTree.revealSession', {}), shown);
  });

  it('selects the entry of the active document', async () => {
    const editor = fakeEditor();
    const uri = Uri.from({ scheme: 'session-tree', path: '/A.md', query: '["/sessions/a.jsonl","e1"]' });
    editor.api.window.tabGroups.activeTabGroup.activeTab = { input: Object.assign(new editor.api.TabInputText({}), { uri }) };
    const revealed: SessionRef[] = [];
    const refOfDocument = (asked: object): SessionRef | undefined => (asked === uri ? shown : undefined);
    const { run } = runCommands({ refOfDocument, reveal: (ref) => Promise.resolve(revealed.push(ref) > 0) }, editor);
    await run('sessionTree.revealSession');
    assert.deepEqual(revealed, [shown]);
    assert.deepEqual(editor.messages, []);
  });
});

describe('Show Context', () => {
  const folder = testFolder();

  it('says nothing if the view takes long, because it shows by itself that it’s loading', async () => {
    const path = await folder.write('s.jsonl', session().user('a').text());
    const logged: unknown[] = [];
    const log = {
      show: () => undefined,
      dispose: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      warnOnce: () => undefined,
    };
    let code = 'timeout';
    const { run, editor } = runCommands({
      log: { ...log, error: (error) => void logged.push(error) },
      showContext: () => Promise.reject(Object.assign(new Error('slow'), { code })),
    });
    const row = { row: 'session', path };
    await run('sessionTree.showContext', row);
    assert.deepEqual([logged.length, editor.messages], [1, []]);
    code = 'other';
    await run('sessionTree.showContext', row);
    assert.match(editor.messages.join(), /Unexpected error: slow/);
  });
});

describe('Compare', () => {
  const folder = testFolder();

  it('puts the older of two selected entries on the left, in whatever order they were selected', async () => {
    const path = await folder.write('s.jsonl', session().user('a').assistant('b').user('c').text());
    const compared: unknown[] = [];
    const compare = (...sides: SessionRef[]): Promise<never> => Promise.resolve(compared.push(sides.map((side) => side.entryId)) as never);
    const { run } = runCommands({ compare });
    const rows = [3, 1].map((n) => ({ row: 'entry', path, entryId: entryId(n) }));
    await run('sessionTree.compare', rows[0], rows);
    await run('sessionTree.compare', rows[1], rows);
    assert.deepEqual(compared, [
      [entryId(1), entryId(3)],
      [entryId(1), entryId(3)],
    ]);
  });

  it('takes a session for its leaf', async () => {
    const path = await folder.write('s.jsonl', session().user('a').assistant('b').text());
    const compared: unknown[] = [];
    const compare = (...sides: SessionRef[]): Promise<never> => Promise.resolve(compared.push(sides.map((side) => side.entryId)) as never);
    const rows = [
      { row: 'session', path },
      { row: 'entry', path, entryId: entryId(1) },
    ];
    await runCommands({ compare }).run('sessionTree.compare', rows[0], rows);
    assert.deepEqual(compared, [[entryId(1), undefined]]);
  });

  it('lists the other branches with their last visible entries and their turns, the newest first', async () => {
    const built = session().user('a').assistant('b').user('left').custom('x', {}).branchFrom(entryId(2)).user('right').user('again');
    const path = await folder.write('s.jsonl', built.branchFrom(entryId(2)).assistant('current').text());
    const compared: unknown[] = [];
    const compare = (...sides: SessionRef[]): Promise<never> => Promise.resolve(compared.push(sides) as never);
    const { run, editor } = runCommands({ compare });
    const done = run('sessionTree.compare', { row: 'session', path });
    await until(() => (editor.picks[0]?.items.length ?? 0) > 0);
    const pick = editor.picks[0] as unknown as FakeQuickPick<{ label: string; description?: string }>;
    assert.deepEqual(
      pick.items.slice(1, 3).map(({ label, description }) => [label, description?.split(' · ')[0]]),
      [
        ['user: again', '2 turns'],
        ['user: left', '1 turn'],
      ],
    );
    pick.accept(pick.items[1]!);
    await done;
    assert.deepEqual(compared, [[{ path }, { path, entryId: entryId(6) }]]);
  });

  it('has the roles of messages in the language of the editor', async () => {
    const built = session().user('a').assistant('left').branchFrom(entryId(1)).assistant('current');
    const path = await folder.write('roles.jsonl', built.text());
    const editor = fakeEditor();
    const { t } = editor.api.l10n;
    editor.api.l10n.t = (text, ...args) => (text === 'assistant' ? 'Assistent' : t(text, ...args));
    const { run } = runCommands({ compare: () => Promise.resolve(undefined as never) }, editor);
    const done = run('sessionTree.compare', { row: 'session', path });
    await until(() => (editor.picks[0]?.items.length ?? 0) > 0);
    const pick = editor.picks[0] as unknown as FakeQuickPick<{ label: string }>;
    assert.equal(pick.items[1]?.label, 'Assistent: left');
    pick.accept(pick.items[1]);
    await done;
  });
});
