/** The command that selects the session of the active editor, view or terminal in the tree. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { isArchivedSession, rootOf, SessionError } from '../../core/index';
import { activeUri, isOnDisk } from './activeUri';
import type { CommandDeps } from '../handler/commandDeps';
import { isLineTarget, type CommandHandler, type MenuTarget } from '../handler/commandHandler';
import { sessionRefOf } from '../handler/commandArguments';
import { ActionableError } from '../handler/notifications';

type Answer = CommandContract['sessionTree.revealSession']['answer'];

export function revealSessionCommands(deps: CommandDeps) {
  const reveal = async (ref: SessionRef, focus = false): Promise<SessionRef> => {
    if (await deps.reveal(ref, { focus })) return ref;
    const { path } = ref;
    const settings = { title: vscode.l10n.t('Open Settings'), run: () => vscode.commands.executeCommand('sessionTree.openSettings') };
    if (rootOf(path, deps.roots())) {
      // Throws if the session is gone: then no setting hides it.
      await deps.session(path);
      throw new ActionableError(
        'not-found',
        'This session is hidden by the view’s settings for programs, empty sessions and subagents: {path}',
        { path },
        settings,
      );
    }
    throw new ActionableError('not-found', 'This session isn’t in any of your session folders: {path}', { path }, settings);
  };

  const revealSession: CommandHandler<Answer> = {
    title: vscode.l10n.t('Reveal Session'),
    runWithArguments: async (args) => reveal(args['path'] === undefined ? await sessionAt(deps, undefined) : sessionRefOf(args)),
    runInteractive: async (call) => {
      const [row] = call.rows;
      call.ref =
        row && 'path' in row
          ? { path: row.path, ...('entryId' in row ? { entryId: row.entryId } : {}) }
          : await sessionAt(deps, call.menuTarget);
      await reveal(call.ref, true);
    },
  };
  return { 'sessionTree.revealSession': revealSession };
}

/**
 * Returns the session of a menu's target; without a target, the session of the active editor or view, then of the
 * active terminal. @throws {SessionError} `not-a-session`, `not-found`
 */
async function sessionAt(deps: CommandDeps, menuTarget: MenuTarget | undefined): Promise<SessionRef> {
  if (menuTarget instanceof vscode.Uri || isLineTarget(menuTarget)) {
    const uri = isLineTarget(menuTarget) ? menuTarget.uri : menuTarget;
    const ref = await sessionOfUri(deps, uri);
    if (ref) return ref;
    throw new SessionError('not-a-session', 'This isn’t a session: {path}', { path: uri.fsPath });
  }
  const shown = menuTarget ? undefined : (deps.activeRef() ?? (await sessionOfUri(deps, activeUri())));
  const terminal = menuTarget ?? vscode.window.activeTerminal;
  const path = shown || !terminal ? undefined : deps.terminals.pathOf(terminal, deps.sessions);
  const ref = shown ?? (path === undefined ? undefined : { path });
  if (ref) return ref;
  if (menuTarget) throw new SessionError('not-found', 'This terminal wasn’t opened to resume a session.', {});
  throw new SessionError(
    'not-found',
    'The active editor or terminal doesn’t belong to a session. Open a session’s context, document or file, or the terminal that resumes it.',
    {},
  );
}

export type SessionOfUriDeps = Pick<CommandDeps, 'refOfDocument' | 'session'>;

/** Returns the session and the entry that a document of the extension shows, or the session of a session file; `undefined` for other URIs. */
export async function sessionOfUri(deps: SessionOfUriDeps, uri: vscode.Uri | undefined): Promise<SessionRef | undefined> {
  const shown = uri && deps.refOfDocument(uri);
  if (shown) return shown;
  if (!uri || !isOnDisk(uri) || !(uri.fsPath.endsWith('.jsonl') || isArchivedSession(uri.fsPath))) return undefined;
  const isSession = await deps.session(uri.fsPath).then(
    () => true,
    () => false,
  );
  return isSession ? { path: uri.fsPath } : undefined;
}
