import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mock } from 'node:test';
import type * as idleTimeModule from '../../../src/watch/idleTime';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';

describe('Idle time', () => {
  let now = 0;
  let ends = 0;
  let windowState: FakeEmitter<{ active: boolean }>;
  let idle: idleTimeModule.IdleTime;

  /** Opens a window in which the person was active last, or wasn't. */
  function open(active: boolean): void {
    const { IdleTime } = loadWithVscode(join(__dirname, '../../../src/watch/idleTime.js'), {
      EventEmitter: FakeEmitter,
      window: { state: { active }, onDidChangeWindowState: windowState.event },
    }) as typeof idleTimeModule;
    idle = new IdleTime();
    idle.onDidEnd(() => ends++);
  }

  beforeEach(() => {
    [now, ends] = [1000, 0];
    mock.method(performance, 'now', () => now);
    windowState = new FakeEmitter();
  });
  afterEach(() => {
    idle.dispose();
    mock.restoreAll();
  });

  it('begins a minute after the last change of a session, while nobody uses the window', () => {
    open(false);
    now += 59_999;
    assert.equal(idle.isIdle(), false);
    idle.sessionsChanged();
    now += 59_999;
    assert.equal(idle.isIdle(), false);
    now += 1;
    assert.equal(idle.isIdle(), true);
    assert.equal(ends, 0);
  });

  it('ends when the window is used', () => {
    open(true);
    now += 100_000;
    assert.equal(idle.isIdle(), false);
    windowState.fire({ active: false });
    assert.equal(idle.isIdle(), true);
    windowState.fire({ active: true });
    assert.deepEqual([idle.isIdle(), ends], [false, 1]);
    windowState.fire({ active: true });
    assert.equal(ends, 1);
  });

  it('ends when a session changes', () => {
    open(false);
    now += 100_000;
    idle.sessionsChanged();
    assert.deepEqual([idle.isIdle(), ends], [false, 1]);
    idle.sessionsChanged();
    assert.equal(ends, 1, 'it had ended');
  });
});
