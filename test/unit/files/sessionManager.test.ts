import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionManager } from '../../../src/core/files/api/sessionManager';
import { lockPaths } from '../../../src/core/files/presence/programLocks';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { SessionError, type SessionErrorCode } from '../../../src/core/format/entry/problem';
import { titleSlot } from '../../../src/core/format/session/fileState';
import { entryId, session } from '../../fixtures/build';
import { home, withEnvironment } from '../../fixtures/environment';
import { testFolder } from '../../fixtures/folder';
import { age, grow, linesOf, snapshot } from '../../fixtures/writes';

const user = (content: string) => ({ role: 'user', content, timestamp: 1 });
const assistant = (text: string) => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  provider: 'p',
  model: 'm',
  usage: {},
  stopReason: 'stop',
  timestamp: 2,
});
const code = async (work: () => unknown): Promise<SessionErrorCode | 'none'> => {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof SessionError, String(error));
    return error.code;
  }
  return 'none';
};

describe('SessionManager: a new session', () => {
  const folder = testFolder();

  it('creates its file with the first user message, including everything before', async () => {
    const manager = SessionManager.create('/work/demo', folder.path);
    const model = await manager.appendModelChange('p', 'm');
    assert.deepEqual([await readdir(folder.path), manager.getLeafId()], [[], model]);
    const promptId = await manager.appendMessage(user('hi'));
    const path = manager.getSessionFile()!;
    assert.deepEqual(
      (await linesOf(path)).map((line) => [line['type'], line['id'], line['parentId']]),
      [
        ['session', manager.getSessionId(), undefined],
        ['model_change', model, null],
        ['message', promptId, model],
      ],
    );
    assert.match(path, /\/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[0-9a-f-]{36}\.jsonl$/);
    assert.deepEqual(
      [manager.getCwd(), manager.getSessionDir(), manager.isPersisted(), manager.getHeader().version],
      ['/work/demo', folder.path, true, 3],
    );
  });

  it("keeps the order of appends that aren't awaited", async () => {
    const manager = SessionManager.create('/work/demo', folder.path);
    const ids = Array.from({ length: 30 }, (_, n) => manager.appendMessage(n % 2 ? assistant(`a${n}`) : user(`u${n}`)));
    assert.equal(manager.getEntries().length, 30);
    const last = await manager.appendSessionInfo(' My\nsession ');
    const read = await readSession(manager.getSessionFile()!);
    assert.deepEqual(
      read.entries.map((head) => head.id),
      [...(await Promise.all(ids)), last],
    );
    assert.deepEqual([read.name, manager.getSessionName(), read.leafId], ['My session', 'My session', last]);
  });

  it('stays in memory on request', async () => {
    const manager = SessionManager.inMemory('/work/demo');
    const first = await manager.appendMessage(user('a'));
    const second = await manager.appendMessage(assistant('b'));
    await manager.appendLabelChange(first, 'x');
    assert.deepEqual([manager.isPersisted(), manager.getSessionFile(), manager.getLabel(first)], [false, undefined, 'x']);
    manager.branch(first);
    await manager.appendMessage(assistant('c'));
    assert.equal(await manager.createBranchedSession(second), undefined);
    assert.deepEqual([manager.getBranch().map((entry) => entry.type), manager.getLabel(first)], [['message', 'message', 'label'], 'x']);
    assert.equal(manager.getHeader().parentSession, undefined);
  });

  it('starts a new session', async () => {
    const manager = SessionManager.create('/work/demo', folder.path);
    await manager.appendMessage(user('a'));
    const first = manager.getSessionFile();
    assert.equal(manager.newSession({ id: 'own-id', parentSession: '/x' }), manager.getSessionFile());
    assert.notEqual(manager.getSessionFile(), first);
    assert.deepEqual(
      [manager.getSessionId(), manager.getHeader().parentSession, manager.getLeafId(), manager.getLeafEntry(), manager.getTree()],
      ['own-id', '/x', null, undefined, []],
    );
  });
});

