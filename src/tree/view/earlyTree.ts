/**
 * The Sessions view before the code of its rows is loaded. From the creation of a view to its first request for rows, the
 * editor takes longer than loading that code does.
 */
import * as vscode from 'vscode';
import { VIEW } from '../../contract';
import { createTreeView, type TreeProvider } from '../../ui/safe/treeView';
import type { ViewRow } from '../rows/viewRows';

/** The parts of the view that are loaded later. */
export interface TreeParts {
  readonly rows: TreeProvider<ViewRow>;
  readonly dragAndDrop: Pick<vscode.TreeDragAndDropController<ViewRow>, 'handleDrag' | 'handleDrop'>;
}

const URIS = 'text/uri-list';

export class EarlyTree {
  readonly view: vscode.TreeView<ViewRow>;
  private readonly changed = new vscode.EventEmitter<ViewRow | ViewRow[] | undefined>();
  private parts: TreeParts | undefined;

  /** Settles when the editor can have rows, or with the reason why not. */
  readonly ready: Promise<void>;

  /** @param load loads the parts of the view. If it rejects, requests for rows do, too. */
  constructor(load: (view: vscode.TreeView<ViewRow>) => Promise<TreeParts>) {
    this.view = createTreeView<ViewRow>(VIEW, {
      showCollapseAll: true,
      canSelectMany: true,
      treeDataProvider: {
        onDidChangeTreeData: this.changed.event,
        getChildren: async (row) => (await this.whenLoaded()).rows.getChildren(row),
        getTreeItem: (row) => this.loaded().rows.getTreeItem(row),
        getParent: (row) => this.loaded().rows.getParent?.(row),
        resolveTreeItem: (item, row, token) => this.loaded().rows.resolveTreeItem?.(item, row, token),
      },
      dragAndDropController: {
        dragMimeTypes: [URIS],
        dropMimeTypes: [URIS, 'files'],
        handleDrag: (rows, transfer, token) => this.loaded().dragAndDrop.handleDrag?.(rows, transfer, token),
        handleDrop: async (row, transfer, token) => (await this.whenLoaded()).dragAndDrop.handleDrop?.(row, transfer, token),
      },
    });
    this.ready = load(this.view).then((parts) => {
      this.parts = parts;
      parts.rows.onDidChangeTreeData?.((rows) => this.changed.fire(rows ?? undefined));
    });
  }

  dispose(): void {
    this.view.dispose();
    this.changed.dispose();
  }

  private async whenLoaded(): Promise<TreeParts> {
    await this.ready;
    return this.loaded();
  }

  /** The editor has rows only from the parts. */
  private loaded(): TreeParts {
    if (!this.parts) throw new Error('There are no rows yet.');
    return this.parts;
  }
}
