import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import type { Catalog, Writes } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { fakeEditor, type FakeQuickPick } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { until } from '../../fixtures/until';
import { age } from '../../fixtures/writes';
import { file } from '../tree/storedFiles';
import { runCommands, type RunningCommands } from './runCommands';

const NAME = '2026-01-02T10-00-00-000Z_a';

describe('A session with subagents', () => {
  const folder = testFolder();
  let writes: Writes;
  let parent: string;
  /** In the parent's folder, in the folder of the subagent there, and in an ordinary folder. */
  let children: [string, string, string];
  let run: RunningCommands['run'];
  let editor: RunningCommands['editor'];
  let asked: [question: string, detail: string, answers: string[]][];
  let parents: Map<string, string>;
  let answer: string | undefined;
  let start: (deps?: Partial<CommandDeps>) => void;

  const put = async (path: string, title: string): Promise<string> => {
    const file = join(folder.path, 'root', 'project', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, session().user(title).text());
    return age(file);
  };
  const areThere = (): boolean[] => [parent, ...children].map(existsSync);
  const row = (path: string) => ({ row: 'session', path });
  const take = async (id: string, chosen?: string): Promise<void> => {
    answer = chosen;
    await run(id, row(parent));
  };

  beforeEach(async () => {
    parent = await put(`${NAME}.jsonl`, 'Start agents');
    const child = await put(`${NAME}/run/run-0/session.jsonl`, 'Look around');
    children = [child, await put(`${NAME}/run/run-0/session/deeper.jsonl`, 'Look closer'), await put('elsewhere.jsonl', 'Look there')];
    parents = new Map([
      [children[0], parent],
      [children[1], children[0]],
      [children[2], parent],
    ]);
    writes = await openWindow(join(folder.path, 'storage'), join(folder.path, 'root'));
    asked = [];
    const fake = fakeEditor();
    const { window } = fake.api as { window: { showWarningMessage: (text: string, ...rest: unknown[]) => Promise<string | undefined> } };
    const showMessage = window.showWarningMessage;
    window.showWarningMessage = (text, ...rest) => {
      const [options, ...answers] = rest;
      if (typeof options !== 'object') return showMessage(text, ...rest);
      asked.push([text, (options as { detail: string }).detail, answers as string[]]);
      return Promise.resolve(answer);
    };
    start = (deps = {}) =>
      ({ run, editor } = runCommands(
        {
          roots: () => [{ path: join(folder.path, 'root'), dialect: 'pi', flat: false }],
          writer: writes.writer,
          writes: () => Promise.resolve(writes),
          subagentParents: () => Promise.resolve(parents),
          ...deps,
        },
        fake,
      ));
    start();
  });

  it('goes to the trash with all of them after one question, and comes back with one undo', async () => {
    await writeFile(join(dirname(children[0]), 'notes.txt'), 'notes');
    await take('sessionTree.delete');
    assert.deepEqual(areThere(), [true, true, true, true]);
    await take('sessionTree.delete', 'Move All to Trash');
    assert.deepEqual(areThere(), [false, false, false, false]);
    assert.deepEqual(asked.slice(1), [
      [
        `Move “${NAME}.jsonl” to the trash?`,
        'Sessions of subagents: 3. Other files in the session’s folder move along.',
        ['Move All to Trash', 'Without Subagents'],
      ],
    ]);
    await run('sessionTree.undo');
    assert.deepEqual(areThere(), [true, true, true, true]);
  });

  it('goes to the trash without them, and comes back', async () => {
    await take('sessionTree.delete', 'Without Subagents');
    assert.deepEqual(areThere(), [false, true, true, true]);
    assert.equal(asked[0]?.[1], 'Sessions of subagents: 3.');
    await run('sessionTree.undo');
    assert.deepEqual(areThere(), [true, true, true, true]);
  });

  it('goes to the trash by its path with its folder, with all of them, or alone', async () => {
    const { trashId } = (await run('sessionTree.delete', { path: parent })) as { trashId: string };
    assert.deepEqual(areThere(), [false, false, false, true]);
    await run('sessionTree.restore', { trashId });
    await run('sessionTree.delete', { path: parent, withSubagents: true });
    assert.deepEqual(areThere(), [false, false, false, false]);
    await run('sessionTree.undo', {});
    await run('sessionTree.delete', { path: parent, withSubagents: false });
    assert.deepEqual(areThere(), [false, true, true, true]);
    assert.deepEqual(asked, []);
  });

  it('goes to the trash only with the sessions in its folder, if they would not be listed without it', async () => {
    const path = await put('named.jsonl', 'Named by a person');
    const child = await put('named/run/session.jsonl', 'Look');
    parents.set(child, path);
    answer = 'Without Subagents';
    await run('sessionTree.delete', row(path));
    assert.deepEqual(asked[0]?.[2], ['Move All to Trash']);
    assert.deepEqual([path, child].map(existsSync), [true, true]);
    answer = 'Move All to Trash';
    await run('sessionTree.delete', row(path));
    assert.deepEqual([path, child].map(existsSync), [false, false]);
  });

  it('goes to the trash together with those of them that are selected, too, and leaves the others on request', async () => {
    const rows = [parent, ...children].map(row);
    await run('sessionTree.delete', rows[0], rows);
    assert.deepEqual([asked, areThere()], [[], [false, false, false, false]]);
    await run('sessionTree.undo');
    assert.deepEqual(areThere(), [true, true, true, true]);
    answer = 'Without Subagents';
    await run('sessionTree.delete', rows[0], [rows[0], rows[1]]);
    assert.deepEqual(areThere(), [false, false, true, true]);
    await run('sessionTree.undo');
    assert.deepEqual(areThere(), [true, true, true, true]);
  });

  it('stays with all of them, also by its path, while a program uses one of them', async () => {
    for (const used of [children[0], children[2]]) {
      const name = basename(used);
      const lock = join(dirname(used), `.${name}.lock`);
      await writeFile(lock, `${String(process.ppid)}:${String(Date.now())}\n`);
      for (const [id, all] of [
        ['sessionTree.delete', 'Move All to Trash'],
        ['sessionTree.archive', 'Archive All'],
      ] as const) {
        await take(id, all);
        assert.ok(editor.messages.splice(0)[0]?.[0]?.includes(`using “${name}”. Close it there first`), id);
        assert.deepEqual(areThere(), [true, true, true, true], id);
      }
      await assert.rejects(async () => run('sessionTree.delete', { path: parent, withSubagents: true }), { code: 'live' });
      assert.deepEqual(areThere(), [true, true, true, true]);
      await unlink(lock);
    }
  });

  it('is archived with all of them or alone, and one undo brings them back', async () => {
    await take('sessionTree.archive', 'Archive All');
    assert.deepEqual(areThere(), [false, false, false, false]);
    assert.deepEqual(asked, [[`Archive “${NAME}.jsonl”?`, 'Sessions of subagents: 3.', ['Archive All', 'Without Subagents']]]);
    await run('sessionTree.undo');
    assert.deepEqual(areThere(), [true, true, true, true]);
    await take('sessionTree.archive', 'Without Subagents');
    assert.deepEqual(areThere(), [false, true, true, true]);
  });

  describe('that is old', () => {
    /** Cleans up all sessions that the list has, and resolves to their number. */
    const cleanUp = async (target: 'Archive' | 'Move to Trash', chosen?: string): Promise<number> => {
      answer = chosen;
      editor.picks.length = 0;
      const done = run('sessionTree.cleanUp');
      const picks = editor.picks as unknown as FakeQuickPick<{ readonly label: string }>[];
      for (const isMeant of [(label: string) => label.startsWith('Older than 30 days'), (label: string) => label === target]) {
        const step = picks.length;
        await until(() => picks.length > step);
        const pick = picks[step]!;
        pick.accept(pick.items.find(({ label }) => isMeant(label)) ?? assert.fail('The choice is missing.'));
      }
      await until(() => picks.length === 3);
      const list = picks[2]!;
      list.select(list.items);
      list.acceptSelected();
      await done;
      return list.items.length;
    };

    beforeEach(async () => {
      // Only the parent is old.
      await utimes(parent, 0, 0);
      const sessions = [parent, ...children].flatMap((path) => {
        const listed = file(path, '/work', path === parent ? 10_000 : 0);
        return listed.kind === 'session' ? [listed.summary] : [];
      });
      start({
        sessions: () => sessions,
        catalog: {
          open: () => Promise.resolve({ labels: () => Promise.resolve([]) } as unknown as Catalog),
        } as unknown as CommandDeps['catalog'],
      });
    });

    it('is archived in a clean-up with all of them or alone, after one question', async () => {
      assert.equal(await cleanUp('Archive'), 1);
      assert.deepEqual(areThere(), [true, true, true, true]);
      const [, detail, answers] = asked.splice(0)[0]!;
      assert.match(detail, /Sessions of subagents: 3\./);
      assert.deepEqual(answers, ['Archive All', 'Without Subagents']);
      await cleanUp('Archive', 'Archive All');
      assert.deepEqual(areThere(), [false, false, false, false]);
      assert.match(editor.messages.at(-1)?.[0] ?? '', /^Archived sessions: 4 /);
      await run('sessionTree.undo');
      assert.deepEqual(areThere(), [true, true, true, true]);
      await utimes(parent, 0, 0);
      await cleanUp('Archive', 'Without Subagents');
      assert.deepEqual(areThere(), [false, true, true, true]);
    });

    it('goes to the trash in a clean-up with all of them or alone, and the message has the size of what has moved', async () => {
      await cleanUp('Move to Trash', 'Move All to Trash');
      assert.deepEqual(asked.splice(0)[0]?.[2], ['Move All to Trash', 'Without Subagents']);
      assert.deepEqual(areThere(), [false, false, false, false]);
      assert.match(editor.messages.at(-1)?.[0] ?? '', /^Sessions moved to the trash: 2 /);
      await run('sessionTree.undo');
      assert.deepEqual(areThere(), [true, true, true, true]);
      const { size } = await stat(parent);
      await cleanUp('Move to Trash', 'Without Subagents');
      assert.deepEqual(areThere(), [false, true, true, true]);
      assert.equal(editor.messages.at(-1)?.[0], `Sessions moved to the trash: 1 (${(size / 1024).toFixed(1)} KB)`);
    });

    it('stays out of a clean-up’s way: a session of a subagent that a program uses is left, with the reason', async () => {
      const used = children[2];
      await writeFile(join(dirname(used), `.${basename(used)}.lock`), `${String(process.ppid)}:${String(Date.now())}\n`);
      await cleanUp('Move to Trash', 'Move All to Trash');
      assert.deepEqual(areThere(), [false, false, false, true]);
      assert.match(editor.messages.at(-1)?.[0] ?? '', /Left as they are: 1/);
    });
  });

  describe('and calls', () => {
    let shown: string[];
    let call: { readonly row: 'entry'; readonly path: string; readonly entryId: string };

    /** @param named the children that a call's result names */
    const startWith = (started: readonly { readonly path: string; readonly title: string; readonly isNamed?: true }[]): void => {
      shown = [];
      start({
        subagentsOf: () =>
          Promise.resolve(
            started.flatMap(({ path, title, isNamed = false }) => {
              const listed = file(path, '/work', 1);
              if (listed.kind !== 'session') return [];
              const named = isNamed ? { callId: 'x', entryId: call.entryId, from: 0 } : undefined;
              return [{ file: { ...listed, summary: { ...listed.summary, title } }, call: named, isNamed }];
            }),
          ),
        showContext: ({ path }) => {
          shown.push(path);
          return Promise.resolve({ messages: 0 });
        },
      });
    };

    beforeEach(async () => {
      const args = { tasks: ['Is there a test for the login?'] };
      const text = session()
        .user('Start agents')
        .assistant([{ type: 'toolCall', id: 'x', name: 'task', arguments: args }], { id: 'the-call', message: { stopReason: 'toolUse' } })
        .text();
      await writeFile(parent, text);
      call = { row: 'entry', path: parent, entryId: 'the-call' };
    });

    it('leads from a call to the session that its result names', async () => {
      startWith([
        { path: children[0], title: 'Is there a test for the login?' },
        { path: children[2], title: 'Look there', isNamed: true },
      ]);
      await run('sessionTree.goToSubagent', call);
      assert.deepEqual(shown, [children[2]]);
    });

    it('offers the only session without a call, and doesn’t claim to know', async () => {
      startWith([{ path: children[0], title: 'Look around' }]);
      const done = run('sessionTree.goToSubagent', call);
      await until(() => editor.picks.length > 0);
      const pick = editor.picks[0] as unknown as FakeQuickPick<{ readonly label: string }>;
      assert.match((pick as unknown as { placeholder: string }).placeholder, /doesn’t say which session/);
      pick.accept(pick.items[0]!);
      await done;
      assert.deepEqual(shown, [children[0]]);
      await assert.rejects(run('sessionTree.goToSubagent', { path: parent, entryId: 'the-call' }), {
        code: 'not-found',
      });
    });

    it('offers the sessions without a call, the likeliest first, and doesn’t claim to know', async () => {
      startWith([
        { path: children[0], title: 'Which proxies stand before the shop?' },
        { path: children[2], title: 'Is there a test for the login?' },
      ]);
      const done = run('sessionTree.goToSubagent', call);
      await until(() => editor.picks.length > 0);
      const pick = editor.picks[0] as unknown as FakeQuickPick<{ readonly label: string }>;
      assert.deepEqual(
        pick.items.map(({ label }) => label),
        ['Is there a test for the login?', 'Which proxies stand before the shop?'],
      );
      assert.match((pick as unknown as { placeholder: string }).placeholder, /doesn’t say which session/);
      pick.accept(pick.items[1]!);
      await done;
      assert.deepEqual(shown, [children[0]]);
    });

    it('says so if all of its sessions were started by other calls', async () => {
      startWith([{ path: children[0], title: 'Look around', isNamed: true }]);
      await run('sessionTree.goToSubagent', { ...call, entryId: 'other' });
      assert.deepEqual(shown, []);
      assert.match(editor.messages[0]?.[0] ?? '', /No session of a subagent/);
    });
  });

  it('is exported with all of them into a folder, if the person wants that', async () => {
    const done = take('sessionTree.exportSession');
    await until(() => editor.picks.length > 0);
    const pick = editor.picks[0] as unknown as FakeQuickPick<{ readonly label: string }>;
    assert.deepEqual(
      pick.items.map(({ label }) => label),
      ['HTML', 'Markdown', 'JSONL', '', 'This Session and Its Subagents’ Sessions'],
    );
    pick.accept(pick.items[4]!);
    await done;
    const rows = [parent, ...children].map(row);
    assert.deepEqual(editor.executed.at(-1), ['sessionTree.exportSessions', rows[0], rows]);
  });
});
