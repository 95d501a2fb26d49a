/** The Labels view: all labels of all sessions. Opens and reads nothing before the view is shown. */
import * as vscode from 'vscode';
import { LABELS_VIEW, type EntryRef, type SessionRef } from '../contract';
import { Yielder } from '../core/index';
import { showError } from '../ui/safe/messages';
import { registerCommand } from '../ui/safe/registerCommand';
import { localizeError } from '../ui/localize';
import { RowAges, type AgeFormats } from '../ui/rowAges';
import { assertRowExists, createTreeView } from '../ui/safe/treeView';
import { groupLabels, type LabelGroup, type LabelRow } from './labelGroups';
import { labelItem, labelTooltip, projectItem } from './labelItems';
import type { LazyCatalog } from './lazyCatalog';

interface LabelsViewDeps {
  readonly catalog: Pick<LazyCatalog, 'onDidChange' | 'progress' | 'openUnlessCleared'>;
  readonly ages: AgeFormats;
  readonly reveal: (ref: SessionRef) => void;
  /** Returns the rows that have the keyboard focus. */
  readonly focused: <T>(view: vscode.TreeView<T>) => Promise<readonly T[]>;
  /** Resolves to the entry's text in one line; `undefined` if it can't be read. */
  readonly entryText: (ref: EntryRef) => Promise<string | undefined>;
  /** Escapes text for Markdown. */
  readonly escapeMarkdown: (text: string) => string;
  readonly onError: (error: unknown, doing: string) => void;
}

type Node = LabelGroup | LabelRow;

/** Commands for rows of this view; from the keyboard, for the row that has the focus. */
const COMMANDS = { reveal: 'sessionTree.labels.reveal', rename: 'sessionTree.labels.rename', clear: 'sessionTree.labels.clear' } as const;
/** Context key that selects the welcome view in package.json. */
const STATE_KEY = 'sessionTree.labelsState';
/** The least time between two updates in milliseconds. The first change is shown immediately. */
const REFRESH_INTERVAL = 300;
/** Milliseconds after which the person may work elsewhere, so the focus stays there. */
const MAX_FOCUS_DELAY = 2000;

