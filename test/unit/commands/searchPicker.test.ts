import assert from 'node:assert/strict';
import { readSession, type Catalog, type SearchHit, type SearchOptions, type SessionSummary } from '../../../src/core/index';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import type { SearchItem } from '../../../src/commands/search/searchItems';
import { fakeEditor, ThemeIcon, type FakeQuickPick } from '../../fixtures/fakeEditor';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { FakeEmitter } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';
import { runCommands, type RunningCommands } from './runCommands';

const PATH = '/sessions/a.jsonl';
const hit = (n: number, given: Partial<SearchHit> = {}): SearchHit => ({
  path: PATH,
  entryId: `e${n}`,
  active: true,
  role: 'user',
  time: 1,
  snippet: `hit ${n}`,
  marks: [],
  ...given,
});

interface Given {
  readonly hits?: readonly SearchHit[];
  readonly tools?: readonly string[];
  readonly search?: Catalog['search'];
}

/** Services with a catalog of one session. */
function withCatalog({ hits = [], tools = [], search }: Given): Partial<CommandDeps> {
  const catalog: Partial<Catalog> = {
    search: search ?? ((_, { limit = 50 }: SearchOptions = {}) => Promise.resolve(hits.slice(0, limit))),
    folders: () => Promise.resolve(['/work/shop']),
    tools: () => Promise.resolve([...tools]),
    touching: () => Promise.resolve([{ path: PATH, entryId: 'e2', kind: 'write' as const }]),
  };
  return {
    summary: (path) => (path === PATH ? ({ path, cwd: '/work/shop', title: 'First' } as SessionSummary) : undefined),
    catalog: {
      open: () => Promise.resolve(catalog as Catalog),
      refresh: () => undefined,
      settled: () => Promise.resolve(),
      progress: () => ({ done: 1, total: 1 }),
      clear: () => Promise.resolve(),
      onDidChange: new FakeEmitter<never>().event,
    },
  };
}

const labels = (pick: FakeQuickPick<SearchItem>): string[] => pick.items.map(({ label }) => label);
const icons = (pick: FakeQuickPick<SearchItem>): unknown[] =>
  pick.items.map(({ iconPath }) => (iconPath instanceof ThemeIcon ? iconPath.id : undefined));

