import assert from 'node:assert/strict';
import type { Catalog, SessionSummary, UsageSum } from '../../../src/core/index';
import { session, type Fields, type Given, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { FakeEmitter } from '../../fixtures/loadWithVscode';
import { runCommands } from './runCommands';

const sum = (key: string, cost: number, output = 10): UsageSum => ({ key, cost, output, input: 1000, cacheRead: 200, cacheWrite: 34 });

describe('Usage of all sessions', () => {
  const test = testCatalog();
  const usage = (sums: Partial<Record<string, UsageSum[]>>, progress = { done: 3, total: 3 }, real?: Catalog) => {
    const zones: unknown[] = [];
    const atOnce = { now: 0, most: 0 };
    const catalog = {
      usage: async ({ by, timeZone }: { by: string; timeZone?: string }) => {
        zones.push(timeZone);
        atOnce.most = Math.max(atOnce.most, ++atOnce.now);
        await Promise.resolve();
        atOnce.now--;
        return sums[by] ?? [];
      },
    } as unknown as Catalog;
    const editor = fakeEditor();
    const panels: { readonly webview: { html: string }; shown: number; close: () => void }[] = [];
    Object.assign(editor.api.window, {
      createWebviewPanel: () => {
        const closing = new FakeEmitter<void>();
        const panel = {
          webview: { html: '' },
          shown: 0,
          reveal: () => panel.shown++,
          onDidDispose: closing.event,
          close: () => closing.fire(),
        };
        panels.push(panel);
        return panel;
      },
    });
    const deps = {
      catalog: {
        open: () => Promise.resolve(real ?? catalog),
        refresh: () => undefined,
        settled: () => Promise.resolve(),
        progress: () => progress,
      } as never,
    };
    return { ...runCommands(deps, editor), panels, zones, atOnce };
  };

  it('is shown as a page with tables, in which names are text', async () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const { run, editor, panels, zones } = usage(
      {
        day: [sum('2026-01-01', 0.5), sum('2026-01-02', 1.25)],
        project: [sum('/work/a<b>&amp;\u202e"', 1.5), sum('', 0.037)],
        model: [sum('anthropic/<script>x</script>', 1.75)],
      },
      { done: 2, total: 3 },
    );
    await run('sessionTree.usage');
    const html = panels.at(-1)?.webview.html ?? '';
    const headings = (first: string): string =>
      `<thead><tr>${[first, 'Cost', 'Tokens In', 'Cached', 'Tokens Out'].map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>`;
    const row = (name: string, cost: string): string =>
      `<tr><th scope="row" dir="auto">${name}</th>${[cost, '1,234', '200', '10'].map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    assert.deepEqual(html.slice(html.indexOf('<body>')).split('\n').slice(1, -3), [
      '<h1>Usage</h1>',
      '<p>$1.75 since Jan 1, 2026</p>',
      '<h2>By Day</h2>',
      ...[
        '<div class="wide"><table>',
        headings('Day'),
        '<tbody>',
        row('Jan 2, 2026', '$1.25'),
        row('Jan 1, 2026', '$0.50'),
        '</tbody>',
        '</table></div>',
      ],
      '<h2>By Project</h2>',
      ...['<div class="wide"><table>', headings('Project'), '<tbody>'],
      row('/work/a&#60;b&#62;&#38;amp;⟦RLO⟧&#34;', '$1.50'),
      ...[row('Unknown project', '$0.04'), '</tbody>', '</table></div>'],
      '<h2>By Model</h2>',
      ...[
        '<div class="wide"><table>',
        headings('Model'),
        '<tbody>',
        row('anthropic/&#60;script&#62;x&#60;/script&#62;', '$1.75'),
        '</tbody>',
        '</table></div>',
      ],
      `<p>Days are in the time zone ${timeZone}. An answer counts once, however many forks, copies, links and subagents have it.</p>`,
      '<p>2 of 3 sessions have been read so far.</p>',
    ]);
    assert.deepEqual(zones, [timeZone, timeZone, timeZone]);
    // Another extension's command would load that extension, which stops all of them.
    assert.deepEqual(editor.executed, []);
  });

  it('counts the entries of forks once', async () => {
    const answer = (builder: SessionBuilder, total: number): SessionBuilder =>
      builder.assistant('x', { message: { usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total } } } });
    const begin = (given: Given): SessionBuilder => answer(session({ cwd: '/work/a', ...given }), 1);
    const catalog = await test.open({
      parent: begin({ id: 'parent', timestamp: '2026-01-01T10:00:00.000Z' }),
      fork: answer(begin({ id: 'fork', timestamp: '2026-01-01T12:00:00.000Z', parentSession: 'parent' }), 2),
    });
    const { run, panels } = usage({}, undefined, catalog);
    await run('sessionTree.usage');
    const costs = Array.from((panels[0]?.webview.html ?? '').matchAll(/dir="auto">[^<]*<\/th><td>([^<]*)</g), ([, cost]) => cost);
    assert.deepEqual(costs, ['$3.00', '$3.00', '$3.00']);
  });

  it('has a column with the tokens that were cached for an hour, if a program recorded such a number', async () => {
    const answer = (model: string, cacheWrite: number, parts: object): Fields => ({
      message: { provider: 'p', model, usage: { input: 1, output: 2, cacheRead: 3, cacheWrite, ...parts, cost: { total: 1 } } },
    });
    const catalog = await test.open({
      one: session()
        .assistant('a', answer('long', 300, { cacheWrite1h: 120 }))
        .assistant('b', answer('long', 300, { cacheWrite1h: 80 }))
        .assistant('c', answer('short', 50, { cacheWrite1h: 0 }))
        .assistant('d', answer('short', 50, {})),
    });
    const sums = { input: 2, output: 4, cacheRead: 6, cost: 2 };
    assert.deepEqual(await catalog.usage({ by: 'model' }), [
      { key: 'p/long', ...sums, cacheWrite: 600, cacheWrite1h: 200 },
      { key: 'p/short', ...sums, cacheWrite: 100 },
    ]);
    const { run, panels } = usage({}, undefined, catalog);
    await run('sessionTree.usage');
    const table = (panels[0]?.webview.html ?? '').split('<h2>').find((part) => part.startsWith('By Model')) ?? '';
    const cells = table.split('</tr>').map((row) => Array.from(row.matchAll(/<t[hd](?: [^>]*)?>([^<]*)</g), ([, cell]) => cell));
    assert.deepEqual(cells.slice(0, 3), [
      ['Model', 'Cost', 'Tokens In', 'Cached', 'Cached for an Hour', 'Tokens Out'],
      ['p/long', '$2.00', '608', '6', '200', '4'],
      ['p/short', '$2.00', '108', '6', '0', '4'],
    ]);
  });

  it('takes the place of an earlier page, and has a new one once that is closed', async () => {
    const days = [sum('2026-01-01', 0.5)];
    const { run, panels } = usage({ day: days });
    await run('sessionTree.usage');
    days.push(sum('2026-01-02', 2));
    await run('sessionTree.usage');
    assert.deepEqual(
      panels.map(({ webview, shown }) => [/<p>(\S+) since/.exec(webview.html)?.[1], shown]),
      [['$2.50', 2]],
    );
    panels[0]?.close();
    await run('sessionTree.usage');
    assert.equal(panels.length, 2);
  });

  it('has thirty rows in a table, the last ones together in one more', async () => {
    const { run, panels } = usage({
      day: [sum('2026-01-01', 1)],
      model: Array.from({ length: 33 }, (_, at) => sum(`model ${at}`, 33 - at)),
    });
    await run('sessionTree.usage');
    const rows = Array.from((panels[0]?.webview.html ?? '').matchAll(/dir="auto">([^<]*)<\/th><td>([^<]*)</g), ([, name, cost]) => [
      name,
      cost,
    ]);
    assert.equal(rows.length, 1 + 31);
    assert.deepEqual(rows.slice(-2), [
      ['model 29', '$4.00'],
      ['Others', '$6.00'],
    ]);
  });

  it('is added up one sum after the other, as the answers of several would arrive in one turn of the event loop', async () => {
    const { run, zones, atOnce } = usage({ day: [sum('2026-01-01', 0.5)] });
    await run('sessionTree.usage');
    assert.deepEqual([zones.length, atOnce.most], [3, 1]);
  });

  it('is returned to callers with arguments, who see nothing', async () => {
    const { run, panels, zones } = usage({ model: [sum('anthropic/claude-x', 2)] });
    assert.deepEqual(await run('sessionTree.usage', { by: 'model' }), [sum('anthropic/claude-x', 2)]);
    await run('sessionTree.usage', { by: 'day', timeZone: 'Asia/Tokyo' });
    assert.deepEqual(zones, [undefined, 'Asia/Tokyo']);
    assert.deepEqual(panels, []);
    await assert.rejects(run('sessionTree.usage', { by: 'planet' }), { code: 'invalid' });
  });

  it('says if there is none', async () => {
    const { run, editor } = usage({});
    await run('sessionTree.usage');
    assert.match(JSON.stringify(editor.messages), /No session has recorded usage yet\./);
  });
});

describe('Pins', () => {
  it('are set and taken away by the ids of all selected sessions', async () => {
    const pins: unknown[] = [];
    const sessions = ['/s/a', '/s/b'].map((path) => ({ path, id: `id of ${path}` }) as SessionSummary);
    const { run } = runCommands({ sessions: () => sessions, pin: (...given) => Promise.resolve(void pins.push(given)) });
    const rows = ['/s/a', '/s/b'].map((path) => ({ row: 'session', path }));
    await run('sessionTree.pin', rows[0], rows);
    await run('sessionTree.unpin', { path: '/s/b' });
    await run('sessionTree.pin', [{ path: '/s/b' }, { path: '/s/a' }]);
    assert.deepEqual(pins, [
      [['id of /s/a', 'id of /s/b'], true],
      [['id of /s/b'], false],
      [['id of /s/b', 'id of /s/a'], true],
    ]);
    await assert.rejects(run('sessionTree.pin', { path: 'relative' }), { code: 'invalid' });
  });
});
