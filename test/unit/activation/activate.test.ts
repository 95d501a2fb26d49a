import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type * as vscode from 'vscode';
import type { SessionTreeApi } from '../../../src/api';
import type * as extensionModule from '../../../src/extension';
import type { ViewRow } from '../../../src/tree/rows/viewRows';
import { session } from '../../fixtures/build';
import { home, withEnvironment } from '../../fixtures/environment';
import { fakeEditor, type FakeEditor, Uri } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';

const PROJECT = join(__dirname, '../../../..');

/** The commands that the editor offers before the extension is active. */
const { contributes } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
};
/** Without the commands of the view that's only there while a restore is reviewed, of threads of comments, and of an open review. */
const OFFERED = contributes.commands
  .map(({ command }) => command)
  .filter((id) => !/^sessionTree\.(restoreReview|comments|review)\./.test(id));

describe('The activation', () => {
  const folder = testFolder();
  let editor: FakeEditor;
  let tree: vscode.TreeDataProvider<ViewRow>;
  let errors: unknown[];

  /** Activates the extension in a home with one session, and disposes of it after `work`. */
  async function activated(work: (activation: Promise<SessionTreeApi>) => Promise<void>): Promise<void> {
    const sessions = join(folder.path, '.pi', 'agent', 'sessions', '--work-demo--');
    await mkdir(sessions, { recursive: true });
    await folder.write(join('.pi', 'agent', 'sessions', '--work-demo--', 'one.jsonl'), session().user('Hello').text());
    const subscriptions: vscode.Disposable[] = [];
    const state = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] };
    await withEnvironment(home(folder.path), async () => {
      const { activate } = loadWithVscode(join(__dirname, '../../../src/extension.js'), editor.api) as typeof extensionModule;
      const context = {
        subscriptions,
        globalStorageUri: Uri.file(join(folder.path, 'storage')),
        extensionUri: Uri.file(PROJECT),
        extensionPath: PROJECT,
        extension: { packageJSON: {} },
        workspaceState: state,
        globalState: { ...state, setKeysForSync: () => undefined },
      };
      const activation = activate(context as never);
      try {
        await work(activation);
      } finally {
        await activation;
        for (const one of subscriptions) await one.dispose();
      }
    });
    assert.deepEqual(errors, []);
  }

  beforeEach(() => {
    editor = fakeEditor();
    errors = [];
    const { api } = editor;
    const disposable = { dispose: () => undefined };
    const event = new FakeEmitter<never>().event;
    const ignored = (): object => disposable;
    Object.assign(api.window, {
      createOutputChannel: () => ({ info: () => undefined, error: (text: string) => errors.push(text), dispose: () => undefined }),
      createTreeView: (id: string, { treeDataProvider }: vscode.TreeViewOptions<ViewRow>) => {
        if (id === 'sessionTree.sessions') tree = treeDataProvider;
        return Object.assign({ onDidChangeVisibility: event, onDidExpandElement: event, onDidCollapseElement: event }, disposable);
      },
      registerFileDecorationProvider: ignored,
      registerTerminalLinkProvider: ignored,
      registerTerminalProfileProvider: ignored,
    });
    const events = [
      'onDidChangeActiveTerminal',
      'onDidChangeActiveTextEditor',
      'onDidChangeVisibleTextEditors',
      'onDidStartTerminalShellExecution',
    ];
    Object.assign(api.window, { visibleTextEditors: [] });
    for (const name of events) Object.assign(api.window, { [name]: event });
    Object.assign(api.window.tabGroups, { onDidChangeTabs: event, onDidChangeTabGroups: event });
    Object.assign(api.workspace, { onDidChangeWorkspaceFolders: event, onDidGrantWorkspaceTrust: event, createFileSystemWatcher: ignored });
    Object.assign(api, { languages: { registerHoverProvider: ignored } });
  });

  it('registers all commands at once: none of them runs before what it needs is there', async () => {
    await activated(async (activation) => {
      const registered = (): number => OFFERED.filter((id) => editor.commands.has(id)).length;
      const seen = new Set([registered()]);
      let isOver = false;
      while (!isOver) {
        isOver = await Promise.race([activation.then(() => true), turn(false)]);
        seen.add(registered());
      }
      assert.deepEqual([...seen], [0, OFFERED.length]);
    });
  });

  it('answers a request for rows that comes before the code of the rows is loaded', async () => {
    await activated(async () => {
      assert.equal(editor.commands.size, 0);
      const rows = await tree.getChildren();
      assert.deepEqual(
        rows?.map((row) => row.row),
        ['project'],
      );
    });
  });
});
