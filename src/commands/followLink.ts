/** What happens when somebody follows a link to an entry. */
import { realpath } from 'node:fs/promises';
import type { CommandDeps } from './deps';
import { assertNotInTrash, refOfLink } from './link';
import { checkedRef } from './open';
import type { Voice } from './speak';

/** Opens the context where a link leads, or says why not. */
export async function followLink(deps: Pick<CommandDeps, 'looked' | 'roots' | 'session' | 'showContext'>, voice: Pick<Voice, 'failed'>, link: { readonly path: string; readonly query: string }): Promise<void> {
  try {
    await deps.looked;
    const ref = refOfLink(link, deps.roots());
    // A session that isn't there is said to be missing by those who read it.
    assertNotInTrash(ref.path, await realpath(ref.path).catch(() => ref.path));
    await deps.showContext(await checkedRef(deps, ref));
  } catch (error) {
    voice.failed(error, undefined);
  }
}
