/** Threads of comments on lines, which show whom these would go to, and what came of them. */
import * as vscode from 'vscode';
import type { KeptComment } from '../../core/index';
import { createComments, showThread } from '../../ui/safe/commentThreads';
import type { CommandDeps } from '../handler/commandDeps';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import { CommentPlaces, type FoundLines } from './commentPlaces';
import { destinationsOf, type Destination } from './destinations';
import type { KeptComments } from './keptComments';
import { threadComments, threadContext, threadLabel } from './threadText';

/** The id of the comments in the manifest's menus. */
export const COMMENTS = 'sessionTree.comments';

interface ReviewThreadsOptions {
  readonly deps: CommandDeps;
  readonly kept: KeptComments;
  /** True for a comment whose prompt waits until its session is closed. */
  readonly isWaiting: (comment: KeptComment) => boolean;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds without a change before a document is looked at again. */
const DELAY = 400;

export class ReviewThreads implements vscode.Disposable {
  private readonly controller: vscode.CommentController;
  private readonly threads = new Map<string, vscode.CommentThread>();
  private readonly places = new CommentPlaces();
  private readonly destinations = new Map<string, Destination>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly emitter = new vscode.EventEmitter<void>();
  /** Fires when threads may show something else. */
  readonly onDidChange = this.emitter.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly options: ReviewThreadsOptions) {
    const { kept } = options;
    this.controller = createComments(
      COMMENTS,
      vscode.l10n.t('Review Comments'),
      { placeHolder: vscode.l10n.t('Comment'), prompt: vscode.l10n.t('Comment on these lines') },
      (document) => this.rangesOf(document),
    );
    this.subscriptions = [
      this.controller,
      this.emitter,
      kept.onDidChange(() => this.show()),
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
      vscode.workspace.onDidSaveTextDocument((document) => this.lookSoon(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.places.forget(this.commentsOn(document))),
      vscode.window.onDidChangeVisibleTextEditors(() => this.lookAtVisible()),
    ];
    this.lookAtVisible();
  }

  /** Returns the comment of a thread. */
  commentOf(thread: vscode.CommentThread): KeptComment | undefined {
    const [id] = [...this.threads].find(([, one]) => one === thread) ?? [];
    return id === undefined ? undefined : this.options.kept.get(id);
  }

  threadOf({ id }: KeptComment): vscode.CommentThread | undefined {
    return this.threads.get(id);
  }

  destinationOf({ id }: KeptComment): Destination | undefined {
    return this.destinations.get(id);
  }

  labelOf(comment: KeptComment): string {
    return this.threads.get(comment.id)?.label ?? '';
  }

  /** Takes over the thread that the editor has made for a new comment. */
  adopt(comment: KeptComment, thread: vscode.CommentThread): void {
    this.threads.set(comment.id, thread);
  }

  /** Returns a comment at its place in the document, if it's open; `undefined` if its lines are gone. */
  placed(comment: KeptComment): KeptComment | undefined {
    const document = documentOf(comment);
    if (!document) return comment.isOutdated ? undefined : comment;
    const place = this.places.in(document, comment);
    return place && { ...comment, ...place };
  }

  /** Shows all comments as they are now. */
  show(): void {
    const comments = this.options.kept.all();
    const ids = new Set(comments.map(({ id }) => id));
    for (const [id, thread] of this.threads) {
      if (ids.has(id)) continue;
      thread.dispose();
      this.threads.delete(id);
      this.places.forget([{ id }]);
    }
    for (const comment of comments) this.showOne(comment);
    this.emitter.fire();
  }

  /** Looks at the visible documents again, as when sessions have changed. */
  lookAtVisible(): void {
    for (const { document } of vscode.window.visibleTextEditors) if (document.uri.scheme === 'file') this.lookSoon(document, 0);
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const one of [...this.threads.values(), ...this.subscriptions]) one.dispose();
  }

