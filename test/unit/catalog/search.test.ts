import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { mock } from 'node:test';
import { type Catalog, type SearchOptions } from '../../../src/core/index';
import { CACHE_KB } from '../../../src/core/catalog/database/readingConnection';
import { CatalogReader } from '../../../src/core/catalog/database/catalogReader';
import { candidatesFromIndex, RANKED_TOGETHER } from '../../../src/core/catalog/search/candidates';
import { IndexedLineReader } from '../../../src/core/catalog/search/indexedLineReader';
import { search } from '../../../src/core/catalog/search/search';
import { createSessionFilter } from '../../../src/core/catalog/search/searchFilter';
import { matchExpression, parseQuery, snippetOf } from '../../../src/core/catalog/search/query/searchQuery';
import { entryId, session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

/** Sessions without the wanted file. */
function* neverEnding(): Generator<undefined> {
  for (;;) yield undefined;
}

describe('search', () => {
  const test = testCatalog();
  const { path, open } = test;
  const cacheDir = (): string => test.cacheDir;

  it('reads more and more lines together if few of them are hits', async () => {
    const lines = session();
    for (let count = 0; count < 10; count++) lines.user('a pear apple is what they ate on a long day by the sea');
    for (let count = 0; count < 200; count++) lines.user('apple and pear');
    await open({ a: lines });
    const reader = new CatalogReader({ cacheDir: cacheDir() }, CACHE_KB.search);
    const read = mock.method(IndexedLineReader.prototype, 'readAll');
    try {
      const scope = { reader, isSearched: () => true, cwdOf: () => undefined };
      const hits = await search(scope, '"pear apple"', { limit: 1 });
      assert.deepEqual([hits.length, hits[0]?.snippet.includes('pear apple')], [1, true]);
      assert.ok(read.mock.callCount() < 12, `${read.mock.callCount()} times`);
    } finally {
      read.mock.restore();
      reader.close();
    }
  });

  it('looks for the words of a session from the rarest one on', async () => {
    const sessions = Object.fromEntries(Array.from({ length: 60 }, (_, count) => [`s${count}`, session().user('apples on a shelf')]));
    await open({ ...sessions, both: session().user('apples').assistant('and a quince') });
    const reader = new CatalogReader({ cacheDir: cacheDir() }, CACHE_KB.search);
    const located = mock.method(CatalogReader.prototype, 'locate');
    try {
      const scope = { reader, isSearched: () => true, cwdOf: () => undefined };
      const hits = await search(scope, 'apples quince');
      assert.deepEqual(
        hits.map((hit) => [hit.path, hit.snippet, hit.elsewhere]),
        [[path('both'), 'and a quince', ['apples']]],
      );
      assert.ok(located.mock.callCount() < 10, `${located.mock.callCount()} times`);
    } finally {
      located.mock.restore();
      reader.close();
    }
  });

  const TEXTS = [
    'the quick brown fox',
    'a fox is brown and quick',
    'Crème brûlée at the café',
    'see src/core/index.ts for C++',
    '日本語のテスト and more',
    'snake_case and kebab-case',
    'AND OR NOT near',
    'straße 100% done',
    'สวัสดีครับ か\u3099',
  ];

  /** A query, and the texts that match it. */
  const QUERIES: readonly [query: string, answers: readonly number[]][] = [
    ['fox', [0, 1]],
    ['FOX quick', [0, 1]],
    ['"brown fox"', [0]],
    ['"quick brown" the', [0]],
    ['fox -the', [1]],
    ['fox -"brown fox"', [1]],
    ['fox --the', [0]],
    ['fox --brown', [0, 1]],
    ['qui', [0, 1]],
    ['qui fox', []],
    ['qui* fox', [0, 1]],
    ['q', []],
    ['q* fox', []],
    ['creme', [2]],
    ['BRÛLÉE café', [2]],
    ['src/core/index.ts', [3]],
    ['src/index', []],
    ['index.ts', [3]],
    ['日本', [4]],
    ['本語', [4]],
    ['語日', []],
    ['วัสดี', [8]],
    ['ดัส', []],
    ['snake_case', [5]],
    ['case', [5]],
    ['AND OR', [6]],
    ['NOT near', [6]],
    ['straße', [7]],
    ['100', [7]],
    ['"brown fox', [0, 1]],
    ['(fox OR', [6]],
    ['fox) AND (', [1]],
    ['-fox', [0, 1]],
    ['fox "', [0, 1]],
    ['fox*', [0, 1]],
    ['text:fox', []],
    ['*', []],
    ['', []],
    ['   ', []],
    ['nothing', []],
  ];

  it('understands queries', async () => {
    const lines = session();
    for (const text of TEXTS) lines.user(text);
    const { search } = bound(await open({ a: lines }));
    const found: [string, number[]][] = [];
    for (const [query] of QUERIES)
      found.push([query, (await search(query)).map((hit) => Number.parseInt(hit.entryId.slice(1), 16) - 1).sort((a, b) => a - b)]);
    assert.deepEqual(
      found,
      QUERIES.map(([query, answers]) => [query, [...answers]]),
    );
  });

  const bound = (open: Catalog): { search: (query: string, options?: SearchOptions) => ReturnType<Catalog['search']> } => ({
    search: (query, options) => open.search(query, options),
  });

  it('finds text, commands, arguments, results of tools, names, labels, messages of extensions and summaries, but no data', async () => {
    const lines = session()
      .user('wordinuser')
      .assistant([
        { type: 'thinking', thinking: 'wordinthought' },
        { type: 'text', text: 'wordinassistant' },
      ])
      .tool('read', { path: 'wordinargument.ts', deep: [{ er: 'wordindeep' }] }, 'wordinresult')
      .bash('wordincommand', 'wordinoutput')
      .name('wordinname')
      .label(entryId(1), 'wordinlabel')
      .compaction('wordincompaction', entryId(1))
      .branchSummary('wordinsummary')
      .custom('x', { data: 'wordindata' })
      .customMessage('x', 'wordinmessage');
    const { search } = bound(await open({ a: lines }));
    const found = (await search('wordin')).map((hit) => hit.snippet.replace(/.*?wordin(\w+).*/, '$1'));
    assert.deepEqual(found.sort(), [
      'argument',
      'assistant',
      'command',
      'compaction',
      'label',
      'message',
      'name',
      'result',
      'summary',
      'user',
    ]);
    assert.equal((await search('wordindeep'))[0]?.entryId, entryId(3));
    assert.equal((await search('wordinlabel'))[0]?.entryId, entryId(1), 'a label leads to what it stands on');
  });

  it('finds a session’s title', async () => {
    const { search } = bound(await open({ a: session({ title: 'Rate limiting', titleSource: 'user' }).user('x') }));
    assert.deepEqual(
      (await search('limiting')).map(({ entryId: id, snippet, active }) => [id, snippet, active]),
      [[entryId(1), 'Rate limiting', true]],
    );
  });

  it('finds words of the system prompt and of the tools, as the role system', async () => {
    const message = {
      role: 'system',
      content: '',
      sections: { rules: 'Prefer wordinsection.' },
      toolsAdded: [{ name: 'wordintool', description: 'Says wordindescription' }],
    };
    const { search } = bound(
      await open({
        a: session().message(message).user('x'),
        b: session({ title: 'omp' }).entry('session_init', { systemPrompt: 'wordinprompt', task: 'wordintask', tools: ['read'] }),
      }),
    );
    for (const word of ['wordinsection', 'wordintool', 'wordindescription'])
      assert.deepEqual(
        (await search(word, { roles: ['system'] })).map(({ entryId: id, role }) => [id, role]),
        [[entryId(1), 'system']],
        word,
      );
    for (const word of ['wordinprompt', 'wordintask'])
      assert.deepEqual(
        (await search(word)).map(({ path: found, role }) => [found, role]),
        [[path('b'), 'session_init']],
        word,
      );
  });

  it('shows what a person said without wrappers, and finds the wrappers, too', async () => {
    const wrapper = 'Sender (untrusted metadata):\n```json\n{\n  "label": "wordofwrapper"\n}\n```';
    const { search } = bound(await open({ a: session().user(`${wrapper}\n\n[Tue 2026-05-05 09:41 GMT+8] Fix the parser`) }));
    const snippets = async (query: string, options?: SearchOptions): Promise<string[]> =>
      (await search(query, options)).map(({ snippet }) => snippet);
    assert.deepEqual(await snippets('parser'), ['Fix the parser']);
    assert.deepEqual(await snippets('', { roles: ['user'] }), ['Fix the parser']);
    assert.match((await snippets('wordofwrapper'))[0]!, /"label": "wordofwrapper"/);
  });

  it('marks hits on the active branch', async () => {
    const lines = session().user('fork here').assistant('left word').branchFrom(entryId(1)).assistant('right word');
    const { search } = bound(await open({ a: lines }));
    assert.deepEqual((await search('word')).map(({ snippet, active }) => [snippet, active]).sort(), [
      ['left word', false],
      ['right word', true],
    ]);
  });

  it('ranks better hits first, and recent ones first among equals', async () => {
    const userMessage = (text: string, time: number): { text(): string } => session().user(text, { message: { timestamp: time } });
    const { search } = bound(
      await open({
        a: userMessage('same word', 1000),
        b: userMessage('same word', 3000),
        c: userMessage('same word', 2000),
        d: userMessage('word word, word word', 500),
        e: userMessage('a word among so many others that it says little', 9000),
      }),
    );
    assert.deepEqual(
      (await search('word')).map((hit) => hit.path),
      ['d', 'b', 'c', 'a', 'e'].map(path),
    );
  });

  it('ranks recent hits first also among very many equals', async () => {
    const many = session();
    for (let time = 1; time <= 1100; time++) many.user('same', { message: { timestamp: time } });
    const opened = await open({ a: many });
    writeFileSync(
      path('b'),
      session()
        .user('same', { message: { timestamp: 2000 } })
        .text(),
    );
    await opened.refresh();
    const found = await opened.search('same', { limit: 3 });
    assert.deepEqual(
      found.map((hit) => [hit.path, hit.time]),
      [
        [path('b'), 2000],
        [path('a'), 1100],
        [path('a'), 1099],
      ],
    );
  });

  it('ranks the newest of very many matches, then the others', async () => {
    const many = session();
    for (let index = 0; index < RANKED_TOGETHER; index++) many.user('many words');
    const catalog = await open({ a: session().user('words words'), b: session().assistant('many words') });
    // The last to be stored are the newest.
    writeFileSync(path('c'), many.text());
    await catalog.refresh();
    const all = await catalog.search('words', { limit: 3 * RANKED_TOGETHER });
    assert.deepEqual(
      [all.length, new Set(all.map((hit) => `${hit.path} ${hit.entryId}`)).size],
      [RANKED_TOGETHER + 2, RANKED_TOGETHER + 2],
    );
    assert.deepEqual(
      [0, RANKED_TOGETHER - 1, RANKED_TOGETHER, RANKED_TOGETHER + 1].map((at) => all[at]?.path),
      ['c', 'c', 'a', 'b'].map(path),
    );
    // Only matches that pass the filters count.
    assert.deepEqual(
      (await catalog.search('words', { roles: ['user'], limit: 1 })).map((hit) => hit.path),
      [path('c')],
    );
    assert.deepEqual(
      (await catalog.search('words', { roles: ['assistant'] })).map((hit) => hit.path),
      [path('b')],
    );
    assert.deepEqual(
      (await catalog.search('words', { project: 'nowhere' })).map((hit) => hit.path),
      [],
    );
  });

  it('ends when the database is closed within its matches', async () => {
    await open({ a: session().user('same').user('same') });
    const reader = new CatalogReader({ cacheDir: cacheDir() }, CACHE_KB.search);
    const matches = reader.matches('"same"', 1);
    assert.equal(matches.next().done, false);
    reader.close();
    assert.equal(matches.next().done, true);
  });

  it('has each match once, in order, however many are read at once', async () => {
    await open({
      a: session()
        .user('same')
        .user('other')
        .user(`same ${'long '.repeat(200)}`)
        .user('same'),
    });
    const reader = new CatalogReader({ cacheDir: cacheDir() }, CACHE_KB.search);
    try {
      const [matches = [], ...others] = [1, 2, 3, 4].map((together) => [...reader.matches('"same"', together)]);
      for (const other of others) assert.deepEqual(other, matches);
      // The newest first; a repeated word counts once more.
      assert.deepEqual(
        matches.map(({ words }) => words),
        [1, 202, 1],
      );
      assert.ok(matches.every(({ document }, index) => document > (matches[index - 1]?.document ?? 0)));
    } finally {
      reader.close();
    }
  });

  it('ends within a group of matches when it is aborted', async () => {
    const stop = new AbortController();
    let count = 0;
    function* endless(): Generator<{ document: number; score: number }> {
      for (;;) {
        if (++count === 10) stop.abort(new Error('a newer search'));
        yield { document: 1, score: 1 };
      }
    }
    const scope = {
      reader: { matches: endless, locate: () => undefined } as unknown as CatalogReader,
      isSearched: () => true,
      cwdOf: () => undefined,
    };
    const query = parseQuery('word') ?? assert.fail();
    await assert.rejects(
      candidatesFromIndex(scope, query, () => undefined, { isFiltered: true, signal: stop.signal }).next(),
      /a newer search/,
    );
    const touching = { ...scope, reader: { touchesOfPart: () => neverEnding() } as unknown as CatalogReader };
    await assert.rejects(
      createSessionFilter(touching, { files: ['a'], signal: AbortSignal.abort(new Error('a newer search')) }),
      /a newer search/,
    );
  });

  it('applies roles, project, since and limit', async () => {
    const { search } = bound(
      await open({
        a: session({ cwd: '/work/a' }).user('word').assistant('word'),
        b: session({ cwd: '/work/ab' }).user('word', { message: { timestamp: Date.parse('2026-02-01T00:00:00Z') } }),
        c: session({ cwd: '/work/a/inner' }).user('word'),
      }),
    );
    const count = async (options: SearchOptions): Promise<number> => (await search('word', options)).length;
    assert.equal(await count({}), 4);
    assert.equal(await count({ roles: ['assistant'] }), 1);
    assert.equal(await count({ roles: ['user', 'assistant'] }), 4);
    assert.equal(await count({ project: '/work/a' }), 3);
    assert.equal(await count({ project: '/work/a', roles: ['user'] }), 2);
    assert.equal(await count({ since: Date.parse('2026-01-15T00:00:00Z') }), 1);
    assert.equal(await count({ limit: 2 }), 2);
    assert.equal(await count({ limit: 0 }), 0);
  });

  it('stops when aborted', async () => {
    const { search } = bound(await open({ a: session().user('word') }));
    await assert.rejects(search('word', { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  });

  it('omits lines that are no longer in their file', async () => {
    const { search } = bound(await open({ a: session().user('word'), b: session().user('word'), c: session().user('word') }));
    rmSync(path('a'));
    writeFileSync(path('b'), session().user('other').text());
    assert.deepEqual(
      (await search('word')).map((hit) => hit.path),
      [path('c')],
    );
  });

  it('finds both entries on one line', async () => {
    const [header, first, second] = session().user('one word').user('two words').lines();
    const { search } = bound(await open({ a: { text: () => `${header!}\n${first!}${second!}\n` } }));
    assert.deepEqual((await search('word')).map((hit) => hit.snippet).sort(), ['one word', 'two words']);
    assert.deepEqual(
      (await search('two')).map((hit) => hit.entryId),
      [entryId(2)],
    );
  });

  it('cuts snippets around the first match, and marks all matches in them', () => {
    const text = `${'before '.repeat(30)}the needle\nin a haystack ${'after '.repeat(60)}needle`;
    const found = snippetOf(text, parseQuery('needle "a haystack" befo')!);
    assert.ok(found);
    const far = snippetOf(text, parseQuery('needle "a haystack"')!)!;
    assert.deepEqual(
      far.marks.map(([start, end]) => far.snippet.slice(start, end)),
      ['needle', 'a haystack'],
    );
    assert.match(far.snippet, /^…before .*the needle in a haystack after.*…$/);
    assert.ok(far.snippet.length < 210);
  });

  it('finds words after very long text, but not inside other words', () => {
    for (const text of [
      'xneedle4 needle',
      `${'0a'.repeat(200_000)} needle`,
      `${'0a'.repeat(200_000)}needle, NEEDLE`,
      'nee needlework needle',
    ]) {
      const { snippet, marks } = snippetOf(text, parseQuery('"needle"')!)!;
      assert.deepEqual(
        marks.map(([start, end]) => snippet.slice(start, end).toLowerCase()),
        ['needle'],
        text.slice(-20),
      );
    }
    assert.equal(snippetOf('xneedle needlex', parseQuery('"needle"')!), undefined);
    assert.deepEqual(snippetOf('straße Needles', parseQuery('needle*')!)!.marks, [[7, 14]]);
  });

  it('passes only words to the index', () => {
    assert.equal(matchExpression(parseQuery('a.b "c d" -e ) fo')!), '("a" AND "b" AND "c" AND "d" AND "fo" *) NOT ("e")');
  });
});
