import assert from 'node:assert/strict';
import { finishSteps, type Catalog, type SessionSummary } from '../../../src/core/index';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { matchSessions, sessionCandidates, withLabels } from '../../../src/commands/handler/sessions/matchSessions';
import { session } from '../../fixtures/build';
import { fakeEditor, type FakeQuickPick } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { until } from '../../fixtures/until';
import { file } from '../tree/storedFiles';
import { runCommands } from './runCommands';

function summary(path: string, name: string, cwd = '/work/app', id = `id-${path}`, hours = 1): SessionSummary {
  const listed = file(path, cwd, hours, { name, id });
  assert.ok(listed.kind === 'session');
  return listed.summary;
}

describe('matchSessions', () => {
  const sessions = [
    summary('/a', 'Checkout flow'),
    summary('/b', 'Fix the flaky checkout test'),
    summary('/c', 'Rate limiting', '/work/webshop'),
    summary('/d', 'Recheckouting', '/work/other'),
    summary('/e', 'Cold Heck Out', '/work/other', 'abcdef-0123'),
  ];
  const found = (query: string, labels: Readonly<Record<string, string[]>> = {}, limit = 10): string =>
    matchSessions(query, finishSteps(withLabels(finishSteps(sessionCandidates(sessions)), new Map(Object.entries(labels)))), limit)
      .map(({ path }) => path.slice(1))
      .join('');

  it('finds words at the beginning first, then inside, then letters in this order', () => {
    assert.equal(found('CHECK'), 'abde');
    assert.equal(found('chk test'), 'b');
    assert.equal(found('coheck'), 'e');
    assert.equal(found('nothing like it'), '');
  });

  it('finds by project, label and id, each word by any of them', () => {
    assert.equal(found('webs'), 'c');
    assert.equal(found('rate webshop'), 'c');
    assert.equal(found('def-01'), 'e');
    assert.equal(found('good', { '/d': ['other', 'Good idea'] }), 'd');
    assert.equal(found('check good', { '/d': ['Good idea'] }), 'd');
  });

  it('lists the first without words, and never more than asked for', () => {
    assert.equal(found(' ', {}, 2), 'ab');
    assert.equal(found('check', {}, 2), 'ab');
  });
});

describe('Go to Session', () => {
  const folder = testFolder();
  const MANY = 50_000;

  async function picking(labels: { path: string; label: string }[] = []): Promise<{
    pick: FakeQuickPick<{ label: string; description: string; alwaysShow: boolean; buttons: object[] }>;
    shown: unknown[];
    run: (id: string) => Promise<unknown>;
    ended: Promise<unknown>;
    executed: readonly (readonly unknown[])[];
    path: string;
  }> {
    const path = await folder.write('s.jsonl', session().user('Here').text());
    const sessions = [
      ...Array.from({ length: MANY }, (_, at) => summary(`/s/${String(at)}`, `Session ${String(at)}`)),
      summary(path, 'Newest', '/work/app', 'id', 2),
    ];
    const editor = fakeEditor();
    const shown: unknown[] = [];
    const catalog: Partial<Catalog> = { labels: () => Promise.resolve(labels as never) };
    const { run } = runCommands(
      {
        sessions: () => sessions,
        listedSessions: () => sessions.filter(({ title }) => title !== 'Session 0'),
        subagentParents: () => Promise.resolve(new Map([[path, '/s/0']])),
        catalog: { open: () => Promise.resolve(catalog as Catalog) } as CommandDeps['catalog'],
        showContext: (ref, options) => {
          shown.push([ref, options?.toSide]);
          return Promise.resolve({ messages: 1 });
        },
      },
      editor,
    );
    const ended = run('sessionTree.goToSession');
    await until(() => editor.picks.length > 0);
    return { pick: editor.picks[0] as never, shown, run: (id) => run(id), ended, executed: editor.executed, path };
  }

  it('lists the recent ones at once, of 50,000 a bounded number, and finds the others', async () => {
    const { pick, ended } = await picking([{ path: '/s/777', label: 'the needle' }]);
    assert.equal(pick.items[0]!.label, 'Newest');
    assert.match(pick.items[0]!.description, /^now · app · pi · subagent of Session 0$/);
    assert.match(pick.items[1]!.description, / · app · pi$/);
    assert.equal(pick.items.length, 100);
    pick.type('session 49999');
    assert.deepEqual([pick.items[0]!.label, pick.items[0]!.alwaysShow], ['Session 49999', true]);
    pick.type('session 0');
    assert.notEqual(pick.items[0]?.label, 'Session 0');
    pick.type('needle');
    await until(() => pick.items.length === 1);
    assert.equal(pick.items[0]!.label, 'Session 777');
    pick.hide();
    await ended;
  });

  it('opens a session, opens it to the side by button or key, and resumes it', async () => {
    const first = await picking();
    first.pick.accept(first.pick.items[0]!);
    await first.ended;
    assert.deepEqual(first.shown, [[{ path: first.path }, false]]);

    const second = await picking();
    second.pick.activeItems = [second.pick.items[0]!];
    assert.deepEqual(second.executed.at(-1), ['setContext', 'sessionTree.canOpenToSide', true]);
    await second.run('sessionTree.openItemToSide');
    await second.ended;
    assert.deepEqual(second.shown, [[{ path: second.path }, true]]);
    assert.deepEqual(second.executed.at(-1), ['setContext', 'sessionTree.canOpenToSide', false]);

    const third = await picking();
    const [choice] = third.pick.items;
    (third.pick as unknown as { itemPressed: { fire(event: object): void } }).itemPressed.fire({
      item: choice,
      button: choice!.buttons[1],
    });
    await third.ended;
    assert.deepEqual(third.executed.at(-1), ['sessionTree.resume', { row: 'session', path: third.path }]);
  });
});
