import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { entryId, session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { choose, menuTexts } from './menus';
import { answerDialogs } from './replacements';
import { showClosed } from './treeRows';
import { eventually, untilMatches } from './waiting';

const VIEW = '.part.sidebar .pane:has(.pane-header[aria-label^="File Versions"])';
const ROW = `${VIEW} .monaco-list-row`;
const PICK = '.quick-input-list .monaco-list-row';

describe('versions of a file', function () {
  let file: string;
  let path: string;
  const folder = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'house');

  // Before the frame closes the editors, which would ask about what is unsaved.
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
  });
  editorSuite({ tall: true });
  beforeEach(async () => {
    await mkdir(folder, { recursive: true });
    file = join(folder, 'doors.ts');
    await writeFile(file, 'const doors = 2;\nconst mine = 0;\nconst windows = 4;\n');
    const lines = session({ cwd: folder })
      .user('Build a house')
      .tool('write', { path: 'doors.ts', content: 'const doors = 1;\nconst windows = 4;\n' })
      .user('One more door')
      .tool('edit', { path: 'doors.ts', oldText: 'const doors = 1;', newText: 'const doors = 2;' })
      .user('And a garden')
      .tool('write', { path: 'garden.ts', content: 'const trees = 3;\n' })
      .tool('write', { path: 'doors.ts', content: 'const doors = 2;\nconst windows = 4;\n' })
      .name('House');
    path = await own.put('house', lines);
    await showClosed();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (line = 1): Thenable<vscode.TextEditor> =>
    vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(line - 1, 0, line - 1, 0) });
  const rows = (): Promise<string> => driver.plainText(`${ROW} .monaco-icon-label-container`);
  const tab = (): Promise<string> => Promise.resolve(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '');
  const picked = (): Promise<string> => driver.plainText(PICK);

  describe('in their view', () => {
    afterEach(async () => {
      await driver.awayFromRows();
      await driver.click('.part.sidebar .pane-header[aria-expanded="true"] >> text=File Versions');
    });

    it('are those of the active editor’s file, the newest first, and show what changed', async () => {
      await open();
      await run('sessionsForFile');
      await untilMatches(rows, /^And a garden\n\+1 −1 · One more door\n\+2 · Build a house$/);
      // The age is the row's badge.
      const badge = `getComputedStyle(document.querySelectorAll('${ROW} .monaco-icon-label')[1], '::after').content`;
      await untilMatches(async () => String(await driver.evaluate(badge)), /^"..?"$/);
      await driver.screenshot('file-versions.png');
      await driver.click(`${ROW} >> text=One more door`);
      await eventually('the difference', async () => /^doors\.ts: One more door · .* \(exact\)$/.test(await tab()));
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input as vscode.TabInputTextDiff;
      const texts = await Promise.all(
        [input.original, input.modified].map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()),
      );
      assert.deepEqual(texts, ['const doors = 1;\nconst windows = 4;\n', 'const doors = 2;\nconst windows = 4;\n']);
      const menu = await menuTexts(() => driver.find(`${ROW} >> text=One more door`).click({ button: 'right' }));
      assert.deepEqual(menu, [
        'Show the Change',
        'Show Context',
        'Open to the Side',
        'Open File at This Point…',
        'Restore This Version of a File…',
        'Resume in Terminal',
        'Copy',
      ]);
    });

    it('continue with the keyboard at the first that “Show More” adds', async () => {
      const builder = session({ cwd: folder });
      for (let version = 1; version <= 105; version++)
        builder.user(`Step ${version}`).tool('write', { path: 'steps.ts', content: `const step = ${version};\n` });
      await own.put('steps', builder.name('Steps'));
      const steps = join(folder, 'steps.ts');
      await writeFile(steps, 'const step = 105;\n');
      await vscode.window.showTextDocument(vscode.Uri.file(steps));
      await run('sessionsForFile');
      await untilMatches(rows, /^[^\n]* · Step 105(?!\d)/);
      const focused = (): Promise<string> => driver.plainText(`${VIEW} .monaco-list:focus-within .monaco-list-row.focused`);
      await driver.press('End');
      await untilMatches(focused, /^Show More/);
      await driver.press('Enter');
      await untilMatches(focused, /^[^\n]* · Step 5(?!\d)/);
    });

    it('follow the active editor until they are pinned, and say what is missing', async () => {
      await writeFile(join(folder, 'other.ts'), 'x');
      await open();
      await run('sessionsForFile');
      await untilMatches(rows, /Build a house/);
      await vscode.window.showTextDocument(vscode.Uri.file(join(folder, 'other.ts')));
      await untilMatches(() => driver.plainText(VIEW), /No session is known to have changed this file/);
      await open();
      await untilMatches(rows, /Build a house/);
      await driver.find(VIEW).hover();
      await driver.click(`${VIEW} .action-label[aria-label^="Pin to This File"]`);
      await driver.waitFor(`${VIEW} .action-label[aria-label^="Follow the Active Editor"]`);
      await vscode.window.showTextDocument(vscode.Uri.file(join(folder, 'other.ts')));
      await run('fileVersions.unpin');
      await untilMatches(() => driver.plainText(VIEW), /No session is known to have changed this file/);
    });
  });

  describe('of a line', () => {
    it('are listed with the prompt, the message and the session, and open', async () => {
      await open(1);
      void run('whyThisLine');
      await untilMatches(picked, /^prompt: One more door[^\n]*\n(.*\n)*House[^\n]*session/);
      await untilMatches(picked, /const doors = 1;[^\n]*\n+[^\n]*Build a house · House/);
      await driver.screenshot('why-this-line.png');
      await driver.press('ArrowDown');
      await driver.press('Enter');
      await eventually('the difference', async () => /^doors\.ts: One more door/.test(await tab()));
    });

    it('are not known for a line that a person wrote', async () => {
      await open(2);
      void run('whyThisLine');
      await untilMatches(picked, /^No session is known to have written this line/);
      await driver.screenshot('why-not.png');
      await driver.press('Escape');
    });

    it('are asked for in the menu of line numbers, and with plain arguments', async () => {
      await open(2);
      await choose(
        () => driver.find('.margin-view-overlays .line-numbers >> text="3"').click({ button: 'right' }),
        'Why Is This Line Here?',
      );
      await untilMatches(picked, /^prompt: Build a house/);
      await untilMatches(() => driver.plainText('.quick-input-title'), /^Why is line 3 of doors\.ts here\?$/);
      await driver.press('Escape');
      const { origin, earlier } = await run<{ origin: { entryId: string }; earlier: { text: string }[] }>('whyThisLine', { file, line: 1 });
      assert.equal(origin.entryId, entryId(5));
      assert.deepEqual(
        earlier.map(({ text }) => text),
        ['const doors = 1;'],
      );
    });
  });

  it('open beside the current file, as they were at an entry', async () => {
    const then = await run<{ exact: boolean }>('openFileAt', { path, entryId: entryId(2), file });
    assert.equal(then.exact, true);
    await eventually('the difference', async () => /^doors\.ts: Build a house · .* \(exact\) ↔ now$/.test(await tab()));
    await driver.screenshot('file-at.png');
    // The turn wrote two files.
    void run('openFileAt', { row: 'entry', path, entryId: entryId(11) });
    await eventually('the difference', async () => /^doors\.ts: And a garden/.test(await tab()));
    void run('openFileAt', { row: 'session', path });
    await untilMatches(picked, /^garden\.ts[^\n]*\n+doors\.ts|^doors\.ts[^\n]*\n+garden\.ts/);
    await driver.type('garden');
    await driver.press('Enter');
    await eventually('the file that is gone', async () => (await tab()) === 'garden.ts');
  });

  it('are restored in the editor, undoable and unsaved', async () => {
    const before = readFileSync(file, 'utf8');
    await run('restoreFileVersion', { row: 'entry', path, entryId: entryId(2), file });
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.getText(), 'const doors = 1;\nconst windows = 4;\n');
    assert.equal(document.isDirty, true);
    assert.equal(readFileSync(file, 'utf8'), before);
    await assert.rejects(Promise.resolve(run('restoreFileVersion', { path, entryId: entryId(5), file })), /unsaved changes/);
    await vscode.commands.executeCommand('undo');
    await eventually('what it was', () => document.getText() === before && !document.isDirty);
  });

  it('are the text that a session read before its edit, whatever another session wrote; what isn’t known is never restored', async () => {
    const lines = (text: string): string => `first${text}();\n${text}();\nlast${text}();\n`;
    const lamps = join(folder, 'lamps.ts');
    await writeFile(lamps, lines('two').replace('\ntwo', '\nTWO'));
    const wrote = { id: 'lamps-1', cwd: folder, timestamp: '2025-12-01T10:00:00.000Z' };
    await own.put(
      'wrote',
      session(wrote)
        .user('Lamps')
        .tool('write', { path: 'lamps.ts', content: lines('one') })
        .name('Lamps'),
    );
    const edit = { path: 'lamps.ts', oldText: '\ntwo();', newText: '\nTWO();' };
    const read = session({ id: 'lamps-2', cwd: folder }).user('Upper case').tool('read', { path: 'lamps.ts' }, lines('two'));
    const known = await own.put('read', read.tool('edit', edit).name('Read'));
    await run('showFileChange', { path: known, entryId: entryId(4), file: lamps });
    await eventually('the difference', async () => /^lamps\.ts: Upper case · .* \(exact\)$/.test(await tab()));
    const { exact } = await run<{ exact: boolean }>('restoreFileVersion', { path: known, entryId: entryId(4), file: lamps });
    const document = await vscode.workspace.openTextDocument(lamps);
    assert.deepEqual([exact, document.isDirty], [true, false]);
    await writeFile(lamps, 'other();\n');
    const refused = Promise.resolve(run('restoreFileVersion', { path: known, entryId: entryId(4), file: lamps, force: true }));
    await assert.rejects(refused, /Only the changed parts of this version are known/);
    await run('showFileChange', { path: known, entryId: entryId(4), file: lamps });
    await eventually('the parts', async () => /^lamps\.ts: Upper case · .* \(changed parts only\)$/.test(await tab()));
  });

  it('are restored as a new document if the file is gone, and never outside the workspace without asking', async () => {
    const gone = join(folder, 'garden.ts');
    await run('restoreFileVersion', { row: 'entry', path, entryId: entryId(8), file: gone });
    const document = vscode.window.activeTextEditor!.document;
    assert.deepEqual([document.uri.scheme, document.uri.fsPath, document.getText()], ['untitled', gone, 'const trees = 3;\n']);
    assert.equal(existsSync(gone), false);
    const outside = join(own.cwd, 'key.ts');
    const other = await own.put('outside', session({ cwd: own.cwd }).user('x').tool('write', { path: outside, content: 'x' }));
    const asked = answerDialogs();
    void run('restoreFileVersion', { row: 'session', path: other });
    await untilMatches(picked, /key\.ts/);
    await driver.press('Enter');
    await untilMatches(
      () => asked.join(),
      /^Restore \S*key\.ts to the version from “x · .*”\? The file isn’t in a folder of this workspace\. \[/,
    );
    assert.equal(
      vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.fsPath === outside),
      false,
    );
    const refused = Promise.resolve(run('restoreFileVersion', { path: other, entryId: entryId(2), file: outside }));
    await assert.rejects(refused, /isn’t in a folder/);
  });
});
