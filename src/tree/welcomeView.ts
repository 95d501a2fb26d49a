/** Tells the editor why the view is empty, and which folders can't be read beside those that can. */
import * as vscode from 'vscode';
import type { Root } from '../core/index';
import { lookAtRoots, stateOf, type Roots, type ViewState } from './welcome';
import * as words from './words';

export class Welcome {
  private state: ViewState | undefined;
  private reported = new Set<string>();

  constructor(
    private readonly view: Pick<vscode.TreeView<unknown>, 'message'>,
    private readonly onError: (error: unknown, doing: string) => void,
  ) {}

  /** `files`: session files that are known, `shown`: projects that have a row, `notice`: what else is to be said. Never throws. */
  async update(roots: readonly Root[], files: number, shown: number, notice: string): Promise<void> {
    try {
      const seen = await lookAtRoots(roots);
      const state = stateOf(seen, files, shown);
      this.report(seen);
      // The editor shows either a message or a welcome.
      const unread = state === 'ok' ? seen.unreadable.map(({ path }) => words.shortPath(path)).join(', ') : '';
      const unreadable = unread === '' ? '' : vscode.l10n.t('A session folder can’t be read: {0}', unread);
      const message = state === 'ok' ? [unreadable, notice].filter((part) => part !== '').join(' · ') : '';
      if ((this.view.message ?? '') !== message) this.view.message = message;
      if (state === this.state) return;
      this.state = state;
      await vscode.commands.executeCommand('setContext', 'sessionTree.state', state);
    } catch (error) {
      this.onError(error, vscode.l10n.t('Looking at the session folders'));
    }
  }

  /** The log has the reason, once. */
  private report({ unreadable }: Roots): void {
    for (const { path, error } of unreadable) if (!this.reported.has(path)) this.onError(error, vscode.l10n.t('A session folder can’t be read: {0}', path));
    this.reported = new Set(unreadable.map(({ path }) => path));
  }
}
