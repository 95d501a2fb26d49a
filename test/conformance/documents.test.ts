/** Tests the API of the two published documents (pi's and oh-my-pi's, version 3), every name and every argument. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as core from '../../src/core/index';
import { SessionManager, type Dialect, type Entry } from '../../src/core/index';
import { titleSlotLine } from '../../src/core/format/write/sessionNames';
import { entryId, session } from '../fixtures/build';
import { home, withEnvironment } from '../fixtures/environment';
import { testFolder, type TestFolder } from '../fixtures/folder';
import { age, grow, linesOf } from '../fixtures/writes';

const STATICS = ['create', 'open', 'continueRecent', 'inMemory', 'forkFrom', 'list', 'listAll'];
const MANAGEMENT = [
  'newSession',
  'setSessionFile',
  'createBranchedSession',
  'isPersisted',
  'getCwd',
  'getSessionDir',
  'getSessionId',
  'getSessionFile',
  'getSessionName',
  'getHeader',
  'getEntries',
];
const APPENDS = [
  ...[
    'appendMessage',
    'appendThinkingLevelChange',
    'appendModelChange',
    'appendCompaction',
    'appendCustomEntry',
    'appendCustomMessageEntry',
  ],
  ...['appendSessionInfo', 'appendLabelChange', 'appendSessionInit', 'appendTtsrInjection'],
];
const TREE = [
  'getLeafId',
  'getLeafEntry',
  'getEntry',
  'getChildren',
  'getLabel',
  'getBranch',
  'getPath',
  'getTree',
  'branch',
  'resetLeaf',
  'branchWithSummary',
  'buildSessionContext',
];
const FUNCTIONS = [
  'SessionManager',
  'SessionError',
  'readSession',
  'readBodies',
  'buildSessionContext',
  'sessionToMarkdown',
  'migrate',
  'parseSessionEntries',
];

type Append = readonly [call: string, append: (manager: SessionManager) => Promise<string>, line: object];
const first = entryId(1);
const leaf = entryId(3);

/** The calls that both documents describe. */
const ALIKE: readonly Append[] = [
  [
    'appendMessage(message)',
    (sm) => sm.appendMessage({ role: 'user', content: 'x', timestamp: 1 }),
    { type: 'message', message: { role: 'user', content: 'x', timestamp: 1 } },
  ],
  [
    'appendThinkingLevelChange(level)',
    (sm) => sm.appendThinkingLevelChange('high'),
    { type: 'thinking_level_change', thinkingLevel: 'high' },
  ],
  ['appendCustomEntry(customType)', (sm) => sm.appendCustomEntry('t'), { type: 'custom', customType: 't' }],
  [
    'appendCustomEntry(customType, data)',
    (sm) => sm.appendCustomEntry('t', { k: [1] }),
    { type: 'custom', customType: 't', data: { k: [1] } },
  ],
  [
    'appendCustomMessageEntry(customType, content, display)',
    (sm) => sm.appendCustomMessageEntry('t', 'x', false),
    { type: 'custom_message', customType: 't', content: 'x', display: false },
  ],
  [
    'appendCustomMessageEntry(customType, content, display, details)',
    (sm) => sm.appendCustomMessageEntry('t', [{ type: 'text', text: 'x' }], true, { d: 1 }),
    { type: 'custom_message', customType: 't', content: [{ type: 'text', text: 'x' }], display: true, details: { d: 1 } },
  ],
  ['appendLabelChange(targetId, label)', (sm) => sm.appendLabelChange(first, 'x'), { type: 'label', targetId: first, label: 'x' }],
  ['appendLabelChange(targetId, undefined)', (sm) => sm.appendLabelChange(first, undefined), { type: 'label', targetId: first }],
];

