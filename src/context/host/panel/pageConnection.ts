/** Connection to the page of a context view: sends messages, validates received ones, and tracks which content is drawn. */
import * as vscode from 'vscode';
import { pageTranslations } from '../../../core/index';
import { RenderWaiters } from './renderWaiters';
import { parsePageMessage } from './parsePageMessage';
import { pageHtml, webviewOptions } from './pageHtml';
import type { FromPage, ToPage } from '../../shared/protocol';

export class PageConnection {
  /** The revision that was posted last. */
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
      else
        onError(
          new Error(vscode.l10n.t('The context view sent an unexpected message, which was ignored.')),
          vscode.l10n.t('showing the context'),
        );
    });
    panel.onDidChangeViewState(() => {
      // VS Code destroys a hidden page, so its content has to be drawn again.
      if (!panel.visible) this.isReady = false;
    });
    panel.onDidDispose(() => {
      this.isClosed = true;
      this.renderWaiters.rejectAll(new vscode.CancellationError());
    });
    const { bundle } = vscode.l10n;
    const load = (translations?: typeof bundle): void => {
      if (!this.isClosed) panel.webview.html = pageHtml(panel.webview, extensionUri, translations);
    };
    if (!bundle) load();
    else
      pageTranslations(vscode.Uri.joinPath(extensionUri, 'dist').fsPath, bundle).then(load, (error: unknown) => {
        onError(error, vscode.l10n.t('showing the context'));
        load();
      });
  }

  /** True if the page can receive messages. */
  get isConnected(): boolean {
    return this.isReady && !this.isClosed;
  }

  /** Marks the page as loaded and empty. */
  pageReady(): void {
    this.isReady = true;
    this.rendered = -1;
  }

  /** Records that the page shows a revision. */
  markRendered(revision: number): void {
    this.rendered = revision;
    if (revision >= this.revision) this.renderWaiters.resolveAll();
  }

  /**
   * Resolves when the latest revision is on the screen.
   * @throws an `Error` after `timeout` milliseconds; a `CancellationError` if the page is or gets closed.
   */
  async whenRendered(timeout: number): Promise<void> {
    if (this.isClosed) throw new vscode.CancellationError();
    if (!this.isReady || this.rendered < this.revision) await this.renderWaiters.wait(timeout);
  }

  post(message: ToPage): void {
    // `postMessage` throws on a disposed panel.
    if (!this.isClosed) void this.panel.webview.postMessage(message);
  }
}
