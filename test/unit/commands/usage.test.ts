import assert from 'node:assert/strict';
import type { EntryRef } from '../../../src/contract';
import type { Catalog, ReportKey, SessionSummary, UsageFact, UsageSum } from '../../../src/core/index';
import { session, type Fields, type Given, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { FakeEmitter } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';
import { runCommands } from './runCommands';

const tokens = { output: 10, input: 1000, cacheRead: 200, cacheWrite: 34 };
const sum = (key: string, cost: number): UsageSum => ({ key, cost, ...tokens });
const fact = (cost: number, given: Partial<UsageFact> = {}): UsageFact => {
  const { path = '/s/a' } = given;
  return { path, family: path, project: '/work', program: 'pi', model: 'p/m', day: '2026-01-02', causes: 0, cost, ...tokens, ...given };
};

interface Sent {
  readonly html: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly step?: string;
}

describe('Usage of all sessions', () => {
  const test = testCatalog();
  const usage = (given: { facts?: readonly UsageFact[]; sums?: readonly UsageSum[]; real?: Catalog; stored?: unknown } = {}) => {
    const { facts = [], sums = [], real, stored } = given;
    const asked: unknown[] = [];
    const catalog = {
      usage: ({ timeZone }: { timeZone?: string }) => Promise.resolve((asked.push(timeZone), sums)),
      usageFacts: (timeZone: string) => Promise.resolve((asked.push(timeZone), [...facts])),
    } as unknown as Catalog;
    const editor = fakeEditor();
    const state = new Map<string, unknown>([['usage.range', stored ?? { name: 'all' }]]);
    const panels: FakePanel[] = [];
    Object.assign(editor.api.window, {
      createWebviewPanel: (_type: string, _title: string, _column: number, options: object) => {
        const panel = new FakePanel(options);
        panels.push(panel);
        return panel;
      },
    });
    const opened: EntryRef[] = [];
    const deps = {
      showEntry: (ref: EntryRef) => Promise.resolve(void opened.push(ref)),
      catalog: {
        open: () => Promise.resolve(real ?? catalog),
        refresh: () => undefined,
        settled: () => Promise.resolve(),
        progress: () => ({ done: 2, total: 3 }),
      } as never,
      workspaceState: {
        get: (key: string) => state.get(key),
        update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
      } as never,
      sessions: () => [{ path: '/s/a', title: 'Fix <it>', messageCount: 2, modified: Date.UTC(2026, 0, 20, 12) } as SessionSummary],
    };
    return { ...runCommands(deps, editor), panels, asked, state, opened };
  };

  class FakePanel {
    html = '';
    readonly sent: Sent[] = [];
    shown = 0;
    private readonly closing = new FakeEmitter<void>();
    private receive: (message: unknown) => Promise<void> = () => Promise.resolve();
    readonly onDidDispose = this.closing.event;
    readonly webview = Object.defineProperty(
      {
        postMessage: (message: Sent) => Promise.resolve(this.sent.push(message)),
        onDidReceiveMessage: (listener: (message: unknown) => Promise<void>) => (this.receive = listener),
      },
      'html',
      { set: (text: string) => (this.html = text) },
    );

    constructor(readonly options: object) {}

    reveal(): void {
      this.shown++;
    }
    close(): void {
      this.closing.fire();
    }
    /** Sends a message of the page, and returns what the page is sent then. */
    async say(message: unknown): Promise<Sent> {
      await this.receive(message);
      return this.sent.at(-1)!;
    }
  }

  const shown = async (given: Parameters<typeof usage>[0]) => {
    const started = usage(given);
    await started.run('sessionTree.usage');
    const page = started.panels[0]!;
    return { ...started, page, first: await page.say({ type: 'ready' }) };
  };
  /** The texts of the cells of a section's table. */
  const cellsOf = (html: string, title: string): (string | undefined)[][] => {
    const part = html.split('<h2').find((each) => each.includes(`>${title}</h2>`)) ?? '';
    return part
      .split('</tr>')
      .map((row) => Array.from(row.matchAll(/<t[hd](?: [^>]*)?>(.*?)<\/t[hd]>/g), ([, cell = '']) => cell.replace(/<[^>]*>/g, '').trim()));
  };

  /** The names and amounts of a chart's bars. */
  const daysOf = (html: string): (string | undefined)[] => Array.from(html.matchAll(/<title>(.*?)<\/title>/g), ([, text]) => text);

  /** The legends of a page, with words for the pictures in them. */
  const legendsOf = (html: string): string[] =>
    Array.from(html.matchAll(/<p class="legend"[^>]*>(.*?)<\/p>/g), ([, legend = '']) =>
      legend.replace(/<svg.*?<\/svg>/g, (picture) => (picture.includes('class="before"') ? 'outline' : 'bar')).replace(/<[^>]*>/g, ''),
    );

  it('is shown as a page with tables, in which names are text', async () => {
    const { page, first } = await shown({
      facts: [
        fact(1.25, { project: '/work/a<b>&amp;\u202e"', model: 'anthropic/<script>x</script>' }),
        fact(0.037, { project: '', day: '2026-01-01' }),
      ],
    });
    assert.match(page.html, /script-src 'sha256-[^']+'; base-uri 'none'/);
    assert.deepEqual(cellsOf(first.html, 'By Project').slice(0, 3), [
      ['Project', 'Cost', 'Share', 'Tokens In', 'Cached', 'Tokens Out'],
      ['/work/a&#60;b&#62;&#38;amp;⟦RLO⟧&#34;', '$1.25', '97%', '1,234', '200', '10'],
      ['Unknown project', '$0.04', '3%', '1,234', '200', '10'],
    ]);
    assert.deepEqual(cellsOf(first.html, 'By Model')[1]?.[0], 'anthropic/&#60;script&#62;x&#60;/script&#62;');
    assert.deepEqual(cellsOf(first.html, 'By Session')[1]?.slice(0, 2), ['Fix &#60;it&#62; · Jan 20, 2026', '$1.29']);
    assert.match(first.html, /data-key="\/work\/a&#60;b&#62;&#38;amp;\u202e&#34;"/);
    assert.doesNotMatch(first.html, /<script|style=/);
    assert.match(first.html, /2 of 3 sessions have been read so far/);
  });

  it('has the days that were chosen, remembers them, and compares them with as many before', async () => {
    const facts = [fact(3, { day: '2026-01-12' }), fact(2, { day: '2026-01-09', project: '/other' }), fact(50, { day: '2026-02-01' })];
    const { page, state } = await shown({ facts });
    const { html, name, from, to } = await page.say({ type: 'range', name: 'custom', from: '2026-01-10', to: '2026-01-12' });
    assert.deepEqual([name, from, to], ['custom', '2026-01-10', '2026-01-12']);
    assert.match(
      html,
      /\$3\.00 · Jan 10, 2026 to Jan 12, 2026\. Before: \$2\.00 · Jan 7, 2026 to Jan 9, 2026\. Change: \+\$1\.00 \(\+50%\)/,
    );
    assert.deepEqual(
      cellsOf(html, 'By Project')
        .slice(1, 3)
        .map((row) => row.slice(0, 6)),
      [
        ['/work', '$3.00', '100%', '$0.00', '+$3.00', '–'],
        ['/other', '$0.00', '0%', '$2.00', '-$2.00', '-100%'],
      ],
    );
    // The bars are in the tables.
    assert.deepEqual(legendsOf(html.slice(html.indexOf('>By Project<'), html.indexOf('<table'))), [
      'bar Jan 10, 2026 to Jan 12, 2026 outline Jan 7, 2026 to Jan 9, 2026',
    ]);
    assert.equal(legendsOf(html).length, 1);
    // The chart has all days of the range.
    assert.deepEqual(daysOf(html), ['Jan 10, 2026: $0.00', 'Jan 11, 2026: $0.00', 'Jan 12, 2026: $3.00']);
    assert.match(html, /<span>Highest: \$3\.00 · Jan 12, 2026<\/span>/);
    const sessions = await page.say({ type: 'group', by: 'project', key: '/work' });
    assert.deepEqual(legendsOf(sessions.html), legendsOf(html));
    await page.say({ type: 'back' });
    const all = await page.say({ type: 'range', name: 'all' });
    assert.deepEqual([legendsOf(all.html), daysOf(all.html).length, daysOf(all.html)[0]], [[], 24, 'Jan 9, 2026: $2.00']);
    // More months than the chart has room for.
    const long = await page.say({ type: 'range', name: 'custom', from: '1980-01-01', to: '2026-12-31' });
    assert.deepEqual(daysOf(long.html), ['January 2026: $5.00', 'February 2026: $50.00']);
    const year = await page.say({ type: 'range', name: 'custom', from: '2025-10-31', to: '2026-03-01' });
    assert.deepEqual([daysOf(year.html).length, daysOf(year.html)[0]], [6, 'October 2025: $0.00']);
    await page.say({ type: 'range', name: 'custom', from: '2026-01-10', to: '2026-01-12' });
    assert.deepEqual(state.get('usage.range'), { name: 'custom', custom: { from: '2026-01-10', to: '2026-01-12' } });
    assert.equal((await shown({ facts, stored: state.get('usage.range') })).first.from, '2026-01-10');
    // What can't be a range is the first choice.
    assert.equal((await shown({ facts, stored: { name: 'planet' } })).first.name, '30days');
  });

  it('is by month in a long range, with a chart that says the same', async () => {
    const { first } = await shown({
      facts: [fact(1, { day: '2025-01-31' }), fact(2, { day: '2026-01-01' }), fact(4, { day: '2026-01-31' })],
    });
    assert.deepEqual(
      cellsOf(first.html, 'By Month')
        .slice(1, 3)
        .map((row) => row.slice(0, 2)),
      [
        ['January 2026', '$6.00'],
        ['January 2025', '$1.00'],
      ],
    );
    assert.deepEqual(
      daysOf(first.html).map((text) => text?.replace(/^\w+ 2025: (?=\$0)/, '')),
      ['January 2025: $1.00', ...Array.from({ length: 11 }, () => '$0.00'), 'January 2026: $6.00'],
    );
    assert.match(first.html, /<div class="days" role="img" aria-label="Chart/);
  });

  it('names a button by its number and its row, also if that is less than a cent', async () => {
    const { first } = await shown({ facts: [fact(0.004, { day: '2026-01-31', model: 'a & <b>' }), fact(5, { day: '2026-01-31' })] });
    const label = /<button aria-label="([^"]*a [^"]*)">([^<]*)</.exec(first.html);
    assert.ok(label);
    assert.equal(label[1], `${String(label[2])}, a &#38; &#60;b&#62;`);
  });

  it('leads from a number to its sessions, to their turns, and into the context', async () => {
    const answer = (total: number): Fields => ({ message: { usage: { input: 1, output: 1, cost: { total } } } });
    const catalog = await test.open({
      one: session({ cwd: '/work/a' })
        .user('Cheap')
        .assistant('x', answer(1))
        .user('Dear')
        .assistant('y', answer(4))
        .assistant('z', answer(2)),
      two: session({ cwd: '/work/b', id: 'two' }).user('Else').assistant('x', answer(3)),
    });
    const { page, opened } = await shown({ real: catalog });
    const sessions = await page.say({ type: 'group', by: 'project', key: '/work/a' });
    assert.deepEqual(
      [
        sessions.step,
        cellsOf(sessions.html, 'Sessions: /work/a')
          .slice(1, -1)
          .map((row) => row[1]),
      ],
      ['into', ['$7.00']],
    );
    const turns = await page.say({ type: 'session', key: test.path('one') });
    assert.deepEqual(
      Array.from(turns.html.matchAll(/dir="auto">([^<]*)<\/th><td[^>]*><button[^>]*>([^<]*)</g), ([, name, cost]) => [name, cost]),
      [
        ['user: Dear', '$6.00'],
        ['user: Cheap', '$1.00'],
      ],
    );
    const [, key] = /data-type="turn" data-key="([^"]*)"/.exec(turns.html) ?? [];
    await page.say({ type: 'turn', key });
    assert.deepEqual(opened, [{ path: test.path('one'), entryId: key }]);
    assert.match((await page.say({ type: 'back' })).html, /Sessions: \/work\/a/);
    assert.match((await page.say({ type: 'back' })).html, /By Project/);
  });

  it('is there with the days of its range, and waits for all of them if a longer range is chosen', async () => {
    const today = new Date().toLocaleDateString('sv');
    let finish: (facts: UsageFact[]) => void = () => undefined;
    const all = new Promise<UsageFact[]>((done) => (finish = done));
    const asked: unknown[] = [];
    const usageFacts = (_timeZone: string, since?: number): Promise<UsageFact[]> => {
      asked.push(since);
      return since === undefined ? all : Promise.resolve([fact(1, { day: today })]);
    };
    const { run, panels } = usage({ real: { usageFacts } as unknown as Catalog, stored: { name: 'today' } });
    const running = run('sessionTree.usage');
    await until(() => panels.length > 0);
    const page = panels[0]!;
    assert.match((await page.say({ type: 'ready' })).html, /<p>\$1\.00/);
    const longer = page.say({ type: 'range', name: 'all' });
    await new Promise((done) => setImmediate(done));
    finish([fact(1, { day: today }), fact(2)]);
    await Promise.all([longer, running]);
    const sent = page.sent.filter(({ name }) => name === 'all').map(({ html }) => /<p>(\$\d\.\d\d)/.exec(html)?.[1]);
    assert.deepEqual(new Set(sent), new Set(['$3.00']));
    const yesterday = new Date(Date.parse(today) - 86_400_000);
    assert.deepEqual(asked, [yesterday.getTime(), undefined]);
  });

  it('shows nothing for messages that no page sends', async () => {
    const { page } = await shown({ facts: [fact(1)] });
    const count = page.sent.length;
    for (const message of [
      null,
      { type: 'group', by: 'planet', key: 'x' },
      { type: 'session', key: '/etc/passwd' },
      { type: 'range', name: 'x' },
    ])
      await page.say(message);
    assert.equal(page.sent.length, count);
  });

  it('counts the entries of forks once', async () => {
    const answer = (builder: SessionBuilder, total: number): SessionBuilder =>
      builder.assistant('x', { message: { usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total } } } });
    const begin = (given: Given): SessionBuilder => answer(session({ cwd: '/work/a', ...given }), 1);
    const catalog = await test.open({
      parent: begin({ id: 'parent', timestamp: '2026-01-01T10:00:00.000Z' }),
      fork: answer(begin({ id: 'fork', timestamp: '2026-01-01T12:00:00.000Z', parentSession: 'parent' }), 2),
    });
    const { first } = await shown({ real: catalog });
    for (const title of ['By Day', 'By Project', 'By Model', 'By Program'])
      assert.deepEqual(
        cellsOf(first.html, title)
          .slice(1, -1)
          .map((row) => row[1]),
        ['$3.00'],
        title,
      );
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
    const { first } = await shown({ real: catalog });
    assert.deepEqual(cellsOf(first.html, 'By Model').slice(0, 3), [
      ['Model', 'Cost', 'Share', 'Tokens In', 'Cached', 'Cached for an Hour', 'Tokens Out'],
      ['p/long', '$2.00', '50%', '608', '6', '200', '4'],
      ['p/short', '$2.00', '50%', '108', '6', '0', '4'],
    ]);
  });

  it('takes the place of an earlier page, and has a new one once that is closed', async () => {
    const facts = [fact(0.5)];
    const { run, panels, page } = await shown({ facts });
    facts.push(fact(2));
    await run('sessionTree.usage');
    assert.match(page.sent.at(-1)!.html, /\$2\.50 · all days/);
    assert.deepEqual([panels.length, page.shown], [1, 2]);
    page.close();
    await run('sessionTree.usage');
    assert.equal(panels.length, 2);
  });

  it('has thirty rows in a table, and all of them if asked', async () => {
    const { page, first } = await shown({ facts: Array.from({ length: 33 }, (_, at) => fact(33 - at, { model: `model ${at}` })) });
    const names = (html: string): unknown[] =>
      cellsOf(html, 'By Model')
        .slice(1, -1)
        .map(([name]) => name);
    assert.deepEqual([names(first.html).length, names(first.html).at(-1)], [30, 'model 29']);
    assert.match(first.html, /<button data-type="more">Show All \(3 more\)/);
    assert.equal(names((await page.say({ type: 'more' })).html).length, 33);
  });

  it('is returned to callers with arguments, who see nothing', async () => {
    const { run, panels, asked } = usage({ sums: [sum('anthropic/claude-x', 2)] });
    assert.deepEqual(await run('sessionTree.usage', { by: 'model' satisfies ReportKey }), [sum('anthropic/claude-x', 2)]);
    await run('sessionTree.usage', { by: 'day', timeZone: 'Asia/Tokyo' });
    assert.deepEqual(asked, [undefined, 'Asia/Tokyo']);
    assert.deepEqual(panels, []);
    await assert.rejects(run('sessionTree.usage', { by: 'planet' }), { code: 'invalid' });
  });

  it('says if there is none', async () => {
    const { run, editor } = usage();
    await run('sessionTree.usage');
    assert.match(JSON.stringify(editor.messages), /No session has recorded usage yet\./);
  });
});
