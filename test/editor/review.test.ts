import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { gitRepository } from '../fixtures/gitRepository';
import { TOKENS } from '../fixtures/plantedSecrets';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { showsMessage } from './messages';
import { eventually, untilEqual, untilMatches } from './waiting';

describe('the review of a working tree', () => {
  let path: string;
  const repository = gitRepository(() => own.cwd);
  editorSuite();
  beforeEach(async () => {
    repository.git('09:00:00', 'init', '-q');
    await writeFile(join(own.cwd, 'a.ts'), 'const old = 0;\nconst kept = 0;\n');
    repository.commit('09:00:00', 'start');
    await writeFile(join(own.cwd, 'a.ts'), 'const old = 0;\nconst kept = 0;\nconst agent = 1;\nconst second = 2;\nconst mine = 3;\n');
    await writeFile(join(own.cwd, 'b.ts'), 'const fresh = 1;\n');
    path = await own.put(
      'first',
      session({ cwd: own.cwd })
        .user('Please add the agent')
        .tool('edit', { path: 'a.ts', oldText: 'kept = 0;\n', newText: 'kept = 0;\nconst agent = 1;\n' })
        .name('Adds an agent'),
    );
    await own.put(
      'second',
      session({ cwd: own.cwd, id: 'second' })
        .user('go')
        .user('Now a second $(bug) one')
        .user('more')
        .tool('edit', { path: 'a.ts', oldText: 'agent = 1;\n', newText: 'agent = 1;\nconst second = 2;\n' })
        .tool('write', { path: 'b.ts', content: 'const fresh = 1;\n' })
        .name('The [second](command:x (y)) one'),
    );
  });

  /** The words beside lines, which are the contents of pseudo elements. */
  const words = async (): Promise<string[]> =>
    (await driver.evaluate(`[...document.querySelectorAll('.editor-instance .view-lines .view-line span')]
      .map((span) => getComputedStyle(span, '::after').content)
      .filter((content) => content !== 'none' && content !== 'normal')
      .map((content) => content.replace(/^"|"$/g, '').replaceAll('\\u00a0', ' ').replaceAll('\\u2060', ''))`)) as string[];
  const rows = (): Promise<string> => driver.plainText('.quick-input-list .monaco-list-row');
  const pick = (row: string): Promise<void> => driver.pick(row);

  it('is told for a pull request, as a document that isn’t saved', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(join(own.cwd, 'a.ts')));
    void run('describeChanges');
    await untilMatches(rows, /Uncommitted Changes/);
    await pick('Uncommitted Changes');
    const text = (): string => vscode.window.activeTextEditor?.document.getText() ?? '';
    await untilMatches(text, /^2 sessions wrote 3 of 4 added or changed lines in 2 files\. No session explains 1 line/);
    assert.match(text(), /2\. more\n/);
    assert.doesNotMatch(text(), /[^\\]\[second\]\(command/);
    assert.equal(vscode.window.activeTextEditor?.document.isUntitled, true);
    await showsMessage(/Described the changes\./);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('is told only after a review of the secrets in it', async () => {
    const token = TOKENS['ghp']!();
    await writeFile(join(own.cwd, 'c.ts'), 'const third = 3;\n');
    await own.put(
      'third',
      session({ cwd: own.cwd, id: 'third' })
        .user(`Use ${token} of jane@corp.example.io`)
        .tool('write', { path: 'c.ts', content: 'const third = 3;\n' }),
    );
    await vscode.window.showTextDocument(vscode.Uri.file(join(own.cwd, 'a.ts')));
    void run('describeChanges');
    await untilMatches(rows, /Uncommitted Changes/);
    await pick('Uncommitted Changes');
    await driver.waitFor('.quick-input-widget:visible input[placeholder^="Select what to replace"]');
    const found = await rows();
    assert.match(found, /Use \[redacted:github-token-1\] of[^]*\[redacted:email-1\]/);
    assert.ok(!found.includes(token));
    assert.deepEqual(
      vscode.workspace.textDocuments.filter(({ isUntitled }) => isUntitled),
      [],
    );
    await driver.screenshot('story-findings.png');
    await driver.press('Enter');
    await showsMessage(/Described the changes\./);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.ok(text.includes('[redacted:github-token-1]') && !text.includes(token.slice(4)) && !text.includes('jane'), text);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    // Escape ends it, and nothing opens.
    void run('describeChanges');
    await untilMatches(rows, /Uncommitted Changes/);
    await pick('Uncommitted Changes');
    await driver.waitFor('.quick-input-widget:visible input[placeholder^="Select what to replace"]');
    await driver.press('Escape');
    await driver.find('.quick-input-widget').waitFor({ state: 'hidden' });
    assert.equal(vscode.window.activeTextEditor?.document.isUntitled, false);
  });

  it('answers with the lines of each, with plain arguments', async () => {
    const { files, left } = await run<{
      files: { path: string; ranges: { from: number; to: number; origin?: { path: string } }[] }[];
      left: number;
    }>('reviewChanges', { path });
    assert.equal(left, 0);
    assert.deepEqual(
      files.map((file) => [file.path, file.ranges.map(({ from, to, origin }) => [from, to, origin?.path === path])]),
      [
        [
          'a.ts',
          [
            [3, 3, true],
            [4, 4, false],
            [5, 5, false],
          ],
        ],
        ['b.ts', [[1, 1, false]]],
      ],
    );
  });

  it('shows from a session’s row what it wrote and what others did, in all files, and nothing once it is closed', async () => {
    void run('reviewChanges', { row: 'session', path });
    await untilMatches(rows, /a\.ts/);
    assert.match(await rows(), /All Files\s*1 by this session, 3 by other sessions?|All Files/);
    assert.match(await rows(), /1 by this session, 1 by other sessions, 1 by people or commands/);
    await driver.screenshot('review-pick.png');
    await pick('All Files');
    await untilEqual(
      async () => (await words()).sort(),
      ['The [second](command:x (y)) one', 'The [second](command:x (y)) one', 'by a person or a command', 'this session'].sort(),
    );
    await driver.screenshot('review-all.png');
    await driver.find('.view-line:has-text("const agent")').hover();
    await untilMatches(() => driver.plainText('.monaco-hover'), /Please add the agent[^]*Adds an agent/);
    assert.equal((await driver.plainText('.monaco-hover:visible')).split('Please add the agent').length, 2, 'the prompt once');
    await driver.screenshot('review-hover.png');
    // The hover may cover the line.
    await driver.page.mouse.move(1, 1);
    await untilEqual(async () => (await driver.texts('.monaco-hover:visible')).join(''), '');
    await driver.find('.view-line:has-text("const mine")').hover();
    await untilMatches(() => driver.plainText('.monaco-hover:visible'), /No session is known to have written these lines\./);
    assert.match(await driver.plainText('.multiDiffEntry .status'), /^\s*A\s*$/m);
    assert.doesNotMatch(await driver.plainText('.multiDiffEntry .status'), /R/, 'no file was renamed');
    await vscode.window.showTextDocument(vscode.Uri.file(join(own.cwd, 'b.ts')), { preview: false });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await untilEqual(async () => (await words()).includes('this session'), true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.window.showTextDocument(vscode.Uri.file(join(own.cwd, 'a.ts')));
    await eventually('the text', async () => (await driver.texts('.view-line')).length > 3);
    assert.deepEqual(await words(), []);
  });

  it('shows deleted files, alone and among all', async () => {
    await rm(join(own.cwd, 'b.ts'));
    repository.commit('12:00:00');
    await rm(join(own.cwd, 'a.ts'));
    for (const row of ['a.ts', 'All Files']) {
      void run('reviewChanges', { row: 'session', path });
      await untilMatches(rows, /a\.ts\s*deleted/);
      await pick(row);
      await untilMatches(() => driver.plainText('.original .view-line, .multiDiffEntry .view-line'), /const mine = 3;/);
      await driver.screenshot(`review-deleted-${row === 'a.ts' ? 'one' : 'all'}.png`);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('shows each session’s title from the palette and from Source Control, for all sessions', async () => {
    await vscode.window.showTextDocument(vscode.Uri.file(join(own.cwd, 'a.ts')));
    for (const target of [[], [{ inputBox: {}, rootUri: vscode.Uri.file(own.cwd) }]]) {
      void run('reviewChanges', ...target);
      await untilMatches(rows, /a\.ts\s*2 by sessions, 1 by people or commands/);
      await pick('a.ts');
      await untilEqual(
        async () => [...new Set(await words())].sort(),
        ['Adds an agent', 'The [second](command:x (y)) one', 'by a person or a command'],
      );
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.window.showTextDocument(vscode.Uri.file(join(own.cwd, 'a.ts')));
    }
  });

  it('marks lines as reviewed by a key, and goes on to the next ones', async () => {
    void run('reviewChanges', { row: 'session', path });
    await untilMatches(rows, /a\.ts/);
    await pick('a.ts');
    await untilEqual(async () => (await words()).includes('this session'), true);
    const editor = (): vscode.TextEditor => vscode.window.activeTextEditor ?? assert.fail();
    await eventually('the review', () => vscode.window.activeTextEditor?.document.fileName.endsWith('a.ts') === true);
    editor().selection = new vscode.Selection(2, 0, 2, 0);
    await driver.press('Alt+Enter');
    await untilEqual(async () => (await words()).includes('✓ this session'), true);
    await untilEqual(() => editor().selection.active.line, 3);
    editor().selection = new vscode.Selection(2, 0, 2, 0);
    await driver.press('Alt+Enter');
    await untilEqual(async () => (await words()).includes('this session'), true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('follows typing in one file', async () => {
    void run('reviewChanges', { row: 'session', path });
    await untilMatches(rows, /a\.ts/);
    await pick('a.ts');
    await untilMatches(async () => (await words()).join(), /this session/);
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === 'file');
    assert.ok(editor);
    await editor.edit((edit) => edit.replace(new vscode.Range(2, 0, 2, 16), 'const person = 9;'));
    await untilEqual(async () => (await words()).includes('this session'), false);
    for (const [theme, name] of [
      ['Default Light Modern', 'light'],
      ['Default High Contrast', 'contrast'],
    ] as const) {
      await vscode.workspace.getConfiguration('workbench').update('colorTheme', theme, vscode.ConfigurationTarget.Global);
      await driver.screenshot(`review-${name}.png`);
    }
    await vscode.workspace.getConfiguration('workbench').update('colorTheme', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('says that nothing differs, and where there is no repository', async () => {
    repository.commit('12:00:00');
    await run('reviewChanges', { row: 'session', path });
    await showsMessage(/No changes since the last commit/);
    await vscode.commands.executeCommand('notifications.clearAll');
    await rm(join(own.cwd, '.git'), { recursive: true });
    await run('reviewChanges', { row: 'session', path });
    await showsMessage(/This folder isn’t in a Git repository/);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('exports records of a file from the Explorer’s menu, where the person says', async () => {
    const file = vscode.Uri.file(join(own.cwd, 'a.ts'));
    void run('exportAgentTrace', file, [file]);
    await untilMatches(() => driver.find('.quick-input-widget input').inputValue(), /agent-trace\.jsonl/);
    await driver.screenshot('trace-save.png');
    await driver.press('Enter');
    await showsMessage(/Saved the records/);
    const [record] = (await readFile(join(own.cwd, 'agent-trace.jsonl'), 'utf8')).split('\n');
    assert.match(record ?? '', /"model_id":"anthropic\/claude-x"/);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('shows Git notes before they are written', async () => {
    for (const [name, value] of Object.entries({ 'user.name': 'a', 'user.email': 'a@b' }))
      repository.git('09:00:00', 'config', name, value);
    repository.commit('12:00:00', 'work of agents');
    await vscode.window.showTextDocument(vscode.Uri.file(join(own.cwd, 'a.ts')));
    void run('addAgentTraceNotes');
    await untilMatches(() => driver.find('.quick-input-widget input').inputValue(), /^HEAD~1\.\.HEAD$/);
    await driver.press('Enter');
    await untilMatches(() => driver.plainText('.view-line'), /work of agents/);
    await driver.screenshot('trace-notes.png');
    assert.equal(repository.git('09:00:00', 'notes', '--ref=agent-trace', 'list'), '');
    await driver.click('.notification-toast .monaco-button:has-text("Add Notes")');
    await eventually('the note', () => repository.git('09:00:00', 'notes', '--ref=agent-trace', 'list') !== '');
    await vscode.commands.executeCommand('notifications.clearAll');
  });
});
