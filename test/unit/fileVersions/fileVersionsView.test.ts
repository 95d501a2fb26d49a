import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ConfigurationChangeEvent, TextEditor, TreeDataProvider, TreeItem, Uri } from 'vscode';
import type { Catalog } from '../../../src/core/index';
import type * as viewModule from '../../../src/fileVersions/fileVersionsView';
import type { MoreVersionsRow, VersionRow } from '../../../src/fileVersions/versionItems';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { fakeEditor, type FakeEditor } from '../../fixtures/fakeEditor';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';

type Node = VersionRow | MoreVersionsRow;

describe('The File Versions view', () => {
  const store = testCatalog();
  let editor: FakeEditor;
  let view: { message: string; description: string; visible: boolean };
  let provider: TreeDataProvider<Node>;
  let versions: viewModule.FileVersionsView;
  let visibility: FakeEmitter<{ visible: boolean }>;
  let editors: FakeEmitter<TextEditor | undefined>;
  let sessions: FakeEmitter<undefined>;
  let opened: number;
  let isCleared: boolean;
  let revealed: unknown[];
  let age: string;
  let badge: Uri | undefined;
  let settings: FakeEmitter<Pick<ConfigurationChangeEvent, 'affectsConfiguration'>>;
  const editorOf = (path: string, scheme = 'file') => ({ document: { uri: { scheme, fsPath: path } } }) as unknown as TextEditor;

  const open = (catalog: () => Promise<Catalog>, active?: TextEditor): void => {
    editor = fakeEditor();
    view = { message: '', description: '', visible: false };
    [visibility, editors, sessions] = [new FakeEmitter(), new FakeEmitter(), new FakeEmitter()];
    opened = 0;
    isCleared = false;
    revealed = [];
    [age, badge, settings] = ['3d', undefined, new FakeEmitter()];
    const { FileVersionsView } = loadWithVscode(join(__dirname, '../../../src/fileVersions/fileVersionsView.js'), {
      ...editor.api,
      workspace: { isTrusted: false, onDidChangeConfiguration: settings.event },
      window: {
        activeTextEditor: active,
        onDidChangeActiveTextEditor: editors.event,
        createTreeView: (_: string, options: { treeDataProvider: TreeDataProvider<Node> }) => {
          provider = options.treeDataProvider;
          return Object.assign(view, {
            onDidChangeVisibility: visibility.event,
            reveal: (...args: unknown[]) => revealed.push(args),
            dispose: () => undefined,
          });
        },
      },
    }) as typeof viewModule;
    versions = new FileVersionsView({
      catalog: {
        open: () => (opened++, catalog()),
        progress: () => ({ done: 1, total: 1, ...(isCleared ? { isCleared: true as const } : {}) }),
        openUnlessCleared: () => (isCleared ? Promise.resolve(undefined) : (opened++, catalog())),
        onDidChangeSessions: sessions.event as never,
      },
      ages: { age: () => age, ageBadge: () => badge, badgeSetting: 'explorer.decorations.badges', ago: () => '3 days ago' },
      escapeMarkdown: (text) => text,
      onError: (error) => assert.equal((error as Error).message, 'The disk is gone.'),
    });
  };
  afterEach(() => versions.dispose());

  const show = (visible = true): void => {
    view.visible = visible;
    visibility.fire({ visible });
  };
  const rows = async (): Promise<readonly Node[]> => (await provider.getChildren()) ?? [];
  /** Resolves when the view has replaced its rows. */
  const replaced = (): Promise<unknown> => new Promise((resolve) => provider.onDidChangeTreeData?.(resolve));
  const itemOf = (node: Node): TreeItem => provider.getTreeItem(node) as TreeItem;
  const state = (): unknown => editor.executed.filter(([, key]) => key === 'sessionTree.fileVersionsState').at(-1)?.[2];
  const writes = (count: number): SessionBuilder => {
    let lines = session({ cwd: '/work' });
    for (let at = 1; at <= count; at++) lines = lines.user(`Prompt ${at}`).tool('write', { path: 'a.ts', content: 'x\n'.repeat(at) });
    return lines;
  };

  it('reads nothing while it isn’t visible', async () => {
    const catalog = await store.open({ a: writes(1) });
    open(() => Promise.resolve(catalog), editorOf('/work/a.ts'));
    editors.fire(editorOf('/work/b.ts'));
    sessions.fire(undefined);
    show(false);
    assert.deepEqual([opened, (await rows()).length], [0, 0]);
    editors.fire(editorOf('/work/a.ts'));
    show();
    await replaced();
    assert.deepEqual([opened, (await rows()).length], [1, 1]);
  });

  it('shows the newest versions and more on request, with prompts, lines and age', async () => {
    const catalog = await store.open({ a: writes(103) });
    open(() => Promise.resolve(catalog), editorOf('/work/a.ts'));
    show();
    await replaced();
    const shown = await rows();
    assert.equal(shown.length, 101);
    const [first] = shown;
    const { label, contextValue, command } = itemOf(first!);
    assert.deepEqual([label, contextValue], ['3d · +1 · Prompt 103', 'version entry']);
    assert.deepEqual(
      [command?.command, (command?.arguments?.[0] as VersionRow | undefined)?.entryId],
      ['sessionTree.showFileChange', entryId(308)],
    );
    assert.equal(itemOf(first!).accessibilityInformation?.label, 'Prompt 103, written, lines added: 1, removed: 0, 3 days ago');
    assert.deepEqual([itemOf(shown.at(-1)!).label, itemOf(shown.at(-1)!).description], ['Show More', '3']);
    await editor.commands.get('sessionTree.fileVersions.more')!();
    assert.equal((await rows()).length, 103);
    assert.deepEqual(revealed, [[(await rows())[100], { select: false, focus: true }]]);
    assert.deepEqual([view.description, state()], ['a.ts', 'versions']);
  });

  it('refreshes rows whose age has changed', async () => {
    const catalog = await store.open({ a: writes(2) });
    open(() => Promise.resolve(catalog), editorOf('/work/a.ts'));
    show();
    await replaced();
    const shown = await rows();
    shown.forEach(itemOf);
    age = '4d';
    const next = replaced();
    show();
    assert.deepEqual(await next, shown);
    assert.equal(itemOf(shown[0]!).label, '4d · +1 · Prompt 2');
  });

  it('has the age as a badge where the editor shows badges', async () => {
    const catalog = await store.open({ a: writes(1) });
    open(() => Promise.resolve(catalog), editorOf('/work/a.ts'));
    badge = { path: '/age/3d' } as Uri;
    show();
    await replaced();
    const [row] = await rows();
    assert.deepEqual([itemOf(row!).resourceUri, itemOf(row!).label], [badge, '+1 · Prompt 1']);
    badge = undefined;
    const next = replaced();
    settings.fire({ affectsConfiguration: (name) => name === 'explorer.decorations.badges' });
    await next;
    assert.deepEqual([itemOf(row!).resourceUri, itemOf(row!).label], [undefined, '3d · +1 · Prompt 1']);
  });

  it('follows editors of files until it’s pinned', async () => {
    const catalog = await store.open({ a: writes(1) });
    open(() => Promise.resolve(catalog));
    show();
    await until(() => state() === 'noFile');
    editors.fire(editorOf('/work/a.ts'));
    await until(() => state() === 'versions');
    editors.fire(undefined);
    editors.fire(editorOf('/work/a.ts', 'session-tree-change'));
    await editor.commands.get('sessionTree.fileVersions.pin')!();
    editors.fire(editorOf('/work/b.ts'));
    assert.equal(view.description, 'a.ts');
    await editor.commands.get('sessionTree.fileVersions.unpin')!();
    editors.fire(editorOf('/work/b.ts'));
    await until(() => state() === 'none');
    assert.deepEqual([view.description, await rows()], ['b.ts', []]);
  });

  it('says why it can’t show versions', async () => {
    open(() => Promise.reject(new Error('The disk is gone.')), editorOf('/work/a.ts'));
    show();
    await until(() => state() === 'failed');
    assert.equal(view.message, 'The disk is gone.');
  });

  it('doesn’t fill a cleared catalog again, unless the versions of a file are requested', async () => {
    open(() => store.open({ a: writes(1) }), editorOf('/work/a.ts'));
    isCleared = true;
    show();
    await until(() => state() === 'cleared');
    assert.equal(opened, 0);
    await versions.show('/work/a.ts');
    assert.equal(opened, 1);
  });
});
