/** Notifications of commands. No command waits for a notification to be closed. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { canUnarchive, SessionError, type MessageArgs, type SessionErrorCode } from '../../core/index';
import { isMissingCode, offerReload } from '../../ui/loadCode';
import { showError, showInformation, showWarning } from '../../ui/safe/messages';
import { localizeError, localizeForNotification } from '../../ui/localize';
import type { CommandDeps } from './commandDeps';
import { withSessionName } from './sessions/sessionNames';

/** A button on a message. */
export interface NotificationAction {
  readonly title: string;
  readonly run: () => PromiseLike<unknown>;
}

/** A refusal with its own actions, none if nothing helps. */
export class ActionableError extends SessionError {
  readonly actions: readonly NotificationAction[];
  constructor(code: SessionErrorCode, template: string, args: MessageArgs, ...actions: readonly NotificationAction[]) {
    super(code, template, args);
    this.actions = actions;
  }
}

export interface Notifier {
  /** Reports that something was done. */
  readonly info: (text: string, ...actions: NotificationAction[]) => void;
  /** Reports why something was not done: a refusal in one sentence, a bug with an action that opens the log. A cancelled prompt and a slow page aren't reported. */
  readonly error: (error: unknown, ref: SessionRef | undefined) => void;
}

export function createNotifier(deps: Pick<CommandDeps, 'log' | 'summary'>): Notifier {
  const { log } = deps;
  const runChosen = (shown: Thenable<string | undefined>, actions: readonly NotificationAction[]): void => {
    void Promise.resolve(shown)
      .then((title) => actions.find((action) => action.title === title)?.run())
      .catch((error: unknown) => reportError(error, undefined));
  };
  const reportError: Notifier['error'] = (error, ref) => {
    if (error instanceof vscode.CancellationError) return;
    if (error instanceof SessionError) {
      log.info(`${error.code}: ${error.message}`);
      const actions = suggestedActions(error, ref);
      runChosen(showWarning(localizeForNotification(withSessionName(deps, error)), ...actions.map(titleOf)), actions);
      return;
    }
    log.error(error);
    if (isMissingCode(error)) {
      void offerReload();
      return;
    }
    if (isSlowPage(error)) return;
    const showLog: NotificationAction = {
      title: vscode.l10n.t('Show Log'),
      run: () => vscode.commands.executeCommand('sessionTree.showLog'),
    };
    const text = vscode.l10n.t('Unexpected error: {message}', { message: localizeError(error) });
    runChosen(showError(text, showLog.title), [showLog]);
  };
  return {
    info: (text, ...actions) => runChosen(showInformation(text, ...actions.map(titleOf)), actions),
    error: reportError,
  };
}

/** True if the context view takes long to load: it says so itself, and shows its content when it's there. */
const isSlowPage = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'timeout';

const titleOf = (action: NotificationAction): string => action.title;

/** Returns the actions of a refusal: its own ones, otherwise at most one by its code. */
function suggestedActions(error: SessionError, ref: SessionRef | undefined): readonly NotificationAction[] {
  if (error instanceof ActionableError) return error.actions;
  if (!ref) return [];
  switch (error.code) {
    case 'live':
    case 'unsure':
    case 'torn':
      return [forkInsteadAction(ref)];
    case 'read-only':
      if (canUnarchive(ref.path))
        return [rowCommandAction(vscode.l10n.t('Unarchive'), 'sessionTree.unarchive', { path: ref.path }), forkInsteadAction(ref)];
      return [forkInsteadAction(ref)];
    case 'version':
      // An unknown version can be neither forked nor migrated.
      return Number(error.args['version'] ?? 0) > 3
        ? []
        : [rowCommandAction(vscode.l10n.t('Migrate…'), 'sessionTree.migrate', { path: ref.path })];
    case 'changed':
      return [{ title: vscode.l10n.t('Refresh'), run: () => vscode.commands.executeCommand('sessionTree.refresh') }];
    default:
      return [];
  }
}

export const forkInsteadAction = (ref: SessionRef): NotificationAction =>
  rowCommandAction(vscode.l10n.t('Fork Instead'), 'sessionTree.fork', ref);

/** Makes an action that runs a command as from a row, so that it may prompt and show messages. */
export function rowCommandAction(title: string, command: string, ref: SessionRef): NotificationAction {
  return { title, run: () => vscode.commands.executeCommand(command, { row: ref.entryId === undefined ? 'session' : 'entry', ...ref }) };
}
