import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { drag } from './drag';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { open, showClosed } from './treeRows';
import { eventually, untilEqual } from './waiting';

const rawUri = (path: string): vscode.Uri => vscode.Uri.file(path).with({ scheme: 'session-tree-raw' });
const read = (uri: vscode.Uri): Promise<Uint8Array> => Promise.resolve(vscode.workspace.fs.readFile(uri));

describe('raw session files', function () {
  editorSuite({ tall: true });
  let path: string;
  let before: string;
  const autoSave = (value: string): Thenable<void> =>
    vscode.workspace.getConfiguration('files').update('autoSave', value, vscode.ConfigurationTarget.Global);
  beforeEach(async () => {
    path = await own.put('talk', session({ cwd: own.cwd }).user('Which way?', { id: 'ask' }).assistant('Left.', { id: 'answer' }));
    before = await readFile(path, 'utf8');
  });

  /** Waits for the editor of a session's file. Resolves to its document. */
  const shown = (at = path): Promise<vscode.TextDocument> =>
    eventually('the editor', () => {
      const document = vscode.window.activeTextEditor?.document;
      return document?.uri.fsPath === at ? document : undefined;
    });

  /** Types at the beginning with auto save on, and checks that the editor refuses. */
  const refusesTyping = async (document: vscode.TextDocument): Promise<void> => {
    await autoSave('afterDelay');
    try {
      await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
      await driver.waitFor('.part.editor .monaco-editor.focused');
      await driver.press('Control+Home');
      await driver.press('Enter');
      await driver.type('x');
      await driver.waitFor('.monaco-editor-overlaymessage >> text=Session files open as read-only');
      assert.equal(document.isDirty, false);
      assert.equal(document.getText(), before);
      assert.equal(await readFile(path, 'utf8'), before);
    } finally {
      // As in the other tests. Without a value, an editor in a browser saves after a second.
      await autoSave('off');
    }
  };

  it('open read-only from a row: typing changes nothing @oldest', async () => {
    await run('openRaw', { row: 'session', path });
    await refusesTyping(await shown());
  });

  it('open read-only when a row is dragged into the editor area', async () => {
    await showClosed();
    await open(basename(own.cwd));
    await drag(
      '.part.sidebar .monaco-list-row >> text=Which way?',
      '.part.editor .editor-group-container',
      '.editor-group-overlay-indicator',
    );
    const document = await shown();
    assert.equal(document.uri.scheme, 'session-tree-raw');
    await refusesTyping(document);
  });

  it('are written neither by an edit of another extension nor by saving', async () => {
    await run('openRaw', { path });
    const { uri } = await shown();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '\n');
    await vscode.workspace.applyEdit(edit);
    await vscode.workspace.save(uri);
    assert.equal(await readFile(path, 'utf8'), before);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    for (const work of [
      vscode.workspace.fs.writeFile(uri, new Uint8Array()),
      vscode.workspace.fs.delete(uri),
      vscode.workspace.fs.rename(uri, uri.with({ path: `${uri.path}l` })),
    ])
      await assert.rejects(Promise.resolve(work));
    assert.equal(await readFile(path, 'utf8'), before);
  });

  it('follow the file: lines are appended, the file is removed and comes back', async () => {
    await run('openRaw', { path });
    const document = await shown();
    const line = {
      type: 'message',
      id: 'more',
      parentId: 'answer',
      timestamp: '2026-01-02T11:00:00.000Z',
      message: { role: 'user', content: 'And then?' },
    };
    await appendFile(path, `${JSON.stringify(line)}\n`);
    await eventually('the appended line', () => document.getText().includes('And then?'));
    assert.equal(document.getText(), await readFile(path, 'utf8'));
    await rename(path, `${path}.away`);
    await run('refresh');
    await driver.waitFor('.tab .monaco-icon-label.strikethrough');
    await writeFile(path, before);
    await run('refresh');
    await eventually('the file as it is now', () => document.getText() === before);
  });

  it('belong to their session', async () => {
    await run('openRaw', { path, entryId: 'answer' });
    await shown();
    const line = (await readFile(path, 'utf8')).split('\n').findIndex((text) => text.includes('"answer"'));
    await untilEqual(() => vscode.window.activeTextEditor?.selection.active.line, line);
    assert.deepEqual(await run('revealSession', {}), { path });
    assert.deepEqual(await run('sessionsForFile', { file: path }), []);
  });

  it('open from any command of the person', async () => {
    const outside = join(own.cwd, 'outside.jsonl');
    await writeFile(outside, before);
    await assert.rejects(read(rawUri(outside)), /isn’t in a session folder/);
    await run('openRaw', { path: outside });
    assert.equal((await shown(outside)).getText(), before);
    const more = `${before}{"type":"custom"}\n`;
    await writeFile(outside, more);
    await eventually('what was written', () => vscode.window.activeTextEditor?.document.getText() === more);
  });

  it('are all that an address can read', async function () {
    if (process.platform === 'win32') this.skip();
    const secret = join(own.cwd, 'secret');
    await writeFile(secret, 'a secret');
    const put = (name: string): string => join(own.folder, name);
    await symlink(secret, put('link.jsonl'));
    await symlink('/dev/zero', put('zero.jsonl'));
    await symlink(path, put('toSession.jsonl'));
    await symlink(own.cwd, put('folder'));
    await writeFile(join(own.cwd, 'in.jsonl'), 'a secret');
    await mkdir(put('d.jsonl'));
    await mkdir(put('.session-tree-trash'));
    await writeFile(join(put('.session-tree-trash'), 'gone.jsonl'), 'a secret');
    await writeFile(put('notes.txt'), 'a secret');
    execFileSync('mkfifo', [put('fifo.jsonl')]);
    const hostile: Record<string, vscode.Uri> = {
      'a link out of the roots': rawUri(put('link.jsonl')),
      'a link to a device': rawUri(put('zero.jsonl')),
      'a pipe': rawUri(put('fifo.jsonl')),
      'a folder': rawUri(put('d.jsonl')),
      'a file in the trash': rawUri(join(put('.session-tree-trash'), 'gone.jsonl')),
      'a file that is no session by its name': rawUri(put('notes.txt')),
      'another file': rawUri(secret),
      'a way up': vscode.Uri.from({ scheme: 'session-tree-raw', path: `${own.folder}/../../../../../../../../../../..${secret}` }),
      'a way up to a session file': vscode.Uri.from({ scheme: 'session-tree-raw', path: `${own.folder}/x/../talk.jsonl` }),
      'an escaped way up': vscode.Uri.parse(`session-tree-raw:${own.folder}/%2e%2e/${basename(own.folder)}/talk.jsonl`, true),
      'a query': rawUri(path).with({ query: 'x' }),
      'a fragment': rawUri(path).with({ fragment: 'x' }),
      'another machine': rawUri(path).with({ authority: 'host' }),
      'a zero character': vscode.Uri.from({ scheme: 'session-tree-raw', path: `${path}\0.jsonl` }),
    };
    for (const [what, uri] of Object.entries(hostile)) {
      const answer = await read(uri).then(
        (bytes) => `read ${String(bytes.length)} bytes`,
        (error: unknown) => String(error),
      );
      assert.match(answer, /show this file|regular file|doesn’t exist|doesn’t name a session/, `${what}: ${answer}`);
    }
    assert.equal(Buffer.from(await read(rawUri(put('toSession.jsonl')))).toString(), before, 'a link to a session is followed');
    for (const name of ['a?b#c.jsonl', '%2e%2e.jsonl', 'ü ★ [x](command:y).jsonl']) {
      await writeFile(put(name), before);
      assert.equal(Buffer.from(await read(rawUri(put(name)))).toString(), before, name);
      assert.equal(Buffer.from(await read(vscode.Uri.parse(rawUri(put(name)).toString(), true))).toString(), before, name);
    }
    await rm(put('fifo.jsonl'));
  });
});
