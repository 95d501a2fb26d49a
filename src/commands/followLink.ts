/** What happens when somebody follows a link to an entry. */
import { realpath } from 'node:fs/promises';
import type { CommandDeps } from './deps';
import { assertNotInTrash, parseSessionLink } from './link';
import { checkedRef } from './open';
import type { Notifier } from './speak';

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
