// The frame of most suites: sessions of their own, and a window that each test leaves as it found it.
import * as vscode from 'vscode';
import { endTest } from './replacements';
import { driver } from './driver';
import { OwnSessions } from './temporarySessions';
import { eventually, untilEqual } from './waiting';

const USUAL_SIZE = { width: 1280, height: 800 };

/** The sessions of the test that runs. */
export let own: OwnSessions;

/**
 * Registers the frame of a suite: each test has separate sessions. After it, what it has replaced is restored, editors,
 * messages, lists and terminals are closed, the sessions are removed, the window has its usual size, and the pointer is
 * in a corner. A test that leaves unsaved documents fails. Hooks that need the sessions are registered later.
 *
 * @param tall true for a window with room for all rows of the sample store
 */
export function editorSuite({ tall = false } = {}): void {
  beforeEach(async () => {
    own = await OwnSessions.make();
    if (tall) await driver.page.setViewportSize({ ...USUAL_SIZE, height: 3000 });
  });
  afterEach(async () => {
    await endTest();
    await driver.page.setViewportSize(USUAL_SIZE);
    // Otherwise a list that the next test opens under the pointer would show a hover over its entries.
    await driver.page.mouse.move(1, 1);
    for (const command of ['workbench.action.closeQuickOpen', 'workbench.action.closeAllEditors', 'notifications.clearAll'])
      await vscode.commands.executeCommand(command);
    await closeTerminals();
    await own.remove();
    // An unsaved document would keep its tab, which the following tests could take for theirs.
    await untilEqual(unsavedDocuments, [], 'no unsaved document');
  });
}

const unsavedDocuments = (): string[] =>
  vscode.workspace.textDocuments.filter((document) => document.isDirty).map(({ uri }) => uri.toString());

/** Runs a command of the extension. */
export const run = <T>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(`sessionTree.${command}`, ...args);

/** Opens a context view. */
export const show = (ref: object): Thenable<{ messages: number }> => run('showContext', ref);

/** Closes all terminals, and waits until the editor has reported it. A panel that is just opening makes one of its own if there is none. */
export async function closeTerminals(): Promise<void> {
  await eventually('the terminals to be closed', () => {
    for (const terminal of vscode.window.terminals) terminal.dispose();
    return vscode.window.terminals.length === 0;
  });
}
