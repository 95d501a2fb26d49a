import assert from 'node:assert/strict';
import type { Catalog, SessionSummary, UsageSum } from '../../../src/core/index';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { runCommands } from './runCommands';

const sum = (key: string, cost: number, output = 10): UsageSum => ({ key, cost, output, input: 1000, cacheRead: 200, cacheWrite: 34 });

describe('Usage of all sessions', () => {
  const usage = (sums: Partial<Record<string, UsageSum[]>>, progress = { done: 3, total: 3 }) => {
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
    let provide: (uri: unknown) => string = () => '';
    Object.assign(editor.api.workspace, {
      registerTextDocumentContentProvider: (scheme: string, provider: { provideTextDocumentContent: typeof provide }) => {
        if (scheme === 'session-tree-report') provide = provider.provideTextDocumentContent;
        return { dispose: () => undefined };
      },
    });
    const deps = {
      catalog: {
        open: () => Promise.resolve(catalog),
        refresh: () => undefined,
        settled: () => Promise.resolve(),
        progress: () => progress,
      } as never,
    };
    return { ...runCommands(deps, editor), textOf: (uri: unknown) => provide(uri), zones, atOnce };
  };

  it('is shown as a document with tables, in which names are text', async () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const { run, editor, textOf, zones } = usage(
      {
        day: [sum('2026-01-01', 0.5), sum('2026-01-02', 1.25)],
        project: [sum('/work/a|b [x](https://e.example)', 1.5), sum('', 0.037)],
        model: [sum('anthropic/claude-x', 1.75)],
      },
      { done: 2, total: 3 },
    );
    await run('sessionTree.usage');
    const [command, uri] = editor.executed.at(-1) ?? [];
    assert.equal(command, 'markdown.showPreview');
    assert.deepEqual(
      textOf(uri)
        .split('\n')
        .filter((line) => line !== ''),
      [
        '# Usage',
        '**$1.75** since Jan 1, 2026',
        '## By Day',
        '| Day | Cost | Tokens In | Cached | Tokens Out |',
        '| --- | --: | --: | --: | --: |',
        '| Jan 2, 2026 | $1.25 | 1,234 | 200 | 10 |',
        '| Jan 1, 2026 | $0.50 | 1,234 | 200 | 10 |',
        '## By Project',
        '| Project | Cost | Tokens In | Cached | Tokens Out |',
        '| --- | --: | --: | --: | --: |',
        '| /work/a\\|b \\[x\\](`https://e.example`) | $1.50 | 1,234 | 200 | 10 |',
        '| Unknown project | $0.037 | 1,234 | 200 | 10 |',
        '## By Model',
        '| Model | Cost | Tokens In | Cached | Tokens Out |',
        '| --- | --: | --: | --: | --: |',
        '| anthropic/claude-x | $1.75 | 1,234 | 200 | 10 |',
        `Days are in the time zone ${timeZone}. What forks have in common is counted once.`,
        '2 of 3 sessions have been read so far.',
      ],
    );
    assert.deepEqual(zones, [timeZone, timeZone, timeZone]);
  });

  it('is added up one sum after the other, as the answers of several would arrive in one turn of the event loop', async () => {
    const { run, zones, atOnce } = usage({ day: [sum('2026-01-01', 0.5)] });
    await run('sessionTree.usage');
    assert.deepEqual([zones.length, atOnce.most], [3, 1]);
  });

  it('is returned to callers with arguments, who see nothing', async () => {
    const { run, editor, zones } = usage({ model: [sum('anthropic/claude-x', 2)] });
    assert.deepEqual(await run('sessionTree.usage', { by: 'model' }), [sum('anthropic/claude-x', 2)]);
    await run('sessionTree.usage', { by: 'day', timeZone: 'Asia/Tokyo' });
    assert.deepEqual(zones, [undefined, 'Asia/Tokyo']);
    assert.deepEqual(editor.executed, []);
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
