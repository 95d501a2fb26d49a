import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { SessionSummary } from '../../../src/core/index';
import type * as runningModule from '../../../src/watch/runningSessions';
import { FakeEmitter, loadWithVscode, translate } from '../../fixtures/loadWithVscode';

const MODULE = join(__dirname, '../../../src/watch/runningSessions.js');

const summary = (path: string, cwd: string, title: string): SessionSummary => ({ path, cwd, title }) as SessionSummary;

describe('The status bar item of running sessions', () => {
  const sessions = [
    summary('/s/one', '/work/shop', 'Fix $(bug) it'),
    summary('/s/two', '/work/shop/server', 'Second'),
    summary('/s/other', '/work/shopping', 'Elsewhere'),
    summary('/s/idle', '/work/shop', 'Idle'),
  ];
  let item: { text?: string; tooltip?: string; isShown: boolean; show(): void; hide(): void; dispose(): void };
  let isOn: boolean;
  let checked: string[][];
  let live: string[];
  let waiting: string[];
  let badges: number[];
  let failures: unknown[];
  let walks: number;
  let running: runningModule.RunningSessions;

  beforeEach(() => {
    item = { isShown: false, show: () => (item.isShown = true), hide: () => (item.isShown = false), dispose: () => undefined };
    isOn = true;
    checked = [];
    failures = [];
    walks = 0;
    waiting = [];
    badges = [];
    live = ['/s/one', '/s/two', '/s/other'];
    const { RunningSessions } = loadWithVscode(MODULE, {
      l10n: { t: translate },
      StatusBarAlignment: { Left: 1 },
      window: { createStatusBarItem: () => item },
      workspace: {
        workspaceFolders: [{ uri: { scheme: 'file', fsPath: '/work/shop' } }, { uri: { scheme: 'other', fsPath: '/work/shopping' } }],
        getConfiguration: () => ({ get: () => isOn }),
      },
    }) as typeof runningModule;
    running = new RunningSessions({
      sessions: () => {
        walks++;
        return sessions;
      },
      check: (paths) => Promise.resolve(void checked.push([...paths])),
      isRunning: (path) => live.includes(path),
      needsInput: (path) => waiting.includes(path),
      showBadge: (count) => badges.push(count),
      idle: { isIdle: () => false, onDidEnd: new FakeEmitter().event } as never,
      onError: (error) => failures.push(error),
    });
  });
  afterEach(() => running.dispose());

  it('counts those of the window’s folders, and names them without icons', async () => {
    await running.check();
    assert.deepEqual(checked, [['/s/one', '/s/two', '/s/idle']]);
    assert.equal(walks, 1, 'there may be thousands of sessions');
    assert.deepEqual([item.isShown, item.text], [true, '$(comment-discussion) 2']);
    assert.match(item.tooltip ?? '', /^2 running sessions\n[^]*Second$/);
    assert.doesNotMatch(item.tooltip ?? '', /\$\(bug\)/);
    assert.deepEqual(
      running.running().map(({ path }) => path),
      ['/s/one', '/s/two'],
    );
  });

  it('includes those that need input, says so, and counts them at the view’s icon', async () => {
    waiting = ['/s/two', '/s/idle', '/s/other'];
    await running.check();
    assert.equal(item.text, '$(comment-discussion) 3');
    assert.equal(item.tooltip, '3 running sessions\nFix $\u2060(bug) it\nSecond · needs input\nIdle · needs input');
    assert.deepEqual(badges, [2]);
    isOn = false;
    await running.check();
    assert.deepEqual(badges, [2, 0]);
  });

  it('goes when none is running, and when it is turned off, where nothing is checked', async () => {
    await running.check();
    live = [];
    await running.check();
    assert.equal(item.isShown, false);
    live = ['/s/one'];
    await running.check();
    assert.equal(item.isShown, true);
    isOn = false;
    await running.check();
    assert.deepEqual([item.isShown, checked.length], [false, 3]);
    assert.deepEqual(failures, []);
  });
});