export class LabelsView implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<Node[] | undefined>();
  private readonly view: vscode.TreeView<Node>;
  private readonly ages: RowAges<LabelRow>;
  private readonly disposables: readonly { dispose(): unknown }[];
  private timer: NodeJS.Timeout | undefined;
  /** The time before which no update is due, as of `performance.now`. */
  private notBefore = 0;
  private state = '';
  /** The editor's last request for the groups. It makes the first one by itself when it shows the view. */
  private request: Promise<Node[]> | undefined;
  /** The groups that were reported to the editor, and that it has yet to request. */
  private pending: readonly LabelGroup[] | undefined;
  /** The groups that the editor has, also as JSON. */
  private groupsShown: readonly LabelGroup[] = [];
  private shown = '';
  /** The label that is being cleared, and its place among all labels. */
  private cleared: { readonly row: LabelRow; readonly index: number; readonly until: number } | undefined;

  constructor(private readonly deps: LabelsViewDeps) {
    this.view = createTreeView<Node>(LABELS_VIEW, {
      showCollapseAll: true,
      treeDataProvider: {
        onDidChangeTreeData: this.emitter.event,
        getChildren: (parent) => (parent ? [...(parent.kind === 'project' ? parent.labels : [])] : (this.request = this.takeGroups())),
        getParent: (node) => (node.kind === 'label' ? this.groupsShown.find(({ labels }) => labels.includes(node)) : undefined),
        getTreeItem: (node) => this.itemOf(node),
        resolveTreeItem: async (item, node) => {
          if (node.kind === 'label') item.tooltip = labelTooltip(node, await deps.entryText(node), deps.escapeMarkdown);
          return item;
        },
      },
    });
    this.ages = new RowAges({ formats: deps.ages, isVisible: () => this.view.visible, refresh: (rows) => this.emitter.fire(rows) });
    const onLabel = (command: string, run: (row: LabelRow) => unknown): vscode.Disposable =>
      registerCommand(command, async (...args: [Node?, ...unknown[]]) => {
        try {
          assertRowExists(args);
        } catch (error) {
          void showError(localizeError(error));
          return undefined;
        }
        const row = args[0] ?? (await deps.focused(this.view))[0];
        return row?.kind === 'label' ? run(row) : undefined;
      });
    this.disposables = [
      this.view,
      this.ages,
      this.emitter,
      deps.catalog.onDidChange(() => this.schedule()),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (!visible) return;
        this.ages.update();
        this.schedule();
      }),
      onLabel(COMMANDS.reveal, ({ path, entryId }) => deps.reveal({ path, entryId })),
      // The ordinary commands, with their prompts and refusals.
      onLabel(COMMANDS.rename, (row) => vscode.commands.executeCommand('sessionTree.label', row)),
      onLabel(COMMANDS.clear, (row) => {
        this.cleared = { row, index: this.labels().indexOf(row), until: Date.now() + MAX_FOCUS_DELAY };
        return vscode.commands.executeCommand('sessionTree.clearLabel', row);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const disposable of this.disposables) disposable.dispose();
  }

  private itemOf(node: Node): vscode.TreeItem {
    if (node.kind === 'project') return projectItem(node);
    return labelItem(node, this.ages.of(node, node.timestamp), COMMANDS.reveal);
  }

  private schedule(): void {
    if (!this.view.visible || this.timer) return;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.notBefore = performance.now() + REFRESH_INTERVAL;
        void this.refresh();
      },
      Math.max(0, this.notBefore - performance.now()),
    );
  }

  /** Replaces the rows only if they changed: while the editor replaces rows, keys and buttons don't reach them. */
  private async refresh(): Promise<void> {
    if (!this.request) return;
    await this.request;
    const groups = await this.groups();
    if (this.pending) this.pending = groups;
    else if (JSON.stringify(groups) !== this.shown) {
      this.pending = groups;
      this.emitter.fire(undefined);
    }
  }

  private labels(): readonly LabelRow[] {
    return this.groupsShown.flatMap(({ labels }) => labels);
  }

  /** Once the cleared label is gone, moves the focus to the label that took its place: the editor leaves no row focused. */
  private async leaveCleared(): Promise<void> {
    const { cleared } = this;
    if (!cleared) return;
    const labels = this.labels();
    if (Date.now() <= cleared.until && labels.some(({ path, entryId }) => path === cleared.row.path && entryId === cleared.row.entryId))
      return;
    this.cleared = undefined;
    const next = labels[Math.min(cleared.index, labels.length - 1)];
    if (next && this.view.visible && Date.now() <= cleared.until) await this.view.reveal(next, { select: false, focus: true });
  }

  private async takeGroups(): Promise<Node[]> {
    const groups = this.pending ?? (await this.groups());
    this.pending = undefined;
    this.ages.clear();
    this.groupsShown = groups;
    this.shown = JSON.stringify(groups);
    // Once the editor has the rows.
    setImmediate(() => void this.leaveCleared().catch((error: unknown) => this.deps.onError(error, 'moving the focus')));
    return [...groups];
  }

  private async groups(): Promise<readonly LabelGroup[]> {
    try {
      const catalog = await this.deps.catalog.openUnlessCleared();
      if (!catalog) {
        this.view.message = '';
        await this.setState('cleared');
        return [];
      }
      const files = catalog.files();
      const labels = await catalog.labels();
      const groups = await new Yielder(undefined).run(groupLabels(labels, (path) => files.get(path)?.row.summary));
      const { done, total } = this.deps.catalog.progress();
      const isFilling = done < total;
      this.view.message = isFilling ? vscode.l10n.t('{0} of {1} files read', done, total) : '';
      await this.setState(groups.length > 0 ? 'labels' : isFilling ? 'filling' : 'none');
      return groups;
    } catch (error) {
      if (error instanceof vscode.CancellationError) return [];
      this.view.message = localizeError(error);
      await this.setState('failed');
      this.deps.onError(error, 'listing the labels');
      return [];
    }
  }

  private async setState(state: string): Promise<void> {
    if (state === this.state) return;
    this.state = state;
    await vscode.commands.executeCommand('setContext', STATE_KEY, state);
  }
}