describe('SessionManager: an opened session', () => {
  const folder = testFolder();
  const tree = () =>
    session().user('one').assistant('first').user('two').label(entryId(1), 'mark').branchFrom(entryId(2)).user('other').assistant('third');
  const opened = async (text = tree().text(), options = {}) =>
    SessionManager.open(await age(await folder.write('a.jsonl', text)), undefined, options);

  it('returns synchronously, and changes no byte', async () => {
    const manager = await opened();
    const before = await snapshot(folder.path);
    const ids = (entries: readonly { id: string }[]) => entries.map((entry) => entry.id);
    assert.deepEqual(ids(manager.getEntries()), [1, 2, 3, 4, 5, 6].map(entryId));
    assert.deepEqual(ids(manager.getBranch()), [1, 2, 5, 6].map(entryId));
    assert.deepEqual(ids(manager.getPath(entryId(3))), [1, 2, 3].map(entryId));
    assert.deepEqual(
      [ids(manager.getChildren(entryId(2))), ids(manager.getChildren(null)), ids(manager.getBranch('nope'))],
      [[3, 5].map(entryId), [entryId(1)], []],
    );
    assert.deepEqual([manager.getLabel(entryId(1)), manager.getLeafEntry()?.id, manager.getEntry('nope')], ['mark', entryId(6), undefined]);
    const [root] = manager.getTree();
    assert.deepEqual([root?.label, root?.children[0]?.children.map((node) => node.entry.id)], ['mark', [3, 5].map(entryId)]);
    const context = manager.buildSessionContext();
    assert.deepEqual(
      [context.messages.map((message) => message.role), context.model, context.thinkingLevel],
      [['user', 'assistant', 'user', 'assistant'], { provider: 'anthropic', modelId: 'claude-x' }, 'off'],
    );
    assert.deepEqual(await snapshot(folder.path), before);
  });

  it('continues where requested: branch, reset, branch with a summary', async () => {
    const manager = await opened();
    manager.branch(entryId(1));
    const one = await manager.appendMessage(assistant('again'));
    manager.resetLeaf();
    assert.deepEqual(manager.buildSessionContext().messages, []);
    const two = await manager.appendMessage(user('root'));
    const three = await manager.branchWithSummary(entryId(2), 'left', { d: 1 }, true);
    const lines = await linesOf(manager.getSessionFile()!);
    const written = lines.filter((line) => [one, two, three].includes(String(line['id'])));
    assert.deepEqual(
      written.map((line) => line['parentId']),
      [entryId(1), null, entryId(2)],
    );
    assert.deepEqual([written[2]?.['fromId'], written[2]?.['fromHook'], written[2]?.['details']], [two, true, { d: 1 }]);
    assert.equal(await code(() => manager.branch('nope')), 'unknown-entry');
    assert.equal(await code(() => manager.branchWithSummary('nope', 'x')), 'unknown-entry');
    assert.equal(await code(() => manager.appendLabelChange('nope', 'x')), 'unknown-entry');
  });

  it("appends every kind of entry in pi's form", async () => {
    const manager = await opened();
    await manager.appendThinkingLevelChange('high');
    await manager.appendModelChange('p', 'm');
    await manager.appendCompaction('sum', entryId(5), 10, { d: 1 }, true);
    await manager.appendCustomEntry('t', { k: 1 });
    await manager.appendCustomMessageEntry('t', 'text', false, { d: 2 });
    await manager.appendLabelChange(entryId(2), 'l');
    await manager.appendLabelChange(entryId(2), undefined);
    const own = (line: object) =>
      Object.fromEntries(Object.entries(line).filter(([key]) => !['id', 'parentId', 'timestamp'].includes(key)));
    const lines = (await linesOf(manager.getSessionFile()!)).slice(-7);
    assert.deepEqual(lines.map(own), [
      { type: 'thinking_level_change', thinkingLevel: 'high' },
      { type: 'model_change', provider: 'p', modelId: 'm' },
      { type: 'compaction', summary: 'sum', firstKeptEntryId: entryId(5), tokensBefore: 10, details: { d: 1 }, fromHook: true },
      { type: 'custom', customType: 't', data: { k: 1 } },
      { type: 'custom_message', customType: 't', content: 'text', display: false, details: { d: 2 } },
      { type: 'label', targetId: entryId(2), label: 'l' },
      { type: 'label', targetId: entryId(2) },
    ]);
    assert.equal(await code(() => manager.appendSessionInit({ systemPrompt: '', task: '', tools: [] })), 'invalid');
    assert.equal(await code(() => manager.appendTtsrInjection(['a'])), 'invalid');
    assert.equal(await code(() => manager.appendModelChange('only one')), 'invalid');
  });

  it("appends every kind of entry in oh-my-pi's form", async () => {
    const slot = titleSlotLine({ title: 'old', updatedAt: '2026-01-01T00:00:00.000Z' });
    const manager = await opened(slot + tree().text());
    await manager.appendModelChange('p/m', 'smol');
    await manager.appendCompaction('sum', 'short', entryId(5), 10, undefined, true, { k: 1 });
    await manager.appendSessionInit({ systemPrompt: 's', task: 't', tools: ['read'] });
    await manager.appendTtsrInjection(['r']);
    await manager.appendSessionInfo('New');
    assert.equal(manager.getSessionName(), 'New');
    const read = await readSession(manager.getSessionFile()!);
    assert.deepEqual(
      [read.name, titleSlot(read)?.isExact, read.entries.slice(-5).map((head) => head.type)],
      ['New', true, ['model_change', 'compaction', 'session_init', 'ttsr_injection', 'title_change']],
    );
    assert.deepEqual(manager.buildSessionContext().injectedTtsrRules, ['r']);
    const fresh = SessionManager.create('/work/demo', folder.path, { dialect: 'omp' });
    await fresh.appendSessionInfo('Named early');
    await fresh.appendMessage(user('a'));
    assert.deepEqual([(await readSession(fresh.getSessionFile()!)).name, fresh.getSessionName()], ['Named early', 'Named early']);
  });

  it('refuses forbidden writes without changing memory', async () => {
    const manager = await opened(session({ version: 2 }).user('a').text());
    assert.equal(await code(() => manager.appendMessage(user('b'))), 'version');
    assert.equal(manager.getEntries().length, 1);
    assert.equal(await code(() => SessionManager.open(join(folder.path, 'none.jsonl'))), 'not-found');
    assert.equal(await code(() => SessionManager.create('/x', folder.path, { dialect: 'openclaw' })), 'read-only');
  });

  it("keeps lines that couldn't be written, and writes them with the next ones", async () => {
    const manager = await opened();
    const path = manager.getSessionFile()!;
    const before = await readFile(path, 'utf8');
    const lock = lockPaths(path).files[0];
    await writeFile(lock, `${process.ppid}:1\n`);
    assert.equal(await code(() => manager.appendMessage(user('early'))), 'live');
    assert.equal(await readFile(path, 'utf8'), before);
    await unlink(lock);
    await manager.appendMessage(assistant('late'));
    assert.deepEqual(
      (await readSession(path)).entries.slice(-2).map((head) => head.text),
      ['user: early', 'assistant: late'],
    );
  });

  it("writes when it's unsure if a program uses the file, since API callers know of others", async () => {
    const manager = await opened();
    await grow(manager.getSessionFile()!);
    const id = await manager.appendMessage(user('sure'));
    assert.equal((await readSession(manager.getSessionFile()!)).leafId, id);
  });

  it('continues in a new file with the path to an entry', async () => {
    const manager = await opened();
    const source = manager.getSessionFile();
    const path = await manager.createBranchedSession(entryId(3));
    assert.ok(path !== undefined && existsSync(path));
    assert.deepEqual(
      [manager.getSessionFile(), manager.getHeader().parentSession, manager.getEntries().map((entry) => entry.type)],
      [path, source, ['message', 'message', 'message', 'label']],
    );
    await manager.appendMessage(assistant('on'));
    assert.equal((await readSession(path)).entries.length, 5);
    assert.equal(await code(() => manager.createBranchedSession('nope')), 'unknown-entry');
  });

  it('copies a session to another project', async () => {
    const path = await folder.write('a.jsonl', tree().text());
    const manager = await SessionManager.forkFrom(path, '/work/other', join(folder.path, 'there'));
    assert.deepEqual(
      [manager.getCwd(), manager.getHeader().parentSession, manager.getEntries().length, manager.getLeafId()],
      ['/work/other', path, 6, entryId(6)],
    );
    await manager.appendMessage(user('on'));
  });
});

