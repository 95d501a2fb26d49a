/** Refusals to archive a session or to move it to the trash. */
import { SessionError, SessionInUseError } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { ActionableError } from '../handler/notifications';
import { sessionDisplayName } from '../handler/sessions/sessionNames';

/**
 * Returns an error as it's shown: without the fork that is offered instead of a change. If a program uses a session, the
 * error names it; it may be a subagent's session.
 */
export function refusalToMove(deps: Pick<CommandDeps, 'summary'>, error: unknown): unknown {
  if (!(error instanceof SessionError) || error instanceof ActionableError) return error;
  const { code, template, args } = error;
  if (!(error instanceof SessionInUseError) || code !== 'live') return new ActionableError(code, template, args);
  const { program, pid } = args;
  const name = sessionDisplayName(deps, error.path);
  return program === undefined || pid === undefined
    ? new ActionableError('live', 'Another program is using “{name}”. Close it there first.', { name })
    : new ActionableError('live', '{program} (PID {pid}) is using “{name}”. Close it there first.', { program, pid, name });
}
