import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import type { SessionSummary } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, Uri, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { TOKENS } from '../../fixtures/plantedSecrets';
import { until } from '../../fixtures/until';
import { runCommands } from './runCommands';

interface Pick {
  readonly items: readonly {
    readonly label: string;
    readonly description?: string;
    readonly detail?: string;
    readonly value?: unknown;
    readonly buttons?: readonly object[];
  }[];
  accept(item: object): void;
  pressItem(item: object, button: object): void;
  hide(): void;
  readonly accepted: { fire(value: undefined): void };
}

describe('Export Sessions', () => {
  const folder = testFolder();
  const token = TOKENS['ghp']!();
  let editor: FakeEditor;
  let paths: string[];
  let run: (id: string, ...args: unknown[]) => Promise<unknown>;
  const opened: unknown[] = [];
  const home = { HOME: process.env['HOME'], USERPROFILE: process.env['USERPROFILE'] };

  beforeEach(async () => {
    Object.assign(process.env, { HOME: folder.path, USERPROFILE: folder.path });
    editor = fakeEditor();
    opened.length = 0;
    paths = [
      await folder.write('a.jsonl', session({ id: 'aaaaaaaa', cwd: '/work/shop' }).user(`one ${token}`).text()),
      await folder.write('b.jsonl', `${session({ id: 'bbbbbbbb', cwd: '/work/shop' }).user(`two ${token}`).text()}not json\n`),
    ];
    Object.assign(editor.api.window, {
      showOpenDialog: () => Promise.resolve([Uri.file(folder.path)]),
    });
    const [newer, older] = paths;
    const summaries = [older, join(folder.path, 'gone.jsonl'), newer].map((path, modified) => ({
      path,
      cwd: '/work/shop',
      title: 'A title',
      modified,
    }));
    const deps: Partial<CommandDeps> = {
      roots: () => [{ path: '/sessions', dialect: 'pi', flat: false }],
      sessions: () => summaries as unknown as SessionSummary[],
      showEntry: (ref) => Promise.resolve(void opened.push(ref)),
    };
    ({ run } = runCommands(deps, editor));
  });
  afterEach(() => {
    for (const [name, value] of Object.entries(home)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });
  const shown = async (count: number): Promise<Pick> => {
    const picks = editor.picks as unknown as readonly Pick[];
    await until(() => picks.length === count && picks[count - 1]!.items.length > 0);
    return picks[count - 1]!;
  };
  const made = async (): Promise<string> =>
    join(folder.path, (await readdir(folder.path)).find((name) => name.startsWith('sessions-')) ?? '');

  it('exports with plain arguments, and refuses a folder that is there and one of sessions', async () => {
    const target = join(folder.path, 'out');
    const sessions = [...paths, paths[0]!].map((path) => ({ path }));
    const answer = (await run('sessionTree.exportSessions', { sessions, format: 'markdown', target })) as {
      path: string;
      index: string;
      files: { session: string; problems: unknown[] }[];
      failed: unknown[];
    };
    assert.deepEqual([answer.path, answer.index, answer.failed], [target, join(target, 'README.md'), []]);
    assert.deepEqual(
      answer.files.map((file) => [file.session, file.problems.length]),
      [
        [paths[0], 0],
        [paths[1], 1],
      ],
    );
    assert.deepEqual(editor.messages, []);
    const again = { sessions, format: 'jsonl', target };
    for (const args of [
      again,
      { ...again, target: '/sessions/out' },
      { ...again, sessions: [] },
      { ...again, sessions: [{}] },
      { ...again, target: `${target}-2`, format: 'pdf' },
      { sessions, target },
    ])
      await assert.rejects(run('sessionTree.exportSessions', args), { code: 'invalid' }, JSON.stringify(args));
    assert.ok(!(await readdir(folder.path)).includes('out-2'));
  });

  it('exports a project after one review, and reports what is missing', async () => {
    const running = run('sessionTree.exportSessions', { row: 'project', cwd: '/work/shop' });
    const formats = await shown(1);
    formats.accept(formats.items.find(({ value }) => value === 'jsonl')!);
    const review = await shown(2);
    const github = review.items.find(({ detail = '' }) => detail.startsWith('github-token · 2 places'))!;
    review.pressItem(github, github.buttons![0]!);
    const places = await shown(3);
    assert.deepEqual(
      places.items.map(({ description }) => description),
      paths.slice(0, 2).map((path) => basename(path)),
    );
    places.pressItem(places.items[0]!, places.items[0]!.buttons![0]!);
    assert.deepEqual(opened, [{ path: paths[0], entryId: entryId(1) }]);
    places.pressItem(places.items[0]!, places.items[0]!.buttons![1]!);
    places.hide();
    review.accepted.fire(undefined);
    await running;
    const names = (await readdir(await made())).sort();
    assert.deepEqual(names, ['session-2026-01-02-aaaaaaaa.jsonl', 'session-2026-01-02-bbbbbbbb.jsonl']);
    const [one = '', two = ''] = await Promise.all(names.map(async (name) => readFile(join(await made(), name), 'utf8')));
    assert.deepEqual([one.includes('one '), two.includes('two [redacted:github-token-1]')], [false, true]);
    assert.match(
      editor.messages[0]!.join(),
      /Exported 2 sessions to ~.sessions-.*Texts replaced: 1\. Not exported, or not whole: 2\..*Show Report/,
    );
  });

  it('takes several selected rows of Export Session, and writes nothing when the review is canceled', async () => {
    const rows = paths.map((path) => ({ row: 'session', path }));
    const executed: unknown[][] = [];
    Object.assign(editor.api.commands, {
      executeCommand: (id: string, ...args: unknown[]) => {
        executed.push([id, ...args]);
        return run(id, ...args);
      },
    });
    const running = run('sessionTree.exportSession', rows[0], rows);
    const formats = await shown(1);
    formats.accept(formats.items.find(({ value }) => value === 'html')!);
    (await shown(2)).hide();
    await running;
    // As from a menu: the row, and all selected ones.
    assert.deepEqual(executed, [['sessionTree.exportSessions', rows[0], rows]]);
    assert.deepEqual([(await readdir(folder.path)).sort(), editor.messages], [['a.jsonl', 'b.jsonl'], []]);
  });
});
