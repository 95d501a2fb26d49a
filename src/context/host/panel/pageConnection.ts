/** The page of a context view as the host knows it: whether it is there, and what it has drawn. */
import * as vscode from 'vscode';
import { RenderWaiters } from './renderWaiters';
import { parsePageMessage } from './parsePageMessage';
import { pageHtml, webviewOptions } from './pageHtml';
import type { FromPage, ToPage } from '../../shared/protocol';

export class PageConnection {
  /** Of what the page was told last. */
  revision = 0;
  private isReady = false;
  private isClosed = false;
  private rendered = -1;
  private readonly renderWaiters = new RenderWaiters();

  constructor(
    private readonly panel: vscode.WebviewPanel,
    extensionUri: vscode.Uri,
    receive: (message: FromPage) => void,
    onError: (error: unknown, doing: string) => void,
  ) {
    panel.webview.options = webviewOptions(extensionUri);
    panel.webview.onDidReceiveMessage((raw: unknown) => {
      const message = parsePageMessage(raw);
      if (message) receive(message);
      else onError(new Error(vscode.l10n.t('The page sent a message that it never sends, which was ignored.')), vscode.l10n.t('drawing a session’s context'));
    });
    panel.onDidChangeViewState(() => {
      // A hidden page is gone; what it drew has to be drawn again.
      if (!panel.visible) this.isReady = false;
    });
    panel.onDidDispose(() => {
      this.isClosed = true;
      this.renderWaiters.rejectAll(new Error(vscode.l10n.t('The context view was closed before it was drawn.')));
    });
    panel.webview.html = pageHtml(panel.webview, extensionUri);
  }

  /** Whether somebody would hear it. */
  get isConnected(): boolean {
    return this.isReady && !this.isClosed;
  }

  /** The page is a new one, and empty. */
  pageReady(): void {
    this.isReady = true;
    this.rendered = -1;
  }

  /** The page has a revision on the screen. */
  markRendered(revision: number): void {
    this.rendered = revision;
    if (revision >= this.revision) this.renderWaiters.resolveAll();
  }

  /** Resolves when the last revision is on the screen. @throws an `Error` after `patience` milliseconds, or when the page is closed. */
  async whenRendered(timeout: number): Promise<void> {
    if (!this.isReady || this.rendered < this.revision) await this.renderWaiters.wait(timeout);
  }

  post(message: ToPage): void {
    // A closed panel throws at whoever still talks to it.
    if (!this.isClosed) void this.panel.webview.postMessage(message);
  }
}
