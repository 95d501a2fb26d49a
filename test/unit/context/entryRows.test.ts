import assert from 'node:assert/strict';
import { readArticles } from '../../../src/context/articles/articleLoader';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import type { ContextSnapshot } from '../../../src/context/snapshot/contextSnapshot';
import { buildHeader } from '../../../src/context/snapshot/pageHeader';
import type { Article, ViewMode } from '../../../src/context/shared/protocol';
import { readSession } from '../../../src/core/index';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('Entries in the context view', () => {
  const folder = testFolder();
  const open = async (builder: SessionBuilder, view: ViewMode): Promise<ContextSnapshot> =>
    readFileContext(await readSession(await folder.write('s.jsonl', builder.text())), undefined, view);
  const articles = async (builder: SessionBuilder, view: ViewMode): Promise<Article[]> => {
    const snapshot = await open(builder, view);
    const found: Article[] = [];
    for await (const page of readArticles(snapshot, 0, snapshot.groups.length)) found.push(...page.articles);
    return found;
  };

  it('have what was paid for besides answers: its kind, note and model', async () => {
    const usage = {
      input: 1000,
      output: 5,
      cacheRead: 0,
      cacheWrite: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 },
    };
    const builder = session()
      .user('a')
      .entry('usage', { kind: 'tool', note: 'image\nsearch', usage })
      .entry('usage', { kind: 7, usage: 'none' })
      .entry('model_usage', { model: 'p/m', usage })
      .entry('model_usage', { purpose: 'タイトル', provider: 'p', model: 'm' });
    const rows = (await articles(builder, 'transcript')).map(({ row }) => row?.text);
    assert.deepEqual(rows.slice(1), [
      'Usage: tool · image search · 1K in, 5 out · $0.50',
      'Usage',
      'Usage: p/m · 1K in, 5 out · $0.50',
      'Usage: タイトル · p/m',
    ]);
  });

  it('name the entry that was archived or brought back', async () => {
    const builder = session()
      .user('Вопрос')
      .entry('archive', { targetId: entryId(1), archived: true })
      .entry('archive', { targetId: 'none', archived: false });
    assert.deepEqual(
      (await articles(builder, 'transcript')).slice(1).map(({ row }) => [row?.text, row?.targetId]),
      [
        ['Archived: user: Вопрос', entryId(1)],
        ['Unarchived: an entry that isn’t in the file (none)', undefined],
      ],
    );
  });

  it('say that a session went back to a checkpoint, with the report, also if the program hides it', async () => {
    const details = { report: '道は**行き止まり**' };
    const builder = session().user('a').customMessage('rewind-report', 'Назад.', { display: false, details });
    for (const view of ['model', 'transcript'] as const) {
      const [, shown] = await articles(builder, view);
      assert.deepEqual([shown!.kind, shown!.name, shown!.isHidden], ['rewind', undefined, undefined]);
      assert.deepEqual(
        shown!.parts.map((part) => (part.kind === 'markdown' ? part.text.text : part.kind)),
        ['Назад.', details.report],
      );
    }
    assert.equal(buildHeader(await open(builder, 'model'), undefined).hasHiddenMessages, false);
  });

  it('name the subagent of a session, and what it may do', async () => {
    const init = (given: object): SessionBuilder =>
      session({ title: '' })
        .entry('session_init', {
          systemPrompt: ['You tie knots.', { type: 'text', text: 'Папка: /boat' }],
          task: '結ぶ',
          tools: ['read'],
          ...given,
        })
        .user('結ぶ');
    const row = async (given: object): Promise<unknown[]> => {
      const [first] = await articles(init(given), 'transcript');
      return [first!.row?.text, ...first!.parts.map((part) => (part.kind === 'markdown' ? part.text.text : part.kind))];
    };
    const [named, plain] = ['System prompt and tools of scout at the start', 'System prompt and tools at the start'];
    assert.deepEqual(await row({ agent: 'scout', readOnly: true, spawns: '' }), [
      named,
      'This subagent only reads.\n\nIt may start no other agents.',
      'fold',
      'fold',
    ]);
    assert.deepEqual(await row({ spawns: '*', readOnly: 'yes' }), [plain, 'It may start any agent.', 'fold', 'fold']);
    assert.deepEqual(await row({ agent: 7, spawns: 'a_b,c' }), [plain, 'It may start: a\\_b,c', 'fold', 'fold']);
    assert.deepEqual(await row({ agent: '', spawns: ['x'] }), [plain, 'fold', 'fold']);
    const fields = async (given: object): Promise<string[]> =>
      buildHeader(await open(init(given), 'model'), undefined).fields.map(({ name, value }) => `${name} ${value}`);
    assert.equal((await fields({ agent: 'разведчик\nx' }))[0], 'Subagent разведчик x');
    assert.equal((await fields({}))[0]!.startsWith('Model '), true);
  });

  it('have the values that a script of code mode stored or removed, and data of extensions as JSON', async () => {
    const store = (data: unknown): Parameters<SessionBuilder['custom']> => ['codemode-store', data];
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`ключ\n${index}`, index]));
    const builder = session()
      .user('a')
      .custom(...store({ set: { cursor: 7, まとめ: ['x'] }, delete: ['old', 5] }))
      .custom(...store({ set: {}, delete: ['old'] }))
      .custom(...store({ set: many, delete: [] }))
      .custom(...store({ set: 'x', delete: [] }))
      .entry('custom', { customType: 'codemode-store' })
      .custom('mine', { count: 1 })
      .custom('pi.virtual-model-state', { provider: 'p', modelId: 'm', state: {} });
    const rows = (await articles(builder, 'transcript')).slice(1);
    const first = rows.map(({ row, parts }) => [row?.text, parts.map((part) => (part.kind === 'output' ? part.text.text : part.kind))]);
    assert.deepEqual(first[0], [
      'Code mode stored: cursor, まとめ. Code mode removed: old',
      [JSON.stringify({ set: { cursor: 7, まとめ: ['x'] }, delete: ['old', 5] }, undefined, 2)],
    ]);
    assert.equal(first[1]?.[0], 'Code mode removed: old');
    assert.match(String(first[2]?.[0]), /^Code mode stored: ключ 0, ключ 1, .{100,}$/);
    assert.deepEqual(
      first.slice(3).map(([text]) => text),
      ['Extension data: codemode-store', 'Extension data: codemode-store', 'Extension data: mine', 'Virtual model state'],
    );
    assert.deepEqual(
      rows.map(({ parts }) => parts.length),
      [1, 1, 1, 1, 0, 1, 1],
    );
  });

  it('have an edit that names nothing in place of what it edits', async () => {
    const edit = (given: object): SessionBuilder =>
      session()
        .user('a')
        .entry('context_edit', { targetId: entryId(1), ...given });
    for (const given of [{}, { replacement: 7 }, { replacement: {} }, { replacement: { content: 7 } }]) {
      const shown = await articles(edit(given), 'transcript');
      assert.deepEqual(
        shown.map(({ entryId: id, parts }) => [id, parts.length]),
        [
          [entryId(1), 1],
          [entryId(2), 0],
        ],
        JSON.stringify(given),
      );
    }
  });

  it('have the short form of a compaction’s summary, which the model doesn’t get', async () => {
    const builder = session().user('a').compaction('the *long* one', entryId(1), { shortSummary: 'in *short*' });
    const text = ({ parts }: Article): string | undefined => (parts[0]?.kind === 'markdown' ? parts[0].text.text : undefined);
    const row = (await articles(builder, 'transcript')).find(({ row: one }) => one?.kind === 'compaction')!;
    assert.equal(row.row!.text, 'Compacted; the context had 12,345 tokens. in *short*');
    assert.equal(text(row), 'the *long* one\n\nShort summary: in \\*short\\*');
    const message = (await articles(builder, 'model')).find(({ kind }) => kind === 'compaction')!;
    assert.equal(text(message), 'the *long* one\n\nShort summary: in \\*short\\*');
    const plain = (await articles(session().user('a').compaction('long', entryId(1), { shortSummary: ' ' }), 'model'))[0]!;
    assert.equal(text(plain), 'long');
  });

  it('have a button for hidden messages only if there are any in the view', async () => {
    const hidden = { display: false };
    for (const [builder, expected] of [
      [session().user('a').customMessage('x', 'shown'), false],
      [session().user('a').custom('x', {}, hidden), false],
      [session().user('a').customMessage('x', 'not shown', hidden), true],
      [session().user('a').message({ role: 'custom', customType: 'x', content: 'y', display: false }), true],
      [session().customMessage('x', 'gone', hidden).user('a').compaction('s', entryId(2)), false],
    ] as const)
      assert.equal(buildHeader(await open(builder, 'model'), undefined).hasHiddenMessages, expected, builder.text());
    const compacted = session().customMessage('x', 'gone', hidden).user('a').compaction('s', entryId(2));
    assert.equal(buildHeader(await open(compacted, 'transcript'), undefined).hasHiddenMessages, true);
  });
});