describe('SessionManager: lists', () => {
  const folder = testFolder();

  it('contain what the documents define, newest first, and report unreadable files', async () => {
    await folder.write(
      'a.jsonl',
      session({ id: 'a', parentSession: '/p' })
        .user('first\nquestion')
        .assistant('answer')
        .name('Name')
        .user([
          { type: 'text', text: 'x' },
          { type: 'text', text: 'y' },
        ])
        .text(),
    );
    await folder.write('b.jsonl', session({ id: 'b', timestamp: '2027-01-01T00:00:00.000Z' }).text());
    await folder.write('c.jsonl', session({ id: 'c', cwd: '/elsewhere' }).user('z').text());
    await folder.write('d.jsonl', '');
    const problems: string[] = [];
    const progress: [number, number][] = [];
    const infos = await SessionManager.list('/work/demo', folder.path, (loaded, total) => progress.push([loaded, total]), {
      onProblem: (path) => problems.push(path),
    });
    assert.deepEqual(
      infos.map((info) => info.id),
      ['b', 'a'],
    );
    assert.deepEqual(infos[1], {
      path: join(folder.path, 'a.jsonl'),
      id: 'a',
      cwd: '/work/demo',
      name: 'Name',
      parentSessionPath: '/p',
      created: new Date('2026-01-02T10:00:00.000Z'),
      modified: new Date('2026-01-02T10:00:03.000Z'),
      messageCount: 3,
      firstMessage: 'first\nquestion',
      allMessagesText: 'first\nquestion answer x y',
    });
    assert.deepEqual([infos[0]?.firstMessage, infos[0]?.modified], ['(no messages)', new Date('2027-01-01T00:00:00.000Z')]);
    assert.deepEqual([problems, progress.at(-1)], [[join(folder.path, 'd.jsonl')], [4, 4]]);
  });

  it('are empty without a folder, which is a problem if the caller named it', async () => {
    const none = join(folder.path, 'none');
    const problems: unknown[] = [];
    const options = { onProblem: (path: string, error: unknown) => problems.push([path, error instanceof SessionError && error.code]) };
    assert.deepEqual(await SessionManager.list('/work/demo', none, undefined, options), []);
    assert.deepEqual(await SessionManager.listAll(none, undefined, options), []);
    assert.deepEqual(problems, [
      [none, 'not-found'],
      [none, 'not-found'],
    ]);
    await withEnvironment(home(folder.path), async () => {
      assert.deepEqual(await SessionManager.list('/work/demo', undefined, undefined, options), []);
    });
    assert.equal(problems.length, 2);
  });

  it('lead to the most recent session, or to a new one', async () => {
    const a = await folder.write('a.jsonl', session({ id: 'a' }).user('a').text());
    await age(await folder.write('b.jsonl', session({ id: 'b' }).user('b').text()));
    await folder.write('c.jsonl', session({ id: 'c', cwd: '/elsewhere' }).user('z').text());
    assert.equal((await SessionManager.continueRecent('/work/demo', folder.path)).getSessionFile(), a);
    assert.deepEqual((await SessionManager.continueRecent('/work/new', folder.path)).getEntries(), []);
  });
});

describe('SessionManager: all sessions of a dialect', () => {
  const folder = testFolder();
  it('are listed from its roots', async () => {
    // A test must not see the person's own sessions.
    await withEnvironment(home(folder.path, { PI_CODING_AGENT_DIR: join(folder.path, 'agent') }), async () => {
      const manager = SessionManager.create('/work/demo');
      await manager.appendMessage(user('hello'));
      assert.equal(manager.getSessionDir(), join(folder.path, 'agent', 'sessions', '--work-demo--'));
      assert.deepEqual(
        (await SessionManager.listAll()).map((info) => info.id),
        [manager.getSessionId()],
      );
      assert.deepEqual(
        (await SessionManager.list('/work/demo')).map((info) => info.firstMessage),
        ['hello'],
      );
    });
  });
});
