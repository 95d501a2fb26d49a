/** Where it is unsure whether a program has a session, the person decides: once for each session, while the window is open. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { rootOf, SessionError, type SubmitOptions } from '../../core/index';
import { showModal } from '../../ui/messages';
import { localizeProblem } from '../../ui/localize';
import type { CommandDeps } from '../handler/commandDeps';
import { forkInsteadAction } from '../handler/notifications';

/** What the person may choose. */
export interface ConfirmForceOptions {
  /** By default “Write Anyway”. */
  readonly forceLabel?: string;
  /** Whether a fork serves as well. */
  readonly canFork?: boolean;
}

/** Writes; if that is unsure, asks, and writes with force. What is surely taken stays untouched. */
export type ConfirmForce = <T>(ref: SessionRef, write: (force: boolean) => Promise<T>, options?: ConfirmForceOptions) => Promise<T>;

export function createConfirmForce(): ConfirmForce {
  const decided = new Set<string>();
  return async (ref, write, { forceLabel = vscode.l10n.t('Write Anyway'), canFork = true } = {}) => {
    try {
      return await write(decided.has(ref.path));
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== 'unsure') throw error;
      const fork = forkInsteadAction(ref);
      const chosen = await showModal({ question: localizeProblem(error) }, forceLabel, ...(canFork ? [fork.title] : []));
      if (chosen === forceLabel) {
        decided.add(ref.path);
        return write(true);
      }
      if (canFork && chosen === fork.title) await fork.run();
      throw new vscode.CancellationError();
    }
  };
}

export function submitOptions(deps: CommandDeps, path: string, force: boolean): SubmitOptions {
  const root = rootOf(path, deps.roots());
  return root ? { force, dialect: root.dialect } : { force };
}
