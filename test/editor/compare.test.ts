import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { session, type SessionBuilder } from '../fixtures/build';
import { untilFrameShows } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { choose } from './menus';
import { refuses } from './refusals';
import { open, showClosed } from './treeRows';
import { eventually } from './waiting';

const row = (text: string): string => `.part.sidebar .monaco-list-row >> text=${text}`;

interface Compared {
  readonly left: string;
  readonly right: string;
  readonly forkPoint: string | null;
}

const talk = (cwd: string): SessionBuilder =>
  session({ cwd })
    .user('Which way?', { id: 'ask' })
    .assistant('Left or right.', { id: 'answer' })
    .user('Left.', { id: 'left' })
    .tool('edit', { path: `${cwd}/src/map.ts` }, 'Edited.')
    .assistant('A wall.', { id: 'wall' })
    .branchFrom('answer')
    .user('Right.', { id: 'right' })
    .assistant('A **door**.', { id: 'door' })
    .name('Doors');

describe('Compare', () => {
  let path: string;
  editorSuite();
  beforeEach(async () => {
    path = await own.put('talk', talk(own.cwd));
  });

  const textOf = async (uri: string): Promise<string> => (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))).getText();
  /** Returns both sides of the diff in the active editor. */
  const diffShown = (): Promise<{ left: string; right: string; label: string }> =>
    eventually('a diff', () => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      if (!(tab?.input instanceof vscode.TabInputTextDiff)) return undefined;
      return { left: tab.input.original.toString(), right: tab.input.modified.toString(), label: tab.label };
    });
  const openRows = async (): Promise<void> => {
    await showClosed();
    await open(own.cwd.split('/').at(-1)!);
    await open('Doors');
    await driver.waitFor(row('Right.'));
  };
  const menu = (text: string, ...labels: readonly string[]): Promise<void> =>
    choose(() => driver.find(row(text)).click({ button: 'right' }), ...labels);

  it('shows the activity since the fork side by side in the diff, with plain arguments', async () => {
    const compared = await run<Compared>('compare', [
      { path, entryId: 'wall' },
      { path, entryId: 'door' },
    ]);
    assert.equal(compared.forkPoint, 'answer');
    const [left, right] = [await textOf(compared.left), await textOf(compared.right)];
    assert.match(
      left,
      /- After: `assistant: Left or right\.` · `answer`\n- Up to: `assistant: A wall\.` · `wall`\n- Turns: 1\n- Messages: 4\n- Tools: `edit` 1\n- Files written: `src\/map\.ts`\n/,
    );
    assert.match(left, /\$0\.0740\n- Time: 2026-01-02 10:00:02 – 10:00:05 UTC \(3 s\)\n\n## User\n\n> Left\.\n[^]*A wall\.\n$/);
    assert.match(
      right,
      /- Turns: 1\n- Messages: 2\n- Tools: none\n- Files written: none\n[^]*## User\n\n> Right\.\n\n## Assistant · anthropic\/claude-x\n\nA \*\*door\*\*\.\n$/,
    );
    for (const text of [left, right]) assert.doesNotMatch(text, /Which way\?\n\n## /);
    const shown = await diffShown();
    assert.deepEqual([shown.left, shown.right, shown.label], [compared.left, compared.right, 'assistant: A wall. ↔ assistant: A door.']);
    // The server has no TypeScript of its own, which VS Code may report at any time.
    assert.equal(
      await driver.page
        .locator('.notification-toast')
        .filter({ hasText: /^(?!.*tsserver)/s })
        .count(),
      0,
    );
    // The same places have the same addresses, also as two arguments.
    assert.deepEqual(await run<Compared>('compare', { path, entryId: 'wall' }, { path, entryId: 'door' }), compared);
  });

  it('explains that one side ends where the other continues', async () => {
    const compared = await run<Compared>('compare', [{ path, entryId: 'answer' }, { path }]);
    assert.equal(compared.forkPoint, 'answer');
    assert.match(await textOf(compared.left), /Nothing comes after the fork point on this side/);
    assert.match(await textOf(compared.right), /> Right\./);
  });

  it('finds the fork point of a session and its fork, and compares unrelated sessions from the beginning', async () => {
    const fork = await run<{ path: string }>('fork', { path, entryId: 'answer' });
    const compared = await run<Compared>('compare', [{ path }, { path: fork.path }]);
    assert.equal(compared.forkPoint, 'answer');
    const stranger = await own.put('stranger', session({ cwd: own.cwd, timestamp: '2025-05-05T00:00:00.000Z' }).user('Hello?'));
    const apart = await run<Compared>('compare', [{ path }, { path: stranger }]);
    assert.equal(apart.forkPoint, null);
    assert.match(await textOf(apart.right), /no entries in common[^]*> Hello\?/);
  });

  it('refuses what can’t be compared', async () => {
    await refuses('unknown-entry', run('compare', [{ path, entryId: 'none' }, { path }]));
    await refuses('unknown-entry', run('compare', [{ path }, { path, entryId: 'none' }]));
    await refuses(
      'invalid',
      run('compare', [
        { path, entryId: 'door' },
        { path, entryId: 'door' },
      ]),
    );
    await refuses('not-found', run('compare', [{ path: `${path}.gone` }, { path }]));
    for (const wrong of [[], [{ path }], [{ path }, { path }, { path }], [{ path }, 'x']]) await refuses('invalid', run('compare', wrong));
    await refuses('invalid', run('compare', { path }));
    assert.equal(vscode.window.tabGroups.activeTabGroup.tabs.length, 0);
  });

  it('compares two rows that are selected together', async () => {
    await openRows();
    const abandoned = driver.page.locator('.part.sidebar .monaco-list-row').filter({ hasText: 'Left.' }).first();
    await driver.click(row('A door.'));
    await driver.waitFor('.part.sidebar .monaco-list-row.selected >> text=A door.');
    await abandoned.click({ modifiers: ['Control'] });
    await driver.waitFor('.part.sidebar .monaco-list-row.selected >> text=Left.');
    await menu('Left.', 'Compare Selected');
    const shown = await diffShown();
    // The older entry is on the left, whichever was clicked first.
    assert.match(await textOf(shown.left), /> Left\.[^]*A wall\.\n$/);
    assert.match(await textOf(shown.right), /> Right\.[^]*A \*\*door\*\*\.\n$/);
    await driver.waitFor('.monaco-diff-editor .original >> text=Left.');
    await driver.waitFor('.monaco-diff-editor .modified >> text=Right.');
    await driver.screenshot('compare.png');
  });

  it('compares one row and then another', async () => {
    await openRows();
    await driver.click(row('A door.'));
    await menu('A door.', 'Changes and Comparison', 'Select for Compare');
    await menu('Left.', 'Changes and Comparison', 'Compare with Selected');
    const shown = await diffShown();
    assert.match(await textOf(shown.left), /A \*\*door\*\*\.\n$/);
    assert.match(await textOf(shown.right), /A wall\.\n$/);
  });

  it('offers the other branches and sessions', async () => {
    const pendingCommand = run('compare', { row: 'entry', path, entryId: 'wall' });
    await driver.waitFor('.quick-input-list >> text=Branches of this session');
    await driver.awayFromRows();
    await driver.click('.quick-input-list .monaco-list-row:has-text("current") >> text=A door.');
    await pendingCommand;
    assert.match(await textOf((await diffShown()).right), /> Right\./);
  });

  it('follows a side that grows', async () => {
    const { right } = await run<Compared>('compare', [{ path, entryId: 'wall' }, { path }]);
    await run('label', { path, entryId: 'door', label: 'out', force: true });
    await eventually('the label', async () => (await textOf(right)).includes('🏷 out'));
  });

  it('shows the files that a branch changed in one editor, and goes from a file to its messages', async () => {
    const toolCall = (id: string, name: string, args: object): Record<string, unknown> => ({ type: 'toolCall', id, name, arguments: args });
    const toolResult = (toolCallId: string, toolName: string, text: string): Record<string, unknown> => ({
      role: 'toolResult',
      toolCallId,
      toolName,
      content: [{ type: 'text', text }],
    });
    const builder = session({ cwd: own.cwd })
      .tool('read', { path: 'map.ts' }, 'export const door = 1;\nexport const wall = 2;\n')
      .tool('edit', { path: 'map.ts', oldText: 'door = 1', newText: 'door = 3' })
      .tool('write', { path: 'notes.md', content: 'A new file\n' })
      .tool('edit', { path: 'map.ts', oldText: 'wall = 2', newText: 'wall = 4' })
      .message({
        role: 'assistant',
        content: [toolCall('r', 'read', { path: 'map.ts' }), toolCall('w', 'write', { path: 'doors.md', content: 'Two doors\n' })],
      })
      .message(toolResult('r', 'read', 'export const door = 3;\nexport const wall = 4;\n'))
      .message(toolResult('w', 'write', 'Written.'))
      .assistant('Both done.')
      .name('Files');
    const files = await own.put('files', builder);
    const answer = await run<{ files: { file: string; certainty: string; entryIds: string[] }[] }>('openChanges', { path: files });
    assert.deepEqual(
      answer.files.map(({ file, certainty, entryIds }) => [file, certainty, entryIds.length]),
      [
        ['map.ts', 'exact', 2],
        ['notes.md', 'unknown-before', 1],
        ['doors.md', 'unknown-before', 1],
      ],
    );
    await eventually('both files', async () => {
      const texts = (await driver.texts('.editor-instance')).join().replaceAll('\u00a0', ' ');
      return texts.includes('door = 3') && texts.includes('A new file') && texts.includes('earlier text not recorded');
    });
    await driver.screenshot('changes.png');
    void run('goToChange', { row: 'session', path: files });
    await eventually(
      'the messages',
      async () =>
        (await driver.texts('.quick-input-list .monaco-list-row')).join().includes('map.ts') &&
        (await driver.texts('.quick-input-list .monaco-list-row.focused')).length > 0,
    );
    // These answers consist of calls alone.
    const choices = (await driver.texts('.quick-input-list .monaco-list-row')).join('\n');
    for (const call of ['[edit: map.ts]', '[write: notes.md]', '[write: doors.md]']) assert.ok(choices.includes(call), choices);
    assert.doesNotMatch(choices, /no content|read: /);
    await driver.screenshot('go-to-change.png');
    await driver.press('Enter');
    await untilFrameShows('pi-session-tree', 'text=Both done');
    const frame = await driver.frame('pi-session-tree');
    await driver.waitFor('.navigation-target', {}, frame);
  });
});
