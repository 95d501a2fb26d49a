/** Threads of comments in editors. Their texts are shown as they are: no link, no icon and no Markdown. */
import * as vscode from 'vscode';
import { uiLine, uiText } from '../../core/index';

/** A comment of a thread. The person's own one can be edited, so its text isn't changed; the editor shows it as plain text. */
export interface ShownComment {
  readonly author: string;
  readonly text: string;
  readonly isOwn: boolean;
}

/** The content of a thread. */
export interface ShownThread {
  readonly range: vscode.Range;
  readonly label: string;
  readonly comments: readonly ShownComment[];
  readonly contextValue: string;
  readonly isResolved: boolean;
}

/** The comment of a thread that the editor passes to commands. */
export interface ThreadComment extends vscode.Comment {
  readonly thread: vscode.CommentThread;
  readonly isOwn: boolean;
}

/** Creates the controller of comments. @param ranges returns the lines of a document that may have comments; never rejects */
export function createComments(
  id: string,
  label: string,
  options: vscode.CommentOptions,
  ranges: (document: vscode.TextDocument, token: vscode.CancellationToken) => Promise<vscode.Range[]>,
): vscode.CommentController {
  const controller = vscode.comments.createCommentController(id, uiLine(label));
  controller.options = options;
  controller.commentingRangeProvider = { provideCommentingRanges: ranges };
  return controller;
}

/** The comments that threads show. Others are set only if they differ, because that ends editing. */
const shownComments = new WeakMap<vscode.CommentThread, string>();

/** Shows something in a thread. */
export function showThread(thread: vscode.CommentThread, { range, label, comments, contextValue, isResolved }: ShownThread): void {
  thread.canReply = false;
  // The editor sends each value that's set to the window, even if it's the same.
  if (!thread.range?.isEqual(range)) thread.range = range;
  const line = uiLine(label, 300);
  if (thread.label !== line) thread.label = line;
  if (thread.contextValue !== contextValue) thread.contextValue = contextValue;
  const state = isResolved ? vscode.CommentThreadState.Resolved : vscode.CommentThreadState.Unresolved;
  if (thread.state !== state) thread.state = state;
  const content = JSON.stringify(comments);
  if (shownComments.get(thread) === content) return;
  shownComments.set(thread, content);
  thread.comments = comments.map(({ author, text, isOwn }): ThreadComment => ({
    author: { name: uiLine(author, 60) },
    body: isOwn ? text : uiText(text),
    mode: vscode.CommentMode.Preview,
    contextValue: isOwn ? 'own' : 'answer',
    thread,
    isOwn,
  }));
}

/** Lets the person edit their comment. */
export function beginEditing(thread: vscode.CommentThread): void {
  const mode = vscode.CommentMode.Editing;
  thread.comments = thread.comments.map((comment) => (comment.contextValue === 'own' ? { ...comment, mode } : comment));
}

/** Ends that when the thread is shown the next time. The editor has put the edited text into the comment. */
export const endEditing = (thread: vscode.CommentThread): boolean => shownComments.delete(thread);
