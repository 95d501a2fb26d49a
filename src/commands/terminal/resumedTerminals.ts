/** Which session a terminal was opened for. */
import type * as vscode from 'vscode';

interface KnownSession {
  readonly path: string;
  readonly id: string;
}

export class ResumedTerminals {
  private readonly paths = new WeakMap<vscode.Terminal, string>();

  remember(terminal: vscode.Terminal, path: string): void {
    this.paths.set(terminal, path);
  }

  /** After a reload of the window the terminals are others, but still say what runs in them. */
  pathOf(terminal: vscode.Terminal, sessions: readonly KnownSession[]): string | undefined {
    const options: vscode.TerminalOptions | vscode.ExtensionTerminalOptions = terminal.creationOptions;
    return this.paths.get(terminal) ?? ('shellArgs' in options ? sessionInArguments(options.shellArgs ?? [], sessions) : undefined);
  }
}

/** The session that arguments name, by its path or its id. On Windows they may be one text. */
export function sessionInArguments(args: readonly string[] | string, sessions: readonly KnownSession[]): string | undefined {
  const names = (name: string): boolean => name !== '' && (typeof args === 'string' ? args.includes(name) : args.includes(name));
  return (sessions.find(({ path }) => names(path)) ?? sessions.find(({ id }) => names(id)))?.path;
}
