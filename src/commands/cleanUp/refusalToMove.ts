/** Refusals to archive a session or to move it to the trash. */
import { SessionError } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { ActionableError } from '../handler/notifications';
import { sessionDisplayName } from '../handler/sessionNames';

/**
 * Returns an error as it's shown: without the fork that is offered instead of a change. If a program uses a session, that is
 * named; it may be one of a subagent.
 */
export function refusalToMove(deps: Pick<CommandDeps, 'summary'>, error: unknown): unknown {
  if (!(error instanceof SessionError) || error instanceof ActionableError) return error;
  const { code, template, args } = error;
  const { path, program, pid } = args;
  // Others of this code say what helps, such as to wait for a subagent.
  if (code !== 'live' || typeof path !== 'string' || !template.includes('fork instead')) return new ActionableError(code, template, args);
  const name = sessionDisplayName(deps, path);
  return program === undefined || pid === undefined
    ? new ActionableError('live', 'Another program is using “{name}”. Close it there first.', { name })
    : new ActionableError('live', '{program} (PID {pid}) is using “{name}”. Close it there first.', { program, pid, name });
}
