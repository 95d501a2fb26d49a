/** A check before a command asks anything: nothing that the person answers would let it change a session in use. */
import { assertFree } from '../../core/index';
import type { CommandDeps } from './commandDeps';
import type { CommandInvocation } from './commandHandler';

/**
 * Makes each session the target of the call in turn, so that the actions of a refusal are about the refused one.
 *
 * @throws {SessionError} `live` if another program uses one of the sessions; for doubts the command asks when it writes
 */
export async function assertNotLive(
  deps: Pick<CommandDeps, 'writer'>,
  call: Pick<CommandInvocation, 'ref'>,
  paths: readonly string[],
): Promise<void> {
  for (const [path, found] of await deps.writer.presence(paths)) {
    call.ref = { path };
    assertFree(path, found, true);
  }
}
