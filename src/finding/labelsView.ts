/** The Labels view: every label of all sessions. Nothing is opened or read for it until somebody opens it. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { LABELS_VIEW, type SessionRef } from '../contract';
import { SessionError } from '../core/index';
import { groupLabels, type LabelGroup, type LabelRow } from './labelGroups';
import type { LazyCatalog } from './lazyCatalog';

export interface LabelsViewDeps {
  readonly catalog: Pick<LazyCatalog, 'onDidChange'> & { readonly open: LazyCatalog['open'] };
  readonly ago: (time: number) => string;
  readonly reveal: (ref: SessionRef) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

type Node = LabelGroup | LabelRow;

/** Runs for a click on a row; of no use from elsewhere. */
const REVEAL = 'sessionTree.labels.reveal';
/** Milliseconds between two looks while the catalog is filled. */
const PAUSE = 300;

export class LabelsView implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<undefined>();
  private readonly view: vscode.TreeView<Node>;
  private readonly disposables: readonly { dispose(): unknown }[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: LabelsViewDeps) {
    this.view = vscode.window.createTreeView<Node>(LABELS_VIEW, {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: this.emitter.event,
        getChildren: (parent) => (parent ? [...(parent.kind === 'project' ? parent.labels : [])] : this.groups()),
        getTreeItem: (node) => (node.kind === 'project' ? projectItem(node) : this.labelItem(node)),
      },
    });
    this.disposables = [
      this.view,
      this.emitter,
      deps.catalog.onDidChange(() => this.schedule()),
      this.view.onDidChangeVisibility(({ visible }) => visible && this.schedule()),
      vscode.commands.registerCommand(REVEAL, ({ path, entryId }: SessionRef) => deps.reveal({ path, ...(entryId === undefined ? {} : { entryId }) })),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private schedule(): void {
    if (!this.view.visible || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.emitter.fire(undefined);
    }, PAUSE);
  }

  private async groups(): Promise<Node[]> {
    try {
      const catalog = await this.deps.catalog.open();
      const groups = groupLabels(await catalog.labels(), await catalog.sessions());
      this.view.message = groups.length === 0 ? vscode.l10n.t('No entry has a label yet.') : '';
      return groups;
    } catch (error) {
      if (error instanceof vscode.CancellationError) return [];
      this.view.message = error instanceof SessionError ? vscode.l10n.t(error.template, error.args) : String(error);
      this.deps.onError(error, 'listing the labels');
      return [];
    }
  }

  private labelItem(row: LabelRow): vscode.TreeItem {
    const item = new vscode.TreeItem(row.label);
    item.id = `${row.path}\n${row.entryId}`;
    item.iconPath = new vscode.ThemeIcon('tag');
    item.description = [row.session ?? basename(row.path), this.deps.ago(row.timestamp)].filter((part) => part !== '').join(' · ');
    item.command = { command: REVEAL, title: vscode.l10n.t('Reveal'), arguments: [{ path: row.path, entryId: row.entryId }] };
    return item;
  }
}

function projectItem({ cwd }: LabelGroup): vscode.TreeItem {
  const item = new vscode.TreeItem(cwd === '' ? vscode.l10n.t('Unknown project') : basename(cwd) || cwd, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `project\n${cwd}`;
  item.iconPath = vscode.ThemeIcon.Folder;
  if (cwd !== '') item.description = item.tooltip = cwd;
  return item;
}
