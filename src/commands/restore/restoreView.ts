/** The view in which a person reviews a restore, beside the changes: the files to tick, and the row that restores those. */
import * as vscode from 'vscode';
import { RESTORE_VIEW } from '../../contract';
import type { PlannedFile, RestorePlan } from '../../core/index';
import { registerCommand } from '../../ui/registerCommand';
import { createTreeView } from '../../ui/treeView';
import { isExact } from './restoreDiff';
import { commandsNotice } from './restoreQuestion';
import { fileItem, restoreSections, sectionItem, type RestoreFile, type RestoreSection } from './restoreItems';

/** The row that restores the ticked files. */
interface ApplyRow {
  readonly kind: 'apply';
}

type Node = ApplyRow | RestoreSection | RestoreFile;

const COMMANDS = {
  apply: `${RESTORE_VIEW}.apply`,
  showAll: `${RESTORE_VIEW}.showAll`,
  cancel: `${RESTORE_VIEW}.cancel`,
  open: `${RESTORE_VIEW}.open`,
} as const;
/** The context key of the view. */
const SHOWN_KEY = 'sessionTree.reviewsRestore';

interface RestoreViewOptions {
  readonly title: string;
  readonly plan: RestorePlan;
  /** Names what happens to a number of files. */
  readonly applyLabel: (count: number) => string;
  readonly onApply: () => unknown;
  readonly onCancel: () => unknown;
  readonly onShowAll: () => unknown;
  readonly onOpen: (file: PlannedFile) => unknown;
}

export class RestoreView implements vscode.Disposable {
  private readonly view: vscode.TreeView<Node>;
  private readonly applyRow: ApplyRow = { kind: 'apply' };
  private sections: readonly RestoreSection[];
  private readonly ticked: Set<PlannedFile>;
  private readonly emitter = new vscode.EventEmitter<Node | undefined>();
  private readonly disposables: readonly vscode.Disposable[];
  private isDisposed = false;

  private readonly applyLabel: RestoreViewOptions['applyLabel'];

  constructor({ title, plan, applyLabel, onApply, onCancel, onShowAll, onOpen }: RestoreViewOptions) {
    this.applyLabel = applyLabel;
    this.sections = restoreSections(plan);
    this.ticked = new Set(
      this.sections.flatMap(({ files, isTickable }) => (isTickable ? files.map(({ file }) => file).filter(isExact) : [])),
    );
    const view = (this.view = createTreeView<Node>(RESTORE_VIEW, {
      treeDataProvider: {
        onDidChangeTreeData: this.emitter.event,
        getChildren: (parent) =>
          parent === undefined ? [this.applyRow, ...this.sections] : parent.kind === 'section' ? [...parent.files] : [],
        // The editor reveals rows only of views that say what's above them.
        getParent: (node) => (node.kind === 'file' ? this.sections.find(({ files }) => files.includes(node)) : undefined),
        getTreeItem: (node) => this.itemOf(node),
      },
    }));
    view.description = title;
    view.message = commandsNotice();
    this.disposables = [
      view,
      this.emitter,
      view.onDidChangeCheckboxState(({ items }) => this.tick(items)),
      registerCommand(COMMANDS.apply, onApply),
      registerCommand(COMMANDS.showAll, onShowAll),
      registerCommand(COMMANDS.cancel, onCancel),
      registerCommand(COMMANDS.open, (node: unknown) => {
        const row = this.sections.flatMap(({ files }) => files).find((file) => file === node);
        return row && onOpen(row.file);
      }),
    ];
  }

  /** Shows the view, and moves the focus to it, unless the review has ended. */
  async show(): Promise<void> {
    if (this.isDisposed) return;
    await vscode.commands.executeCommand('setContext', SHOWN_KEY, true);
    await vscode.commands.executeCommand(`${RESTORE_VIEW}.focus`);
  }

  /** Adds a section at the end. */
  addSection(section: RestoreSection): void {
    if (this.isDisposed) return;
    this.sections = [...this.sections, section];
    this.emitter.fire(undefined);
  }

  /** The ticked files, in the order of the view. */
  get chosen(): PlannedFile[] {
    return this.sections.flatMap(({ files }) => files.map(({ file }) => file)).filter((file) => this.ticked.has(file));
  }

  dispose(): void {
    this.isDisposed = true;
    // Its place in the side bar goes with it, and another one would be shown.
    if (this.view.visible) void vscode.commands.executeCommand('workbench.view.extension.sessionTree');
    void vscode.commands.executeCommand('setContext', SHOWN_KEY, false);
    for (const one of this.disposables) one.dispose();
  }

  private itemOf(node: Node): vscode.TreeItem {
    if (node.kind === 'apply') {
      const item = new vscode.TreeItem(this.applyLabel(this.ticked.size), vscode.TreeItemCollapsibleState.None);
      item.id = 'apply';
      item.iconPath = new vscode.ThemeIcon('check');
      item.command = { command: COMMANDS.apply, title: '' };
      return item;
    }
    const item = node.kind === 'section' ? sectionItem(node) : fileItem(node, COMMANDS.open);
    if (node.kind === 'section' ? node.isTickable : this.isTickable(node))
      item.checkboxState = this.isTicked(node) ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked;
    return item;
  }

  private isTickable(row: RestoreFile): boolean {
    return this.sections.some(({ isTickable, files }) => isTickable && files.includes(row));
  }

  private isTicked(node: RestoreSection | RestoreFile): boolean {
    return node.kind === 'file' ? this.ticked.has(node.file) : node.files.every(({ file }) => this.ticked.has(file));
  }

  private tick(items: readonly (readonly [Node, vscode.TreeItemCheckboxState])[]): void {
    // The editor reports each file of a section, too.
    for (const [node, state] of items) {
      if (node.kind !== 'file') continue;
      if (state === vscode.TreeItemCheckboxState.Checked) this.ticked.add(node.file);
      else this.ticked.delete(node.file);
    }
    this.emitter.fire(this.applyRow);
  }
}
