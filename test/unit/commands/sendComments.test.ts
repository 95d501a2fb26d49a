import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWriter, readSession, SessionError, waitingPrompts, type Catalog, type Presence } from '../../../src/core/index';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { fakeEditor, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { noPrograms } from '../../fixtures/writes';
import { runCommands, servicesFor } from './runCommands';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import type * as deliveryModule from '../../../src/commands/review/promptDelivery';
import type * as senderModule from '../../../src/commands/review/waitingSender';

interface Sent {
  readonly sent: { path: string; entryId: string; comments: number[]; text: string; how: string }[];
  readonly left: { comment: number; reason: string }[];
}

interface Terminal {
  readonly options: { readonly shellArgs: string[]; readonly isTransient?: boolean };
  readonly sent: string[];
}

const COMMANDS = join(__dirname, '../../../src/commands/review');
const HOSTILE = '```\n$(rm -rf ~) `x` [run](command:evil) \u001b[201~\r';

describe('Comments that are sent', () => {
  const project = testFolder();
  const storage = testFolder();
  const store = testCatalog();
  let editor: FakeEditor;
  let catalog: Catalog;
  let terminals: Terminal[];
  /** What is known of programs at each look, the last one for all further looks. */
  let presences: Presence['state'][];
  let needsInput: boolean;
  let program: string;
  let isReadOnly: boolean;

  const at = (name: string): string => join(project.path, name);
  const sourceOf = (name: string): string => at(`${name}.ts`);
  const line = (name: string): string => `export const ${name} = compute('${name}', 1);\n`;
  const writing = (name: string): SessionBuilder =>
    session({ cwd: project.path, id: name })
      .user(`Write ${name}`)
      .tool('write', { path: `${name}.ts`, content: line(name) })
      .assistant('Done.', { stopReason: 'stop' });
  const age = (path: string): void => utimesSync(path, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
  const depsNow = (): Partial<CommandDeps> => {
    const writer = createWriter({ signs: noPrograms });
    return {
      catalog: { open: () => Promise.resolve(catalog), settled: () => Promise.resolve() } as Partial<CommandDeps['catalog']> as never,
      reviewFolder: storage.path,
      needsInput: () => needsInput,
      sessions: () => ['a', 'b'].flatMap((name) => catalog.files().get(store.path(name))?.row.summary ?? []),
      writer: {
        ...writer,
        assertChangeable: (path) =>
          isReadOnly && path === store.path('a')
            ? Promise.reject(new SessionError('read-only', 'This session is read-only.'))
            : writer.assertChangeable(path),
        presence: (paths) => {
          const state = (presences.length > 1 ? presences.shift() : presences[0]) ?? 'free';
          return Promise.resolve(
            new Map(paths.map((path) => [path, state === 'free' ? { state } : { state, signs: [{ how: 'open' }] }] as [string, Presence])),
          );
        },
      },
    };
  };
  const send = async (args: object): Promise<Sent> => (await runCommands(depsNow(), editor).run('sessionTree.sendComments', args)) as Sent;
  const argsOf = (terminal: Terminal | undefined): string[] => terminal?.options.shellArgs.slice(4) ?? [];

  before(function () {
    // The arguments of terminals are one string there.
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    [terminals, presences, needsInput, isReadOnly] = [[], ['free'], false, false];
    program = at('pi');
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o755);
    editor = fakeEditor();
    Object.assign(editor.api.workspace, {
      isTrusted: true,
      textDocuments: [],
      getConfiguration: () => ({ get: () => ({ pi: [program] }) }),
    });
    Object.assign(editor.api.window, {
      terminals: [],
      createTerminal: (options: Terminal['options']) => {
        const sent: string[] = [];
        const terminal = { options, creationOptions: options, sent, show: () => undefined, sendText: (text: string) => sent.push(text) };
        terminals.push(terminal);
        return terminal;
      },
    });
    for (const name of ['a', 'b']) await project.write(`${name}.ts`, line(name));
    catalog = await store.open({ a: writing('a'), b: writing('b') });
    for (const name of ['a', 'b']) age(store.path(name));
  });

  const comments = [
    { file: '', from: 1, text: HOSTILE },
    { file: '', from: 1, text: 'second' },
    { file: '', from: 9, text: 'nowhere' },
  ];
  const given = (): object => ({ comments: comments.map((one, index) => ({ ...one, file: at(index === 1 ? 'b.ts' : 'a.ts') })) });

  it('go to each session in its program, as one argument, and others stay with the reason', async () => {
    const dry = await send({ ...given(), dryRun: true });
    assert.deepEqual([terminals.length, dry.sent.map(({ how }) => how)], [0, ['resume', 'resume']]);
    const { sent, left } = await send(given());
    assert.deepEqual(
      sent.map(({ path, comments: which, how }) => [path, which, how]),
      [
        [store.path('a'), [0], 'resume'],
        [store.path('b'), [1], 'resume'],
      ],
    );
    assert.deepEqual(left, [{ comment: 2, reason: 'The file has only 1 line.' }]);
    assert.deepEqual(
      terminals.map((terminal) => argsOf(terminal)),
      sent.map(({ path, text }) => ['--session', path, text]),
    );
    assert.ok(sent[0]?.text.includes(HOSTILE.trim().split('\n')[1] ?? '?'));
    assert.deepEqual(
      terminals.map(({ options }) => options.isTransient),
      [true, true],
    );
  });

  it('are one prompt for each session, however many there are', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const content = (name: string): string => Array.from({ length: 10 }, (_, at) => line(`${name}${String(at)}`)).join('');
    const sessions = Object.fromEntries(
      names.map((name) => [
        name,
        session({ cwd: project.path, id: name })
          .user(`Write ${name}`)
          .tool('write', { path: `${name}.ts`, content: content(name) })
          .assistant('Done.', { stopReason: 'stop' }),
      ]),
    );
    for (const name of names) await project.write(`${name}.ts`, content(name));
    catalog = await store.open(sessions);
    for (const name of names) age(store.path(name));
    const fifty = Array.from({ length: 50 }, (_, at) => ({
      file: sourceOf(names[at % 5] ?? ''),
      from: 1 + Math.floor(at / 5),
      text: `Remark ${String(at)}`,
    }));
    const { sent, left } = await send({ comments: fifty });
    assert.deepEqual([sent.map(({ comments: which }) => which.length), left], [[10, 10, 10, 10, 10], []]);
    assert.equal(terminals.length, 5);
  });

  it('go by file where they’re long', async () => {
    const text = 'x'.repeat(20_000);
    await send({ comments: [{ file: at('a.ts'), from: 1, text }] });
    const [, , file = '', note] = argsOf(terminals[0]);
    assert.match(note ?? '', /review comments/);
    assert.ok(file.startsWith(`@${storage.path}`));
    assert.ok(readFileSync(file.slice(1), 'utf8').includes(text));
  });

  it('wait while a program has the session, also if that started meanwhile', async () => {
    for (const states of [['live'], ['unsure'], ['free', 'live'], ['free', 'unsure']] as const) {
      presences = [...states];
      const { sent } = await send({ comments: [{ file: at('a.ts'), from: 1, text: states.join() }] });
      assert.deepEqual([sent.map(({ how }) => how), terminals.length], [['later'], 0], states.join());
    }
    const [first] = await waitingPrompts(join(storage.path, 'waiting'));
    assert.deepEqual([first?.path, first?.text.includes('live')], [store.path('a'), true]);
  });

  it('go once if two windows send to a session at the same time', async () => {
    const both = await Promise.all([send(given()), send(given())]);
    const hows = both.flatMap(({ sent }) => sent.map(({ path, how }) => `${path} ${how}`));
    assert.equal(hows.filter((one) => one.endsWith('resume')).length, 2);
    assert.equal(new Set(hows).size, 4, 'each session once, and once later');
  });

  it('are pasted into the terminal whose own program has the session and waits, without keys', async () => {
    await send({ comments: [{ file: at('a.ts'), from: 1, text: 'first' }] });
    Object.assign(editor.api.window, { terminals });
    presences = ['live'];
    needsInput = true;
    const { sent } = await send({ comments: [{ file: at('a.ts'), from: 1, text: HOSTILE }] });
    assert.deepEqual(
      sent.map(({ how }) => how),
      ['terminal'],
    );
    const [pasted = ''] = terminals[0]?.sent ?? [];
    assert.ok(pasted.startsWith('\u001b[200~') && pasted.endsWith('\u001b[201~'));
    assert.deepEqual(pasted.slice(6, -6).match(/[^\P{Cc}\n\t]/gu), null);
    // A shell that was told to run the program isn't the program.
    Object.assign(editor.api.window, {
      terminals: [{ creationOptions: { shellPath: '/bin/bash', shellArgs: ['-c', `pi --session ${store.path('a')}`] } }],
    });
    assert.equal((await send({ comments: [{ file: at('a.ts'), from: 1, text: 'x' }] })).sent[0]?.how, 'later');
  });

  it('branch first if the branch was left, and change nothing else', async () => {
    catalog = await store.open({
      a: writing('a').branchFrom(entryId(1)).user('Something else').assistant('Else.', { stopReason: 'stop' }),
    });
    age(store.path('a'));
    const before = readFileSync(store.path('a'), 'utf8');
    const { sent } = await send({ comments: [{ file: at('a.ts'), from: 1, text: 'x' }] });
    assert.equal(sent[0]?.how, 'resume');
    const added = readFileSync(store.path('a'), 'utf8').slice(before.length).trimEnd().split('\n');
    assert.deepEqual([added.length, (JSON.parse(added[0] ?? '{}') as { parentId: string }).parentId], [1, sent[0].entryId]);
  });

  it('go to a fork where nothing may be written in the session, which stays as it is', async () => {
    const before = readFileSync(store.path('a'), 'utf8');
    isReadOnly = true;
    const { sent, left } = await send({ comments: [{ file: at('a.ts'), from: 1, text: HOSTILE }] });
    const [one] = sent;
    assert.ok(one, JSON.stringify(left));
    assert.deepEqual([left, one.how, readFileSync(store.path('a'), 'utf8')], [[], 'fork', before]);
    assert.notEqual(one.path, store.path('a'));
    assert.equal((await readSession(one.path)).leafId, one.entryId);
    assert.deepEqual(argsOf(terminals[0]), ['--session', one.path, one.text]);
  });

  it('go later once the session is free, each once, and say so if the session is gone by then', async () => {
    presences = ['live'];
    for (const name of ['a', 'b']) await send({ comments: [{ file: sourceOf(name), from: 1, text: `for ${name}` }] });
    rmSync(store.path('b'));
    const { PromptDelivery } = loadWithVscode(join(COMMANDS, 'promptDelivery.js'), editor.api) as typeof deliveryModule;
    const { WaitingSender } = loadWithVscode(join(COMMANDS, 'waitingSender.js'), editor.api) as typeof senderModule;
    const deps = servicesFor(depsNow());
    const problems: unknown[] = [];
    const senders = [1, 2].map(
      () =>
        new WaitingSender({
          deps,
          delivery: new PromptDelivery(deps),
          onChange: () => undefined,
          onProblem: (error) => problems.push(error),
        }),
    );
    try {
      await Promise.all(senders.map((sender) => sender.look()));
      assert.deepEqual([terminals.length, senders.map((sender) => sender.isWaiting(store.path('a')))], [0, [true, true]]);
      presences = ['free'];
      // Two windows look at the same time.
      await Promise.all(senders.map((sender) => sender.look()));
      assert.deepEqual(
        terminals.map((terminal) => argsOf(terminal).slice(0, 2)),
        [['--session', store.path('a')]],
      );
      assert.match(argsOf(terminals[0])[2] ?? '', /for a/);
      assert.deepEqual(await waitingPrompts(join(storage.path, 'waiting')), []);
      assert.deepEqual(
        problems.map((error) => (error as SessionError).code),
        ['not-found'],
      );
    } finally {
      for (const sender of senders) sender.dispose();
    }
  });

  it('stay with the reason if their session is gone once they go, and the others go', async () => {
    const { sent: checked } = await send({ ...given(), dryRun: true });
    rmSync(store.path('b'));
    const { PromptDelivery } = loadWithVscode(join(COMMANDS, 'promptDelivery.js'), editor.api) as typeof deliveryModule;
    const { sent, left } = await new PromptDelivery(servicesFor(depsNow())).send(checked);
    assert.deepEqual(
      [sent.map(({ path, how }) => [path, how]), left.map(({ comment, error }) => [comment, error.code]), terminals.length],
      [[[store.path('a'), 'resume']], [[1, 'not-found']], 1],
    );
  });

  it('are refused if they aren’t comments', async () => {
    for (const bad of [undefined, 'x', [1], [{ file: 'relative', from: 1, text: 'x' }], [{ file: at('a.ts'), from: '1', text: 'x' }]])
      await assert.rejects(send({ comments: bad }), { code: 'invalid' });
    assert.deepEqual(await send({ comments: [] }), { sent: [], left: [] });
  });
});
