// Shows where lines come from while sessions, commits and a file's name are hostile: none of their text becomes a link, an
// icon, a command or a request.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { entryId, session } from '../fixtures/build';
import { gitRepository } from '../fixtures/gitRepository';
import { Bait, reads } from './injectionBait';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { atEnd, changeSetting } from './replacements';
import { eventually, untilMatches } from './waiting';

const PICK = '.quick-input-list .monaco-list-row';
const HOVER = '.monaco-editor .monaco-hover';
const VIEW = '.part.sidebar .pane:has(.pane-header[aria-label^="File Versions"])';
/** The beginning of each text, as plain text shows it. */
const PART = '[Details](command';

describe('hostile text about lines', function () {
  editorSuite({ tall: true });
  let bait: Bait;
  let file: string;
  const repository = gitRepository(() => own.cwd);
  before(async () => {
    bait = await Bait.lay();
  });
  beforeEach(async () => {
    // Without the command, which the extension's own links to this file would have, too.
    file = join(own.cwd, '$(squirrel) [Details](command).ts');
    const path = basename(file);
    const { text } = bait;
    repository.git('09:00:00', 'init', '-q');
    await writeFile(file, 'export function first() {\n  return 1;\n}\n');
    repository.git('10:00:00', 'add', '--all');
    repository.git('10:00:00', '-c', `user.name=${bait.name}`, 'commit', '-q', '-m', text);
    await own.put(
      'hostile',
      session({ cwd: own.cwd, provider: text, modelId: text })
        .user(text)
        .tool('write', { path, content: 'export function first() {\n  return 0;\n}\n' })
        .label(entryId(2), text)
        .user(text)
        .tool('edit', { path, oldText: 'return 0;', newText: 'return 1;' }, text, { message: { model: text, provider: text } })
        .name(text),
    );
  });
  afterEach(async () => {
    await run('toggleSessionBlame', { on: false });
    assert.deepEqual(bait.taken(), { runs: 0, requests: [] });
  });
  after(() => bait.dispose());

  const show = (): Thenable<vscode.TextEditor> =>
    vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(1, 4, 1, 4) });
  const texts = async (surface: string): Promise<string[]> => (await driver.texts(surface)).map(reads);
  /** Waits until the text is shown, and checks that it is nothing but text. */
  const isText = async (surface: string, part = PART): Promise<void> => {
    await untilMatches(
      async () => ((await texts(surface)).some((text) => text.includes(part)) ? part : (await texts(surface)).join()),
      /^\[/,
    );
    assert.deepEqual(await bait.found(), [], surface);
  };
  /** The texts of decorations, which are the contents of pseudo elements. */
  const decorations = async (): Promise<string> =>
    (await driver.evaluate(`[...document.querySelectorAll('.view-lines .view-line span')]
      .flatMap((span) => ['::before', '::after'].map((place) => getComputedStyle(span, place).content)).join()`)) as string;
  const areText = async (): Promise<void> => {
    await untilMatches(async () => reads((await decorations()).replaceAll('\u00a0', ' ')), /\[Details\]\(command/);
    assert.deepEqual(await bait.found(), []);
  };

  it('is plain text in the hover of a line', async () => {
    await show();
    await eventually('the hover', async () => {
      await vscode.commands.executeCommand('editor.action.showHover');
      return (await texts(HOVER)).some((text) => text.includes(PART));
    });
    await isText(HOVER);
    await driver.screenshot('hostile-hover.png');
    assert.deepEqual(await driver.texts(`${HOVER} a`), ['Open Context There', 'Show the Change', 'All Edits of This Line', 'Resume']);
  });

  it('is plain text in annotations, and in the list of a file’s sessions', async () => {
    await show();
    await run('toggleSessionBlame', { on: true });
    await areText();
    await run('toggleSessionBlame', { on: false });
    await run('toggleSessionAnnotations', { on: true });
    await areText();
    await driver.screenshot('hostile-annotations.png');
    void run('sessionsOfLines');
    await isText(PICK);
    // A backslash before an icon would be highlighted separately, and the rest would be an icon.
    await driver.find('.quick-input-widget:visible input').fill('squirrel');
    await isText(PICK);
  });

  it('is plain text above functions', async () => {
    const range = new vscode.Range(0, 0, 2, 1);
    const symbols = vscode.languages.registerDocumentSymbolProvider(
      { scheme: 'file' },
      { provideDocumentSymbols: () => [new vscode.DocumentSymbol('first', '', vscode.SymbolKind.Function, range, range)] },
    );
    atEnd(() => symbols.dispose());
    await changeSetting('sessionTree.lineOrigins.codeLens', true);
    await show();
    await isText('.codelens-decoration');
    await driver.screenshot('hostile-codelens.png');
  });

  it('is plain text in the reasons for a line, and in its commit', async () => {
    await show();
    void run('whyThisLine');
    await isText('.quick-input-title', '[Details](command)');
    await isText(PICK);
    await untilMatches(async () => (await texts(PICK)).join('\n'), /return 0;[^]*\[Details\]/);
    assert.equal((await texts(PICK)).filter((text) => text.includes('[Details]')).length, 5, 'prompt, message, session, commit, version');
    await driver.screenshot('hostile-why.png');
    for (const typed of ['squirrel', '\\']) {
      await driver.find('.quick-input-widget:visible input').fill(typed);
      assert.deepEqual(await bait.found(), []);
    }
  });

  it('is plain text in the versions of a file, in their tooltips, and on the tabs that they open', async () => {
    await show();
    await run('sessionsForFile');
    await isText(`${VIEW} .monaco-list-row`, '[Details]');
    await eventually('the tooltip', async () => {
      await driver.awayFromRows();
      await driver.page.locator(`${VIEW} .monaco-list-row`).first().hover();
      return await driver.waitFor('.workbench-hover >> text=edited', { timeout: 3_000 }).then(
        () => true,
        () => undefined,
      );
    });
    await isText('.workbench-hover');
    await driver.screenshot('hostile-versions.png');
    await driver.awayFromRows();
    await driver.click(`${VIEW} .monaco-list-row >> nth=0`);
    await isText('.tabs-container .tab', '[Details]');
    await driver.click('.part.sidebar .pane-header[aria-expanded="true"] >> text=File Versions');
  });

  it('is plain text in a review, and in notes before they are written', async () => {
    await writeFile(file, 'export function first() {\n  return 1;\n}\n// mine\n');
    await own.put(
      'second',
      session({ cwd: own.cwd, id: 'second' })
        // The same calls at the same places would be a fork's copies.
        .user('x')
        .user('x')
        .user(bait.text)
        .tool('edit', { path: basename(file), oldText: '}\n', newText: '}\n// mine\n' })
        .name(bait.text),
    );
    await show();
    void run('reviewChanges');
    await isText(PICK, '[Details](command).ts');
    await driver.click(`${PICK} >> nth=1`);
    await areText();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    repository.commit('12:00:00', bait.text);
    await show();
    void run('addAgentTraceNotes');
    await untilMatches(() => driver.find('.quick-input-widget input').inputValue(), /^HEAD~1\.\.HEAD$/);
    await driver.press('Enter');
    await untilMatches(async () => (await texts('.view-line')).join('\n'), /\[Details\]\(command/);
    assert.deepEqual(await bait.found(), []);
    await driver.screenshot('hostile-notes.png');
  });
});
