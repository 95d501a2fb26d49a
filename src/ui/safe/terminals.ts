/** Terminals, and links in them. No text in their names and tooltips becomes a link or an icon. */
import * as vscode from 'vscode';
import { uiError, uiLine } from '../../core/index';

/** A program to run in a separate terminal. No text is typed into a shell. */
export interface TerminalProgram {
  readonly cwd: string;
  readonly shellPath: string;
  /** A string only on Windows: the whole command line, unparsed. */
  readonly shellArgs: string[] | string;
  /** The terminal's name for as long as it lives. Without one the program sets the title. */
  readonly name?: string;
  /** True to end the program when the window is closed or reloaded. */
  readonly isTransient?: boolean;
}

/** UTF-16 units of a terminal's name, which tabs and menus show whole. */
const MAX_NAME_LENGTH = 60;

export function createTerminal({ cwd, shellPath, shellArgs, name, isTransient }: TerminalProgram): vscode.Terminal {
  const options: vscode.TerminalOptions = { cwd, shellPath, shellArgs };
  if (isTransient) options.isTransient = true;
  if (name !== undefined) options.name = uiLine(name, MAX_NAME_LENGTH);
  return vscode.window.createTerminal(options);
}

/** Returns the terminals of this window whose program runs. */
export const runningTerminals = (): vscode.Terminal[] => vscode.window.terminals.filter(({ exitStatus }) => exitStatus === undefined);

/** Control characters, which a program would take for keys: all but tabs and line ends. */
// eslint-disable-next-line no-control-regex -- control characters are what this matches
const KEYS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Pastes a text into a program that waits for input, and presses Enter. Nothing in the text can end the paste or be a key. */
export function pasteInto(terminal: vscode.Terminal, text: string): void {
  terminal.sendText(`\u001b[200~${text.replace(/\r\n?/g, '\n').replace(KEYS, '')}\u001b[201~`, true);
}

/** Registers a profile of the manifest. The editor shows the message of a rejection in a notification. */
export function registerTerminalProfile(id: string, prepare: () => Promise<TerminalProgram>): vscode.Disposable {
  return vscode.window.registerTerminalProfileProvider(id, {
    provideTerminalProfile: async () => {
      try {
        const { cwd, shellPath, shellArgs } = await prepare();
        return new vscode.TerminalProfile({ cwd, shellPath, shellArgs });
      } catch (error) {
        throw uiError(error);
      }
    },
  });
}

/** A part of a terminal's line that leads somewhere. */
export interface TerminalLinkTarget<T> {
  /** UTF-16 units from the start of the line. */
  readonly start: number;
  readonly length: number;
  readonly target: T;
}

interface Link<T> extends vscode.TerminalLink {
  readonly target: T;
}

/**
 * Registers links in the lines of terminals.
 *
 * @param tooltip the same for all links: the editor renders it as Markdown that may run commands, so nothing from outside belongs in it
 */
export function registerTerminalLinks<T>(
  tooltip: string,
  find: (line: string) => readonly TerminalLinkTarget<T>[],
  open: (target: T) => void,
): vscode.Disposable {
  const provider: vscode.TerminalLinkProvider<Link<T>> = {
    provideTerminalLinks: ({ line }) =>
      find(line).map(({ start, length, target }) => Object.assign(new vscode.TerminalLink(start, length, uiLine(tooltip)), { target })),
    handleTerminalLink: ({ target }) => open(target),
  };
  return vscode.window.registerTerminalLinkProvider(provider);
}

/** Calls back with each command that a shell reports when it starts. */
export const onShellCommand = (listener: (terminal: vscode.Terminal, command: string) => void): vscode.Disposable =>
  vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => listener(terminal, execution.commandLine.value));
