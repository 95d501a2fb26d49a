/** Sets the context key that selects the view's welcome content, and names the folders that can't be read. */
import * as vscode from 'vscode';
import { SessionError, type Root, shortPath } from '../../core/index';
import { inspectRoots, viewStateOf, type RootAccess, type ViewState } from './viewState';

export class WelcomeContent {
  private state: ViewState | undefined;
  private reported = new Set<string>();

  constructor(
    private readonly view: Pick<vscode.TreeView<unknown>, 'message'>,
    private readonly onError: (error: unknown, doing: string) => void,
  ) {}

  /** @param silent the paths of roots that don't respond. @param files the number of known session files. @param shown the number of projects with a row. @param notice further text for the message. Never throws. */
  async update(roots: readonly Root[], silent: readonly string[], files: number, shown: number, notice: string): Promise<void> {
    try {
      const access = await inspectRoots(roots, silent);
      const state = viewStateOf(access, files, shown);
      this.report(access);
      // The editor shows either a message or welcome content, never both.
      const listed = (paths: readonly string[]): string => paths.map(shortPath).join(', ');
      const unreadable =
        access.unreadable.length === 0
          ? ''
          : vscode.l10n.t('Can’t read a session folder: {0}', listed(access.unreadable.map(({ path }) => path)));
      const unanswered = silent.length === 0 ? '' : vscode.l10n.t('A session folder isn’t responding: {0}', listed(silent));
      const message = state === 'ok' ? [unanswered, unreadable, notice].filter((part) => part !== '').join(' · ') : '';
      if ((this.view.message ?? '') !== message) this.view.message = message;
      if (state === this.state) return;
      this.state = state;
      await vscode.commands.executeCommand('setContext', 'sessionTree.state', state);
    } catch (error) {
      this.onError(error, vscode.l10n.t('Checking session folders'));
    }
  }

  /** Logs each reason once. */
  private report({ unreadable, silent }: RootAccess): void {
    for (const { path, error } of unreadable)
      if (!this.reported.has(path)) this.onError(error, vscode.l10n.t('Can’t read a session folder: {0}', path));
    for (const path of silent)
      if (!this.reported.has(path))
        this.onError(
          new SessionError('not-found', 'The disk or network it’s on isn’t responding. Retrying: {path}', { path }),
          vscode.l10n.t('A session folder isn’t responding: {0}', path),
        );
    this.reported = new Set([...unreadable.map(({ path }) => path), ...silent]);
  }
}
