import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConfigurationChangeEvent, TreeDataProvider, TreeItem, Uri } from 'vscode';
import type { Catalog } from '../../../src/core/index';
import type { ListedSession } from '../../../src/core/index';
import type { LabelGroup, LabelRow } from '../../../src/editorCatalog/labelGroups';
import type * as itemsModule from '../../../src/editorCatalog/labelItems';
import type * as viewModule from '../../../src/editorCatalog/labelsView';
import { fakeEditor, type FakeEditor } from '../../fixtures/fakeEditor';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';

type Node = LabelGroup | LabelRow;

describe('The Labels view', () => {
  let editor: FakeEditor;
  let view: { message: string; visible: boolean };
  let provider: TreeDataProvider<Node>;
  let labelsView: viewModule.LabelsView;
  const logged: unknown[] = [];
  /** Ages that differ from their time. */
  let ages: Record<number, string> = {};
  let badge: Uri | undefined;
  let settings: FakeEmitter<Pick<ConfigurationChangeEvent, 'affectsConfiguration'>>;
  let visibility: FakeEmitter<{ visible: boolean }>;
  let changes: FakeEmitter<never>;

  const open = (catalog: () => Promise<Partial<Catalog>>, progress: { done: number; total: number } = { done: 1, total: 1 }): void => {
    editor = fakeEditor();
    view = { message: '', visible: true };
    logged.length = 0;
    ages = {};
    badge = undefined;
    settings = new FakeEmitter();
    visibility = new FakeEmitter();
    changes = new FakeEmitter();
    const { LabelsView } = loadWithVscode(join(__dirname, '../../../src/editorCatalog/labelsView.js'), {
      ...editor.api,
      workspace: { onDidChangeConfiguration: settings.event },
      window: {
        ...editor.api.window,
        createTreeView: (_: string, options: { treeDataProvider: TreeDataProvider<Node> }) => {
          provider = options.treeDataProvider;
          return Object.assign(view, { onDidChangeVisibility: visibility.event, dispose: () => undefined });
        },
      },
    }) as typeof viewModule;
    labelsView = new LabelsView({
      catalog: {
        onDidChange: changes.event,
        progress: () => progress,
        openUnlessCleared: () => catalog() as Promise<Catalog | undefined>,
      },
      ages: {
        age: (time) => ages[time] ?? `${time}d`,
        ago: (time) => `${time} ago`,
        ageBadge: () => badge,
        badgeSetting: 'explorer.decorations.badges',
      },
      reveal: () => undefined,
      focused: () => Promise.resolve([]),
      entryText: () => Promise.resolve('The entry'),
      escapeMarkdown: (text) => text,
      onError: (error) => logged.push(error),
    });
  };
  afterEach(() => labelsView.dispose());

  const children = async (parent?: Node): Promise<Node[]> => (await provider.getChildren(parent)) ?? [];
  const itemOf = (node: Node): TreeItem => provider.getTreeItem(node) as TreeItem;

  it('shows projects by the names of their folders, and their labels below', async () => {
    const cwds = [join(homedir(), 'shop'), '/', ''];
    const label = (path: string, timestamp: number) => ({ path, entryId: 'e1', label: `label of ${path}`, timestamp });
    open(() =>
      Promise.resolve({
        labels: () => Promise.resolve(cwds.map((_, index) => label(`/s/${index}`, 9 - index))),
        files: () =>
          new Map(cwds.map((cwd, index) => [`/s/${index}`, { row: { summary: { cwd, title: 'Hi', writable: true } } } as ListedSession])),
      }),
    );
    const projects = await children();
    assert.deepEqual(
      projects.map((node) => [itemOf(node).label, itemOf(node).description]),
      [
        ['shop', '~/shop'],
        ['/', '/'],
        ['Unknown project', undefined],
      ],
    );
    const [row] = await children(projects[0]);
    assert.deepEqual(
      [itemOf(row!).label, itemOf(row!).description, itemOf(row!).contextValue],
      ['label of /s/0', '9d · Hi', 'label writable'],
    );
    assert.deepEqual(editor.executed, [['setContext', 'sessionTree.labelsState', 'labels']]);
  });

  it('says how far reading is, and which welcome content an empty view has', async () => {
    const empty: Partial<Catalog> = { labels: () => Promise.resolve([]), files: () => new Map() };
    open(() => Promise.resolve(empty), { done: 2, total: 9 });
    assert.deepEqual(await children(), []);
    assert.equal(view.message, '2 of 9 files read');
    assert.deepEqual(editor.executed, [['setContext', 'sessionTree.labelsState', 'filling']]);
  });

  it('says why the labels can not be listed', async () => {
    open(() => Promise.reject(new Error('The disk is full.')));
    assert.deepEqual(await children(), []);
    assert.equal(view.message, 'The disk is full.');
    assert.deepEqual(editor.executed, [['setContext', 'sessionTree.labelsState', 'failed']]);
    assert.equal(logged.length, 1);
  });

  it('refreshes the rows whose age has changed, and no others', async () => {
    const label = (timestamp: number) => ({ path: `/s/${timestamp}`, entryId: 'e1', label: 'label', timestamp });
    open(() => Promise.resolve({ labels: () => Promise.resolve([label(1), label(2)]), files: () => new Map() }));
    const [project] = await children();
    const rows = await children(project);
    assert.deepEqual(rows.map(itemOf).length, 2);
    const refreshed: unknown[] = [];
    provider.onDidChangeTreeData?.((nodes) => refreshed.push(nodes));
    visibility.fire({ visible: true });
    assert.deepEqual(refreshed, []);
    ages[2] = '3d';
    view.visible = false;
    visibility.fire({ visible: false });
    assert.deepEqual(refreshed, []);
    view.visible = true;
    visibility.fire({ visible: true });
    assert.deepEqual(refreshed, [[rows.find((row) => 'timestamp' in row && row.timestamp === 2)]]);
  });

  it('has the age as a badge where the editor shows badges', async () => {
    const label = { path: '/s/1', entryId: 'e1', label: 'label', timestamp: 5 };
    open(() => Promise.resolve({ labels: () => Promise.resolve([label]), files: () => new Map() }));
    badge = { path: '/age/5d' } as Uri;
    const [row] = await children((await children())[0]);
    assert.deepEqual([itemOf(row!).resourceUri, itemOf(row!).description], [badge, '1']);
    const refreshed: unknown[] = [];
    provider.onDidChangeTreeData?.((nodes) => refreshed.push(nodes));
    badge = { path: '/age/1w' } as Uri;
    visibility.fire({ visible: true });
    assert.deepEqual(refreshed.splice(0), [[row]]);
    badge = undefined;
    settings.fire({ affectsConfiguration: (name) => name === 'explorer.decorations.badges' });
    assert.deepEqual(refreshed, [[row]]);
    assert.deepEqual([itemOf(row!).resourceUri, itemOf(row!).description], [undefined, '5d · 1']);
  });

  it('replaces its rows only if the labels changed', async () => {
    let [listings, label] = [0, 'before'];
    open(() =>
      Promise.resolve({
        labels: () => Promise.resolve([{ path: '/s/1', entryId: 'e1', label, timestamp: ++listings && 5 }]),
        files: () => new Map(),
      }),
    );
    await children();
    let replaced = 0;
    provider.onDidChangeTreeData?.(() => replaced++);
    changes.fire(undefined as never);
    await until(() => listings === 2);
    label = 'after';
    changes.fire(undefined as never);
    await until(() => replaced > 0);
    assert.equal(replaced, 1);
    const [project] = await children();
    assert.deepEqual(
      (await children(project)).map((node) => itemOf(node).label),
      ['after'],
    );
    assert.equal(listings, 3);
  });

  it('tells the editor once of changes that it has yet to request, and not before it requests rows', async () => {
    let [listings, label] = [0, 'first'];
    open(() =>
      Promise.resolve({
        labels: () => Promise.resolve([{ path: '/s/1', entryId: 'e1', label, timestamp: ++listings && 5 }]),
        files: () => new Map(),
      }),
    );
    let replaced = 0;
    provider.onDidChangeTreeData?.(() => replaced++);
    changes.fire(undefined as never);
    // Timers of equal length end in their order, so that of the change has ended then.
    await new Promise((resolve) => setTimeout(resolve, 1));
    assert.equal(listings, 0);
    await children();
    label = 'second';
    changes.fire(undefined as never);
    await until(() => replaced === 1);
    label = 'third';
    changes.fire(undefined as never);
    await until(() => listings === 3);
    const [project] = await children();
    assert.deepEqual(
      (await children(project)).map((node) => itemOf(node).label),
      ['third'],
    );
    assert.equal(replaced, 1);
  });

  it('says in a message that the row of a button is gone', async () => {
    open(() => Promise.resolve({ labels: () => Promise.resolve([]), files: () => new Map() }));
    await editor.commands.get('sessionTree.labels.clear')?.(undefined, undefined);
    assert.deepEqual(editor.messages, [['The list has changed. Try again.']]);
  });

  it('has short hovers, whatever a label has', () => {
    const { labelTooltip } = loadWithVscode(
      join(__dirname, '../../../src/editorCatalog/labelItems.js'),
      fakeEditor().api,
    ) as typeof itemsModule;
    const long = '['.repeat(1_000_000);
    const row: LabelRow = {
      ...{ kind: 'label', row: 'entry', path: '/s.jsonl', entryId: 'a', label: long, timestamp: 0 },
      ...{ writable: true, session: long, copies: 0 },
    };
    assert.ok(labelTooltip(row, 'text', (text) => text).value.length < 3_000);
  });
});
