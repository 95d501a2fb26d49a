/** Refusals to archive a session or to move it to the trash. */
import { SessionError } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { ActionableError } from '../handler/notifications';
import { sessionDisplayName } from '../handler/sessionNames';

/** Returns an error as it's shown: without the fork that is offered instead of a change, and with the session's name if a program uses it. */
export function refusalToMove(deps: Pick<CommandDeps, 'summary'>, path: string, error: unknown): unknown {
  if (!(error instanceof SessionError) || error instanceof ActionableError) return error;
  const { code, template, args } = error;
  if (code !== 'live') return new ActionableError(code, template, args);
  const name = sessionDisplayName(deps, path);
  const { program, pid } = args;
  return program === undefined || pid === undefined
    ? new ActionableError('live', 'Another program is using “{name}”. Close it there first.', { name })
    : new ActionableError('live', '{program} (PID {pid}) is using “{name}”. Close it there first.', { program, pid, name });
}
