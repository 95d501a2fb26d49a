/** Intended differences from pi 0.87.1. Each test names one, and shows pi's behavior beside ours. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSessionContext,
  readSession,
  SessionError,
  SessionManager,
  sessionUsage,
  toLlmMessages,
  type Message,
} from '../../src/core/index';
import { entryId, session, type SessionBuilder } from '../fixtures/build';
import { home, withEnvironment } from '../fixtures/environment';
import { testFolder } from '../fixtures/folder';
import { problems } from '../fixtures/read';
import { snapshot } from '../fixtures/writes';
import { copies, loadPi, type Pi } from './pi';
import { loadPiManager, type PiManagers } from './piManager';

describe('pi differs', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let pi: Pi;
  let manager: PiManagers;
  before(async () => {
    pi = await loadPi();
    manager = await loadPiManager();
  });

  const paths = (text: string): ReturnType<typeof copies> => copies(folder.path, text);
  const code = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => assert.fail('not refused'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof SessionError, String(error));
    return error.code;
  };
  const messagesOf = async (built: SessionBuilder): Promise<{ ours: readonly object[]; theirs: readonly unknown[] }> => {
    const { ours, theirs } = paths(built.text());
    return { ours: (await buildSessionContext(await readSession(ours))).messages, theirs: pi.open(theirs).buildSessionContext().messages };
  };

  it('on open: it migrates the file, we change no byte', async () => {
    const { ours, theirs } = paths(
      session({ version: 2 }).user('a').message({ role: 'hookMessage', customType: 'h', content: 'x' }).text(),
    );
    const before = readFileSync(ours, 'utf8');
    const opened = await SessionManager.open(ours);
    assert.equal(readFileSync(ours, 'utf8'), before);
    assert.equal(opened.getHeader().version, 2);
    pi.open(theirs);
    assert.notEqual(readFileSync(theirs, 'utf8'), before);
  });

  it('on a last line without a line break: it adds one, we change no byte', async () => {
    const { ours, theirs } = paths(session().user('a').text().trimEnd());
    const before = readFileSync(ours, 'utf8');
    assert.equal((await SessionManager.open(ours)).getLeafId(), pi.open(theirs).getLeafId());
    assert.deepEqual([readFileSync(ours, 'utf8'), readFileSync(theirs, 'utf8')], [before, `${before}\n`]);
  });

  it('on rows: it shows wrappers, `cd`, the folder and JSON, we show what was said and done', async () => {
    const { ours, theirs } = paths(
      session()
        .user('[Tue 2026-05-05 09:41 GMT+8] Fix the parser')
        .tool('bash', { command: 'cd /work/demo && npm test' })
        .tool('read', { path: '/work/demo/src/a.ts', offset: 7 })
        .tool('edit', { path: `/tmp/${'folder/'.repeat(10)}a.ts` })
        .tool('browser', { action: 'open', url: 'https://example.org' })
        .tool('find', { paths: ['src'] })
        .text(),
    );
    assert.deepEqual(
      (await readSession(ours)).entries.filter(({ role }) => role !== 'assistant').map(({ text }) => text),
      [
        'user: Fix the parser',
        '[bash: npm test]',
        '[read: src/a.ts:7]',
        `[edit: …${'/folder'.repeat(7)}/a.ts]`,
        '[browser: open https://example.org]',
        '[find: src]',
      ],
    );
    assert.deepEqual(
      pi.rows(pi.open(theirs), 'default').map(({ text }) => text),
      [
        'user: [Tue 2026-05-05 09:41 GMT+8] Fix the parser',
        '[bash: cd /work/demo && npm test]',
        '[read: /work/demo/src/a.ts:7]',
        `[edit: /tmp/${'folder/'.repeat(10)}a.ts]`,
        '[browser: {"action":"open","url":"https://example....]',
        '[find:  in .]',
      ],
    );
  });

  it('on an empty file and on one that does not exist: pi begins a session there, ours reports it and changes nothing', async () => {
    const { ours, theirs } = paths('');
    assert.equal(await code(SessionManager.open(ours)), 'not-a-session');
    assert.equal(await code(SessionManager.open(join(folder.path, 'none.jsonl'))), 'not-found');
    assert.equal(readFileSync(ours, 'utf8'), '');
    pi.open(theirs);
    assert.notEqual(readFileSync(theirs, 'utf8'), '');
    assert.deepEqual(pi.open(join(folder.path, 'new', 'none.jsonl')).getEntries(), []);
  });

  it('on a bad line: it skips it silently, we report it', async () => {
    const { ours, theirs } = paths(session().user('a').raw('{"type":"mess').user('b').text());
    const read = await readSession(ours);
    assert.deepEqual([read.entries.length, problems(read)], [2, ['bad-line@3']]);
    assert.equal(pi.open(theirs).getEntries().length, 2);
  });

  it('on a torn last line: it ends it with a line break, we wait for the rest and refuse to write', async () => {
    const { ours, theirs } = paths(`${session().user('a').text()}{"type":"message","id":"to`);
    const read = await readSession(ours);
    assert.deepEqual([read.leafId, problems(read)], [entryId(1), ['torn-line@3']]);
    const opened = await SessionManager.open(ours);
    assert.equal(await code(opened.appendMessage({ role: 'user', content: 'b' })), 'torn');
    assert.equal(opened.getEntries().length, 1);
    assert.equal(pi.open(theirs).getLeafId(), entryId(1));
    assert.ok(readFileSync(theirs, 'utf8').endsWith('"to\n'));
  });

  it('on two objects glued on a line: it skips both, we read and report both', async () => {
    const [header, first, second] = session().user('a').user('b').lines();
    const { ours, theirs } = paths(`${header!}\n${first!}${second!}\n`);
    const read = await readSession(ours);
    assert.deepEqual([read.leafId, problems(read)], [entryId(2), ['glued-line@2']]);
    assert.equal(pi.open(theirs).getEntries().length, 0);
  });

  it('on junk before the header: it opens nothing, we skip and report it', async () => {
    const { ours, theirs } = paths(`{"type":"other","id":"x"}\n${session().user('a').text()}`);
    const read = await readSession(ours);
    assert.deepEqual([read.entries.length, problems(read)], [1, ['before-header@1']]);
    assert.throws(() => pi.open(theirs), /not a valid/);
  });

  it('on a byte order mark and NUL padding: it opens nothing, we read it', async () => {
    const { ours, theirs } = paths(`\uFEFF${session().user('a').text()}\0\0\0\n`);
    const read = await readSession(ours);
    assert.deepEqual([read.entries.length, problems(read)], [1, []]);
    assert.throws(() => pi.open(theirs), /not a valid/);
  });

  it('on an entry that is its own ancestor: its tree loses a circle and its walks never end, ours show every entry once and end', async () => {
    const built = session()
      .user('a')
      .user('b', { parentId: entryId(3) })
      .user('c', { parentId: entryId(2) })
      .user('d', { parentId: entryId(4) });
    const { ours, theirs } = paths(built.text());
    const opened = await SessionManager.open(ours);
    const ids = (nodes: readonly { entry: { id: string }; children: readonly unknown[] }[]): string[] =>
      nodes.flatMap(({ entry, children }) => [entry.id, ...ids(children as Parameters<typeof ids>[0])]);
    assert.deepEqual(ids(opened.getTree()).sort(), [1, 2, 3, 4].map(entryId));
    assert.deepEqual(ids(pi.open(theirs).getTree()).sort(), [1, 4].map(entryId));
    assert.deepEqual([opened.getBranch(entryId(3)).length, opened.buildSessionContext().messages.length], [2, 1]);
    assert.deepEqual(problems(await readSession(ours)), ['cycle@3', 'cycle@5']);
  });

  it("on an unknown parent: it shows a root in the tree but not among the roots' getChildren, ours is a root everywhere", async () => {
    const { ours, theirs } = paths(session().user('a').user('b', { parentId: 'gone' }).text());
    const [mine, its] = [await SessionManager.open(ours), manager.open(theirs)];
    assert.deepEqual([mine.getTree().length, its.getTree().length], [2, 2]);
    assert.deepEqual([mine.getChildren(null).length, its.getChildren(null as unknown as string).length], [2, 1]);
    assert.deepEqual(problems(await readSession(ours)), ['unknown-parent@3']);
  });

  it("on duplicate ids: it lists both lines and hangs the tree's children twice, we have one entry with the last line's data", async () => {
    const { ours, theirs } = paths(
      session().user('a').user('first', { id: 'same' }).branchFrom(entryId(1)).user('second', { id: 'same' }).user('c').text(),
    );
    const [mine, its] = [await SessionManager.open(ours), pi.open(theirs)];
    assert.deepEqual([mine.getEntries().length, its.getEntries().length], [3, 4]);
    assert.deepEqual(mine.buildSessionContext().messages, its.buildSessionContext().messages);
    assert.deepEqual(problems(await readSession(ours)), ['duplicate-id@4']);
    assert.deepEqual(
      [
        (await SessionManager.list('/work/demo', folder.path))[0]?.messageCount,
        ((await manager.list('/work/demo', folder.path)) as { messageCount: number }[])[0]?.messageCount,
      ],
      [3, 4],
    );
  });

  it('on entries without ids in version 3: it has them all under one name, we chain them by their place', async () => {
    const none = { id: undefined, parentId: undefined };
    const { ours, theirs } = paths(session().user('a', none).assistant('b', none).text());
    assert.deepEqual((await buildSessionContext(await readSession(ours))).messages.length, 2);
    assert.deepEqual(pi.open(theirs).getLeafId(), undefined);
  });

  it('on a version above 3: it writes into it, we only read it', async () => {
    const { ours, theirs } = paths(session({ version: 4 }).user('a').text());
    assert.equal(await code((await SessionManager.open(ours)).appendSessionInfo('x')), 'version');
    const before = readFileSync(theirs, 'utf8');
    manager.open(theirs).appendMessage({ role: 'user', content: 'b' });
    assert.notEqual(readFileSync(theirs, 'utf8'), before);
  });

  it("on version 1's settings at the start: it forgets them, we begin with them", async () => {
    const { ours, theirs } = paths(
      session({ version: undefined, provider: 'p', modelId: 'm', thinkingLevel: 'high' })
        .user('a', { id: undefined, parentId: undefined })
        .text(),
    );
    const { model, thinkingLevel } = await buildSessionContext(await readSession(ours));
    assert.deepEqual({ model, thinkingLevel }, { model: { provider: 'p', modelId: 'm' }, thinkingLevel: 'high' });
    const its = pi.open(theirs).buildSessionContext();
    assert.deepEqual({ model: its.model, thinkingLevel: its.thinkingLevel }, { model: null, thinkingLevel: 'off' });
  });

  it("on version 1's branchedFrom: its list has no parent, ours has", async () => {
    const { ours } = paths(
      session({ version: undefined, branchedFrom: '/a.jsonl' }).user('a', { id: undefined, parentId: undefined }).text(),
    );
    const parent = (infos: readonly unknown[]): unknown =>
      (infos as { path: string; parentSessionPath?: string }[]).find(({ path }) => path === ours)?.parentSessionPath;
    assert.deepEqual(
      [parent(await SessionManager.list('/work/demo', folder.path)), parent(await manager.list('/work/demo', folder.path))],
      ['/a.jsonl', undefined],
    );
  });

  it('on retainedTail, which 0.87 ignores: in ours it replaces the kept entries', async () => {
    const { ours, theirs } = await messagesOf(
      session()
        .user('a')
        .user('b')
        .compaction('sum', entryId(2), { retainedTail: [{ role: 'user', content: 'tail' }] })
        .user('c'),
    );
    assert.deepEqual(
      ours.map((message) => (message as { content?: string }).content),
      [undefined, 'tail', 'c'],
    );
    assert.deepEqual(
      (theirs as { content?: string }[]).map(({ content }) => content),
      [undefined, 'b', 'c'],
    );
  });

  it('on messages without content or with broken blocks: some of its views fail, ours are complete', async () => {
    const built = session()
      .customMessage('t', null)
      .message({ role: 'custom', customType: 't', content: null })
      .user([{ type: 'text' }, 5, { type: 'image', data: 3 }]);
    const { ours, theirs } = await messagesOf(built);
    assert.deepEqual(
      ours.map((message) => (message as { content: unknown }).content),
      [
        [],
        [],
        [
          { type: 'text', text: '' },
          { type: 'image', data: '', mimeType: '' },
        ],
      ],
    );
    assert.deepEqual(
      (theirs as { content: unknown }[]).map(({ content }) => content),
      [[], null, [{ type: 'text' }, 5, { type: 'image', data: 3 }]],
    );
    assert.throws(() => pi.rows(pi.open(paths(built.text()).theirs), 'all'));
  });

  it('on content that is null: its list leaves the whole session out, ours has it', async () => {
    await folder.write('a.jsonl', session().user(null).assistant('b').text());
    assert.deepEqual(
      [(await SessionManager.list('/work/demo', folder.path)).length, (await manager.list('/work/demo', folder.path)).length],
      [1, 0],
    );
  });

  it('on U+2028 and U+2029 in a text: its list tears the line apart, ours has the message', async () => {
    const { ours, theirs } = paths(session().user('one\u2028two\u2029three').assistant('b').text());
    assert.equal((await readSession(ours)).entries.length, pi.open(theirs).getEntries().length);
    const first = async (list: Promise<unknown>): Promise<string[]> =>
      ((await list) as { firstMessage: string }[]).map(({ firstMessage }) => firstMessage);
    assert.deepEqual(await first(SessionManager.list('/work/demo', folder.path)), ['one\u2028two\u2029three', 'one\u2028two\u2029three']);
    assert.deepEqual(await first(manager.list('/work/demo', folder.path)), ['(no messages)', '(no messages)']);
  });

  it('on usage without a cost: its totals fail, ours count the tokens', async () => {
    const { ours, theirs } = paths(
      session()
        .assistant('a', { message: { usage: { input: 3 } } })
        .assistant('b', { message: { usage: undefined } })
        .text(),
    );
    assert.deepEqual(sessionUsage(await readSession(ours)).input, 3);
    assert.throws(() => pi.totals(pi.open(theirs)));
  });

  it('on a label with line breaks or spaces around it: it is written as it is, ours in one line', async () => {
    const { ours, theirs } = paths(session().user('a').assistant('b').text());
    const [mine, its] = [await SessionManager.open(ours), manager.open(theirs)];
    await mine.appendLabelChange(entryId(1), ' two\nlines ');
    its.appendLabelChange(entryId(1), ' two\nlines ');
    assert.deepEqual([mine.getLabel(entryId(1)), its.getLabel(entryId(1))], ['two lines', ' two\nlines ']);
  });

  it("on a folder that two projects share: its list has both, ours the project's own", async () => {
    const dir = join(folder.path, 'agent', 'sessions', '--a-b--');
    await withEnvironment(home(folder.path, { PI_CODING_AGENT_DIR: join(folder.path, 'agent') }), async () => {
      for (const [id, cwd] of [
        ['one', '/a/b'],
        ['two', '/a-b'],
      ] as const) {
        const written = SessionManager.create(cwd, dir);
        written.newSession({ id });
        await written.appendMessage({ role: 'user', content: id });
      }
      const ids = async (list: Promise<unknown>): Promise<string[]> => ((await list) as { id: string }[]).map(({ id }) => id).sort();
      assert.deepEqual(await ids(SessionManager.list('/a/b')), ['one']);
      assert.deepEqual(await ids(manager.list('/a/b')), ['one', 'two']);
    });
  });

  it("on a new session, before 0.99: its file waits for the assistant's message, ours and the newer one's appear with the user's", async () => {
    for (const [version, waits] of [
      ['0.87.1', true],
      ['1.5.2', false],
    ] as const) {
      const its = (await loadPiManager(version)).create('/work/demo', join(folder.path, version));
      its.appendMessage({ role: 'user', content: 'a' });
      assert.equal(existsSync(its.getSessionFile()!), !waits, version);
      its.appendMessage({ role: 'assistant', content: [] });
      assert.equal(existsSync(its.getSessionFile()!), true);
    }
    const mine = SessionManager.create('/work/demo', join(folder.path, 'mine'));
    await mine.appendMessage({ role: 'user', content: 'a' });
    assert.equal(existsSync(mine.getSessionFile()!), true);
  });

  it("on a fork without an answer, before 0.99: its file waits for one, ours and the newer one's are written at once", async () => {
    const { ours, theirs } = paths(session().user('a').assistant('b').text());
    const mine = await (await SessionManager.open(ours, join(folder.path, 'mine'))).createBranchedSession(entryId(1));
    assert.ok(existsSync(mine!));
    for (const [version, waits] of [
      ['0.87.1', true],
      ['1.5.2', false],
    ] as const) {
      const its = (await loadPiManager(version)).open(theirs).createBranchedSession(entryId(1));
      assert.equal(existsSync(its!), !waits, version);
    }
  });

  it('on creating a manager: it makes the folder, we only when there is something to write', () => {
    SessionManager.create('/work/demo', join(folder.path, 'mine'));
    manager.create('/work/demo', join(folder.path, 'its'));
    assert.deepEqual(readdirSync(folder.path), ['its']);
  });

  it('on hook messages in version 3: it keeps the old role, which no model gets, ours is a custom message', async () => {
    const { ours, theirs } = await messagesOf(session().message({ role: 'hookMessage', customType: 'h', content: 'x' }));
    assert.deepEqual(
      [ours.map((message) => (message as { role: string }).role), (theirs as { role: string }[]).map(({ role }) => role)],
      [['custom'], ['hookMessage']],
    );
    assert.deepEqual([toLlmMessages(ours as readonly Message[]).length, pi.convertToLlm(theirs).length], [1, 0]);
  });

  it('in nothing about hook messages of version 2: both show [custom], before and after the migration', async () => {
    const { ours, theirs } = paths(session({ version: 2 }).message({ role: 'hookMessage', customType: 'h', content: 'x' }).text());
    const before = await snapshot(folder.path);
    assert.deepEqual(
      (await readSession(ours)).entries.map(({ text }) => text),
      ['[custom]'],
    );
    assert.deepEqual(await snapshot(folder.path), before);
    assert.deepEqual(
      pi.rows(pi.open(theirs), 'all').map(({ text }) => text),
      ['[custom]'],
    );
  });
});
