/** What commands say to a person. Nothing here waits for the answer: a message may stand for as long as it likes. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { SessionError, type MessageArgs, type SessionErrorCode } from '../../core/index';
import type { Log } from '../../ui/log';
import { showError, showInformation, showWarning } from '../../ui/messages';
import { localizeError, localizeProblem } from '../../ui/localize';

/** A button on a message. */
export interface NotificationAction {
  readonly title: string;
  readonly run: () => PromiseLike<unknown>;
}

/** A refusal that knows how it can be mended, if at all. */
export class ActionableError extends SessionError {
  readonly actions: readonly NotificationAction[];
  constructor(
    code: SessionErrorCode,
    template: string,
    args: MessageArgs,
    ...actions: readonly NotificationAction[]
  ) {
    super(code, template, args);
    this.actions = actions;
  }
}

export interface Notifier {
  /** Says that something was done. */
  readonly info: (text: string, ...actions: NotificationAction[]) => void;
  /** Says why something was not done: a refusal in one sentence, a bug with a way to the log. A cancelled prompt is nothing to say. */
  readonly error: (error: unknown, ref: SessionRef | undefined) => void;
}

export function createNotifier(log: Log): Notifier {
  const wait = (shown: Thenable<string | undefined>, actions: readonly NotificationAction[]): void => {
    void Promise.resolve(shown)
      .then((title) => actions.find((action) => action.title === title)?.run())
      .catch((error: unknown) => failed(error, undefined));
  };
  const failed: Notifier['error'] = (error, ref) => {
    if (error instanceof vscode.CancellationError) return;
    if (error instanceof SessionError) {
      log.info(`${error.code}: ${error.message}`);
      const actions = suggestedActions(error, ref);
      wait(showWarning(localizeProblem(error), ...actions.map(titleOf)), actions);
      return;
    }
    log.error(error);
    const showLog: NotificationAction = { title: vscode.l10n.t('Show Log'), run: () => vscode.commands.executeCommand('sessionTree.showLog') };
    const text = vscode.l10n.t('Something went wrong that should not have: {message}', { message: localizeError(error) });
    wait(showError(text, showLog.title), [showLog]);
  };
  return {
    info: (text, ...actions) => wait(showInformation(text, ...actions.map(titleOf)), actions),
    error: failed,
  };
}

const titleOf = (action: NotificationAction): string => action.title;

/** What to offer with a refusal that does not say so itself: at most one thing that helps. */
function suggestedActions(error: SessionError, ref: SessionRef | undefined): readonly NotificationAction[] {
  if (error instanceof ActionableError) return error.actions;
  if (!ref) return [];
  switch (error.code) {
    case 'live':
    case 'unsure':
    case 'torn':
    case 'read-only':
      return [forkInsteadAction(ref)];
    case 'version':
      // A version that nobody here knows can be neither forked nor migrated.
      return Number(error.args['version'] ?? 0) > 3 ? [] : [rowCommandAction(vscode.l10n.t('Migrate…'), 'sessionTree.migrate', { path: ref.path })];
    case 'changed':
      return [{ title: vscode.l10n.t('Refresh'), run: () => vscode.commands.executeCommand('sessionTree.refresh') }];
    default:
      return [];
  }
}

export const forkInsteadAction = (ref: SessionRef): NotificationAction => rowCommandAction(vscode.l10n.t('Fork Instead'), 'sessionTree.fork', ref);

/** Runs a command as if from the row of a session or an entry, so that it may ask and speak. */
export function rowCommandAction(title: string, command: string, ref: SessionRef): NotificationAction {
  return { title, run: () => vscode.commands.executeCommand(command, { row: ref.entryId === undefined ? 'session' : 'entry', ...ref }) };
}
