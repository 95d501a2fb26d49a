// Leads files back to a point of the tree: the review, what stays, undo, and together with a branch.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { linkToSession, LINK_AUTHORITY } from '../../src/commands/open/sessionLink';
import { callsTool } from '../conformance/modelStub';
import { entryId, session } from '../fixtures/build';
import { openContext, until } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { pressButton, showsMessage } from './messages';
import { lastWords, usePi } from './realPi';
import { refuses } from './refusals';
import { answerDialogs, changeSetting } from './replacements';
import { linesOf } from './temporarySessions';
import { rows as shownRows } from './treeRows';
import { eventually, untilMatches } from './waiting';

interface Answer {
  readonly restoreId?: string;
  readonly files: { file: string; action: string; certainty: string; reason?: string }[];
}

/** Numbered lines, so that changes of some of them can be merged. */
const numbered = (first: string, last = 'line 12'): string =>
  [first, ...Array.from({ length: 10 }, (_, at) => `line ${String(at + 2)}`), last, ''].join('\n');

/** Takes pictures of the window in each theme. */
async function pictures(name: string): Promise<void> {
  for (const [theme, look, drawn] of THEMES) {
    await changeSetting('workbench.colorTheme', theme);
    await driver.waitFor(`.monaco-workbench.${drawn}`);
    await driver.screenshot(`${name}-${look}.png`);
  }
}

/** A name that would be a link and an icon if a message or a list read it as such. */
const THEMES = [
  ['Default Dark Modern', 'dark', 'vs-dark'],
  ['Default Light Modern', 'light', 'vs'],
  ['Default High Contrast', 'contrast', 'hc-black'],
] as const;

const HOSTILE = '[x](command:y) $(bug).ts';
const NAMES = ['doors.ts', 'walls.ts', 'roof.ts', HOSTILE, 'garden.ts'];

