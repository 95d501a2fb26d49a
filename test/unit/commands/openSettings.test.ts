import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as settingsModule from '../../../src/commands/handler/openSettings';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

const MODULE = join(__dirname, '../../../src/commands/handler/openSettings.js');

describe('Open Settings', () => {
  /** Returns the editor's command that opens the setting of session folders. */
  const opened = async (remoteName: string | undefined, name?: string): Promise<unknown[]> => {
    let call: unknown[] = [];
    const { openSettings } = loadWithVscode(MODULE, {
      env: { remoteName },
      commands: { executeCommand: (...args: unknown[]) => Promise.resolve(void (call = args)) },
    }) as typeof settingsModule;
    await openSettings(name);
    return call;
  };

  it('shows the settings of the user in a local window', async () => {
    assert.deepEqual(await opened(undefined), ['workbench.action.openSettings', '@ext:pi-session-tree.pi-session-tree']);
    assert.deepEqual(await opened(undefined, 'roots'), ['workbench.action.openSettings', '@id:sessionTree.roots']);
  });

  it('shows the settings of the remote machine in a remote window, where the user has none of those', async () => {
    assert.deepEqual(await opened('ssh-remote', 'roots'), [
      'workbench.action.openRemoteSettings',
      { query: '@id:sessionTree.roots', jsonEditor: false },
    ]);
  });
});