  private showOne(comment: KeptComment): void {
    const { deps, isWaiting } = this.options;
    const document = documentOf(comment);
    const place = document && this.places.in(document, comment);
    const { from, to } = place ?? comment;
    const last = Math.max((document?.lineCount ?? to) - 1, 0);
    const range = new vscode.Range(Math.min(from - 1, last), 0, Math.min(to - 1, last), 0);
    let thread = this.threads.get(comment.id);
    if (!thread) {
      thread = this.controller.createCommentThread(vscode.Uri.file(comment.file), range, []);
      this.threads.set(comment.id, thread);
    }
    const state = {
      comment,
      place,
      destination: this.destinations.get(comment.id)?.text,
      isWaiting: isWaiting(comment),
      nameOf: (path: string) => sessionDisplayName(deps, path),
    };
    showThread(thread, {
      range,
      label: threadLabel(state),
      comments: threadComments(state),
      contextValue: threadContext(comment),
      isResolved: comment.isResolved,
    });
  }

  /** Lines of a file that sessions have touched, and of one that has comments, may have more. */
  private async rangesOf(document: vscode.TextDocument): Promise<vscode.Range[]> {
    if (document.uri.scheme !== 'file') return [];
    const all = [new vscode.Range(0, 0, Math.max(document.lineCount - 1, 0), 0)];
    if (this.commentsOn(document).length > 0) return all;
    try {
      const catalog = await this.options.deps.currentCatalog();
      return catalog && (await catalog.touching(document.uri.fsPath)).length > 0 ? all : [];
    } catch (error) {
      this.options.onError(error);
      return [];
    }
  }

  private commentsOn({ uri }: vscode.TextDocument): KeptComment[] {
    return uri.scheme === 'file' ? this.options.kept.all().filter(({ file }) => file === uri.fsPath) : [];
  }

  private changed(event: vscode.TextDocumentChangeEvent): void {
    const comments = this.commentsOn(event.document);
    if (comments.length === 0 || event.contentChanges.length === 0) return;
    this.places.changed(event, comments);
    this.lookSoon(event.document);
  }

  private lookSoon(document: vscode.TextDocument, delay = DELAY): void {
    if (document.uri.scheme !== 'file') return;
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => {
        this.timers.delete(key);
        this.look(document).catch((error: unknown) => this.options.onError(error));
      }, delay),
    );
  }

  /** Shows the comments of a document, keeps where they are, and finds out whom they would go to. */
  private async look(document: vscode.TextDocument): Promise<void> {
    const { kept, deps } = this.options;
    await kept.load(document.uri.fsPath);
    const comments = this.commentsOn(document);
    if (comments.length === 0) return;
    const placed = comments.flatMap((comment) => {
      const place = this.places.in(document, comment);
      return place ? { comment, place } : [];
    });
    // A change that isn't saved may be taken back.
    if (!document.isDirty) await this.keep(comments, new Map(placed.map(({ comment, place }) => [comment.id, place])));
    this.show();
    const drafts = placed.filter(({ comment }) => !comment.sent);
    if (drafts.length === 0) return;
    for (const [id, destination] of await destinationsOf(deps, drafts)) this.destinations.set(id, destination);
    this.show();
  }

  private async keep(comments: readonly KeptComment[], places: ReadonlyMap<string, FoundLines>): Promise<void> {
    const moved = (comment: KeptComment): KeptComment => {
      const place = places.get(comment.id);
      return place ? { ...comment, ...place, isOutdated: undefined } : { ...comment, isOutdated: true };
    };
    const changed = comments.filter((comment) => JSON.stringify(moved(comment)) !== JSON.stringify(comment));
    if (changed.length > 0)
      await this.options.kept.update(
        changed.map(({ id }) => id),
        moved,
      );
  }
}

/** Returns the open document of a comment's file. */
const documentOf = ({ file }: KeptComment): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file);