describe('The search field’s list', () => {
  let pick: FakeQuickPick<SearchItem>;
  let ended: Promise<unknown>;
  const logged: unknown[] = [];

  const folder = testFolder();
  let commands: RunningCommands;
  const open = async (given: Given, deps: Partial<CommandDeps> = {}): Promise<void> => {
    const editor = fakeEditor();
    const log = { error: (error: unknown) => void logged.push(error), info: () => undefined } as unknown as CommandDeps['log'];
    commands = runCommands({ ...withCatalog(given), log, ...deps }, editor);
    ended = commands.run('sessionTree.search');
    await until(() => (editor.picks[0]?.items.length ?? 0) > 0);
    pick = editor.picks[0] as unknown as FakeQuickPick<SearchItem>;
  };
  /** Types a query and resolves when its results are there. */
  const type = async (query: string): Promise<void> => {
    const before = pick.items;
    pick.type(query);
    await until(() => pick.items !== before);
  };
  afterEach(async () => {
    logged.length = 0;
    pick.hide();
    await ended;
  });

  it('begins with the prefixes, each with its icon', async () => {
    await open({});
    assert.deepEqual(labels(pick), ['role:', 'tool:', 'file:', 'label:', 'project:', 'tag:', 'is:', 'after:', 'before:']);
    assert.deepEqual(icons(pick), ['account', 'tools', 'file', 'tag', 'folder', 'bookmark', 'pulse', 'calendar', 'calendar']);
  });

  it('lists the recent sessions first, and opens the chosen one', async () => {
    const shown: unknown[] = [];
    const sessions = Array.from({ length: 12 }, (_, n) => ({
      path: `/sessions/${n}.jsonl`,
      title: `Session ${n}`,
      cwd: '/work/shop',
      modified: -n,
      dialect: 'pi',
    }));
    await open(
      {},
      {
        sessions: () => sessions.toReversed() as never,
        showContext: (ref, options) => (shown.push([ref, options]), Promise.resolve({ messages: 0 })),
      },
    );
    assert.deepEqual(labels(pick).slice(0, 3), ['recent sessions', 'Session 0', 'Session 1']);
    assert.deepEqual(labels(pick).slice(10), [
      'Session 9',
      'search by',
      'role:',
      'tool:',
      'file:',
      'label:',
      'project:',
      'tag:',
      'is:',
      'after:',
      'before:',
    ]);
    pick.accept(pick.items[2]!);
    await ended;
    assert.deepEqual(shown, [[{ path: '/sessions/1.jsonl' }, { toSide: false }]]);
  });

  it('opens the active item to the side with the key for that, also when another list closes later', async () => {
    const shown: unknown[] = [];
    await open(
      {},
      {
        sessions: () => [{ path: PATH, title: 'Only one', cwd: '/work/shop', modified: 1, dialect: 'pi' }] as never,
        showContext: (ref, options) => (shown.push([ref, options]), Promise.resolve({ messages: 0 })),
      },
    );
    const earlier = { pick, ended };
    ended = commands.run('sessionTree.search');
    await until(() => (commands.editor.picks[1]?.items.length ?? 0) > 0);
    pick = commands.editor.picks[1] as unknown as FakeQuickPick<SearchItem>;
    earlier.pick.hide();
    await earlier.ended;
    pick.activeItems = [pick.items[1]!];
    await commands.run('sessionTree.openItemToSide');
    await ended;
    assert.deepEqual(shown, [[{ path: PATH }, { toSide: true }]]);
    assert.deepEqual(commands.editor.executed.at(-1), ['setContext', 'sessionTree.canOpenToSide', false]);
  });

  it('leaves out the recent sessions if something is typed before they are sorted', async () => {
    const lists: string[][] = [];
    await open(
      { hits: [hit(1)] },
      {
        listedSessions: () => {
          queueMicrotask(() => {
            const [shown] = commands.editor.picks;
            Object.defineProperty(shown, 'items', {
              get: () => lists.at(-1) ?? [],
              set: (items: readonly SearchItem[]) => lists.push(items.map(({ label }) => label)),
            });
            shown?.type('hit');
          });
          return [];
        },
      },
    );
    assert.deepEqual(lists, [['hit 1']]);
  });

  it('opens the first result if Enter follows the last key before the results are listed', async () => {
    const path = await folder.write('s.jsonl', session().user('one').assistant('two').text());
    const shown: unknown[] = [];
    const recent = [{ path: '/sessions/recent.jsonl', title: 'Recent', cwd: '/work/shop', modified: 0, dialect: 'pi' }];
    await open(
      { hits: [hit(0, { path, entryId: entryId(2) }), hit(1, { path, entryId: entryId(1) })] },
      {
        sessions: () => recent as never,
        reveal: () => Promise.resolve(true),
        showContext: (ref) => (shown.push(ref), Promise.resolve({ messages: 0 })),
        showEntry: (ref) => (shown.push(ref), Promise.resolve()),
        session: (given) => readSession(given),
      },
    );
    const first = pick.items[1]!;
    assert.deepEqual(first.label, 'Recent');
    pick.type('two');
    pick.accept(first);
    await ended;
    assert.deepEqual(shown, [{ path, entryId: entryId(2) }]);
  });

  it('makes the first result of another query active, but keeps the active one while its query is searched again', async () => {
    const changed = new FakeEmitter<never>();
    const given = withCatalog({ hits: [hit(0), hit(1)] });
    await open({}, { catalog: { ...given.catalog!, onDidChange: changed.event } });
    await type('hit');
    pick.activeItems = [pick.items[1]!];
    await type('hits');
    assert.equal(pick.keepScrollPosition, false);
    pick.activeItems = [pick.items[1]!];
    const before = pick.items;
    changed.fire(undefined as never);
    await until(() => pick.items !== before);
    assert.deepEqual(pick.activeItems, [pick.items[1]]);
  });

  it('lists the results of the words before a letter that begins another one', async () => {
    const asked: string[] = [];
    await open({ search: (text) => (asked.push(text), Promise.resolve(text === 'hit' ? [hit(0)] : [])) });
    await type('hit c');
    assert.deepEqual([labels(pick), asked], [['hit 0'], ['hit c', 'hit']]);
    await type('hit co');
    assert.deepEqual([labels(pick), asked.at(-1)], [['No results found'], 'hit co']);
  });

  it('lists three results of each of several sessions, and the others on request', async () => {
    const other = { path: '/sessions/b.jsonl' };
    await open({ hits: [hit(0), hit(1, other), hit(2), hit(3), hit(4), hit(5), hit(6, other)] });
    await type('hit');
    assert.deepEqual(labels(pick), ['hit 0', 'hit 2', 'hit 3', '2 more in this session', 'hit 1', 'hit 6']);
    const before = pick.items;
    pick.accept(pick.items[3]!);
    await until(() => pick.items !== before);
    assert.deepEqual(labels(pick), ['hit 0', 'hit 2', 'hit 3', 'hit 4', 'hit 5', 'hit 1', 'hit 6']);
    assert.match(pick.title, /7 results/);
  });

  it('looks for other sessions if one has all of the first results, and lists three of each', async () => {
    const limits: unknown[] = [];
    const hits = [...Array.from({ length: 300 }, (_, at) => hit(at)), hit(300, { path: '/sessions/b.jsonl' })];
    await open({ search: (_, { limit = 0 } = {}) => (limits.push(limit), Promise.resolve(hits.slice(0, limit))) });
    await type('hit');
    assert.deepEqual(labels(pick), ['hit 0', 'hit 1', 'hit 2', '297 more in this session', 'hit 300']);
    assert.deepEqual(limits, [51, 201, 801]);
    assert.match(pick.title, / 301 results/);
  });

  it('says in the title what dates and states mean, and leaves the results their room', async () => {
    await open({ hits: [hit(0)] });
    await type('is:failed after:2026-11-09 floor');
    assert.match(pick.title, / · 1 result · since .*9.* · only failed$/);
    await type('is:foo is:failed floor');
    assert.match(pick.title, / · 1 result · only failed$/);
    assert.deepEqual(labels(pick), ['hit 0']);
  });

  it('says what isn’t a date', async () => {
    await open({});
    await type('after:soon');
    assert.deepEqual(labels(pick), ['“soon” isn’t a date']);
  });

  it('asks for the newest results first with its button', async () => {
    const orders: unknown[] = [];
    await open({ search: (_, options) => (orders.push(options?.order), Promise.resolve([hit(0)])) });
    await type('hit');
    const before = pick.items;
    pick.press(pick.buttons.find((button) => 'tooltip' in button && button.tooltip === 'Newest Results First')!);
    await until(() => pick.items !== before);
    assert.deepEqual(orders, ['relevance', 'time']);
  });

  it('opens nothing if Enter is followed by more text', async () => {
    let isOpen = true;
    await open({ hits: [hit(0)] }, { session: () => Promise.reject(new Error('A result was chosen.')) });
    void ended.then(() => (isOpen = false));
    await type('h');
    pick.type('hi');
    pick.accept(pick.items[0]!);
    await type('hit');
    assert.deepEqual([labels(pick), isOpen], [['hit 0'], true]);
    pick.type('hits');
    pick.accept(pick.items[0]!);
    await ended;
  });

  it('opens the entry with the matches marked, and continues to the other results', async () => {
    const [path, revealed, shown]: [string, unknown[], [string, unknown][]] = [
      await folder.write('s.jsonl', session().user('one').assistant('two').text()),
      [],
      [],
    ];
    const hits = [
      hit(0, {
        path,
        entryId: entryId(1),
        snippet: 'one One',
        marks: [
          [0, 3],
          [4, 7],
        ],
      }),
      hit(1, { path, entryId: entryId(2) }),
    ];
    await open(
      { hits },
      {
        reveal: (ref) => (revealed.push(ref), Promise.resolve(true)),
        showEntry: ({ entryId: at }, options) => (shown.push([at, options]), Promise.resolve()),
        session: (given) => readSession(given),
      },
    );
    await type('one');
    pick.accept(pick.items[0]!);
    await ended;
    assert.deepEqual(shown, [[entryId(1), { query: { text: 'One', matchCase: false, wholeWord: false, anyWord: false }, toSide: false }]]);
    assert.deepEqual(revealed, [{ path, entryId: entryId(1) }]);
    assert.deepEqual(commands.editor.executed.at(-1), ['setContext', 'sessionTree.hasSearchResults', true]);
    for (const id of ['next', 'next', 'previous']) await commands.run(`sessionTree.${id}SearchResult`);
    assert.deepEqual(
      shown.slice(1).map(([at]) => at),
      [entryId(2), entryId(1), entryId(2)],
    );
    assert.deepEqual(commands.editor.messages, [
      ['Search result 1 of 2'],
      ['Search result 2 of 2'],
      ['Search result 1 of 2'],
      ['Search result 2 of 2'],
    ]);
  });

  it('opens a result to the side by its button', async () => {
    const path = await folder.write('s.jsonl', session().user('one').text());
    const shown: unknown[] = [];
    await open(
      { hits: [hit(0, { path, entryId: entryId(1) })] },
      {
        reveal: () => Promise.resolve(true),
        showEntry: (ref, options) => (shown.push(options), Promise.resolve()),
        session: (given) => readSession(given),
      },
    );
    await type('one');
    pick.pressItem(pick.items[0]!, pick.items[0]!.buttons![0]!);
    await ended;
    assert.deepEqual(shown, [{ toSide: true }]);
  });

  it('says that there are no results to go to before a search', async () => {
    await open({});
    await commands.run('sessionTree.nextSearchResult');
    assert.deepEqual(commands.editor.messages, [['No search results. Search sessions first.']]);
  });

  it('names the filters that are on in its title', async () => {
    await open({ hits: [hit(1)] });
    assert.equal(pick.title, 'Search Sessions');
    pick.press(pick.buttons[1]!);
    await until(() => labels(pick).includes('hit 1'));
    assert.equal(pick.title, 'Search Sessions · assistant · 1 result');
  });

  it('asks for a word if only characters were typed that aren’t searched', async () => {
    await open({});
    await type('"');
    assert.deepEqual(labels(pick), ['Type a word to search for']);
  });

  it('shows 50 hits, and 100 more each time the last item is chosen', async () => {
    await open({ hits: Array.from({ length: 400 }, (_, index) => hit(index, { path: `/sessions/${String(index)}.jsonl` })) });
    await type('hit');
    const counts = [pick.items.length];
    for (let i = 0; i < 2; i++) {
      const before = pick.items;
      pick.accept(before.at(-1)!);
      await until(() => pick.items !== before);
      counts.push(pick.items.length);
    }
    assert.deepEqual(counts, [51, 151, 251]);
    assert.equal(pick.title, 'Search Sessions · more than 250 results');
  });

  it('completes a prefix with at most six values', async () => {
    await open({ tools: ['bash', 'edit', 'find', 'grep', 'ls', 'read', 'task', 'write'] });
    await type('tool:');
    assert.deepEqual(labels(pick), ['tool:bash', 'tool:edit', 'tool:find', 'tool:grep', 'tool:ls', 'tool:read']);
  });

  it('keeps what was typed behind a wrong role before its replacement is chosen', async () => {
    await open({});
    await type('role:bot ');
    const user = pick.items.find(({ label }) => label === 'role:user');
    assert.ok(user);
    pick.type('role:bot release');
    pick.accept(user);
    assert.equal(pick.value, 'role:user release');
  });

  it('says why a search failed', async () => {
    await open({ search: () => Promise.reject(new Error('The disk is gone.')) });
    await type('hit');
    assert.deepEqual([labels(pick), icons(pick)], [['The disk is gone.'], ['warning']]);
    assert.deepEqual(logged.map(String), ['Error: The disk is gone.']);
  });

  it('removes Markdown from messages, but shows commands and code as they are', async () => {
    const snippet = '2 **3** `x`';
    const roles = ['user', 'bashExecution', 'pythonExecution'];
    await open({ hits: roles.map((role, index) => hit(index, { role, snippet })) });
    await type('x');
    assert.deepEqual(labels(pick), ['2 3 x', snippet, snippet]);
  });
});
