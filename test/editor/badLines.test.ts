// Files that can't have an origin, and sessions that change, while someone reads code: no line is claimed, and no message is shown.
import assert from 'node:assert/strict';
import { appendFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { session, type SessionBuilder } from '../fixtures/build';
import { gitRepository } from '../fixtures/gitRepository';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { showsMessage } from './messages';
import { atEnd } from './replacements';
import { untilEqual, untilMatches } from './waiting';

const CODE = 'export function openDoor(door) {\n  door.unlock();\n  door.open();\n}\n';
/** More than the editor shares with extensions. */
const LARGE_BYTES = 100 * 1024 * 1024;

describe('lines without an origin', () => {
  const repository = gitRepository(() => own.cwd);
  editorSuite();

  const writing = (path: string): SessionBuilder =>
    session({ cwd: own.cwd }).user('Make a door').tool('write', { path, content: CODE }).name('Doors');
  const put = async (name: string, text: string): Promise<string> => {
    const file = join(own.cwd, name);
    await writeFile(file, text);
    return file;
  };
  const hoverText = async (file: string, line: number): Promise<string> => {
    const at = new vscode.Position(line, 4);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', vscode.Uri.file(file), at);
    return hovers
      .flatMap(({ contents }) => contents.map((content) => (content instanceof vscode.MarkdownString ? content.value : '')))
      .join('\n');
  };
  const toasts = async (): Promise<string> => (await driver.texts('.notification-toast')).join('\n');
  /** The sentence of a command that is refused. */
  const refusal = (command: string, args?: object): Promise<string> =>
    Promise.resolve(args === undefined ? run(command) : run(command, args)).then(
      () => 'not refused',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );

  it('are those of files that no session wrote, and of edits whose text is found nowhere', async () => {
    const [known, other, lost] = [
      await put('door.txt', CODE),
      await put('other.txt', 'mine();\n'),
      await put('lost.txt', 'mine, too();\n'),
    ];
    await own.put('door', writing('door.txt'));
    await own.put(
      'lost',
      session({ cwd: own.cwd }).user('Change it').tool('edit', { path: lost, oldText: 'not there', newText: 'never there' }),
    );
    await vscode.window.showTextDocument(vscode.Uri.file(known));
    await untilMatches(() => hoverText(known, 1), /Make a door/);
    assert.deepEqual(await run('toggleSessionBlame', { on: true }), { on: true });
    atEnd(() => run('toggleSessionBlame', { on: false }));
    for (const file of [other, lost]) {
      await vscode.window.showTextDocument(vscode.Uri.file(file));
      assert.deepEqual(await run('lineOrigins', { file }), []);
      assert.equal(await hoverText(file, 0), '');
      assert.deepEqual(await run('whyThisLine', { file, line: 1 }), { earlier: [] });
    }
    assert.equal(await toasts(), '');
  });

  it('are those of binary files, which are refused with a sentence when asked about', async () => {
    const file = await put('picture.txt', `${CODE}\0\0\0`);
    await own.put('door', writing('picture.txt'));
    const document = await vscode.workspace.openTextDocument(await put('door.txt', CODE));
    await own.put('text', writing('door.txt'));
    await vscode.window.showTextDocument(document);
    await untilMatches(() => hoverText(document.uri.fsPath, 1), /Make a door/);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
    await untilEqual(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label, basename(file));
    assert.match(await refusal('lineOrigins', { file }), /^Can’t find the origin of lines because this file isn’t text: /);
    assert.match(await refusal('whyThisLine', { file, line: 1 }), /^Can’t find the origin of lines because this file isn’t text: /);
    for (const command of ['lineOrigins', 'whyThisLine'])
      assert.match(await refusal(command, { file: own.cwd, line: 1 }), /^This isn’t a regular file: /);
    assert.equal(await toasts(), '');
    void run('whyThisLine');
    await showsMessage(/Open a file and put the cursor in a line to see why it’s there\./);
  });

  it('are those of notebooks, whose cells have other lines than the file', async () => {
    const cell = { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: ['print(1)'] };
    const notebook = JSON.stringify({ cells: [cell], metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: 5 });
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(await put('door.ipynb', notebook)));
    await untilEqual(() => vscode.window.activeNotebookEditor?.notebook.cellCount, 1);
    await vscode.commands.executeCommand('notebook.cell.edit');
    await untilEqual(() => vscode.window.activeTextEditor?.document.uri.scheme, 'vscode-notebook-cell');
    void run('whyThisLine');
    await showsMessage(/Open a file and put the cursor in a line to see why it’s there\./);
  });

  it('are none between a line and an earlier one, and are found for paths that aren’t normalized', async () => {
    const file = await put('door.txt', CODE);
    await own.put('door', writing('door.txt'));
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    await untilMatches(() => hoverText(file, 1), /Make a door/);
    assert.deepEqual(await run('lineOrigins', { file, from: 3, to: 2 }), []);
    await vscode.window.activeTextEditor?.edit((edit) => edit.insert(new vscode.Position(0, 0), '// mine\n'));
    const odd = join(own.cwd, 'x') + '/../door.txt';
    assert.equal((await run<{ from: number }[]>('lineOrigins', { file: odd }))[0]?.from, 2);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('are those of files of 100 MB, which are refused with a sentence when asked about', async () => {
    const file = await put('large.txt', CODE);
    await own.put('large', writing('large.txt'));
    await untilEqual(async () => (await run<unknown[]>('lineOrigins', { file })).length, 1);
    await truncate(file, LARGE_BYTES);
    assert.match(await refusal('lineOrigins', { file }), /^[^\n]*too large[^\n]*$/);
    assert.doesNotMatch(await refusal('whyThisLine', { file, line: 1 }), /^not refused$|\n/);
    assert.equal(await toasts(), '');
  });

  it('are none of a renamed file, whose sessions are found by Git’s renames; a deleted one has none', async () => {
    repository.git('09:00:00', 'init', '-q');
    const old = await put('door.txt', CODE);
    await own.put('door', writing('door.txt'));
    repository.commit('10:30:00');
    repository.git('11:00:00', 'mv', 'door.txt', 'gate.txt');
    repository.commit('11:00:00');
    const file = join(own.cwd, 'gate.txt');
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    await untilMatches(() => hoverText(file, 1), /Make a door/);
    assert.deepEqual(await run('lineOrigins', { file: old }), []);
    assert.match(await refusal('whyThisLine', { file: old, line: 1 }), /^This file doesn’t exist: /);
    await rm(file);
    assert.equal(await toasts(), '');
  });

  it('follow sessions that are being written, and whose last line is torn', async () => {
    const file = await put('door.txt', CODE);
    const text = writing('door.txt').text();
    const [start, end] = [text.slice(0, text.indexOf('"toolCall"')), text.slice(text.indexOf('"toolCall"'))];
    const path = await own.put('live', start);
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    await untilEqual(async () => (await run<unknown[]>('lineOrigins', { file })).length, 0);
    await appendFile(path, end);
    await untilMatches(() => hoverText(file, 1), /Make a door/);
    await truncate(path, Buffer.byteLength(start));
    await untilEqual(() => hoverText(file, 1), '');
    assert.equal(await toasts(), '');
  });
});
