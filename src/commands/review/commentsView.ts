/** The view of all comments, by session and file. It's there while there are comments. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { COMMENTS_VIEW } from '../../contract';
import { uiLine, type KeptComment } from '../../core/index';
import { createTreeView } from '../../ui/safe/treeView';
import type { CommandDeps } from '../handler/commandDeps';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import type { KeptComments } from './keptComments';
import type { ReviewThreads } from './reviewThreads';

/** The context key of the view. */
const SHOWN_KEY = 'sessionTree.hasComments';

interface CommentsViewOptions {
  readonly deps: CommandDeps;
  readonly kept: KeptComments;
  readonly threads: ReviewThreads;
}

/** The comments of a session; `path` is empty for notes, which go to none. */
interface Group {
  readonly path: string;
  readonly comments: readonly KeptComment[];
}

interface CommentRow {
  readonly comment: KeptComment;
  readonly thread: vscode.CommentThread | undefined;
}

type Node = Group | CommentRow;

export class CommentsView implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<undefined>();
  private readonly view: vscode.TreeView<Node>;
  private readonly subscriptions: vscode.Disposable[];
  private isShown = false;

  constructor(private readonly options: CommentsViewOptions) {
    this.view = createTreeView<Node>(COMMENTS_VIEW, {
      treeDataProvider: {
        onDidChangeTreeData: this.emitter.event,
        getChildren: (parent) => (parent ? ('comments' in parent ? this.rowsOf(parent) : []) : this.groups()),
        getTreeItem: (node) => ('comments' in node ? this.groupItem(node) : this.commentItem(node)),
      },
    });
    this.subscriptions = [this.view, this.emitter, options.threads.onDidChange(() => this.update())];
    this.update();
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }

  private update(): void {
    const isShown = this.options.kept.all().length > 0;
    if (isShown !== this.isShown) void vscode.commands.executeCommand('setContext', SHOWN_KEY, isShown);
    this.isShown = isShown;
    this.emitter.fire(undefined);
  }

  private groups(): Group[] {
    const { kept, threads } = this.options;
    const groups = new Map<string, KeptComment[]>();
    for (const comment of kept.all()) {
      const sentTo = comment.sent?.at(-1)?.path;
      const paths = sentTo === undefined ? (threads.destinationOf(comment)?.paths ?? []) : [sentTo];
      for (const path of paths.length > 0 ? paths : ['']) groups.set(path, [...(groups.get(path) ?? []), comment]);
    }
    return [...groups].map(([path, comments]) => ({
      path,
      comments: comments.sort((a, b) => (a.file === b.file ? a.from - b.from : a.file < b.file ? -1 : 1)),
    }));
  }

  private rowsOf({ comments }: Group): CommentRow[] {
    return comments.map((comment) => ({ comment, thread: this.options.threads.threadOf(comment) }));
  }

  private groupItem({ path, comments }: Group): vscode.TreeItem {
    const name = path === '' ? vscode.l10n.t('Notes') : sessionDisplayName(this.options.deps, path);
    const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
    item.id = `group ${path}`;
    item.description = String(comments.length);
    item.iconPath = new vscode.ThemeIcon(path === '' ? 'note' : 'comment-discussion');
    item.accessibilityInformation = { label: `${name}, ${countedComments(comments.length)}` };
    return item;
  }

  private commentItem({ comment }: CommentRow): vscode.TreeItem {
    const { file, from, text, isResolved, isOutdated } = comment;
    const place = `${basename(file)}:${String(from)}`;
    const label = this.options.threads.labelOf(comment);
    // The place first: a narrow side bar cuts the end.
    const item = new vscode.TreeItem(uiLine(place), vscode.TreeItemCollapsibleState.None);
    item.description = uiLine(text, 80);
    item.tooltip = `${place}\n${label}`;
    // A long name is cut at its end, where the state is.
    const resolved = isResolved ? `, ${vscode.l10n.t('resolved')}` : '';
    item.accessibilityInformation = { label: `${uiLine(text, 300)}, ${place}${resolved}, ${label}` };
    item.iconPath = new vscode.ThemeIcon(isResolved ? 'pass' : isOutdated ? 'warning' : comment.answer ? 'reply' : 'comment');
    item.contextValue = isResolved ? 'resolved' : comment.sent ? 'sent' : 'draft';
    const selection = new vscode.Range(from - 1, 0, from - 1, 0);
    item.command = { command: 'vscode.open', title: '', arguments: [vscode.Uri.file(file), { selection }] };
    return item;
  }
}

const countedComments = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 comment') : vscode.l10n.t('{count} comments', { count });
