// Texts that would become links, icons or images if the editor interpreted them, and a check for their effects in the
// window.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { driver } from './driver';

const CANARY = 'sessionTreeTest.canary';

/** A command that must not run, a server that must not receive requests, and texts that name both. */
export class Bait implements vscode.Disposable {
  private readonly requests: string[] = [];
  private runs = 0;
  private readonly command = vscode.commands.registerCommand(CANARY, () => {
    this.runs += 1;
  });

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {
    server.on('request', (request, response) => {
      this.requests.push(String(request.url));
      response.end();
    });
  }

  static async lay(): Promise<Bait> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Bait(server, (server.address() as AddressInfo).port);
  }

  /** The text without slashes, for use in a path. Rows leave out the marks of links without a title. */
  readonly name = `[Details](command:${CANARY} "t") $(squirrel)`;

  get text(): string {
    const { port, name } = this;
    return `${name} [page](http://127.0.0.1:${port}/p "t") ![pic](http://127.0.0.1:${port}/i.png) <img src=http://127.0.0.1:${port}/h.png> [f](file:///etc/passwd) $(rocket~spin)`;
  }

  /** Returns the runs of the command and the requests to the server. */
  taken(): { readonly runs: number; readonly requests: readonly string[] } {
    return { runs: this.runs, requests: this.requests };
  }

  /** Returns everything in the window that one of the texts has become; empty if all of them are plain text. */
  async found(): Promise<string[]> {
    return (await driver.evaluate(`(() => {
      const parts = [...document.querySelectorAll('.notifications-toasts, .notifications-center, .monaco-dialog-box, .quick-input-widget, .part.sidebar, .part.panel, .part.titlebar, .part.statusbar, .monaco-hover, .editor-group-container > .title')];
      const inside = (selector) => parts.flatMap((part) => [...part.querySelectorAll(selector)]);
      const names = /${CANARY.replace('.', '\\.')}|127\\.0\\.0\\.1:${this.port}|passwd/;
      return [
        inside('.notification-list-item-message a, .quick-input-message a, .monaco-dialog-box a, .message a'),
        inside('a').filter((link) => names.test([link.getAttribute('href'), link.dataset.href].join(' '))),
        inside('img, iframe, script'),
        // Icons that the editor has nowhere else.
        [...document.querySelectorAll('.codicon-squirrel, .codicon-rocket')],
      ].flat().filter((element) => element.checkVisibility()).map((element) => element.outerHTML.slice(0, 200));
    })()`)) as string[];
  }

  dispose(): void {
    this.command.dispose();
    this.server.close();
  }
}

/** Returns the visible text, without characters of no width. */
export const reads = (text: string): string => text.replaceAll('\u2060', '').replaceAll('\u00a0', ' ');
