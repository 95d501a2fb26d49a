/** Submits the changes that commands append to an existing session: labels, branches and names. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { defined, permissionRefusal, SessionError, writeRefusal, type DeferrableChange, type Session } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { submitOptions, type ConfirmForce } from '../handler/confirmForce';
import { ActionableError, forkInsteadAction, type Notifier } from '../handler/notifications';
import { writeWhenFreeAction } from './pendingCommands';

type WriteAnswer = CommandContract['sessionTree.label']['answer'];

export interface ChangeSubmission {
  /** Checks before anything is typed. @throws {SessionError} the reason why nothing may be appended */
  readonly assertMayWrite: (session: Session) => Promise<void>;
  /** Returns a sentence for a prompt if another program has the session, so that what is typed can only be applied later; else an empty text. */
  readonly laterNotice: (path: string) => Promise<string>;
  /** @param force true to write although another program may have the session */
  readonly submit: (path: string, change: DeferrableChange, force: boolean) => Promise<WriteAnswer>;
  /**
   * Asks before it writes in doubt. If another program has the session, the error offers a fork and a pending change. @param group of
   * changes that one undo takes back
   */
  readonly submitInteractively: (ref: SessionRef, change: DeferrableChange, group?: string) => Promise<WriteAnswer>;
}

export function changeSubmission(deps: CommandDeps, notifier: Notifier, confirmForce: ConfirmForce): ChangeSubmission {
  const submit = async (path: string, change: DeferrableChange, force: boolean, group?: string): Promise<WriteAnswer> => {
    const { entryId, concurrent } = await deps.writer.submit(path, change, { ...submitOptions(deps, path, force), ...defined({ group }) });
    await deps.refreshAfterWrite([path]);
    return concurrent ? { entryId, concurrent } : { entryId };
  };

  return {
    assertMayWrite: async (session) => {
      await deps.writer.assertChangeable(session.path);
      const refusal = writeRefusal(session) ?? (await permissionRefusal(session.path));
      if (refusal) throw refusal;
    },
    laterNotice: async (path) => {
      const isLive = (await deps.writer.presence([path])).get(path)?.state === 'live';
      return isLive ? ` ${vscode.l10n.t('Another program is using this session. The change can be applied once it’s closed there.')}` : '';
    },
    submit,
    submitInteractively: async (ref, change, group) => {
      try {
        const written = await confirmForce(ref, (force) => submit(ref.path, change, force, group));
        if (written.concurrent)
          notifier.info(vscode.l10n.t('Another program wrote to this session at the same time. Both changes were kept.'));
        return written;
      } catch (error) {
        if (!(error instanceof SessionError) || error.code !== 'live') throw error;
        throw new ActionableError(
          error.code,
          error.template,
          error.args,
          forkInsteadAction(ref),
          writeWhenFreeAction(deps, ref.path, change),
        );
      }
    },
  };
}
