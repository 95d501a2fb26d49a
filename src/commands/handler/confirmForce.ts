/** Confirmation of writes to sessions that another program may have open. Asked once for each session, until the window is closed. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { rootOf, SessionError, type SubmitOptions } from '../../core/index';
import { showModal } from '../../ui/safe/messages';
import { localizeProblem } from '../../ui/localize';
import type { CommandDeps } from './commandDeps';
import { forkInsteadAction } from './notifications';
import { withSessionName } from './sessions/sessionNames';

/** The choices in the dialog. */
interface ConfirmForceOptions {
  /** The label of the action that forces the write; “Apply Anyway” by default. */
  readonly forceLabel?: string;
  /** True (the default) to offer a fork, too. */
  readonly canFork?: boolean;
}

/** Writes; if that is refused as `unsure`, asks, and writes with force. A `live` session stays untouched. @throws {vscode.CancellationError} and the errors of `write` */
export type ConfirmForce = <T>(ref: SessionRef, write: (force: boolean) => Promise<T>, options?: ConfirmForceOptions) => Promise<T>;

export function createConfirmForce(deps: Pick<CommandDeps, 'summary'>): ConfirmForce {
  const confirmedPaths = new Set<string>();
  return async (ref, write, { forceLabel = vscode.l10n.t('Apply Anyway'), canFork = true } = {}) => {
    const again = vscode.l10n.t('Retry');
    for (;;) {
      try {
        return await write(confirmedPaths.has(ref.path));
      } catch (error) {
        if (!(error instanceof SessionError) || error.code !== 'unsure') throw error;
        const fork = forkInsteadAction(ref);
        // Enter chooses the first one, which does no harm.
        const actions = [again, ...(canFork ? [fork.title] : []), forceLabel];
        const chosen = await showModal({ question: localizeProblem(withSessionName(deps, error)) }, ...actions);
        if (chosen === forceLabel) {
          confirmedPaths.add(ref.path);
          return write(true);
        }
        if (canFork && chosen === fork.title) await fork.run();
        if (chosen !== again) throw new vscode.CancellationError();
      }
    }
  };
}

/** Returns the options of a write: force, and the dialect of the session's root. */
export function submitOptions(deps: CommandDeps, path: string, force: boolean): SubmitOptions {
  const root = rootOf(path, deps.roots());
  return root ? { force, dialect: root.dialect } : { force };
}
