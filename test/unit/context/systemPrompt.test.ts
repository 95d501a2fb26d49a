import { yieldToEventLoop } from '../../../src/core/files/concurrency/eventLoop';
import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { buildArticles, readArticles, readTextPiece } from '../../../src/context/articles/articleLoader';
import { ContextOverview } from '../../../src/context/snapshot/contextOverview';
import { buildHeader } from '../../../src/context/snapshot/pageHeader';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import { firstDifference } from '../../../src/context/snapshot/compareSnapshots';
import { groupIndexOf } from '../../../src/context/snapshot/snapshotPositions';
import { messageCount, type ContextSnapshot } from '../../../src/context/snapshot/contextSnapshot';
import { ArticleMatcher } from '../../../src/context/search/articleMatcher';
import type { Article, FoldPart, Part, ViewMode } from '../../../src/context/shared/protocol';
import { followSession, readSession } from '../../../src/core/index';
import { entryId, session, type Fields, type Given, type SessionBuilder } from '../../fixtures/build';
import { MODEL_WINDOWS } from '../../../src/core/format/context/modelWindows';
import { testFolder } from '../../fixtures/folder';

const system = (fields: Fields): Fields => ({ role: 'system', content: '', ...fields });
const tool = (name: string, description = `runs ${name}`): Fields => ({ name, description, parameters: { type: 'object' } });

/** A prompt of 1,000 characters, a change of a section and a tool, and answers. */
const changed = (): SessionBuilder =>
  session()
    .message(system({ sections: { preamble: 'p'.repeat(990), rules: 'old rules!' }, toolsAdded: [tool('read'), tool('bash')] }))
    .user('a')
    .message(
      system({ sections: { rules: 'new rules!', docs: 'x', gone: null }, toolsAdded: [tool('ls')], toolsRemoved: [{ name: 'bash' }] }),
    )
    .user('b');

const folds = (parts: readonly Part[]): FoldPart[] => parts.filter((part) => part.kind === 'fold');
/** Formats folds as `content name change`, with the folds in them. */
const outline = (parts: readonly Part[]): unknown[] =>
  folds(parts).map(({ content, name, change, parts: inner }) => {
    const title = [content, name, change].filter((word) => word !== undefined).join(' ');
    const within = outline(inner);
    return within.length === 0 ? title : [title, ...within];
  });

