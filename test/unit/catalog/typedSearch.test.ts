import assert from 'node:assert/strict';
import type { Catalog, SearchOptions } from '../../../src/core/index';
import { parsePeriod } from '../../../src/core/catalog/search/query/queryDates';
import { parseSearchQuery } from '../../../src/core/catalog/search/query/queryPrefixes';
import { acceptsRow } from '../../../src/core/catalog/search/rowStates';
import { wordForms } from '../../../src/core/catalog/search/query/wordForms';
import { entryId, session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

/** A Wednesday. */
const NOW = new Date(2026, 10, 11, 15, 30);
const DAY = 86_400_000;

const local = (time: number): string => {
  const at = new Date(time);
  return `${at.getFullYear()}-${at.getMonth() + 1}-${at.getDate()} ${at.getHours()}:${at.getMinutes()}`;
};

describe('dates in queries', () => {
  it('are days, months, years, weekdays and times ago, in local time', () => {
    const dates: readonly [typed: string, from: string, to: string][] = [
      ['2026-11-01', '2026-11-1 0:0', '2026-11-2 0:0'],
      ['2026-2-9', '2026-2-9 0:0', '2026-2-10 0:0'],
      ['2026-12', '2026-12-1 0:0', '2027-1-1 0:0'],
      ['2025', '2025-1-1 0:0', '2026-1-1 0:0'],
      ['Today', '2026-11-11 0:0', '2026-11-12 0:0'],
      ['yesterday', '2026-11-10 0:0', '2026-11-11 0:0'],
      ['wednesday', '2026-11-11 0:0', '2026-11-12 0:0'],
      ['thu', '2026-11-5 0:0', '2026-11-6 0:0'],
      ['MON', '2026-11-9 0:0', '2026-11-10 0:0'],
      ['2d', '2026-11-9 0:0', '2026-11-10 0:0'],
      ['3w', '2026-10-21 0:0', '2026-10-22 0:0'],
      ['9m', '2026-2-11 0:0', '2026-2-12 0:0'],
      ['1y', '2025-11-11 0:0', '2025-11-12 0:0'],
      ['5h', '2026-11-11 10:30', '2026-11-11 10:30'],
      ['2026-11-01T12:30', '2026-11-1 12:30', '2026-11-1 12:30'],
    ];
    for (const [typed, from, to] of dates) {
      const period = parsePeriod(typed, NOW) ?? assert.fail(typed);
      assert.deepEqual([local(period.from), local(period.to)], [from, to], typed);
    }
    assert.equal(local(parsePeriod('1m', new Date(2026, 2, 31))?.from ?? 0), '2026-2-28 0:0');
  });

  it('are nothing else', () => {
    for (const typed of [
      '',
      'm',
      'mo',
      'soon',
      '2026-13',
      '2026-02-30',
      '2026-11-01-02',
      '0001',
      '99999d',
      '3 w',
      '-3w',
      '１d',
      '2026-99-99T99:99',
    ])
      assert.equal(parsePeriod(typed, NOW), undefined, typed);
  });

  it('limit a query from both sides, all of them', () => {
    const limits = (text: string): (string | undefined)[] => {
      const { since, until } = parseSearchQuery(text, NOW);
      return [since, until].map((time) => (time === undefined ? undefined : local(time)));
    };
    assert.deepEqual(limits('after:monday before:today'), ['2026-11-9 0:0', '2026-11-11 0:0']);
    assert.deepEqual(limits('since:2026-11 until:yesterday'), ['2026-11-1 0:0', '2026-11-11 0:0']);
    assert.deepEqual(limits('after:2d after:3w'), ['2026-11-9 0:0', undefined]);
    assert.ok(Number.isNaN(parseSearchQuery('after:soon after:today', NOW).since));
  });

  it('leave URLs, times, paths and names in code as words', () => {
    for (const text of ['https://a.b/c', '12:30', 'C:\\x', 'std::vector', 'foo:bar', 'thereafter:3w', '"after:3w"'])
      assert.deepEqual(parseSearchQuery(text, NOW), { query: text });
  });
});

describe('prefixes of a search', () => {
  const test = testCatalog();
  const at = (time: number) => ({ message: { timestamp: time } });
  const found = async (catalog: Catalog, query: string, options?: SearchOptions): Promise<string> =>
    (await catalog.search(query, options))
      .map(({ path, entryId: id }) => `${path.replace(/.*\/|\.jsonl/g, '')} ${id}`)
      .sort()
      .join(', ');

  it('limit it to times of entries', async () => {
    const today = new Date().setHours(0, 0, 0, 0);
    const catalog = await test.open({
      a: session()
        .user('слово', at(today + 1))
        .user('слово', at(today - DAY / 2))
        .user('слово', at(today - 40 * DAY)),
    });
    const [now, yesterday, old] = [1, 2, 3].map((n) => `a ${entryId(n)}`);
    assert.equal(await found(catalog, 'слово after:today'), now);
    assert.equal(await found(catalog, 'слово after:yesterday'), `${now}, ${yesterday}`);
    assert.equal(await found(catalog, 'until:yesterday since:3w'), yesterday);
    assert.equal(await found(catalog, 'before:3w'), old);
    assert.equal(await found(catalog, 'слово after:yesterday', { until: today }), yesterday);
    assert.equal(await found(catalog, 'слово after:soon'), '');
  });

  it('limit it to sessions in a state', async () => {
    const catalog = await test.open({
      failed: session()
        .user('ერთი')
        .assistant('', { message: { stopReason: 'error', errorMessage: 'no' } }),
      open: session().user('ერთი'),
      done: session().user('ერთი').assistant('done'),
    });
    assert.equal(await found(catalog, 'ერთი is:unfinished'), `failed ${entryId(1)}, open ${entryId(1)}`);
    assert.equal(await found(catalog, 'ერთი is:failed'), `failed ${entryId(1)}`);
    assert.equal(await found(catalog, 'ერთი is:running'), '');
    assert.equal(
      await found(catalog, 'ერთი is:running is:unfinished', { running: new Set([test.path('open'), test.path('done')]) }),
      `open ${entryId(1)}`,
    );
    assert.equal(await found(catalog, 'ერთი is:nothing'), '');
    assert.equal(await found(catalog, 'ერთი tag:later'), '');
  });

  it('know the states and tags of rows', () => {
    const row = { path: 'a' };
    const accepts = (query: string, facts: object): boolean => acceptsRow({ ...row, ...facts }, parseSearchQuery(query), new Set(['b']));
    const states: readonly [query: string, facts: object][] = [
      ['is:waiting', { state: 'waiting' }],
      ['is:running', { state: 'working' }],
      ['is:running', { path: 'b' }],
      ['is:failed', { state: 'failed' }],
      ['is:Archived', { isArchived: true }],
      ['is:pinned', { isPinned: true }],
      ['is:subagent', { parentPath: '/x' }],
      ['tag:Später', { tags: ['später', 'x'] }],
      ['tag:y tag:x', { tags: ['x'] }],
    ];
    for (const [query, facts] of states) {
      assert.ok(accepts(query, facts), query);
      assert.ok(!accepts(query, {}), query);
    }
  });

  it('leave the order to the caller: the newest first, whoever wrote it', async () => {
    const catalog = await test.open({
      a: session().user('слово слово слово слово', at(1000)).tool('x', {}, 'слово'),
      b: session().user('ещё одно слово', at(2000)),
    });
    const order = async (given: SearchOptions): Promise<string[]> =>
      (await catalog.search('слово', given)).map(({ role, time }) => `${role} ${time}`);
    const [byTime, byRelevance] = [await order({ order: 'time' }), await order({})];
    assert.deepEqual(byRelevance.slice(0, 2), ['user 1000', 'user 2000']);
    assert.deepEqual([byTime.length, byTime[0]?.split(' ')[0], ...byTime.slice(1)], [3, 'toolResult', 'user 2000', 'user 1000']);
  });

  it('name tools, projects and roles', async () => {
    const catalog = await test.open({
      a: session({ cwd: '/work/Shop' }).user('один').tool('bash', { command: 'один' }, 'один'),
      b: session({ cwd: '/work/other' }).user('один'),
    });
    assert.equal(await found(catalog, 'один project:sho role:user'), `a ${entryId(1)}`);
    assert.equal(await found(catalog, 'один tool:ba'), `a ${entryId(2)}`);
    assert.equal(await found(catalog, 'один role:tool'), `a ${entryId(2)}, a ${entryId(3)}`);
  });

  it('find sessions that have all words in different entries, behind entries that have all', async () => {
    const catalog = await test.open({
      apart: session().user('The price of a floor in Ελβετία').assistant('nothing').tool('x', {}, 'Wohnung, дом'),
      together: session().user('Ελβετία, дом').user('дом'),
      half: session().user('Ελβετία'),
      left: session().user('Ελβετία').branchFrom(entryId(1)).assistant('дом'),
    });
    const hits = await catalog.search('ελβετία дом');
    const [first, ...others] = hits.map(({ path, entryId: id, elsewhere }) => [path, id, elsewhere]);
    assert.deepEqual(first, [test.path('together'), entryId(1), undefined]);
    assert.deepEqual(others.map(([path]) => path).sort(), [test.path('apart'), test.path('left')].sort());
    for (const [, , elsewhere] of others) assert.equal((elsewhere as string[]).length, 1);
    const [best] = await catalog.search('price floor дом');
    assert.deepEqual([best?.path, best?.entryId, best?.elsewhere], [test.path('apart'), entryId(1), ['дом']]);
    assert.equal(await found(catalog, 'ελβετία дом role:user'), `together ${entryId(1)}`);
    assert.deepEqual(
      (await catalog.search('ελβετία дом -price')).map(({ path }) => path).sort(),
      [test.path('together'), test.path('left')].sort(),
    );
    assert.equal((await catalog.search('ελβετία дом', { limit: 1 })).length, 1);
  });

  it('find other forms of words and names in code, the exact ones first', async () => {
    const catalog = await test.open({
      exact: session().user('a very long text in which the refreshing happens once, among many more words that say little'),
      form: session().user('refreshed'),
      code: session().assistant('call refreshToken() in catalogRow.ts'),
    });
    const paths = async (query: string): Promise<string[]> =>
      (await catalog.search(query)).map(({ path }) => path.replace(/.*\/|\.jsonl/g, ''));
    assert.deepEqual(await paths('refreshing '), ['exact', 'form', 'code']);
    assert.deepEqual(await paths('refreshing text'), ['exact']);
    for (const query of ['token refresh', 'refresh token', 'catalog row', 'catalog rows -nothing'])
      assert.deepEqual(await paths(query), ['code'], query);
    assert.deepEqual(await paths('catalog -row'), []);
    assert.deepEqual(await paths('"refreshing"'), ['exact']);
    assert.deepEqual(await paths('"token refresh"'), []);
    assert.deepEqual(await paths('refresh* -refreshed -refreshing'), ['code']);
    const [hit] = await catalog.search('token refresh');
    assert.deepEqual(
      hit?.marks.map(([start, end]) => hit.snippet.slice(start, end)),
      ['refreshToken'],
    );
  });

  it('find the parts of names, in any order, in text of any alphabet and in names of files', async () => {
    const catalog = await test.open({
      camel: session().user('nothing').assistant('call getRefreshToken() there'),
      accents: session().assistant('Größe: getRefreshTokenFür, 言葉'),
      snake: session().tool('read', { path: 'src/get_refresh-token.ts' }, 'x'),
      other: session().user('tokenizer refreshment'),
    });
    const paths = async (query: string): Promise<string[]> =>
      [...new Set((await catalog.search(query)).map(({ path }) => path.replace(/.*\/|\.jsonl/g, '')))].sort();
    for (const query of ['token refresh ', 'refresh token get ', 'tokens ', 'getrefreshtoken '])
      assert.deepEqual(await paths(query), query === 'getrefreshtoken ' ? ['accents', 'camel'] : ['accents', 'camel', 'snake'], query);
    assert.deepEqual(await paths('"refresh token"'), ['snake']);
    assert.deepEqual(await paths('"call getRefreshToken there"'), ['camel']);
    assert.deepEqual(await paths('tok* refr'), ['accents', 'camel', 'other', 'snake']);
    const [hit] = await catalog.search('there token ');
    assert.deepEqual(
      hit?.marks.map(([start, end]) => hit.snippet.slice(start, end)),
      ['getRefreshToken', 'there'],
    );
  });

  it('find the usual forms of English words only', () => {
    const forms: readonly [word: string, ...expected: string[]][] = [
      ['caches', 'cache', 'cached', 'caching'],
      ['stopped', 'stop', 'stops', 'stopping'],
      ['retries', 'retry', 'retrying', 'retried'],
      ['migration', 'migrate', 'migrated', 'migrations'],
      ['configure', 'configuration', 'configured'],
      ['class', 'classes'],
    ];
    for (const [word, ...expected] of forms) {
      const found = wordForms(word);
      for (const form of expected) assert.ok(found.includes(form), `${word}: ${form}`);
      assert.ok(!found.includes(word) && found.length <= 30, `${word}: ${found.length}`);
    }
    for (const word of ['the', 'größe', 'слово', 'a1b2', '日本語']) assert.deepEqual(wordForms(word), [], word);
  });
});
