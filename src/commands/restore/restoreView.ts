/** The view in which a person reviews a restore, beside the changes: the files to tick, and the row that restores those. */
import * as vscode from 'vscode';
import { RESTORE_VIEW } from '../../contract';
import type { PlannedFile } from '../../core/index';
import { registerCommand } from '../../ui/safe/registerCommand';
import { createTreeView } from '../../ui/safe/treeView';
import { isChanged } from './planFiles';
import { isExact } from './restoreDiff';
import { commandsNotice } from './restoreQuestion';
import { fileItem, restoreSections, sectionItem, type RestoreFile, type RestoreSection } from './restoreItems';

/** The row that restores the ticked files. Until all are planned, it says so. */
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
  /** The session's folder. */
  readonly folder: string;
  /** Names what happens to a number of files; `undefined` if nothing would. */
  readonly applyLabel: (count: number) => string | undefined;
  readonly onApply: () => unknown;
  readonly onCancel: () => unknown;
  readonly onShowAll: () => unknown;
  readonly onOpen: (file: PlannedFile) => unknown;
}

export class RestoreView implements vscode.Disposable {
  private readonly view: vscode.TreeView<Node>;
  private readonly applyRow: ApplyRow = { kind: 'apply' };
  private files: PlannedFile[] = [];
  /** The number of files when the editor last asked for them, or was told to; 0 before. */
  private shownFiles = 0;
  private isWhole = false;
  /** Made only when they're shown, because very many files may be added one by one. */
  private shownSections: readonly RestoreSection[] | undefined;
  private readonly ticked = new Set<PlannedFile>();
  private readonly emitter = new vscode.EventEmitter<Node | undefined>();
  private readonly disposables: readonly vscode.Disposable[];
  private isDisposed = false;
  private endWaiting: () => void = () => undefined;
  /** Until then the editor shows that the rows are being loaded. */
  private readonly hasFiles = new Promise<void>((resolve) => (this.endWaiting = resolve));
  private showing: Promise<void> | undefined;

  constructor(private readonly options: RestoreViewOptions) {
    const { title, onApply, onCancel, onShowAll, onOpen } = options;
    const view = (this.view = createTreeView<Node>(RESTORE_VIEW, {
      treeDataProvider: {
        onDidChangeTreeData: this.emitter.event,
        getChildren: async (parent) => {
          if (parent) return parent.kind === 'section' ? [...parent.files] : [];
          await this.hasFiles;
          this.shownFiles = this.files.length;
          return this.isDisposed ? [] : [this.applyRow, ...this.sections];
        },
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
      registerCommand(COMMANDS.open, (path: unknown) => {
        const planned = this.files.find(({ file }) => file === path);
        return planned && onOpen(planned);
      }),
    ];
  }

  /** Shows the view, and moves the focus to it, unless the review has ended. Several calls at a time are one. */
  show(): Promise<void> {
    if (this.isDisposed) return Promise.resolve();
    return (this.showing ??= this.focus().finally(() => (this.showing = undefined)));
  }

  private async focus(): Promise<void> {
    await vscode.commands.executeCommand('setContext', SHOWN_KEY, true);
    if (this.isDisposed) return;
    await vscode.commands.executeCommand(`${RESTORE_VIEW}.focus`);
  }

  /** Adds a planned file, ticked if it's certain. */
  add(file: PlannedFile): void {
    this.files.push(file);
    if (isChanged(file) && isExact(file)) this.ticked.add(file);
    this.shownSections = undefined;
    this.endWaiting();
    // The editor asks for all rows again each time, so the rows of very many files are shown when there are twice as many.
    if (this.shownFiles === 0 || this.files.length < 2 * this.shownFiles) return;
    this.shownFiles = this.files.length;
    this.emitter.fire(undefined);
  }

  /** Shows the files of the whole plan, in its order: from now on they can be restored. */
  complete(files: readonly PlannedFile[]): void {
    const before = new Set(this.files);
    for (const file of files) if (!before.has(file)) this.add(file);
    this.files = [...files];
    this.isWhole = true;
    this.refresh(undefined);
  }

  /** Adds a section at the end. */
  addSection(section: RestoreSection): void {
    if (!this.isDisposed) this.refresh([...this.sections, section]);
  }

  private refresh(sections: readonly RestoreSection[] | undefined): void {
    this.shownSections = sections;
    this.emitter.fire(undefined);
  }

  private get sections(): readonly RestoreSection[] {
    return (this.shownSections ??= restoreSections({ files: this.files, folder: this.options.folder }));
  }

  /** The ticked files, in the order of the view. */
  get chosen(): PlannedFile[] {
    return this.sections.flatMap(({ files }) => files.map(({ file }) => file)).filter((file) => this.ticked.has(file));
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.endWaiting();
    // Its place in the side bar goes with it, and another one would be shown.
    if (this.view.visible || this.showing) void vscode.commands.executeCommand('workbench.view.extension.sessionTree');
    void vscode.commands.executeCommand('setContext', SHOWN_KEY, false);
    for (const one of this.disposables) one.dispose();
  }

  private itemOf(node: Node): vscode.TreeItem {
    if (node.kind === 'apply') {
      const label = this.isWhole ? this.options.applyLabel(this.chosen.length) : undefined;
      const instead = this.isWhole ? vscode.l10n.t('Select files') : vscode.l10n.t('Looking for what changed since…');
      const item = new vscode.TreeItem(label ?? instead, vscode.TreeItemCollapsibleState.None);
      item.id = 'apply';
      item.iconPath = new vscode.ThemeIcon(label !== undefined ? 'check' : this.isWhole ? 'info' : 'loading~spin');
      if (label !== undefined) item.command = { command: COMMANDS.apply, title: '' };
      return item;
    }
    const item = node.kind === 'section' ? sectionItem(node) : fileItem(node, COMMANDS.open);
    if (node.kind === 'section' ? node.isTickable : isChanged(node.file))
      item.checkboxState = this.isTicked(node) ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked;
    return item;
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
