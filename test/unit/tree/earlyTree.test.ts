import assert from 'node:assert/strict';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type * as earlyTreeModule from '../../../src/tree/view/earlyTree';
import type { ViewRow } from '../../../src/tree/rows/viewRows';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';

describe('The Sessions view before its code is loaded', () => {
  const row = { id: 'p', row: 'project' } as ViewRow;
  let options: vscode.TreeViewOptions<ViewRow>;
  let load: (parts: earlyTreeModule.TreeParts) => void;
  let fail: (reason: Error) => void;
  let tree: earlyTreeModule.EarlyTree;
  let fired: unknown[];
  let isDisposed: boolean;

  beforeEach(() => {
    const { api } = fakeEditor();
    const { EarlyTree } = loadWithVscode(join(__dirname, '../../../src/tree/view/earlyTree.js'), {
      ...api,
      EventEmitter: FakeEmitter,
      window: {
        createTreeView: (id: string, given: vscode.TreeViewOptions<ViewRow>) => {
          assert.equal(id, 'sessionTree.sessions');
          options = given;
          return { dispose: () => (isDisposed = true) };
        },
      },
    }) as typeof earlyTreeModule;
    tree = new EarlyTree(
      () =>
        new Promise((resolve, reject) => {
          load = resolve;
          fail = reject;
        }),
    );
    fired = [];
    isDisposed = false;
    options.treeDataProvider.onDidChangeTreeData?.((rows) => fired.push(rows));
  });

  const parts = (changes = new FakeEmitter<ViewRow[] | undefined>()): earlyTreeModule.TreeParts =>
    Object({
      rows: {
        onDidChangeTreeData: changes.event,
        getChildren: (parent?: ViewRow) => (parent ? [] : [row]),
        getTreeItem: ({ id }: ViewRow) => ({ label: id }),
        getParent: () => row,
        resolveTreeItem: (item: vscode.TreeItem) => Object.assign(item, { tooltip: 'hover' }),
      },
      dragAndDrop: {
        handleDrag: (rows: readonly ViewRow[], transfer: vscode.DataTransfer) => transfer.set('rows', rows as never),
        handleDrop: (_: unknown, transfer: vscode.DataTransfer) => transfer.set('drop', true as never),
      },
    }) as earlyTreeModule.TreeParts;

  it('answers a request for rows once they can be read, and passes everything on', async () => {
    const { treeDataProvider: provider, dragAndDropController: drag } = options;
    const requested = Promise.resolve(provider.getChildren());
    const changes = new FakeEmitter<ViewRow[] | undefined>();
    load(parts(changes));
    assert.deepEqual(await requested, [row]);
    assert.deepEqual(await provider.getChildren(row), []);
    const item = provider.getTreeItem(row) as vscode.TreeItem;
    assert.equal(item.label, 'p');
    assert.equal(provider.getParent?.(row), row);
    assert.equal((await provider.resolveTreeItem?.(item, row, {} as never))?.tooltip, 'hover');
    changes.fire([row]);
    assert.deepEqual(fired, [[row]]);
    const transfer = new Map();
    await drag?.handleDrag?.([row], transfer as never, {} as never);
    await drag?.handleDrop?.(row, transfer as never, {} as never);
    assert.deepEqual([...transfer.keys()], ['rows', 'drop']);
  });

  it('performs a drop once it can', async () => {
    const transfer = new Map();
    const dropped = Promise.resolve(options.dragAndDropController?.handleDrop?.(undefined, transfer as never, {} as never));
    load(parts());
    await dropped;
    assert.deepEqual([...transfer.keys()], ['drop']);
  });

  it('ends the view, and passes nothing on any more', async () => {
    const changes = new FakeEmitter<ViewRow[] | undefined>();
    load(parts(changes));
    await tree.ready;
    tree.dispose();
    changes.fire([row]);
    assert.deepEqual([isDisposed, fired], [true, []]);
  });

  it('is ready when its parts are, and reports why there are none', async () => {
    const requested = Promise.resolve(options.treeDataProvider.getChildren());
    fail(new Error('gone'));
    await assert.rejects(requested, /gone/);
    await assert.rejects(tree.ready, /gone/);
  });
});
