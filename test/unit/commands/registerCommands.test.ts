import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as registerModule from '../../../src/commands/registerCommands';
import { fakeEditor } from '../../fixtures/fakeEditor';
import type { MarkChange } from '../../../src/contract';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';

describe('Commands', () => {
  it('on a row of the last window wait for the sessions', async () => {
    const editor = fakeEditor();
    const { registerCommands } = loadWithVscode(join(__dirname, '../../../src/commands/registerCommands.js'), {
      ...editor.api,
      window: { ...editor.api.window, registerUriHandler: () => ({ dispose: () => undefined }) },
    }) as typeof registerModule;
    let current: () => void = () => undefined;
    const rowsCurrent = new Promise<void>((resolve) => (current = resolve));
    let isAsked = false;
    const pinned: unknown[] = [];
    registerCommands({
      rootsReady: () => Promise.resolve(),
      rowsCurrent: () => {
        isAsked = true;
        return rowsCurrent;
      },
      sessions: () => [{ path: '/s', id: 'id' }],
      summary: () => ({ path: '/s', id: 'id' }),
      listedSessions: () => [],
      selection: () => [],
      marks: { change: ([change]: readonly MarkChange[]) => Promise.resolve(void pinned.push(...(change?.ids ?? []))) },
      pendingChanges: { onSettled: () => ({ dispose: () => undefined }) },
      onInterruptedRestore: () => ({ dispose: () => undefined }),
      onStorageProblem: () => ({ dispose: () => undefined }),
      onSettingProblem: () => ({ dispose: () => undefined }),
      log: { error: (error: unknown) => assert.fail(String(error)) },
    } as never);
    const run = editor.commands.get('sessionTree.pin');
    assert.ok(run);
    const running = run({ row: 'session', path: '/s' });
    await until(() => isAsked);
    assert.deepEqual(pinned, []);
    current();
    await running;
    assert.deepEqual(pinned, ['id']);
  });
});
