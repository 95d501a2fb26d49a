import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as openModule from '../../../src/commands/export/openExport';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('The button that opens an export', () => {
  const MODULE = join(__dirname, '../../../src/commands/export/openExport.js');

  async function opened(path: string, { remoteName, uiKind = 1 }: { remoteName?: string; uiKind?: number } = {}): Promise<unknown[]> {
    const calls: unknown[] = [];
    const { openExport } = loadWithVscode(MODULE, {
      Uri: { file: (file: string) => file },
      UIKind: { Desktop: 1, Web: 2 },
      env: { remoteName, uiKind, openExternal: (uri: unknown) => Promise.resolve(calls.push('browser', uri)) },
      commands: { executeCommand: (...args: unknown[]) => Promise.resolve(calls.push(...args)) },
    }) as typeof openModule;
    await openExport(path);
    return calls;
  }

  it('opens a page in the browser, where the browser has the file', async () => {
    assert.deepEqual(await opened('/x/out.html'), ['browser', '/x/out.html']);
    assert.deepEqual(await opened('/x/out.html', { remoteName: 'ssh-remote' }), ['vscode.open', '/x/out.html']);
    assert.deepEqual(await opened('/x/out.html', { uiKind: 2 }), ['vscode.open', '/x/out.html']);
  });

  it('opens other files in the editor', async () => {
    for (const path of ['/x/out.md', '/x/out.jsonl', '/x/html']) assert.deepEqual(await opened(path), ['vscode.open', path]);
  });
});
