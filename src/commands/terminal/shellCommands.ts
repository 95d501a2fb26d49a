/** Notices the sessions that are opened by commands in terminals, as far as their shells report commands. */
import type * as vscode from 'vscode';
import { onShellCommand } from '../../ui/safe/terminals';
import { sessionInCommand, type KnownSession, type ResumedTerminals } from './resumedTerminals';

export const watchShellCommands = (terminals: ResumedTerminals, sessions: () => readonly KnownSession[]): vscode.Disposable =>
  onShellCommand((terminal, command) => {
    const path = sessionInCommand(command, sessions);
    if (path !== undefined) terminals.remember(terminal, path);
  });
