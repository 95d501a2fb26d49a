/** What happens when somebody follows a link to an entry. */
import type { CommandDeps } from './deps';
import { refOfLink } from './link';
import { checkedRef } from './open';
import type { Voice } from './speak';

/** Opens the context where a link leads, or says why not. */
export async function followLink(deps: Pick<CommandDeps, 'looked' | 'roots' | 'session' | 'showContext'>, voice: Pick<Voice, 'failed'>, link: { readonly path: string; readonly query: string }): Promise<void> {
  try {
    await deps.looked;
    await deps.showContext(await checkedRef(deps, refOfLink(link, deps.roots())));
  } catch (error) {
    voice.failed(error, undefined);
  }
}
