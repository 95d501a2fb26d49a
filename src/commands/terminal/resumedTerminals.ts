/** Finds the session that runs in a terminal. */
import type * as vscode from 'vscode';

export interface KnownSession {
  readonly path: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

export class ResumedTerminals {
  private readonly paths = new WeakMap<vscode.Terminal, string>();

  remember(terminal: vscode.Terminal, path: string): void {
    this.paths.set(terminal, path);
  }

  /** Returns the path of a terminal's session. After a reload of the window the terminal objects are new, so the session is found by the program's arguments. */
  pathOf(terminal: vscode.Terminal, sessions: () => readonly KnownSession[]): string | undefined {
    const options: vscode.TerminalOptions | vscode.ExtensionTerminalOptions = terminal.creationOptions;
    return this.paths.get(terminal) ?? ('shellArgs' in options ? sessionInArguments(options.shellArgs ?? [], sessions()) : undefined);
  }
}

/** The options with which the programs open a session again, as a person types them. */
const OPENS_SESSION = /(?:^|\s)(?:--(?:resume|session|fork)(?:[\s=])|-r\s)/;
/** UTF-16 units of a command that are looked at. */
const MAX_COMMAND = 4096;

/** Returns the path of the session that a command, as a person types it, opens again; `undefined` if it opens none by its name. */
export function sessionInCommand(command: string, sessions: () => readonly KnownSession[]): string | undefined {
  const looked = command.slice(0, MAX_COMMAND);
  return OPENS_SESSION.test(looked) ? sessionInArguments(looked, sessions()) : undefined;
}

/**
 * Returns the path of the session that a program's arguments contain as path or id; if several have the id, the path of
 * the most recently active one. On Windows the arguments may be one string.
 */
export function sessionInArguments(args: readonly string[] | string, sessions: readonly KnownSession[]): string | undefined {
  const includes = (name: string): boolean => name !== '' && (typeof args === 'string' ? args.includes(name) : args.includes(name));
  const named = sessions.find(({ path }) => includes(path));
  return (named ?? sessions.filter(({ id }) => includes(id)).sort((a, b) => b.modified - a.modified)[0])?.path;
}