describe('The system prompt in the context view', () => {
  const folder = testFolder();
  const open = async (builder: SessionBuilder, leafId?: string, view: ViewMode = 'model'): Promise<ContextSnapshot> =>
    readFileContext(await readSession(await folder.write('s.jsonl', builder.text())), leafId, view);
  const articles = async (snapshot: ContextSnapshot): Promise<Article[]> => {
    const found: Article[] = [];
    for await (const page of readArticles(snapshot, 0, snapshot.groups.length)) found.push(...page.articles);
    return found;
  };
  const shown = async (snapshot: ContextSnapshot): Promise<unknown[]> =>
    (await articles(snapshot)).map(({ kind, entryId: id, parts }) => [kind, id, ...outline(parts)]);

  it('is the first article, as it is at the chosen entry', async () => {
    const whole = (...names: string[]): unknown => ['prompt', ...names.map((name) => `section ${name}`)];
    const tools = (...names: string[]): unknown => ['tools', ...names.map((name) => `tool ${name}`)];
    assert.deepEqual((await shown(await open(changed(), entryId(2))))[0], [
      'prompt',
      entryId(1),
      whole('preamble', 'rules'),
      tools('read', 'bash'),
    ]);
    assert.deepEqual((await shown(await open(changed())))[0], [
      'prompt',
      entryId(1),
      whole('preamble', 'rules', 'docs'),
      tools('read', 'ls'),
    ]);
  });

  it('is followed by its changes, in both views', async () => {
    const change = [
      'promptChange',
      entryId(3),
      'section rules updated',
      'section docs updated',
      'section gone removed',
      'tool ls added',
      'tool bash removed',
    ];
    assert.deepEqual((await shown(await open(changed())))[2], change);
    const transcript = await shown(await open(changed(), undefined, 'transcript'));
    assert.deepEqual(transcript[2], change);
    assert.deepEqual(transcript[0], [
      'prompt',
      entryId(1),
      ['prompt', 'section preamble', 'section rules'],
      ['tools', 'tool read', 'tool bash'],
    ]);
  });

  it('is added at the top if it is declared later, and its message keeps its place', async () => {
    const built = session()
      .user('a')
      .assistant('b')
      .message(system({ sections: { rules: 'r' } }))
      .user('c');
    const snapshot = await open(built);
    assert.deepEqual(
      (await articles(snapshot)).map(({ kind, key }) => [kind, key]),
      [
        ['prompt', entryId(3)],
        ['user', entryId(1)],
        ['assistant', entryId(2)],
        ['prompt', `${entryId(3)}#1`],
        ['user', entryId(4)],
      ],
    );
    assert.equal(groupIndexOf(snapshot, entryId(3)), 3);
    assert.equal(messageCount(snapshot), 4);
    assert.deepEqual((await shown(await open(built, entryId(2)))).length, 2);
  });

  it('comes from the checkpoint of a compaction, which the transcript shows in its row', async () => {
    const built = changed().compaction('s', 'none', { systemMessage: system({ sections: { a: 'b' }, toolsAdded: [tool('x')] }) });
    const parts = [
      ['prompt', 'section a'],
      ['tools', 'tool x'],
    ];
    assert.deepEqual((await shown(await open(built)))[0], ['prompt', entryId(5), ...parts]);
    const [row] = (await articles(await open(built, undefined, 'transcript'))).slice(-1);
    assert.deepEqual([row?.row?.kind, ...outline(row!.parts)], ['compaction', ...parts]);
  });

  it('comes from the session_init of oh-my-pi, with names of tools and the schema of the answer', async () => {
    const built = session({ title: 'omp' })
      .entry('session_init', { systemPrompt: 'You explore.', task: 't', tools: ['read', 'grep'], outputSchema: { type: 'string' } })
      .user('t');
    const [block] = await articles(await open(built));
    assert.deepEqual([block?.kind, ...outline(block!.parts)], ['prompt', 'prompt', 'tools', 'schema']);
    assert.deepEqual(folds(block!.parts)[1]?.parts, [{ kind: 'output', text: { text: 'read\ngrep', nth: 1 } }]);
    const [row] = await articles(await open(built, undefined, 'transcript'));
    assert.deepEqual([row?.row?.kind, ...outline(row!.parts)], ['prompt', 'prompt', 'tools', 'schema']);
  });

  it('changes the note: the model saw more only if none is recorded', async () => {
    const hasNote = async (built: SessionBuilder, leafId?: string): Promise<boolean> =>
      buildHeader(await open(built, leafId), leafId).note !== '';
    assert.equal(await hasNote(session().user('a')), true);
    assert.equal(await hasNote(changed()), false);
    assert.equal(await hasNote(session().message(system({ toolsAdded: [tool('x')] }))), true);
    assert.equal(await hasNote(session().message(system({}))), true);
    assert.equal(await hasNote(changed().compaction('s', 'none')), true);
    assert.equal(await hasNote(changed().compaction('s', 'none', { systemMessage: system({ sections: { a: 'b' } }) })), false);
    const late = session()
      .user('a')
      .message(system({ sections: { a: 'b' } }));
    assert.deepEqual([await hasNote(late, entryId(1)), await hasNote(late)], [true, false]);
  });

  it('is found, in sections, descriptions and parameters', async () => {
    const snapshot = await open(changed());
    const [built] = await buildArticles(snapshot, snapshot.groups.slice(0, 1));
    const location = async (text: string): Promise<unknown> =>
      new ArticleMatcher({ text, matchCase: false, wholeWord: false }, yieldToEventLoop).locate(built!, 0);
    assert.deepEqual(await location('new rules'), { key: '1', folds: ['0', '0.1'], nth: 0 });
    assert.deepEqual(await location('old rules'), undefined);
    assert.deepEqual(await location('runs ls'), { key: 'head 1.1', folds: ['1'], nth: 0 });
    assert.deepEqual(await location('"object"'), { key: '4', folds: ['1', '1.0'], nth: 0 });
  });

  it('is sent again when it changes, and only then', async () => {
    const builder = changed();
    const path = await folder.write('s.jsonl', builder.text());
    const first = await readFileContext(await readSession(path));
    const append = async (...lines: string[]): Promise<void> => appendFile(path, `${lines.join('\n')}\n`);
    const length = builder.lines().length;
    await append(builder.user('c').lines()[length]!);
    const grown = await readFileContext(await followSession(first.session));
    assert.equal(firstDifference(first, grown), first.groups.length);
    await append(builder.message(system({ sections: { rules: 'again' } })).lines()[length + 1]!);
    assert.equal(firstDifference(grown, await readFileContext(await followSession(grown.session))), 0);
  });

  describe('in the overview', () => {
    const usage = (totalTokens: number): Given => ({
      message: { usage: { input: totalTokens - 100, output: 100, cacheRead: 0, cacheWrite: 0, totalTokens } },
    });
    const kinds = async (snapshot: ContextSnapshot, cache = new ContextOverview(MODEL_WINDOWS)): Promise<unknown> => {
      const found = (await cache.overview(snapshot, () => true))!.contextUsage;
      return [found.total, ...found.parts.map(({ kind, tokens }) => `${kind} ${String(tokens)}`)];
    };
    const sections = { a: 'x'.repeat(2000), b: 'y'.repeat(1200) };
    const toolsAdded = [{ name: 'read', description: 'd'.repeat(750), parameters: {} }];

    it('counts as it is at the end, not each of its changes, and no further prompt', async () => {
      const built = session()
        .message(system({ sections, toolsAdded }))
        .user('u'.repeat(400))
        .message(system({ sections: { a: 'z'.repeat(2000) } }))
        .assistant('w'.repeat(400), usage(2400));
      const snapshot = await open(built);
      const cache = new ContextOverview(MODEL_WINDOWS);
      assert.deepEqual(await kinds(snapshot, cache), [2400, 'system 1600', 'tools 400', 'user 200', 'assistant 200']);
      assert.deepEqual(
        cache.largest(snapshot.session, 'tools').map(({ entryId: id, tokens }) => [id, tokens]),
        [[entryId(1), 400]],
      );
    });

    it('counts what is missing if the tools are only named', async () => {
      const built = session({ title: 'omp' })
        .entry('session_init', { systemPrompt: 'p'.repeat(400), tools: ['read'] })
        .user('u'.repeat(400))
        .assistant('w'.repeat(400), usage(1300));
      assert.deepEqual(await kinds(await open(built)), [1300, 'prompt 996', 'system 100', 'tools 4', 'user 100', 'assistant 100']);
    });

    it('counts the checkpoint of a compaction once', async () => {
      const built = session()
        .message(system({ sections }))
        .user('a')
        .compaction('c'.repeat(400), 'none', { systemMessage: system({ sections: { a: 'x'.repeat(400) }, toolsAdded }) })
        .user('u'.repeat(40));
      assert.deepEqual(await kinds(await open(built)), [410, 'system 100', 'tools 200', 'summary 100', 'user 10']);
    });
  });

  it('stays bounded: a thousand sections, and megabytes of tools', async () => {
    const sections = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`s${String(index)}`, `text ${String(index)} `.repeat(300)]),
    );
    const toolsAdded = Array.from({ length: 300 }, (_, index) => ({
      name: `t${String(index)}`,
      description: 'd'.repeat(20_000),
      parameters: { last: `word${String(index)}` },
    }));
    const snapshot = await open(session().message(system({ sections, toolsAdded })).user('a'));
    const [block] = await articles(snapshot);
    assert.ok(JSON.stringify(block).length < 1_000_000, String(JSON.stringify(block).length));
    const [prompt, tools] = folds(block!.parts);
    assert.deepEqual([prompt!.parts.length, tools!.parts.length, tools!.count], [201, 201, 300]);
    // Parts that aren't sent are found, and can be requested.
    const [built] = await buildArticles(snapshot, snapshot.groups.slice(0, 1));
    const matcher = new ArticleMatcher({ text: 'word299', matchCase: true, wholeWord: true }, yieldToEventLoop);
    const found = await matcher.locate(built!, 0);
    assert.equal(found?.excerpt?.text.includes('word299'), true);
    const piece = await readTextPiece(snapshot, 0, Number(found.key), found.excerpt.from);
    assert.equal(piece?.text.includes('word299'), true);
  });

  it('shows odd names and values as text', async () => {
    const line = `{"type":"message","id":"m","parentId":null,"message":{"role":"system","content":null,"sections":{"__proto__":["a"],"\\u202e":"b"},"toolsAdded":[null,"x",{"name":"y","description":null}]}}`;
    const [block] = await articles(await open(session().raw(line)));
    assert.deepEqual(outline(block!.parts), [['prompt', 'section __proto__', 'section ⟦RLO⟧'], 'tools']);
  });
});
