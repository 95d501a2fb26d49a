/** The handler of links to sessions and entries. */
import { realpath } from 'node:fs/promises';
import type { SessionRef } from '../../contract';
import { SessionError } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { assertNotInTrash, parseSessionIdLink, parseSessionLink, viewOf, type SessionIdRef } from './sessionLink';
import { checkedRef } from './openCommands';
import type { Notifier } from '../handler/notifications';
import { newestFirst } from '../handler/sessions/newestFirst';

/** Milliseconds that a link waits for the current reading. */
const CATALOG_TIMEOUT = 10_000;

/** Opens the context of a link's session or entry, or the review of its files, or reports why not. */
export async function followLink(
  deps: Pick<CommandDeps, 'rootsReady' | 'roots' | 'session' | 'showContext' | 'sessions' | 'catalog'>,
  notifier: Pick<Notifier, 'error'>,
  link: { readonly path: string; readonly query: string },
  reviewFiles: (ref: SessionRef) => PromiseLike<unknown>,
): Promise<void> {
  try {
    await deps.rootsReady();
    const byId = parseSessionIdLink(link);
    const ref = byId ? await refOfId(deps, byId) : parseSessionLink(link, deps.roots());
    // Reading reports a file that doesn't exist.
    assertNotInTrash(ref.path, await realpath(ref.path).catch(() => ref.path));
    const checked = await checkedRef(deps, ref);
    await (viewOf(link) === 'restore' ? reviewFiles(checked) : deps.showContext(checked));
  } catch (error) {
    notifier.error(error, undefined);
  }
}

/** @throws {SessionError} `not-found` */
async function refOfId(
  { sessions, catalog }: Pick<CommandDeps, 'sessions' | 'catalog'>,
  { program, sessionId, entryId }: SessionIdRef,
): Promise<SessionRef> {
  // The most recently active one counts if several files have the id.
  const find = async () => (await newestFirst(sessions().filter(({ id, dialect }) => id === sessionId && dialect === program)))[0];
  const known = (await find()) ?? (await catalog.settled(CATALOG_TIMEOUT), await find());
  if (!known) throw new SessionError('not-found', 'There’s no session with this ID: {id}', { id: sessionId });
  return entryId === undefined ? { path: known.path } : { path: known.path, entryId };
}
