/** Ctrl+Enter in a list of the extension: opens the active item to the side, as in the editor's own lists. */
import * as vscode from 'vscode';
import { simpleHandler } from './commandHandler';

/** Context key that is true while a list is shown in which the key works. */
const KEY = 'sessionTree.canOpenToSide';

export class SideKey {
  private accept: (() => void) | undefined;

  /** The command of the key. */
  readonly commands = { 'sessionTree.openItemToSide': simpleHandler(() => this.accept?.()) };

  /** @param accept opens the active item of the list to the side. @returns what ends the use when the list is closed */
  use(accept: () => void): vscode.Disposable {
    this.setAccept(accept);
    // Another list that has replaced this list may now use the key.
    return { dispose: () => this.accept === accept && this.setAccept(undefined) };
  }

  private setAccept(accept: (() => void) | undefined): void {
    this.accept = accept;
    void vscode.commands.executeCommand('setContext', KEY, accept !== undefined);
  }
}
