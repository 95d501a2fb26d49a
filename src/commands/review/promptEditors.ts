/** Prompts as unsaved documents, in which they're read and changed before they go. */
import * as vscode from 'vscode';
import { uiLine, type RoutedPrompt, type SessionError } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { Notifier } from '../handler/notifications';
import { choose } from '../handler/prompts';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import { wantsFiles } from '../changes/branchQuestion';
import { isOnTip, type Delivery, type PromptDelivery, type WhenInUse } from './promptDelivery';

/** The context key of the button that sends. */
const SHOWN_KEY = 'sessionTree.sendsComments';

interface PromptEditorDeps {
  readonly deps: CommandDeps;
  readonly notifier: Notifier;
  readonly delivery: PromptDelivery;
  /** Sends prompts, and records it. */
  readonly send: (prompts: readonly RoutedPrompt[], options: Parameters<PromptDelivery['send']>[1]) => Promise<Delivery>;
}

interface OpenPrompt {
  readonly prompt: RoutedPrompt;
  readonly document: vscode.TextDocument;
}

export class PromptEditors implements vscode.Disposable {
  private open: readonly OpenPrompt[] = [];
  private count = 0;
  private readonly closing = vscode.workspace.onDidCloseTextDocument((document) => {
    this.setOpen(this.open.filter((one) => one.document !== document));
  });

  constructor(private readonly options: PromptEditorDeps) {}

  /** Opens a document for each prompt, and offers to send them. */
  async show(prompts: readonly RoutedPrompt[]): Promise<void> {
    await this.close();
    const { deps, notifier } = this.options;
    const opened: OpenPrompt[] = [];
    for (const prompt of prompts) {
      const name = uiLine(sessionDisplayName(deps, prompt.path), 60).replaceAll(/[/\\:*?"<>|#%]/g, '-');
      const uri = vscode.Uri.from({ scheme: 'untitled', path: `${String(++this.count)} ${name}.md` });
      const document = await vscode.workspace.openTextDocument(uri);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), prompt.text);
      await vscode.workspace.applyEdit(edit);
      await vscode.window.showTextDocument(document, { preview: false });
      opened.push({ prompt, document });
    }
    this.setOpen(opened);
    const send = { title: vscode.l10n.t('Send'), run: () => this.send() };
    notifier.info(
      prompts.length === 1
        ? vscode.l10n.t('Check the prompt for “{session}”, and send it.', {
            session: sessionDisplayName(deps, prompts[0]?.path ?? ''),
          })
        : vscode.l10n.t('Check the prompts for {count} sessions, and send them.', { count: prompts.length }),
      send,
    );
  }

  /** Sends what the documents say. @throws {vscode.CancellationError} */
  async send(): Promise<void> {
    const { delivery, deps, notifier } = this.options;
    const prompts = this.open
      .map(({ prompt, document }) => ({ ...prompt, text: document.getText().trim() }))
      .filter(({ text }) => text !== '');
    if (prompts.length === 0) return;
    const title = vscode.l10n.t('Send Comments');
    const inUse = await this.askInUse(title, (await delivery.plan(prompts)).sent.filter(({ how }) => how === 'later').length);
    const withFiles = new Set<string>();
    for (const { path, entryId } of prompts) {
      const session = await deps.session(path);
      if (!isOnTip(session, { entryId }) && (await wantsFiles(deps, { call: { title }, ref: { path, entryId }, session })))
        withFiles.add(JSON.stringify([path, entryId]));
    }
    const isWithFiles = ({ path, entryId }: RoutedPrompt): boolean => withFiles.has(JSON.stringify([path, entryId]));
    const { sent, left } = await this.options.send(prompts, {
      inUse,
      branchWithFiles: ({ path, entryId }) => vscode.commands.executeCommand('sessionTree.branchWithFiles', { path, entryId }),
      isWithFiles,
    });
    await this.close();
    if (sent.length > 0) notifier.info(sentText(sent));
    reportLeft(left, notifier);
  }

  dispose(): void {
    this.closing.dispose();
  }

  private async askInUse(title: string, count: number): Promise<WhenInUse> {
    if (count === 0) return 'later';
    return choose<WhenInUse>(title, vscode.l10n.t('Select what happens with sessions that may be in use: {count}', { count }), [
      { label: vscode.l10n.t('Send When Closed'), value: 'later' },
      { label: vscode.l10n.t('Send to a Fork'), value: 'fork' },
      {
        label: vscode.l10n.t('Send Anyway'),
        description: vscode.l10n.t('where no program is certain to use the session'),
        value: 'anyway',
      },
    ]);
  }

  /** Closes the documents without asking whether to save them. */
  private async close(): Promise<void> {
    const documents = this.open.map(({ document }) => document);
    this.setOpen([]);
    for (const document of documents) {
      if (document.isClosed) continue;
      await vscode.window.showTextDocument(document, { preview: false });
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  }

  private setOpen(open: readonly OpenPrompt[]): void {
    if (open.length > 0 !== this.open.length > 0) void vscode.commands.executeCommand('setContext', SHOWN_KEY, open.length > 0);
    this.open = open;
  }
}

/** Shows the reasons why comments didn't go. */
export function reportLeft(left: readonly { readonly error: SessionError }[], notifier: Notifier): void {
  const reasons = new Map(left.map(({ error }) => [error.message, error]));
  for (const error of reasons.values()) notifier.error(error, undefined);
}

function sentText(sent: Delivery['sent']): string {
  const later = sent.filter(({ how }) => how === 'later').length;
  const count = sent.reduce((sum, { comments }) => sum + comments.length, 0);
  const done =
    sent.length === 1
      ? vscode.l10n.t('Sent comments to 1 session: {count}', { count })
      : vscode.l10n.t('Sent comments to {sessions} sessions: {count}', { sessions: sent.length, count });
  return later === 0 ? done : `${done} ${vscode.l10n.t('Sessions whose prompt waits until they’re closed: {count}', { count: later })}`;
}
