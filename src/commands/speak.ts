/** What commands say to a person. Nothing here waits for the answer: a message may stand for as long as it likes. */
import * as vscode from 'vscode';
import type { SessionRef } from '../contract';
import { SessionError, type MessageArgs, type SessionErrorCode } from '../core/index';
import type { Log } from '../ui/log';
import { showError, showInformation, showWarning } from '../ui/messages';
import { reasonOf, sentenceOf } from '../ui/sentence';

/** A button on a message. */
export interface Action {
  readonly title: string;
  readonly run: () => PromiseLike<unknown>;
}

/** A refusal that knows how it can be mended, if at all. */
export class Refusal extends SessionError {
  readonly actions: readonly Action[];
  constructor(
    code: SessionErrorCode,
    template: string,
    args: MessageArgs,
    ...actions: readonly Action[]
  ) {
    super(code, template, args);
    this.actions = actions;
  }
}

export interface Voice {
  /** Says that something was done. */
  readonly done: (text: string, ...actions: Action[]) => void;
  /** Says why something was not done: a refusal in one sentence, a bug with a way to the log. A cancelled prompt is nothing to say. */
  readonly failed: (error: unknown, ref: SessionRef | undefined) => void;
}

export function voice(log: Log): Voice {
  const wait = (shown: Thenable<string | undefined>, actions: readonly Action[]): void => {
    void Promise.resolve(shown)
      .then((title) => actions.find((action) => action.title === title)?.run())
      .catch((error: unknown) => failed(error, undefined));
  };
  const failed: Voice['failed'] = (error, ref) => {
    if (error instanceof vscode.CancellationError) return;
    if (error instanceof SessionError) {
      log.info(`${error.code}: ${error.message}`);
      const actions = remedies(error, ref);
      wait(showWarning(sentenceOf(error), ...actions.map(titleOf)), actions);
      return;
    }
    log.error(error);
    const showLog: Action = { title: vscode.l10n.t('Show Log'), run: () => vscode.commands.executeCommand('sessionTree.showLog') };
    const text = vscode.l10n.t('Something went wrong that should not have: {message}', { message: reasonOf(error) });
    wait(showError(text, showLog.title), [showLog]);
  };
  return {
    done: (text, ...actions) => wait(showInformation(text, ...actions.map(titleOf)), actions),
    failed,
  };
}

const titleOf = (action: Action): string => action.title;

/** What to offer with a refusal that does not say so itself: at most one thing that helps. */
function remedies(error: SessionError, ref: SessionRef | undefined): readonly Action[] {
  if (error instanceof Refusal) return error.actions;
  if (!ref) return [];
  switch (error.code) {
    case 'live':
    case 'unsure':
    case 'torn':
    case 'read-only':
      return [forkInstead(ref)];
    case 'version':
      // A version that nobody here knows can be neither forked nor migrated.
      return Number(error.args['version'] ?? 0) > 3 ? [] : [onRow(vscode.l10n.t('Migrate…'), 'sessionTree.migrate', { path: ref.path })];
    case 'changed':
      return [{ title: vscode.l10n.t('Refresh'), run: () => vscode.commands.executeCommand('sessionTree.refresh') }];
    default:
      return [];
  }
}

export const forkInstead = (ref: SessionRef): Action => onRow(vscode.l10n.t('Fork Instead'), 'sessionTree.fork', ref);

/** Runs a command as if from the row of a session or an entry, so that it may ask and speak. */
export function onRow(title: string, command: string, ref: SessionRef): Action {
  return { title, run: () => vscode.commands.executeCommand(command, { row: ref.entryId === undefined ? 'session' : 'entry', ...ref }) };
}
