import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import type { Catalog, SearchHit, SearchOptions } from '../../../src/core/index';
import { encodeLines, LineTable, toolsOfLines, type TableLine } from '../../../src/core/catalog/encoding/lineTable';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';

describe('search with filters', () => {
  const { path, open } = testCatalog();

  const at = (time: number) => ({ message: { timestamp: time } });

  /** Entries 1 to 13 of `a`, and two of `b`. */
  const store = (): Record<string, SessionBuilder> => ({
    a: session({ cwd: '/work/shop' })
      .user('look at the cart', at(1000)) // 1
      .assistant(
        [
          { type: 'text', text: 'looking' },
          { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'src/Cart.ts' } },
        ],
        at(2000),
      ) // 2
      .tool('edit', { path: '/work/shop/src/cart.ts', oldText: 'one', newText: 'cart' }) // 3, 4
      .tool('clock', {}) // 5, 6
      .tool('bash', { command: 'npm test cart' }) // 7, 8
      .message({ role: 'fileMention', files: [{ path: 'notes/todo.md', content: 'cart' }] }) // 9
      .label(entryId(3), 'the cart fix') // 10
      .label(entryId(1), 'draft') // 11
      .label(entryId(1), 'start') // 12
      .branchFrom(entryId(1))
      .assistant('the cart again') // 13
      .label(entryId(5), '⭐'), // 14
    b: session({ cwd: '/work/other' }).user('a cart', at(9000)).tool('read_file', { path: '/work/other/cart.ts' }),
  });

  /** Options, the words, and the found entries: those of `a`, and those of `b` as negative numbers. */
  const ASKED: readonly [text: string, options: SearchOptions, found: readonly number[]][] = [
    ['cart', { tools: ['edit'] }, [3]],
    ['', { tools: ['edit', 'bash'] }, [3, 7]],
    ['', { tools: ['clock'] }, [5]],
    ['clock', { tools: ['clock'] }, []],
    ['', { tools: ['read'] }, [2]],
    ['', { tools: [] }, []],
    ['', { roles: ['toolCall'] }, [-2, 2, 3, 5, 7]],
    ['cart', { roles: ['user', 'toolCall'] }, [-2, -1, 1, 2, 3, 7]],
    ['', { files: ['src/cart.ts'] }, [2, 3]],
    ['', { files: ['./src/CART'] }, [2, 3]],
    ['', { files: ['cart.ts'] }, [-2, 2, 3]],
    ['', { files: ['todo', 'other'] }, [-2, 9]],
    ['', { files: ['c_rt.ts'] }, []],
    ['', { files: ['100%'] }, []],
    ['looking', { files: ['cart.ts'] }, [2]],
    ['', { labels: [''] }, [1, 3, 5]],
    ['', { labels: ['FIX'] }, [3]],
    ['', { labels: ['car'] }, [3]],
    ['', { labels: ['draft'] }, []],
    ['', { labels: ['draft', 'sta'] }, [1]],
    ['', { labels: ['⭐'] }, [5]],
    ['', { labels: ['"⭐"'] }, [5]],
    ['', { labels: ['🦊'] }, []],
    ['-cart', { roles: ['user', 'toolCall'] }, [5]],
    ['-npm -old', { roles: ['toolCall'] }, [-2, 2, 3, 5]],
    ['-"npm test"', { tools: ['bash', 'clock'] }, [5]],
    ['-fix', { labels: [''] }, [1, 5]],
    ['cart', { labels: ['start'] }, [1]],
    ['cart', { labels: ['fix'] }, [3, 3]],
    ['fix', { files: ['cart.ts'] }, []],
    ['', { labels: ['fix'], roles: ['toolCall'] }, [3]],
    ['', { labels: ['fix'], files: ['cart.ts'] }, [3]],
    ['', { labels: ['start'], files: ['cart.ts'] }, []],
    ['draft', {}, []],
    ['start', {}, [1]],
    ['cart', { active: true }, [-2, -1, 1, 13]],
    ['', { active: true, project: '/work/shop' }, [1, 1, 13]],
    ['cart', { project: ['/work/other'], roles: ['user'] }, [-1]],
    ['cart', { project: ['/work/other', '/work/shop'], roles: ['user'] }, [-1, 1]],
    ['cart', { project: [] }, []],
    ['', { since: 9000, roles: ['user'] }, [-1]],
    ['"" -', { roles: ['user'] }, [-1, 1]],
    ['', {}, []],
    ['', { active: false }, []],
  ];

  const numberOf = ({ path: file, entryId: id }: SearchHit): number => Number.parseInt(id.slice(1), 16) * (file === path('a') ? 1 : -1);

  it('applies every filter', async () => {
    const { search } = bound(await open(store()));
    const found: [string, SearchOptions, number[]][] = [];
    for (const [text, options] of ASKED) found.push([text, options, (await search(text, options)).map(numberOf).sort((a, b) => a - b)]);
    assert.deepEqual(
      found,
      ASKED.map(([text, options, numbers]) => [text, options, [...numbers]]),
    );
  });

  const bound = (opened: Catalog) => ({ search: (text: string, options: SearchOptions) => opened.search(text, options) });

  it('finds the sessions of a query once each, also among a few given ones', async () => {
    const catalog = await open(store());
    const found = async (text: string, paths?: readonly string[]): Promise<string[]> =>
      (await catalog.sessionsMatching(text, paths ? { paths: new Set(paths.map((name) => path(name))) } : {})).sort();
    const both = [path('a'), path('b')];
    const asked: readonly [text: string, found: readonly string[]][] = [
      ['cart', both],
      ['"the cart"', [path('a')]],
      ['looking draft', []],
      // In different entries of one session.
      ['looking again', [path('a')]],
      ['cart -todo', both],
      ['role:user a', [path('b')]],
      ['tool:edit', [path('a')]],
      ['tag:none', []],
      ['is:unfinished', [path('b')]],
      ['is:unfinished tool:edit', []],
      ['is:subagent', []],
      ['label:', [path('a')]],
      ['project:other', [path('b')]],
      ['', []],
      ['-cart', []],
    ];
    for (const [text, expected] of asked) {
      assert.deepEqual(await found(text), expected, text);
      assert.deepEqual(
        await found(text, ['a', 'gone']),
        expected.filter((each) => each === path('a')),
        text,
      );
    }
    const lines = session({ cwd: '/work/other' }).user('a cart', at(9000)).user('zebra', at(9001)).lines();
    appendFileSync(path('b'), `${lines.at(-1)}\n`);
    await catalog.refresh([path('b')]);
    assert.deepEqual(await found('zebra', ['b']), [path('b')]);
  });

  it('lists the newest entries first without words, up to the limit', async () => {
    const { search } = bound(await open({ a: session().user('one', at(1)).user('two', at(3)), b: session().user('three', at(2)) }));
    assert.deepEqual(
      (await search('', { roles: ['user'] })).map(({ snippet, marks }) => [snippet, marks]),
      [
        ['two', []],
        ['three', []],
        ['one', []],
      ],
    );
    assert.deepEqual(
      (await search('', { roles: ['user'], limit: 1 })).map(({ snippet }) => snippet),
      ['two'],
    );
  });

  it('shows what matches: the call, the part of the path, the label', async () => {
    const { search } = bound(await open(store()));
    const shown = async (options: SearchOptions): Promise<string[]> =>
      (await search('', options)).map(({ snippet, marks }) =>
        [...marks]
          .reverse()
          .reduce((text, [start, end]) => `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`, snippet),
      );
    assert.deepEqual(await shown({ tools: ['edit'] }), ['[edit] /work/shop/src/cart.ts one cart']);
    assert.deepEqual(await shown({ tools: ['clock'] }), ['[clock]']);
    assert.deepEqual((await shown({ files: ['src/cart'] })).sort(), ['[edit] /work/shop/[src/cart].ts one cart', '[read] [src/Cart].ts']);
    assert.deepEqual(await shown({ files: ['shop/notes'] }), ['notes/todo.md']);
    assert.deepEqual(await shown({ labels: ['fix'] }), ['the cart [fix]']);
    assert.deepEqual((await shown({ labels: [''] })).sort(), ['start', 'the cart fix', '⭐']);
    assert.deepEqual(await shown({ roles: ['assistant'], project: '/work/shop', active: true }), ['the cart again']);
    assert.deepEqual(await shown({ roles: ['toolCall'], tools: ['bash'] }), ['[bash] npm test cart']);
  });

  it('cuts long snippets, and puts them on one line', async () => {
    const { search } = bound(await open({ a: session().user(`one\n\n  two ${'three '.repeat(500)}`) }));
    const [hit] = await search('', { roles: ['user'] });
    assert.match(hit!.snippet, /^one two three .*three…$/);
    assert.ok(hit!.snippet.length > 190 && hit!.snippet.length <= 201);
  });

  it('lists the tools of all sessions, those that grew included', async () => {
    const lines = store()['b']!;
    const opened = await open({ ...store(), b: lines });
    assert.deepEqual(await opened.tools(), ['bash', 'clock', 'edit', 'read', 'read_file']);
    const before = lines.text().length;
    appendFileSync(path('b'), lines.tool('grep', { pattern: 'x' }).text().slice(before));
    await opened.refresh();
    assert.deepEqual((await opened.tools()).includes('grep'), true);
    assert.deepEqual(
      (await opened.search('', { tools: ['grep', 'read_file'] })).map(({ entryId: id }) => id),
      [entryId(4), entryId(2)],
    );
  });

  it('restores line tables exactly', () => {
    const line = (n: number, more: Partial<TableLine>): TableLine => ({
      line: n,
      offset: n * 100,
      length: 90,
      entryId: entryId(n),
      role: 'assistant',
      time: 1000 + n,
      active: true,
      hasText: true,
      tools: [],
      ...more,
    });
    const lines = [
      line(1, {}),
      line(2, { tools: ['a', 'b'], active: false }),
      line(3, { hasText: false, tools: ['b'] }),
      line(9, { role: 'user', time: 5 }),
    ];
    assert.deepEqual(new LineTable(encodeLines(lines)).all(), lines);
    assert.deepEqual(toolsOfLines(encodeLines(lines)), ['a', 'b']);
    const many = Array.from({ length: 500 }, (_, index) =>
      line(3 + index * 2 - (index % 16 === 0 ? 2 : 0), { tools: index % 3 === 0 ? ['a'] : [] }),
    );
    const table = new LineTable(encodeLines(many));
    for (let n = 0; n < 1010; n++)
      assert.deepEqual(
        table.at(n),
        many.filter((one) => one.line === n),
        String(n),
      );
    assert.deepEqual(table.all(), many);
  });
});