describe('files at a point of the tree', () => {
  let path: string;
  /** The prompt to which the files go back. */
  const POINT = entryId(10);

  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
  });
  editorSuite();
  beforeEach(async () => {
    path = await own.put(
      'house',
      session({ cwd: own.cwd })
        .user('Build a house')
        .tool('write', { path: 'doors.ts', content: 'const doors = 1;\n' })
        .tool('write', { path: 'walls.ts', content: numbered('const walls = 1;') })
        .tool('write', { path: 'roof.ts', content: 'const roof = 1;\n' })
        .tool('write', { path: HOSTILE, content: 'const trap = 1;\n' })
        .user('More of everything')
        .tool('edit', { path: 'doors.ts', oldText: 'doors = 1', newText: 'doors = 2' })
        .tool('edit', { path: 'walls.ts', oldText: 'walls = 1', newText: 'walls = 2' })
        .tool('edit', { path: 'roof.ts', oldText: 'roof = 1', newText: 'roof = 2' })
        .tool('edit', { path: HOSTILE, oldText: 'trap = 1', newText: 'trap = 2' })
        .tool('write', { path: 'garden.ts', content: 'const trees = 3;\n' })
        .assistant('Done.')
        .name('House'),
    );
    await put('doors.ts', 'const doors = 2;\n');
    await put('walls.ts', numbered('const walls = 2;'));
    await put('roof.ts', 'const roof = 2;\n');
    await put(HOSTILE, 'const trap = 2;\n');
    await put('garden.ts', 'const trees = 3;\n');
  });

  const at = (name: string): string => join(own.cwd, name);
  const put = (name: string, text: string): Promise<void> => writeFile(at(name), text);
  const text = (name: string): Promise<string> => readFile(at(name), 'utf8');
  const row = (): object => ({ row: 'entry', path, entryId: POINT });
  const VIEW = '.part.sidebar .pane:has(.pane-header[aria-label^="Restore Files"])';
  const LIST_ROW = `${VIEW} .monaco-list-row`;
  const listed = (): Promise<string> => driver.plainText(LIST_ROW);
  const tabs = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
  /** Returns whether a file's box is ticked; `undefined` for one without a box. */
  const ticked = async (name: string): Promise<boolean | undefined> =>
    (await driver.evaluate(`(() => {
      const row = [...document.querySelectorAll(${JSON.stringify(LIST_ROW)})].find((one) => one.textContent.includes(${JSON.stringify(name)}));
      const box = row?.querySelector('.custom-view-tree-node-item-checkbox');
      return box?.classList.contains('codicon-tree-item-checkbox') || box?.classList.contains('monaco-custom-toggle')
        ? box.classList.contains('checked') || box.getAttribute('aria-checked') === 'true'
        : undefined;
    })()`)) as boolean | undefined;
  const tick = (name: string): Promise<void> => driver.click(`${LIST_ROW}:has-text("${name}") .custom-view-tree-node-item-checkbox`);
  /** Starts a review, and returns its end, which is when it's cancelled or done. */
  const review = async (command: string): Promise<{ ended: Thenable<unknown> }> => {
    const ended = run(command, row());
    await reviewIsShown();
    return { ended };
  };
  const reviewIsShown = async (): Promise<void> => {
    await untilMatches(listed, /doors\.ts/);
    await untilMatches(() => driver.plainText('.multiDiffEntry'), /\.ts/);
    await eventually('the focus', async () => (await driver.page.locator(`${VIEW} .monaco-list:focus-within`).count()) > 0);
  };
  const accept = (): Promise<void> => driver.click(`${LIST_ROW} >> text=/Restore (Files|\\d+ File)/`);

  it('answer with the plan, and are written and taken back, with plain arguments', async () => {
    const plan = await run<Answer>('restoreFiles', { path, entryId: POINT, dryRun: true });
    const actions = (answer: Answer): Record<string, string> =>
      Object.fromEntries(answer.files.map(({ file, action, certainty }) => [file.slice(own.cwd.length + 1), `${action} ${certainty}`]));
    assert.deepEqual(actions(plan), {
      'doors.ts': 'write exact',
      'walls.ts': 'write exact',
      'roof.ts': 'write exact',
      [HOSTILE]: 'write exact',
      'garden.ts': 'left likely',
    });
    assert.equal(plan.restoreId, undefined);
    assert.equal(await text('doors.ts'), 'const doors = 2;\n');
    const done = await run<Answer>('restoreFiles', { path, entryId: POINT, files: [at('doors.ts'), at('garden.ts')], include: 'likely' });
    assert.deepEqual(actions(done), { 'doors.ts': 'write exact', 'garden.ts': 'delete likely' });
    assert.match(done.restoreId ?? '', /./);
    assert.deepEqual([await text('doors.ts'), existsSync(at('garden.ts'))], ['const doors = 1;\n', false]);
    assert.deepEqual(await run('undo', {}), { did: 'file', path });
    assert.deepEqual([await text('doors.ts'), await text('garden.ts')], ['const doors = 2;\n', 'const trees = 3;\n']);
    await refuses('unknown-entry', run('restoreFiles', { path, entryId: 'gone' }));
    await refuses('entry-required', run('restoreFiles', { path }));
    await refuses('invalid', run('restoreFiles', { path, entryId: POINT, files: ['doors.ts'] }));
  });

  it('are reviewed: certain ones are ticked, likely ones and those that stay say why @oldest', async () => {
    const asked = answerDialogs('Restore 3 Files');
    await put('walls.ts', numbered('const walls = 2;', 'mine'));
    await put('roof.ts', 'const roof = 22;\n');
    const { ended } = await review('restoreFiles');
    await pictures('restore-review');
    assert.deepEqual(await Promise.all(['doors.ts', 'walls.ts', 'garden.ts', 'roof.ts'].map(ticked)), [true, false, false, undefined]);
    assert.match(await listed(), /walls\.ts\s*your own edits are kept · changed elsewhere/);
    assert.match(await listed(), /garden\.ts\s*is deleted · may not have existed/);
    assert.match(await listed(), /roof\.ts\s*same lines changed/);
    assert.match(await driver.plainText(VIEW), /Changes by commands, such as formatters/);
    assert.equal(await driver.page.locator(`${LIST_ROW} .codicon-bug`).count(), 0);
    for (const [name, count] of [
      ['garden.ts', 3],
      ['walls.ts', 4],
      ['garden.ts', 3],
    ] as const) {
      await tick(name);
      await untilMatches(listed, new RegExp(`Restore ${String(count)} Files`));
    }
    await driver.click(`${LIST_ROW} >> text=doors.ts`);
    await eventually('one difference', () => tabs().some((label) => label === 'doors.ts: now ↔ then'));
    await accept();
    await ended;
    assert.match(asked.join(), /^Restore files in .*\? [^]*aren’t recorded in sessions[^]*\[Restore 3 Files\]$/);
    await showsMessage(/^Files restored: 3\. Files that stay as they are: 1\./);
    await driver.screenshot('restore-done.png');
    assert.deepEqual(await Promise.all(['doors.ts', 'walls.ts', HOSTILE, 'garden.ts', 'roof.ts'].map(text)), [
      'const doors = 1;\n',
      numbered('const walls = 1;', 'mine'),
      'const trap = 1;\n',
      'const trees = 3;\n',
      'const roof = 22;\n',
    ]);
    assert.deepEqual(tabs(), [], 'the review is closed');
    assert.equal(await driver.page.locator(VIEW).count(), 0);
    await pressButton('Undo');
    await eventually('the files of before', async () => (await text('doors.ts')) === 'const doors = 2;\n');
    assert.equal(await text('walls.ts'), numbered('const walls = 2;', 'mine'));
    await showsMessage(/Undid restore of files/);
  });

  it('are counted before one goes there, and marked where they are', async () => {
    const frame = await openContext({ path, entryId: POINT });
    // With one branch it’s folded.
    await driver.click('.branches-toggle', frame);
    await driver.waitFor('.branch-row', {}, frame);
    await driver.find('.branch-row.is-current', frame).hover();
    await until(frame, `document.querySelector('.branches-note:not([hidden])')?.textContent === '5 files would change'`);
    await driver.screenshot('restore-count.png');
    await run('restoreFiles', { path, entryId: POINT, include: 'likely' });
    await until(frame, `/files are here/.test(document.querySelector('.branch-row.is-current')?.ariaLabel ?? '')`);
    await driver.find('.branch-row.is-leaf', frame).hover();
    await until(frame, `/^\\d files would change$/.test(document.querySelector('.branches-note:not([hidden])')?.textContent ?? '')`);
    await run('revealSession', { path, entryId: POINT });
    const marked = async () => (await shownRows()).filter(({ description }) => description.includes('← files are here'));
    await eventually('the mark', async () => (await marked()).length === 1);
    assert.match((await marked())[0]?.spoken ?? '', /files are here/);
    await pictures('restore-here');
    await put('doors.ts', 'const doors = 9;\n');
    await run('undo', {});
    await eventually('no mark', async () => (await marked()).length === 0);
    void run('openChanges', { row: 'entry', path, entryId: POINT });
    await untilMatches(() => driver.plainText('.statusbar'), /\d files would change · \S/);
    await driver.screenshot('restore-changes.png');
  });

  it('name what Git shows as changed without a recorded edit', async () => {
    const git = (...args: string[]) => execFileSync('git', ['-C', own.cwd, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('init', '-q');
    await put('built.ts', '1');
    git('add', 'built.ts');
    git('commit', '-q', '-m', 'x');
    await put('built.ts', '22');
    const { ended } = await review('restoreFiles');
    await untilMatches(listed, /Changed without a recorded edit\s*1/);
    await driver.screenshot('restore-unrecorded.png');
    await driver.click('.part.sidebar .title .action-label[aria-label^="Cancel Restore"]');
    await ended;
    await rm(at('.git'), { recursive: true });
  });

  it('open conflicts in the merge editor', async () => {
    answerDialogs('Restore 3 Files');
    await put('doors.ts', 'const doors = 22;\n');
    await rm(at('garden.ts'));
    const { ended } = await review('restoreFiles');
    await accept();
    await ended;
    await pressButton('Open in Merge Editor');
    await untilMatches(() => driver.plainText('.merge-editor'), /const doors = 1;[^]*const doors = 22;/);
    await driver.screenshot('restore-merge.png');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(await text('doors.ts'), 'const doors = 22;\n');
  });

  it('stay if an editor has unsaved changes, also those made during the review', async () => {
    answerDialogs('Restore 3 Files');
    const edit = async (name: string): Promise<void> => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(at(name)), { preview: false });
      await editor.edit((change) => change.insert(new vscode.Position(0, 0), '// mine\n'));
    };
    await edit('doors.ts');
    const { ended } = await review('restoreFiles');
    await untilMatches(listed, /doors\.ts\s*It has unsaved changes in an editor\./);
    assert.equal(await ticked('doors.ts'), undefined);
    await edit('roof.ts');
    await accept();
    await ended;
    await showsMessage(/^Files restored: 2\. Files that stay as they are: 2\./);
    assert.deepEqual(await Promise.all(['doors.ts', 'roof.ts', 'walls.ts'].map(text)), [
      'const doors = 2;\n',
      'const roof = 2;\n',
      numbered('const walls = 1;'),
    ]);
  });

  it('stay until the question is answered, and if the review is cancelled, also by another one', async () => {
    const asked = answerDialogs();
    const first = await review('restoreFiles');
    await accept();
    await eventually('the question', () => asked.length > 0);
    const second = await review('restoreFiles');
    await first.ended;
    // The title of a view that is alone in its place is that of the side bar.
    await driver.click('.part.sidebar .title .action-label[aria-label^="Cancel Restore"]');
    await second.ended;
    assert.deepEqual([await text('doors.ts'), tabs()], ['const doors = 2;\n', []]);
  });

  it('go back together with the branch, and one undo takes both back', async () => {
    const answer = await run<Answer & { entryId: string }>('branchWithFiles', { path, entryId: POINT });
    assert.equal((await linesOf(path)).at(-1)?.['id'], answer.entryId);
    assert.equal((await linesOf(path)).at(-1)?.['parentId'], entryId(9), 'before what was asked');
    assert.equal(await text('doors.ts'), 'const doors = 1;\n');
    await run('undo', {});
    assert.equal(await text('doors.ts'), 'const doors = 2;\n');
    const leaf = (await linesOf(path)).at(-1);
    assert.deepEqual([leaf?.['customType'], leaf?.['parentId']], [(await linesOf(path)).at(-2)?.['customType'], entryId(22)]);

    answerDialogs('Restore 4 Files');
    const { ended } = await review('branchWithFiles');
    await accept();
    await driver.waitFor('.quick-input-widget:visible input[placeholder="Summary"]');
    await driver.press('Enter');
    await ended;
    await showsMessage(/The session continues before “.*More of everything”\.[^]*Files restored: 4\./);
    assert.equal(await text('doors.ts'), 'const doors = 1;\n');
    await pressButton('Undo');
    await showsMessage(/Undid branch in “House”\. Undid restore of files/);
    assert.equal(await text('doors.ts'), 'const doors = 2;\n');
  });

  it('are reviewed from a link, which writes nothing', async () => {
    const asked = answerDialogs();
    await changeSetting('extensions.confirmedUriHandlerExtensionIds', [LINK_AUTHORITY]);
    const bytes = async (): Promise<string[]> => Promise.all([readFile(path, 'utf8'), ...NAMES.map(text)]);
    const [before, names] = [await bytes(), await readdir(own.cwd)];
    const link = linkToSession(vscode.env.uriScheme, { path, entryId: POINT }).replace('/open?', '/restore?');
    for (const more of ['', '&include=likely&dryRun=false&yes=true']) {
      void vscode.commands.executeCommand('workbench.action.url.openUrl');
      await driver.waitFor('.quick-input-widget:visible input');
      await driver.type(link + more);
      await driver.press('Enter');
      if (more !== '') {
        await showsMessage(/^The link wasn’t opened/);
        continue;
      }
      await reviewIsShown();
      await pictures('restore-link');
      assert.deepEqual([await bytes(), await readdir(own.cwd)], [before, names]);
      await accept();
      await eventually('the question', () => asked.length === 1);
      assert.deepEqual([await bytes(), await readdir(own.cwd)], [before, names]);
      await driver.click('.part.sidebar .title .action-label[aria-label^="Cancel Restore"]');
      await eventually('the end of the review', async () => (await driver.page.locator(VIEW).count()) === 0);
    }
    assert.deepEqual([await bytes(), await readdir(own.cwd)], [before, names]);
  });

  for (const command of ['branchWithFiles', 'branchAndResume'])
    it(`go back with the branch on which the real pi goes on: ${command}`, async function () {
      if (process.platform === 'win32') this.skip();
      const asked: string[] = [];
      await usePi((last) => (asked.push(last) === 1 ? callsTool('read', { path: 'doors.ts' }) : lastWords('There is one door.')));
      // Otherwise the terminal is drawn as a picture.
      await changeSetting('terminal.integrated.gpuAcceleration', 'off');
      answerDialogs('Restore 4 Files');
      const ended = run(command, row());
      if (command === 'branchAndResume') await driver.pick('Restore Files to This Point…');
      await reviewIsShown();
      await accept();
      await driver.waitFor('.quick-input-widget:visible input[placeholder="Summary"]');
      await driver.press('Enter');
      await ended;
      const restored = ['const doors = 1;\n', numbered('const walls = 1;'), 'const roof = 1;\n', 'const trap = 1;\n', 'const trees = 3;\n'];
      assert.deepEqual(await Promise.all(NAMES.map(text)), restored);
      const branch = (await linesOf(path)).at(-1);
      assert.equal(branch?.['parentId'], entryId(9), 'before what was asked');
      if (command === 'branchWithFiles') await pressButton('Resume in Terminal');
      await untilMatches(() => driver.plainText('.terminal-wrapper .xterm-rows'), /tide/i);
      vscode.window.terminals[0]?.sendText('How many doors are there?');
      await eventually('the answer', async () => (await readFile(path, 'utf8')).includes('There is one door.'));
      assert.match(asked.at(-1) ?? '', /const doors = 1;/, 'what the model read');
      const lines = await linesOf(path);
      const parents = new Map(lines.map(({ id, parentId }) => [id, parentId]));
      let at: unknown = lines.at(-1)?.['id'];
      while (at !== branch['id'] && parents.has(at)) at = parents.get(at);
      assert.equal(at, branch['id'], 'pi goes on from the branch');
      assert.deepEqual(await Promise.all(NAMES.map(text)), restored);
      await driver.screenshot(`restore-pi-${command}.png`);
    });
});
