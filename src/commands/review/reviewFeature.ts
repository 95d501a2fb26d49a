/** Comments of reviews: their threads, their way to sessions, and what came of them. */
import * as vscode from 'vscode';
import { newGroupId, SessionError, type KeptComment, type RoutedPrompt, type SentComment } from '../../core/index';
import { beginEditing, endEditing, type ThreadComment } from '../../ui/safe/commentThreads';
import { registerCommand } from '../../ui/safe/registerCommand';
import type { CommandDeps } from '../handler/commandDeps';
import type { Notifier } from '../handler/notifications';
import { answerTo } from './commentAnswers';
import { CommentsView } from './commentsView';
import { linesAt } from './commentPlaces';
import { KeptComments } from './keptComments';
import { PromptDelivery, type Delivery } from './promptDelivery';
import { PromptEditors, reportLeft } from './promptEditors';
import { COMMENTS, ReviewThreads } from './reviewThreads';
import { routesOf } from './sendComments';
import { WaitingSender } from './waitingSender';

/** Milliseconds from a change of sessions until answers are looked for. */
const ANSWER_DELAY = 1000;

export class ReviewFeature implements vscode.Disposable {
  private readonly kept: KeptComments;
  private readonly threads: ReviewThreads;
  private readonly delivery: PromptDelivery;
  private readonly editors: PromptEditors;
  private readonly waiting: WaitingSender;
  private readonly subscriptions: vscode.Disposable[];
  private answerTimer: NodeJS.Timeout | undefined;
  private readonly onError = (error: unknown): void => this.deps.log.error(error);

