// Comments on lines: written in the editor, sent to the real pi with a model of ours, and answered.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { callsTool } from '../conformance/modelStub';
import { session } from '../fixtures/build';
import { gitRepository } from '../fixtures/gitRepository';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { pressButton, showsMessage } from './messages';
import { lastWords, usePi } from './realPi';
import { row } from './treeRows';
import { eventually, untilMatches } from './waiting';

const FIRST = 'export const count = 1;\n';

describe('Comments of a review', () => {
  let path: string;
  const repository = gitRepository(() => own.cwd);
  editorSuite();
  const file = (): string => join(own.cwd, 'count.ts');
  const thread = (): Promise<string> => driver.plainText('.review-widget');
  const head = (): Promise<string> => driver.plainText('.review-widget .head');

  beforeEach(async () => {
    repository.git('09:00:00', 'init', '-q');
    await writeFile(file(), `${FIRST}// A person's line\n`);
    path = await own.put(
      'counting',
      session({ cwd: own.cwd })
        .user('Write a counter')
        .tool('write', { path: 'count.ts', content: FIRST })
        .assistant('Done.', { stopReason: 'stop' })
        .name('Counter [x](command:y) $(bug)'),
    );
    await vscode.window.showTextDocument(vscode.Uri.file(file()));
  });

  /** Writes a comment on a line as a person does by the keyboard. */
  const comment = async (line: number, text: string): Promise<void> => {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file()));
    editor.selection = new vscode.Selection(line - 1, 0, line - 1, 0);
    // The gutter shows where comments are possible.
    await driver.waitFor('.comment-range-glyph');
    await vscode.commands.executeCommand('workbench.action.addComment');
    await driver.waitFor('.review-widget .comment-form .monaco-editor.focused');
    await driver.type(text);
    await untilMatches(() => driver.plainText('.review-widget .comment-form .view-line'), /\S/);
    await driver.click('.review-widget .monaco-button >> text=Add Comment');
  };

  it('say whom they would go to, are kept as plain text, edited, resolved and deleted', async () => {
    await comment(1, '**Why** 1? [x](command:workbench.action.quit) $(bug)');
    await untilMatches(head, /Goes to “Counter x \$.?\(bug\)”, after “Write a counter”/u);
    await untilMatches(thread, /\*\*Why\*\* 1\? \[x\]\(command:workbench\.action\.quit\) \$\(bug\)/);
    await driver.screenshot('comment-draft.png');
    const labels = await driver.evaluate(
      `[...document.querySelectorAll('.review-widget .action-label')].map((one) => one.getAttribute('aria-label') ?? '')`,
    );
    for (const label of ['Send Comment', 'Resolve Comment', 'Delete Comment']) assert.ok(JSON.stringify(labels).includes(label), label);
    await driver.click('.review-widget .action-label[aria-label^="Edit Comment"]');
    await driver.waitFor('.review-widget .edit-container .monaco-editor.focused');
    await driver.press('Control+End');
    await driver.type(' Really?');
    await driver.click('.review-widget .monaco-button >> text=Save');
    await untilMatches(thread, /\$\(bug\) Really\?/);
    await driver.click('.review-widget .action-label[aria-label^="Resolve Comment"]');
    // The editor folds threads that are resolved.
    await driver.find('.review-widget .head').waitFor({ state: 'hidden' });
    // From the view: the editor folds the thread once more if it's unfolded within 0.1 s.
    await vscode.commands.executeCommand('sessionTree.reviewComments.focus');
    await driver.find(row('Really?')).hover();
    await driver.click('.part.sidebar .monaco-list-row .action-label[aria-label^="Reopen Comment"]');
    await driver.waitFor('.comment-range-glyph.comment-thread-unresolved');
    await vscode.commands.executeCommand('workbench.action.expandAllComments');
    await driver.waitFor('.review-widget .action-label[aria-label^="Resolve Comment"]');
    // The text moves down, and is found again.
    const editor = vscode.window.activeTextEditor ?? assert.fail();
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// new\n'));
    await editor.document.save();
    await vscode.commands.executeCommand('sessionTree.reviewComments.focus');
    await untilMatches(() => driver.plainText('.part.sidebar .pane:has(.pane-header[aria-label^="Review Comments"])'), /count\.ts:2/);
    await driver.screenshot('comment-view.png');
    await driver.click('.review-widget .action-label[aria-label^="Delete Comment"]');
    await eventually('no thread', async () => (await driver.texts('.review-widget .comment-body')).length === 0);
  });

  it('stay notes on a person’s lines, with the reason', async () => {
    await comment(2, 'Mine');
    await untilMatches(head, /Stays a note: No session is known to have written these lines\./);
    void run('sendComments');
    await showsMessage(/No session is known to have written these lines\./);
    await driver.click('.review-widget .action-label[aria-label^="Delete Comment"]');
  });

  it('go to the real pi, whose answer changes the line, and the thread says so', async function () {
    if (process.platform === 'win32') this.skip();
    const asked: string[] = [];
    await usePi((last) =>
      asked.push(last) === 1
        ? callsTool('write', { path: 'count.ts', content: "export const count = 2;\n// A person's line\n" })
        : lastWords('It counts to two now.'),
    );
    await comment(1, 'Count to two, please.');
    await untilMatches(head, /Goes to “Counter/);
    void run('sendComments');
    await showsMessage(/Check the prompt for “Counter/);
    await untilMatches(() => vscode.window.activeTextEditor?.document.getText() ?? '', /Count to two, please\./);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /`count\.ts`, line 1:\n\n```\nexport const count = 1;\n```/);
    await driver.screenshot('comment-prompt.png');
    await pressButton('Send');
    await eventually('the terminal', () => vscode.window.terminals.length > 0);
    await eventually('the answer', async () => (await readFile(file(), 'utf8')).includes('count = 2'));
    assert.ok(asked[0]?.includes('Count to two, please.'));
    await vscode.window.showTextDocument(vscode.Uri.file(file()));
    await vscode.commands.executeCommand('workbench.action.closePanel');
    await eventually('the session', async () => (await readFile(path, 'utf8')).includes('It counts to two now.'));
    await eventually('the thread', async () => {
      await vscode.commands.executeCommand('sessionTree.refresh');
      return /answered\. The lines changed since\./.test(await head());
    });
    await untilMatches(thread, /It counts to two now\./);
    await driver.screenshot('comment-answered.png');
    await driver.click('.review-widget .action-label[aria-label^="Show What the Answer Changed"]');
    await untilMatches(() => driver.plainText('.multiDiffEntry .view-line, .modified-in-monaco-diff-editor .view-line'), /count = 2/);
    await driver.screenshot('comment-changes.png');
    assert.ok(existsSync(path));
    // The view goes with the last comment.
    await vscode.window.showTextDocument(vscode.Uri.file(file()));
    await vscode.commands.executeCommand('workbench.action.expandAllComments');
    await driver.click('.review-widget .action-label[aria-label^="Delete Comment"]');
    await driver.find('.part.sidebar .pane-header[aria-label^="Review Comments"]').waitFor({ state: 'detached' });
  });
});
