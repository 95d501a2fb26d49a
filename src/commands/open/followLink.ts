/** The handler of links to sessions and entries. */
import { realpath } from 'node:fs/promises';
import type { CommandDeps } from '../handler/commandDeps';
import { assertNotInTrash, parseSessionLink } from './sessionLink';
import { checkedRef } from './openCommands';
import type { Notifier } from '../handler/notifications';

/** Opens the context of a link's session or entry, or reports why not. */
export async function followLink(
  deps: Pick<CommandDeps, 'rootsReady' | 'roots' | 'session' | 'showContext'>,
  notifier: Pick<Notifier, 'error'>,
  link: { readonly path: string; readonly query: string },
): Promise<void> {
  try {
    await deps.rootsReady;
    const ref = parseSessionLink(link, deps.roots());
    // Reading reports a file that doesn't exist.
    assertNotInTrash(ref.path, await realpath(ref.path).catch(() => ref.path));
    await deps.showContext(await checkedRef(deps, ref));
  } catch (error) {
    notifier.error(error, undefined);
  }
}