  constructor(
    private readonly deps: CommandDeps,
    private readonly notifier: Notifier,
  ) {
    this.kept = new KeptComments(deps.reviewFolder);
    this.delivery = new PromptDelivery(deps);
    this.waiting = new WaitingSender({
      deps,
      delivery: this.delivery,
      onChange: () => this.threads.show(),
      onProblem: (error) => notifier.error(error, undefined),
    });
    this.threads = new ReviewThreads({
      deps,
      kept: this.kept,
      isWaiting: ({ sent }) => sent?.at(-1)?.how === 'later' && this.waiting.isWaiting(sent.at(-1)?.path ?? ''),
      onError: this.onError,
    });
    this.editors = new PromptEditors({ deps, notifier, delivery: this.delivery, send: (prompts, options) => this.send(prompts, options) });
    const view = new CommentsView({ deps, kept: this.kept, threads: this.threads });
    this.subscriptions = [
      this.kept,
      this.threads,
      this.editors,
      this.waiting,
      view,
      ...this.registerActions(),
      deps.catalog.onDidChange(() => this.lookForAnswersSoon()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.kept.reload().catch(this.onError);
      }),
    ];
    void this.waiting.look();
    this.lookForAnswersSoon();
  }

  /** Opens the prompts of all comments that haven't been sent. @throws {SessionError} `not-found` if there are none */
  async sendAll(): Promise<void> {
    for (const { document } of vscode.window.visibleTextEditors)
      if (document.uri.scheme === 'file') await this.kept.load(document.uri.fsPath);
    await this.open(this.kept.all().filter(({ sent, isResolved }) => !sent && !isResolved));
  }

  dispose(): void {
    clearTimeout(this.answerTimer);
    for (const one of this.subscriptions) one.dispose();
  }

  /** The comments of the prompts that are open, in the order that prompts name them by. */
  private opened: readonly KeptComment[] = [];

  private async open(comments: readonly KeptComment[]): Promise<void> {
    const placed = comments.flatMap((comment) => this.threads.placed(comment) ?? []);
    if (placed.length === 0)
      throw new SessionError('not-found', 'There are no comments to send. Comment on lines that sessions wrote first.');
    const { prompts, unrouted } = await routesOf(this.deps, placed);
    this.opened = placed;
    if (prompts.length > 0) await this.editors.show(prompts);
    reportLeft(unrouted, this.notifier);
  }

  /** Sends prompts of the open comments, which no other window has sent meanwhile, and records it. */
  private async send(prompts: readonly RoutedPrompt[], options: Parameters<PromptDelivery['send']>[1]): Promise<Delivery> {
    const opened = this.opened;
    const commentsOf = ({ comments }: RoutedPrompt): KeptComment[] => comments.flatMap((at) => opened[at] ?? []);
    const taken: RoutedPrompt[] = [];
    const own: RoutedPrompt[] = [];
    // Recorded first: of two windows, one finds that the other has done so.
    for (const prompt of prompts) ((await this.claim(commentsOf(prompt), prompt)) ? own : taken).push(prompt);
    const delivery = await this.delivery.send(own, options);
    for (const prompt of own) {
      const sent = delivery.sent.find(({ comments }) => comments === prompt.comments);
      await this.kept.update(
        commentsOf(prompt).map(({ id }) => id),
        (comment) => withSent(comment, prompt, sent),
      );
    }
    await this.waiting.look();
    const error = new SessionError('changed', 'Another window has sent or deleted these comments.');
    return { ...delivery, left: [...delivery.left, ...taken.flatMap(({ comments }) => comments.map((comment) => ({ comment, error })))] };
  }

  /** Records that comments go to a session. False, and nothing is recorded, if one of them was sent or deleted since it was opened. */
  private async claim(comments: readonly KeptComment[], prompt: RoutedPrompt): Promise<boolean> {
    const { path, entryId } = prompt;
    const ids = comments.map(({ id }) => id);
    const countOf = new Map(comments.map(({ id, sent = [] }) => [id, sent.length]));
    // A comment on lines of two sessions goes to both.
    const isFree = ({ id, sent = [] }: KeptComment): boolean =>
      sent.slice(countOf.get(id)).every((one) => one.path !== path || one.entryId !== entryId);
    const claimed: string[] = [];
    await this.kept.update(ids, (comment) => {
      if (!isFree(comment)) return comment;
      claimed.push(comment.id);
      const sent = { path, entryId, how: 'resume', at: Date.now(), lines: comment.lines } as const;
      return { ...comment, answer: undefined, sent: [...(comment.sent ?? []), sent] };
    });
    if (claimed.length === ids.length) return true;
    await this.kept.update(claimed, (comment) => withSent(comment, prompt, undefined));
    return false;
  }

  private registerActions(): vscode.Disposable[] {
    const on = (name: string, run: (comment: KeptComment, thread: vscode.CommentThread) => unknown): vscode.Disposable =>
      this.register(name, async (given: unknown) => {
        const thread = threadIn(given);
        const comment = thread && this.threads.commentOf(thread);
        if (comment) await run(comment, thread);
      });
    const update = (comment: KeptComment, change: Partial<KeptComment> | undefined): Promise<void> =>
      this.kept.update([comment.id], (one) => (change ? { ...one, ...change } : undefined));
    return [
      // The editor's menus pass these.
      this.register('add', (reply: unknown) => this.add(reply as vscode.CommentReply)),
      on('edit', (_, thread) => beginEditing(thread)),
      on('cancelEdit', (_, thread) => {
        endEditing(thread);
        this.threads.show();
      }),
      this.register('save', async (edited: unknown) => {
        // The menu of a comment that's edited passes it.
        const { thread, body } = edited as ThreadComment;
        const comment = this.threads.commentOf(thread);
        endEditing(thread);
        if (comment) await update(comment, { text: typeof body === 'string' ? body : body.value });
        this.threads.show();
      }),
      on('resolve', (comment) => update(comment, { isResolved: true })),
      on('reopen', (comment) => update(comment, { isResolved: false })),
      on('delete', (comment) => update(comment, undefined)),
      on('send', (comment) => this.open([comment])),
      on('showChanges', (comment) => this.showChanges(comment)),
      this.register('sendPrompts', () => this.editors.send()),
    ];
  }

  private register(name: string, run: (given: unknown) => Promise<unknown>): vscode.Disposable {
    return registerCommand(`${COMMENTS}.${name}`, async (given: unknown) => {
      try {
        await run(given);
      } catch (error) {
        this.notifier.error(error, undefined);
      }
    });
  }

  private async add({ thread, text }: vscode.CommentReply): Promise<void> {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === thread.uri.toString());
    if (!document || !thread.range || text.trim() === '') return;
    const { start, end } = thread.range;
    // A selection of whole lines ends at the start of the next line.
    const to = end.line > start.line && end.character === 0 && thread.comments.length === 0 ? end.line : end.line + 1;
    const place = { from: start.line + 1, to: Math.max(start.line + 1, to) };
    const comment = { id: newGroupId(), file: thread.uri.fsPath, ...place, lines: linesAt(document, place), text, isResolved: false };
    this.threads.adopt(comment, thread);
    await this.kept.add(comment);
    this.threads.lookAtVisible();
  }

  /** Opens what the answer changed, in all files. */
  private async showChanges({ answer }: KeptComment): Promise<void> {
    if (answer) await this.deps.openChanges({ path: answer.path, entryId: answer.entryId, since: answer.promptId });
  }

  private lookForAnswersSoon(): void {
    // Sessions of running programs change all the time.
    this.answerTimer ??= setTimeout(() => {
      this.answerTimer = undefined;
      this.lookForAnswers().catch(this.onError);
    }, ANSWER_DELAY);
  }

  private async lookForAnswers(): Promise<void> {
    for (const comment of this.kept.all()) {
      const last = comment.sent?.at(-1);
      if (!last || comment.isResolved || (this.deps.summary(last.path)?.modified ?? 0) < last.at) continue;
      const answer = await answerTo(comment, await this.deps.session(last.path));
      if (answer && JSON.stringify(answer) !== JSON.stringify(comment.answer))
        await this.kept.update([comment.id], (one) => ({ ...one, answer }));
    }
    this.threads.lookAtVisible();
  }
}

/** Returns a comment of which a prompt went as it's given, or not at all. */
function withSent(
  comment: KeptComment,
  { path, entryId }: RoutedPrompt,
  went: Pick<SentComment, 'path' | 'entryId' | 'how'> | undefined,
): KeptComment {
  const { sent = [] } = comment;
  const at = sent.findLastIndex((one) => one.path === path && one.entryId === entryId);
  const now = sent.flatMap((one, index) =>
    index !== at ? one : went ? { ...one, path: went.path, entryId: went.entryId, how: went.how } : [],
  );
  return { ...comment, sent: now.length > 0 ? now : undefined };
}

/** Returns the thread of a menu's argument: a thread, a comment in one, or a row of the view. */
function threadIn(given: unknown): vscode.CommentThread | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  // The editor passes its own objects, which can't be told apart by a class.
  return 'thread' in given ? (given.thread as vscode.CommentThread) : (given as vscode.CommentThread);
}
