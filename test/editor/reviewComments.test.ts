// Comments on lines: written in the editor, sent to the real pi with a model of ours, and answered.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { callsTool } from '../conformance/modelStub';
import { session } from '../fixtures/build';
import { gitRepository } from '../fixtures/gitRepository';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { pressButton, showsMessage } from './messages';
import { lastWords, PI, usePi } from './realPi';
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

  /** Deletes all comments, whose files go with the test. */
  const deleteComments = async (): Promise<void> => {
    const pane = '.part.sidebar .pane:has(.pane-header[aria-label^="Review Comments"])';
    await vscode.commands.executeCommand('sessionTree.reviewComments.focus');
    await vscode.commands.executeCommand('workbench.action.closePanel');
    const rows = driver.page.locator(`${pane} .monaco-list-row[aria-level="2"]`);
    await eventually('no comment', async () => {
      if ((await driver.page.locator(pane).count()) === 0) return true;
      const button = rows.first().locator('.action-label[aria-label^="Delete Comment"]');
      await rows
        .first()
        .hover({ timeout: 2000 })
        .catch(() => undefined);
      await button.click({ timeout: 2000 }).catch(() => undefined);
      return false;
    });
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
    await usePi((last) => {
      asked.push(last);
      return asked.length === 1
        ? callsTool('write', { path: 'count.ts', content: "export const count = 2;\n// A person's line\n" })
        : lastWords('It counts to two now.');
    });
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

  for (const [choice, doors] of [
    ['Restore Files to This Point', 1],
    ['Keep Files as They Are', 2],
  ] as const)
    it(`branch first in the real pi’s session if the branch was left, with “${choice}”`, async function () {
      if (process.platform === 'win32') this.skip();
      const lines = session({ cwd: own.cwd })
        .user('Write the doors')
        .tool('write', { path: 'doors.ts', content: 'export const doors = 1;\n' })
        .assistant('Ready.', { stopReason: 'stop' });
      const fork = lines.last;
      lines.user('Write a counter').tool('write', { path: 'count.ts', content: FIRST }).assistant('Done.', { stopReason: 'stop' });
      const left = lines.last;
      lines
        .branchFrom(fork)
        .user('More doors')
        .tool('edit', { path: 'doors.ts', oldText: 'doors = 1', newText: 'doors = 2' })
        .assistant('More.', { stopReason: 'stop' })
        .name('House');
      const leaf = lines.last;
      path = await own.put('counting', lines);
      await writeFile(join(own.cwd, 'doors.ts'), 'export const doors = 2;\n');
      const before = await readFile(path, 'utf8');
      const asked: string[] = [];
      await usePi((last) => {
        asked.push(last);
        return lastWords('Named.');
      });
      await comment(1, 'Find a better name.');
      await untilMatches(head, /Goes to “House”, after “Write a counter”/);
      void run('sendComments');
      await showsMessage(/Check the prompt for “House”/);
      await pressButton('Send');
      await untilMatches(() => driver.plainText('.quick-input-list .monaco-list-row'), /Keep Files as They Are/);
      await driver.screenshot('comment-left-branch.png');
      assert.equal(await readFile(path, 'utf8'), before, 'nothing is written before the choice');
      await driver.pick(choice);
      const entries = async (): Promise<{ id: string; parentId: string | null; text: string }[]> =>
        (await readFile(path, 'utf8'))
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => ({ ...(JSON.parse(line) as { id: string; parentId: string | null }), text: line }));
      await eventually('the answer', async () => (await entries()).some(({ text }) => text.includes('Named.')));
      assert.ok(asked[0]?.includes('Find a better name.'));
      assert.equal(await readFile(join(own.cwd, 'doors.ts'), 'utf8'), `export const doors = ${String(doors)};\n`);
      assert.equal(await readFile(file(), 'utf8'), `${FIRST}// A person's line\n`);
      assert.ok((await readFile(path, 'utf8')).startsWith(before), 'what the session had is there byte for byte');
      const all = await entries();
      const ancestors: string[] = [];
      let at = all.find(({ text }) => text.includes('Find a better name.'));
      assert.ok(at?.text.includes('"role":"user"'), at?.text);
      while ((at = all.find(({ id }) => id === at?.parentId))) ancestors.push(at.id);
      assert.deepEqual([ancestors.includes(left), ancestors.includes(leaf)], [true, false]);
      await deleteComments();
    });

  it('are sent in two steps, fifty of them to five sessions, one of which the real pi resumes', async function () {
    if (process.platform === 'win32') this.skip();
    const names = ['amber', 'birch', 'cedar', 'delta', 'ember'];
    const text = (name: string): string =>
      Array.from({ length: 10 }, (_, at) => `export const ${name}${String(at)} = compute('${name}', ${String(at)});\n`).join('');
    const paths: string[] = [];
    for (const name of names) {
      await writeFile(join(own.cwd, `${name}.ts`), text(name));
      const lines = session({ cwd: own.cwd, id: name })
        .user(`Write ${name}`)
        .tool('write', { path: `${name}.ts`, content: text(name) });
      paths.push(await own.put(name, lines.assistant('Done.', { stopReason: 'stop' }).name(`Session ${name}`)));
    }
    // Notes the arguments of each program, and goes on as pi for one of the sessions.
    const program = join(own.cwd, 'program.mjs');
    await writeFile(
      program,
      `import { appendFileSync } from 'node:fs';
const given = process.argv.slice(2);
appendFileSync(${JSON.stringify(join(own.cwd, 'started.jsonl'))}, JSON.stringify(given) + '\\n');
if (given.some((one) => one.endsWith('amber.jsonl'))) {
  process.argv[1] = ${JSON.stringify(PI)};
  await import(${JSON.stringify(pathToFileURL(PI).href)});
} else setInterval(() => {}, 1000);
`,
    );
    const asked: string[] = [];
    await usePi(
      (last) => {
        asked.push(last);
        return lastWords('All done.');
      },
      [program],
    );
    // The first one by the keyboard, the others with what the editor passes to the extension.
    for (let at = 0; at < 50; at++) {
      const uri = vscode.Uri.file(join(own.cwd, `${names[at % 5] ?? ''}.ts`));
      const line = Math.floor(at / 5);
      await vscode.workspace.openTextDocument(uri);
      const thread = { uri, range: new vscode.Range(line, 0, line, 0), comments: [], dispose: () => undefined };
      await vscode.commands.executeCommand('sessionTree.comments.add', { thread, text: `Remark ${String(at)}.` });
    }
    const pane = '.part.sidebar .pane:has(.pane-header[aria-label^="Review Comments"])';
    await vscode.commands.executeCommand('sessionTree.reviewComments.focus');
    await driver.waitFor(`${pane} .monaco-list-row`);
    // The first step.
    void run('sendComments');
    await showsMessage(/Check the prompts for 5 sessions, and send them\./);
    await driver.screenshot('comments-five-sessions.png');
    assert.deepEqual([vscode.window.terminals.length, existsSync(join(own.cwd, 'started.jsonl'))], [0, false]);
    // The second one.
    await pressButton('Send');
    await showsMessage(/Sent comments to 5 sessions: 50/);
    const started = async (): Promise<string[][]> =>
      existsSync(join(own.cwd, 'started.jsonl'))
        ? (await readFile(join(own.cwd, 'started.jsonl'), 'utf8'))
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as string[])
        : [];
    await eventually('five programs', async () => (await started()).length === 5);
    const sent = new Map((await started()).map((given) => [given[given.indexOf('--session') + 1], given.at(-1) ?? '']));
    const remarks = (prompt = ''): string[] => [...prompt.matchAll(/Remark \d+\./g)].map(([found]) => found);
    for (const [at, path] of paths.entries()) {
      const expected = Array.from({ length: 10 }, (_, line) => `Remark ${String(5 * line + at)}.`);
      assert.deepEqual(remarks(sent.get(path)), expected, names[at]);
      assert.ok(sent.get(path)?.startsWith('10 review comments:\n\n`' + String(names[at]) + '.ts`, line 1:\n\n```\n'), sent.get(path));
    }
    await eventually('pi’s answer', async () => (await readFile(paths[0] ?? '', 'utf8')).includes('All done.'));
    assert.deepEqual([asked.length, remarks(asked[0]).length], [1, 10]);
    await deleteComments();
  });
});
