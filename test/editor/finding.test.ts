import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { entryId, session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { choose } from './menus';
import { showsMessage } from './messages';
import { refuses } from './refusals';
import { answerDialogs, atEnd, changeSetting } from './replacements';
import { showClosed } from './treeRows';
import { eventually, untilMatches } from './waiting';

describe('finding', function () {
  editorSuite({ tall: true });
  const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;

  beforeEach(showClosed);

  const selected = (): Promise<string> => driver.plainText('.part.sidebar .monaco-list-row.selected');
  const chooseAt = (selector: string, entry: string): Promise<void> =>
    choose(() => driver.find(selector).click({ button: 'right' }), entry);

  describe('sessions for a file', () => {
    const open = async (name: string): Promise<void> => {
      await vscode.window.showTextDocument(vscode.Uri.file(join(workspace, name)));
    };

    it('are the entries that read or wrote it, with plain arguments', async () => {
      const file = join(own.cwd, 'code.ts');
      await writeFile(file, '');
      await symlink(file, join(own.cwd, 'link.ts'));
      const path = await own.put(
        'touching',
        session({ cwd: own.cwd })
          .user('Go')
          .tool('read', { path: 'code.ts' })
          .tool('write', { path: file, content: 'x' })
          .tool('read', { path: 'code.tsx' }),
      );
      const expected = [
        { path, entryId: entryId(2), kind: 'read' },
        { path, entryId: entryId(4), kind: 'write' },
      ];
      assert.deepEqual(await run('sessionsForFile', { file }), expected);
      assert.deepEqual(await run('sessionsForFile', { file: join(own.cwd, 'link.ts') }), expected, 'by a link to it');
      assert.deepEqual(await run('sessionsForFile', { file: join(own.cwd, 'none.ts') }), []);
      const relative = await run<{ kind: string }[]>('sessionsForFile', { file: 'src/checkout.ts' });
      assert.deepEqual(relative, await run('sessionsForFile', { file: join(workspace, 'src/checkout.ts') }));
      assert.deepEqual([...new Set(relative.map(({ kind }) => kind))].sort(), ['read', 'write']);
      await refuses('invalid', run('sessionsForFile', { file: '' }));
      await refuses('invalid', run('sessionsForFile', {}));
      assert.equal(await driver.find('.quick-input-widget').isVisible(), false);
    });

    const versions = (): Promise<string> => driver.plainText('.part.sidebar .pane:has(.pane-header[aria-label^="File Versions"])');
    after(async () => {
      await driver.awayFromRows();
      await driver.click('.part.sidebar .pane-header[aria-expanded="true"] >> text=File Versions');
    });

    it('are in the context menu of the explorer, as versions of the file', async () => {
      await vscode.commands.executeCommand('workbench.view.explorer');
      await chooseAt('.explorer-folders-view .monaco-list-row >> text=package.json', 'Sessions for This File');
      await untilMatches(versions, /package\.json[^]*\+\d+ −\d+ · We have a release/);
    });

    it('are in the context menu of a tab, with a message if there are none', async () => {
      await open('README.md');
      await chooseAt('.tabs-container .tab >> text=README.md', 'Sessions for This File');
      await untilMatches(versions, /README\.md[^]*No session is known to have changed this file/);
    });

    it('are not computed for documents that are no files on the disk', async () => {
      await run('sessionsForFile');
      await showsMessage(/Open a file, or select one in the Explorer/);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'x' }));
      try {
        await run('sessionsForFile');
        await showsMessage(/“Untitled-\d+” isn’t a file on the machine/);
      } finally {
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
    });
  });

  describe('the session of the active editor', () => {
    let path: string;
    beforeEach(async () => {
      path = await own.put('shown', session({ cwd: own.cwd }).user('Where am I?').assistant('Here.'));
    });

    /** Reveals an entry like the palette does, and checks that the row is selected. */
    async function reveals(ref: unknown): Promise<void> {
      await showClosed();
      await run('revealSession');
      await eventually('the row', async () => (await selected()).includes('Where am I?'));
      assert.deepEqual(await run('revealSession', {}), ref);
    }

    it('is that of a document of ours', async () => {
      await run('openMarkdown', { path, entryId: entryId(1) });
      await reveals({ path, entryId: entryId(1) });
    });

    it('is in the title of a document of ours', async () => {
      await run('openMarkdown', { path, entryId: entryId(2) });
      await driver.click('.editor-actions [aria-label^="Reveal Session"]');
      await eventually('the row', async () => (await selected()).includes('Here.'));
    });

    it('is that of a context view', async () => {
      await run('showContext', { path, entryId: entryId(1) });
      await reveals({ path, entryId: entryId(1) });
    });

    it('is the file itself', async () => {
      await vscode.window.showTextDocument(vscode.Uri.file(path));
      await reveals({ path });
    });

    it('is the one that a terminal resumes, also from its tab', async function () {
      if (process.platform === 'win32') this.skip();
      const program = join(own.cwd, 'pi');
      await writeFile(program, '#!/bin/sh\nsleep 60\n');
      await chmod(program, 0o755);
      await changeSetting('sessionTree.programs', { pi: [program] });
      atEnd(() => vscode.commands.executeCommand('workbench.action.closePanel'));
      await run('resume', { path });
      await eventually('the terminal', () => vscode.window.activeTerminal);
      await reveals({ path });
      vscode.window.createTerminal('other').show();
      await eventually('the other terminal', () => vscode.window.activeTerminal?.name === 'other');
      await refuses('not-found', run('revealSession', {}));
      await showClosed();
      await chooseAt('.terminal-tabs-entry', 'Reveal Session');
      await eventually('the row', async () => (await selected()).includes('Where am I?'));
    });

    it('is nothing if no part of a session is open', async () => {
      await run('revealSession');
      await showsMessage(/doesn’t belong to a session/);
      await vscode.window.showTextDocument(vscode.Uri.file(join(workspace, 'README.md')));
      await refuses('not-found', run('revealSession', {}));
      assert.match(
        (await refuses('not-found', run('revealSession', { path: join(own.cwd, 'x.jsonl') }))).message,
        /isn’t in any of your session folders/,
      );
      const gone = join(dirname(await own.put('here', session({ cwd: own.cwd }).user('Here?'))), 'gone.jsonl');
      assert.match((await refuses('not-found', run('revealSession', { path: gone }))).message, /doesn’t exist/);
      await refuses('invalid', run('revealSession', { path: 'x.jsonl' }));
    });
  });

  it('leads from a path in a terminal to the session', async function () {
    if (process.platform === 'win32') this.skip();
    const path = await own.put('printed', session({ cwd: own.cwd }).user('What did the program print?'));
    // Otherwise the terminal is a picture, whose words can't be found and clicked.
    await changeSetting('terminal.integrated.gpuAcceleration', 'off');
    atEnd(() => vscode.commands.executeCommand('workbench.action.closePanel'));
    vscode.window.createTerminal({ shellPath: '/bin/sh', shellArgs: ['-c', `echo '${path}'; sleep 60`] }).show();
    const printed = '.xterm-rows >> text=printed.jsonl';
    await driver.waitFor(printed);
    await driver.page.keyboard.down('Control');
    // The terminal looks for links when the pointer moves, as soon as it has its size.
    await eventually('the link', async () => {
      const { x, y, height } = (await driver.find(printed).boundingBox()) ?? { x: 0, y: 0, height: 0 };
      await driver.page.mouse.move(x + 60, y + height / 2);
      await driver.page.mouse.move(x + 80, y + height / 2);
      if (!(await driver.find('.xterm-cursor-pointer').isVisible())) return false;
      await driver.page.mouse.click(x + 80, y + height / 2);
      return true;
    });
    await driver.page.keyboard.up('Control');
    await eventually('the context', () => vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes('What did the program print?'));
  });

  describe('the index', () => {
    const WORD = 'Quokkaesque';
    const hits = async (): Promise<number> => (await run<unknown[]>('search', { query: WORD })).length;

    /** Returns the bytes of the database and of the files beside it, the stored first rows among them, in the editor's storage. */
    function storedBytes(): Buffer {
      const data = join(dirname(homedir()), 'editor');
      // The server's, and the desktop editor's.
      const folder = [join(data, 'data'), data]
        .map((place) => join(place, 'User', 'globalStorage', 'pi-session-tree.pi-session-tree', 'catalog'))
        .find((place) => existsSync(place));
      assert.ok(folder !== undefined);
      const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
      return Buffer.concat(files.map(({ parentPath, name }) => readIfThere(join(parentPath, name))));
    }
    /** The database removes files of its own at any time. */
    function readIfThere(file: string): Buffer {
      try {
        return readFileSync(file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        return Buffer.alloc(0);
      }
    }
    const holds = (word: string): boolean => storedBytes().toString('latin1').toLowerCase().includes(word.toLowerCase());
    const lines = () => session({ cwd: own.cwd }).user(`About a ${WORD} thing`).tool('read', { path: 'secretive-path.ts' });

    it('contains no word of deleted text', async () => {
      const path = await own.put('deleted', lines());
      assert.equal(await hits(), 1);
      await eventually('its words', () => holds(WORD) && holds('secretive-path'));
      const { trashId } = await run<{ trashId: string }>('delete', { path });
      assert.equal(existsSync(path), false);
      assert.equal(await hits(), 0);
      await eventually('they are gone', () => !holds(WORD) && !holds('secretive-path'));
      await run('restore', { trashId });
      assert.equal(await hits(), 1, 'what comes back is found again');
      await run('delete', { path });
      await run('emptyTrash', {});
      assert.equal(await hits(), 0);
      await eventually('they are gone', () => !holds(WORD));
    });

    it('is cleared after a confirmation, and filled by the next search', async () => {
      await own.put('cleared', lines());
      assert.equal(await hits(), 1);
      await eventually('its words', () => holds(WORD));
      const asked = answerDialogs();
      await run('clearIndex');
      assert.match(asked.join(), /Clear the search index\?.*deletes the words[^]*rebuilt by the next search[^]*\[Clear Search Index\]/);
      assert.ok(holds(WORD), 'a question that was not answered');
      answerDialogs('Clear Search Index');
      await run('clearIndex');
      await showsMessage(/Cleared the search index/);
      assert.ok(!holds(WORD));
      await run('refresh');
      await untilMatches(() => driver.plainText('.part.sidebar .monaco-list-row'), /webshop/);
      assert.equal(await hits(), 1);
      await eventually('its words again', () => holds(WORD));
    });

    it('is cleared at once with plain arguments, and stays empty until it is needed', async () => {
      const path = await own.put('cleared', lines());
      assert.equal(await hits(), 1);
      assert.equal(await run('clearIndex', {}), undefined);
      assert.ok(!holds(WORD));
      await run('label', { path, entryId: entryId(1), label: 'still there' });
      assert.ok(!holds(WORD));
      assert.equal((await run<unknown[]>('search', { query: `label:"still there"` })).length, 1);
      await eventually('its words again', () => holds(WORD));
    });
  });
});
