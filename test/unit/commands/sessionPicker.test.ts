import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { SessionRef } from '../../../src/contract';
import type * as pickerModule from '../../../src/commands/handler/sessions/sessionPicker';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import type { SessionSummary } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, type FakeQuickPick } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';
import { file } from '../tree/storedFiles';
import { runCommands } from './runCommands';

const MODULE = join(__dirname, '../../../src/commands/handler/sessions/sessionPicker.js');

type Pick = FakeQuickPick<{ readonly label: string; readonly alwaysShow?: boolean; readonly kind?: number }>;

describe('A choice of sessions', () => {
  const folder = testFolder();

  /** Runs a command with 500 sessions: Session 0 is the oldest, and is a file with two branches. */
  async function choosing(
    id: string,
    deps: (path: string) => Partial<CommandDeps>,
    row = false,
  ): Promise<{ pick: Pick; ended: Promise<unknown>; path: string }> {
    const path = await folder.write('s.jsonl', session().user('One').user('Two').branchFrom(entryId(1)).user('Three').text());
    const sessions = Array.from({ length: 500 }, (_, at): SessionSummary => {
      const listed = file(at === 0 ? path : `/s/${String(at)}`, '/work/app', at, { name: `Session ${String(at)}`, id: `id${String(at)}` });
      assert.ok(listed.kind === 'session');
      return listed.summary;
    });
    const editor = fakeEditor();
    const { run } = runCommands({ sessions: () => sessions, ...deps(path) }, editor);
    const ended = row ? run(id, { row: 'session', path }) : run(id);
    await until(() => editor.picks.length > 0);
    return { pick: editor.picks[0] as unknown as Pick, ended, path };
  }
  const labels = ({ items }: Pick): string[] => items.map(({ label }) => label);

  it('lists the newest ones and finds the others', async () => {
    const shown: SessionRef[] = [];
    const { pick, ended, path } = await choosing('sessionTree.showContext', () => ({
      showContext: (ref) => Promise.resolve({ messages: shown.push(ref) }),
    }));
    assert.deepEqual([pick.title, pick.placeholder], ['Show Context', 'Select a session']);
    assert.deepEqual([labels(pick).slice(0, 2), pick.items.length], [['Session 499', 'Session 498'], 100]);
    pick.type('id0');
    assert.deepEqual(labels(pick), []);
    pick.type('session 0');
    assert.deepEqual([labels(pick)[0], pick.items[0]?.alwaysShow], ['Session 0', true]);
    pick.accept(pick.items[0]!);
    await ended;
    assert.deepEqual(shown, [{ path }]);
  });

  it('calls a session that has messages, but none of a person, as the Sessions view does', () => {
    const { sessionItem } = loadWithVscode(MODULE, fakeEditor().api) as typeof pickerModule;
    const labelWith = (messageCount: number): string => {
      const listed = file('/s/a', '/work/app', 1, { messageCount });
      assert.ok(listed.kind === 'session');
      return sessionItem({ ago: () => '', summary: () => undefined }, listed.summary, new Map()).label;
    };
    assert.deepEqual([labelWith(4), labelWith(0)], ['(no prompt)', '(no messages)']);
  });

  it('says which session a fork was made from, if that is known', () => {
    const { sessionItem } = loadWithVscode(MODULE, fakeEditor().api) as typeof pickerModule;
    const [origin, fork] = [file('/s/a', '/work/app', 1, { name: 'Doors' }), file('/s/b', '/work/app', 2, { parentSession: '/s/a' })];
    assert.ok(origin.kind === 'session' && fork.kind === 'session');
    const textWith = (known: SessionSummary | undefined, parents = new Map<string, string>()): string | undefined =>
      sessionItem({ ago: () => '1 min. ago', summary: (path) => (path === '/s/a' ? known : undefined) }, fork.summary, parents).description;
    assert.equal(textWith(origin.summary), '1 min. ago · app · pi · from “Doors”');
    assert.equal(textWith(undefined), '1 min. ago · app · pi');
    assert.equal(textWith(origin.summary, new Map([['/s/b', '/s/a']])), '1 min. ago · app · pi · subagent of Doors');
  });

  it('has the branches above the other sessions when one is compared', async () => {
    const compared: (readonly SessionRef[])[] = [];
    const { pick, ended, path } = await choosing(
      'sessionTree.compare',
      () => ({ compare: (...sides) => Promise.resolve(compared.push(sides) as never) }),
      true,
    );
    const branch = ['Branches of this session', 'user: Two', 'Other sessions'];
    assert.deepEqual([labels(pick).slice(0, 5), pick.items.length], [[...branch, 'Session 499', 'Session 498'], 103]);
    pick.type('session 77');
    assert.deepEqual(labels(pick).slice(0, 4), [...branch, 'Session 77']);
    assert.deepEqual(
      pick.items.slice(0, 4).map(({ alwaysShow }) => alwaysShow ?? false),
      [false, false, false, true],
    );
    assert.ok(!labels(pick).includes('Session 0'));
    pick.accept(pick.items[3]!);
    await ended;
    assert.deepEqual(compared, [[{ path }, { path: '/s/77' }]]);
  });
});