const FORMS: Readonly<Partial<Record<Dialect, readonly Append[]>>> = {
  pi: [
    ...ALIKE,
    [
      'appendModelChange(provider, modelId)',
      (sm) => sm.appendModelChange('p', 'a/b'),
      { type: 'model_change', provider: 'p', modelId: 'a/b' },
    ],
    [
      'appendCompaction(summary, firstKeptEntryId, tokensBefore)',
      (sm) => sm.appendCompaction('s', first, 9),
      { type: 'compaction', summary: 's', firstKeptEntryId: first, tokensBefore: 9 },
    ],
    [
      'appendCompaction(summary, firstKeptEntryId, tokensBefore, details, fromHook)',
      (sm) => sm.appendCompaction('s', first, 9, { d: 1 }, true),
      { type: 'compaction', summary: 's', firstKeptEntryId: first, tokensBefore: 9, details: { d: 1 }, fromHook: true },
    ],
    ['appendSessionInfo(name)', (sm) => sm.appendSessionInfo(' a\nname '), { type: 'session_info', name: 'a name' }],
    ['branchWithSummary(id, summary)', (sm) => sm.branchWithSummary(first, 's'), { type: 'branch_summary', fromId: leaf, summary: 's' }],
    [
      'branchWithSummary(id, summary, details, fromHook)',
      (sm) => sm.branchWithSummary(first, 's', { d: 1 }, true),
      { type: 'branch_summary', fromId: leaf, summary: 's', details: { d: 1 }, fromHook: true },
    ],
    ['branchWithSummary(null, summary)', (sm) => sm.branchWithSummary(null, 's'), { type: 'branch_summary', fromId: leaf, summary: 's' }],
  ],
  omp: [
    ...ALIKE,
    ['appendModelChange(model)', (sm) => sm.appendModelChange('p/a/b'), { type: 'model_change', model: 'p/a/b' }],
    ['appendModelChange(model, role)', (sm) => sm.appendModelChange('p/a', 'smol'), { type: 'model_change', model: 'p/a', role: 'smol' }],
    [
      'appendCompaction(summary, shortSummary, firstKeptEntryId, tokensBefore)',
      (sm) => sm.appendCompaction('s', undefined, first, 9),
      { type: 'compaction', summary: 's', firstKeptEntryId: first, tokensBefore: 9 },
    ],
    [
      'appendCompaction(summary, shortSummary, firstKeptEntryId, tokensBefore, details, fromExtension, preserveData)',
      (sm) => sm.appendCompaction('s', 'short', first, 9, { d: 1 }, true, { p: 1 }),
      {
        type: 'compaction',
        summary: 's',
        shortSummary: 'short',
        firstKeptEntryId: first,
        tokensBefore: 9,
        details: { d: 1 },
        fromExtension: true,
        preserveData: { p: 1 },
      },
    ],
    [
      'appendSessionInit(init)',
      (sm) => sm.appendSessionInit({ systemPrompt: 's', task: 't', tools: ['read'], outputSchema: { type: 'object' }, agent: 'scout' }),
      { type: 'session_init', systemPrompt: 's', task: 't', tools: ['read'], outputSchema: { type: 'object' }, agent: 'scout' },
    ],
    ['appendTtsrInjection(ruleNames)', (sm) => sm.appendTtsrInjection(['a', 'b']), { type: 'ttsr_injection', injectedRules: ['a', 'b'] }],
    ['appendSessionInfo(name)', (sm) => sm.appendSessionInfo('name'), { type: 'title_change', title: 'name', source: 'user' }],
    [
      'branchWithSummary(id, summary, details, fromExtension)',
      (sm) => sm.branchWithSummary(first, 's', { d: 1 }, true),
      { type: 'branch_summary', fromId: first, summary: 's', details: { d: 1 }, fromExtension: true },
    ],
    ['branchWithSummary(null, summary)', (sm) => sm.branchWithSummary(null, 's'), { type: 'branch_summary', fromId: 'root', summary: 's' }],
  ],
};
const KIN: readonly Dialect[] = ['jensen', 'gsd'];

const ids = (entries: readonly { readonly id: string }[]): string[] => entries.map(({ id }) => id);

