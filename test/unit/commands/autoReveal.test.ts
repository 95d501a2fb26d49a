import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { Row, SessionRef } from '../../../src/contract';
import type * as revealModule from '../../../src/commands/open/autoReveal';
import { ResumedTerminals } from '../../../src/commands/terminal/resumedTerminals';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';

describe('Revealing the active session', () => {
  let revealed: SessionRef[];
  let selection: Row[];
  let target: SessionRef | undefined;
  let isVisible: boolean;
  let setting: unknown;
  let tabs: FakeEmitter<object>;
  let terminals: FakeEmitter<object>;
  let shown: FakeEmitter<undefined>;
  let navigated: FakeEmitter<SessionRef>;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [revealed, selection, target, isVisible, setting] = [[], [], { path: '/a', entryId: 'e1' }, true, true];
    [tabs, terminals, shown] = [new FakeEmitter<object>(), new FakeEmitter<object>(), new FakeEmitter<undefined>()];
    navigated = new FakeEmitter();
    const { api } = fakeEditor();
    const { registerAutoReveal } = loadWithVscode(join(__dirname, '../../../src/commands/open/autoReveal.js'), {
      ...api,
      window: {
        ...api.window,
        tabGroups: { ...api.window.tabGroups, onDidChangeTabs: tabs.event, onDidChangeTabGroups: new FakeEmitter<object>().event },
        onDidChangeActiveTerminal: terminals.event,
      },
      workspace: { ...api.workspace, getConfiguration: () => ({ get: () => setting }) },
    }) as typeof revealModule;
    registerAutoReveal({
      refOfDocument: () => undefined,
      session: () => Promise.reject(new Error('no session')),
      activeTarget: () => target,
      onDidNavigate: navigated.event as never,
      sessions: () => [{ path: '/t', id: 'the id', modified: 1 }],
      terminals: new ResumedTerminals(),
      isVisible: () => isVisible,
      onDidBecomeVisible: shown.event as never,
      selection: () => selection,
      reveal: (ref) => Promise.resolve(revealed.push(ref)),
      onError: (error) => assert.ifError(error),
    });
  });
  afterEach(() => mock.timers.reset());

  async function passed(): Promise<SessionRef[]> {
    mock.timers.tick(1000);
    for (let turns = 0; turns < 10; turns++) await Promise.resolve();
    return revealed;
  }

  it('happens once for several changes, when an editor becomes active or the view is shown', async () => {
    tabs.fire({});
    tabs.fire({});
    assert.deepEqual(await passed(), [{ path: '/a', entryId: 'e1' }]);
    shown.fire(undefined);
    assert.equal((await passed()).length, 2);
  });

  it('finds the session of a terminal', async () => {
    terminals.fire({ creationOptions: { shellArgs: ['--session', 'the id'] } });
    assert.deepEqual(await passed(), [{ path: '/t' }]);
  });

  it('follows where the person goes in a context view, also from the session’s own row', async () => {
    selection = [{ row: 'session', path: '/a' }];
    navigated.fire({ path: '/a', entryId: 'e2' });
    assert.deepEqual(await passed(), [{ path: '/a', entryId: 'e2' }]);
    selection = [{ row: 'branch', path: '/a', entryId: 'e2' }];
    navigated.fire({ path: '/a', entryId: 'e2' });
    assert.equal((await passed()).length, 1);
  });

  it('leaves a selection that stands for it, and does nothing while the view is hidden or the setting is off', async () => {
    selection = [{ row: 'session', path: '/a' }];
    tabs.fire({});
    assert.deepEqual(await passed(), []);
    selection = [{ row: 'entry', path: '/a', entryId: 'other' }];
    isVisible = false;
    tabs.fire({});
    assert.deepEqual(await passed(), []);
    [isVisible, setting] = [true, false];
    tabs.fire({});
    assert.deepEqual(await passed(), []);
    setting = true;
    tabs.fire({});
    assert.equal((await passed()).length, 1);
  });
});
