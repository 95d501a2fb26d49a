/** What happens when somebody follows a link to an entry. */
import { realpath } from 'node:fs/promises';
import type { CommandDeps } from '../handler/commandDeps';
import { assertNotInTrash, parseSessionLink } from './sessionLink';
import { checkedRef } from './openCommands';
import type { Notifier } from '../handler/notifications';

/** Opens the context where a link leads, or says why not. */
export async function followLink(deps: Pick<CommandDeps, 'rootsReady' | 'roots' | 'session' | 'showContext'>, voice: Pick<Notifier, 'error'>, link: { readonly path: string; readonly query: string }): Promise<void> {
  try {
    await deps.rootsReady;
    const ref = parseSessionLink(link, deps.roots());
    // A session that isn't there is said to be missing by those who read it.
    assertNotInTrash(ref.path, await realpath(ref.path).catch(() => ref.path));
    await deps.showContext(await checkedRef(deps, ref));
  } catch (error) {
    voice.error(error, undefined);
  }
}