describe("The documents' API", function () {
  this.timeout(60_000);
  const folder: TestFolder = testFolder();

  it('has every name', () => {
    const manager = SessionManager.inMemory();
    const missing = [
      ...STATICS.filter((name) => typeof Reflect.get(SessionManager, name) !== 'function'),
      ...[...MANAGEMENT, ...APPENDS, ...TREE].filter((name) => typeof Reflect.get(manager, name) !== 'function'),
      ...FUNCTIONS.filter((name) => typeof Reflect.get(core, name) !== 'function'),
    ];
    assert.deepEqual(missing, []);
  });

  for (const dialect of ['pi', 'omp'] as const) {
    for (const [call, append, line] of FORMS[dialect] ?? []) {
      it(`${dialect}: ${call} gives the id, moves the leaf and writes the line`, async () => {
        const manager = await started(dialect);
        const id = await append(manager);
        assert.equal(manager.getLeafId(), id);
        const parent = call.startsWith('branchWithSummary') ? (call.includes('null') ? null : first) : leaf;
        const written = (await linesOf(manager.getSessionFile()!)).at(-1)!;
        const { timestamp, ...rest } = written;
        assert.deepEqual(rest, { id, parentId: parent, ...line });
        assert.equal(new Date(String(timestamp)).toISOString(), timestamp);
        assert.deepEqual(JSON.parse(JSON.stringify(manager.getLeafEntry())), written);
      });
    }
  }

  it("jensen-code and gsd take pi's forms", async () => {
    for (const dialect of KIN) {
      const manager = await started(dialect);
      await manager.appendModelChange('p', 'm');
      await manager.appendCompaction('s', first, 9, undefined, true);
      await manager.branchWithSummary(first, 's', undefined, true);
      const lines = (await linesOf(manager.getSessionFile()!)).slice(-3);
      assert.deepEqual(
        lines.map(({ provider, firstKeptEntryId, fromHook, fromId }) => [provider, firstKeptEntryId, fromHook, fromId]),
        [
          ['p', undefined, undefined, undefined],
          [undefined, first, true, undefined],
          [undefined, undefined, true, first],
        ],
      );
    }
  });

  async function started(dialect: Dialect): Promise<SessionManager> {
    const built = session().user('one').assistant('two').user('three').text();
    const text = dialect === 'omp' ? titleSlotLine({ title: '', updatedAt: '2026-01-01T00:00:00.000Z' }) + built : built;
    return SessionManager.open(await age(await folder.write(`${dialect}.jsonl`, text)), undefined, { dialect });
  }

  it("pi's compaction keeps the system messages as one, and its own id if nothing is kept", async () => {
    const manager = SessionManager.inMemory('/work/demo');
    await manager.appendMessage({ role: 'system', content: 'base', toolsAdded: [{ name: 'a' }, { name: 'b' }], timestamp: 1 });
    await manager.appendMessage({
      role: 'system',
      content: 'more',
      sections: { x: 'y', gone: 'z' },
      toolsRemoved: [{ name: 'a' }],
      timestamp: 2,
    });
    await manager.appendMessage({ role: 'system', content: '', sections: { gone: null }, timestamp: 3 });
    const id = await manager.appendCompaction('s', undefined as unknown as string, 9);
    const entry = manager.getEntry(id) as Extract<Entry, { type: 'compaction' }>;
    assert.equal(entry.firstKeptEntryId, id);
    assert.deepEqual(entry.systemMessage, {
      role: 'system',
      content: 'base\n\nmore',
      sections: { x: 'y' },
      toolsAdded: [{ name: 'b' }],
      timestamp: Date.parse(entry.timestamp),
    });
  });

  it('create(cwd, sessionDir?, { dialect }), newSession({ parentSession }), setSessionFile(path)', async () => {
    const manager = SessionManager.create('/work/demo', folder.path, { dialect: 'omp' });
    assert.deepEqual(
      [manager.isPersisted(), manager.getCwd(), manager.getSessionDir(), manager.getSessionName(), manager.getEntries()],
      [true, '/work/demo', folder.path, undefined, []],
    );
    const path = manager.newSession({ parentSession: '/sessions/a.jsonl' });
    assert.deepEqual(
      [path, manager.getHeader().parentSession, manager.getHeader().id],
      [manager.getSessionFile(), '/sessions/a.jsonl', manager.getSessionId()],
    );
    await manager.appendMessage({ role: 'user', content: 'hi' });
    assert.ok(existsSync(path!));
    const other = await folder.write('other.jsonl', session({ id: 'other', cwd: '/work/other' }).user('x').text());
    await manager.setSessionFile(other);
    assert.deepEqual(
      [manager.getSessionFile(), manager.getSessionId(), manager.getCwd(), manager.getLeafId()],
      [other, 'other', '/work/other', entryId(1)],
    );
    assert.throws(() => manager.newSession({ id: '../elsewhere' }), { code: 'invalid' });
  });

  it('inMemory(cwd?, { dialect }): no file, and one that it was given stays as it is', async () => {
    const manager = SessionManager.inMemory('/work/demo', { dialect: 'omp' });
    await manager.appendModelChange('p/m');
    assert.deepEqual(
      [manager.isPersisted(), manager.getSessionFile(), manager.buildSessionContext().models],
      [false, undefined, { default: 'p/m' }],
    );
    const path = await folder.write('a.jsonl', session().user('x').text());
    const before = readFileSync(path, 'utf8');
    await manager.setSessionFile(path);
    await manager.appendMessage({ role: 'user', content: 'y' });
    assert.deepEqual([manager.getEntries().length, manager.isPersisted(), readFileSync(path, 'utf8')], [2, false, before]);
  });

  it('open, continueRecent, forkFrom: { dialect } is used for files that do not show their program', async () => {
    const path = await folder.write('a.jsonl', session().user('x').text());
    const dialect = 'omp';
    const kinds = [
      await SessionManager.open(path, undefined, { dialect }),
      await SessionManager.continueRecent('/work/demo', folder.path, { dialect }),
      await SessionManager.forkFrom(path, '/work/other', join(folder.path, 'there'), { dialect }),
    ].map((manager) => manager.buildSessionContext().models !== undefined);
    assert.deepEqual(kinds, [true, true, true]);
    assert.equal((await SessionManager.open(path)).buildSessionContext().models, undefined);
  });

  it('without { dialect } the root gives it', async () => {
    await withEnvironment(home(folder.path), async () => {
      for (const [root, models] of [
        [['.omp', 'agent'], true],
        [['.omp', 'profiles', 'p', 'agent'], true],
        [['.pi', 'agent'], false],
        [['.gsd'], false],
      ] as const) {
        const dir = join(folder.path, ...root, 'sessions', '-x');
        const made = SessionManager.create('/work/x', dir);
        await made.appendMessage({ role: 'user', content: 'x' });
        assert.equal(made.buildSessionContext().models !== undefined, models);
        assert.equal(readFileSync(made.getSessionFile()!, 'utf8').startsWith('{"type":"title"'), models);
        assert.equal((await SessionManager.open(made.getSessionFile()!)).buildSessionContext().models !== undefined, models);
      }
    });
  });

  it('list(cwd, sessionDir?, onProgress?) and listAll(onProgress?)', async () => {
    await withEnvironment(home(folder.path, { PI_CODING_AGENT_DIR: join(folder.path, 'agent') }), async () => {
      for (const cwd of ['/work/a', '/work/b']) await SessionManager.create(cwd).appendMessage({ role: 'user', content: cwd });
      const seen: [number, number][] = [];
      assert.deepEqual(
        (await SessionManager.listAll((loaded, total) => seen.push([loaded, total]))).map(({ firstMessage }) => firstMessage).sort(),
        ['/work/a', '/work/b'],
      );
      assert.deepEqual(
        (await SessionManager.list('/work/a', undefined, (loaded, total) => seen.push([loaded, total]))).map(({ cwd }) => cwd),
        ['/work/a'],
      );
      assert.deepEqual(seen, [
        [1, 2],
        [2, 2],
        [1, 1],
      ]);
      assert.deepEqual(await SessionManager.listAll(undefined, { dialect: 'omp' }), []);
    });
  });

  it('the tree: getters, branch and resetLeaf write nothing', async () => {
    const path = await folder.write(
      'a.jsonl',
      session().user('one').assistant('two').user('three').branchFrom(entryId(2)).user('four').label(entryId(2), 'x').text(),
    );
    const before = readFileSync(path, 'utf8');
    const manager = await SessionManager.open(path);
    assert.deepEqual(
      [manager.getLeafId(), manager.getLeafEntry()?.id, manager.getEntry(entryId(1))?.type, manager.getLabel(entryId(2))],
      [entryId(5), entryId(5), 'message', 'x'],
    );
    assert.deepEqual(
      [ids(manager.getChildren(entryId(2))), ids(manager.getBranch()), ids(manager.getPath(entryId(3)))],
      [[3, 4].map(entryId), [1, 2, 4, 5].map(entryId), [1, 2, 3].map(entryId)],
    );
    assert.deepEqual(
      manager.getTree()[0]?.children.map((node) => [node.entry.id, node.label, ids(node.children.map(({ entry }) => entry))]),
      [[entryId(2), 'x', [3, 4].map(entryId)]],
    );
    manager.branch(entryId(3));
    assert.deepEqual([manager.getLeafId(), manager.buildSessionContext().messages.length], [entryId(3), 3]);
    manager.resetLeaf();
    assert.deepEqual(
      [manager.getLeafId(), manager.getLeafEntry(), manager.getBranch(), manager.buildSessionContext().messages],
      [null, undefined, [], []],
    );
    assert.equal(readFileSync(path, 'utf8'), before);
  });

  it('refuses only a session that surely is taken: one that just grew is written to', async () => {
    const path = await grow(await folder.write('a.jsonl', session().user('one').text()));
    await assert.rejects(core.createWriter().submit(path, { kind: 'rename', name: 'x' }), { code: 'unsure' });
    const manager = await SessionManager.open(path);
    await manager.appendSessionInfo('name');
    assert.equal((await linesOf(path)).length, 3);
  });

  it('a directory that can not be read goes to onProblem, and the rest is listed', async () => {
    await withEnvironment(home(folder.path, { PI_CODING_AGENT_DIR: join(folder.path, 'agent') }), async () => {
      await SessionManager.create('/work/a').appendMessage({ role: 'user', content: 'x' });
      const loop = join(folder.path, 'agent', 'sessions', '--loop--');
      await symlink(loop, loop);
      const problems: string[] = [];
      const options = { onProblem: (path: string) => problems.push(path) };
      assert.equal((await SessionManager.listAll(undefined, options)).length, 1);
      assert.deepEqual(await SessionManager.list('/work/a', loop, undefined, options), []);
      assert.deepEqual(problems, [loop, loop]);
    });
  });

  it('a name that can not be written does not prevent later writes', async () => {
    const path = await age(await folder.write('a.jsonl', session().user('one').text()));
    const manager = await SessionManager.open(path, undefined, { dialect: 'omp' });
    await assert.rejects(manager.appendSessionInfo('name'), { code: 'invalid' });
    await manager.appendMessage({ role: 'user', content: 'two' });
    assert.deepEqual([manager.getEntries().length, manager.getSessionName(), (await linesOf(path)).length], [2, undefined, 3]);
  });

  it('parseSessionEntries(content): the header, then the entries, of any version', () => {
    const none = { id: undefined, parentId: undefined };
    const [header, ...entries] = core.parseSessionEntries(
      session({ version: undefined })
        .user('é', none)
        .raw('{"torn')
        .entry('compaction', { ...none, summary: 's', tokensBefore: 1, firstKeptEntryIndex: 1 })
        .text(),
    );
    assert.equal(header.type, 'session');
    assert.deepEqual(
      entries.map(({ type, parentId, id }) => [type, parentId === null ? null : parentId === entries[0]!.id, id !== '']),
      [
        ['message', null, true],
        ['compaction', true, true],
      ],
    );
    assert.equal(entries[1]!['firstKeptEntryId'], entries[0]!.id);
    const [, a, b] = session().user('ä').user('b').lines();
    const glued = core.parseSessionEntries(`${session().lines()[0]!}\n${a!}${b!}`);
    assert.deepEqual(
      glued.slice(1).map((entry) => entry.id),
      [1, 2].map(entryId),
    );
    assert.throws(() => core.parseSessionEntries(''), { code: 'not-a-session' });
  });
});
