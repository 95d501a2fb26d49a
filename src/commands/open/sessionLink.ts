/**
 * Links to sessions and entries. Any program or web page can open a link, so it's checked before anything is read. A
 * link only opens a view, and only of a session below the known session folders: the context, or the review of the files as
 * they were at an entry, in which only the person restores.
 */
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import type { SessionRef } from '../../contract';
import { defined, DIALECTS, isSessionName, rootOf, SessionError, TRASH_FOLDER, type Dialect, type Root } from '../../core/index';

/** The authority of links that the editor routes to this extension: `<scheme>://<authority>/open?…`, or `/restore?…`. */
export const LINK_AUTHORITY = 'pi-session-tree.pi-session-tree';

/** The views that links open. */
type LinkedView = 'context' | 'restore';

/** Returns the view that a link opens; `undefined` for malformed links. */
export function viewOf({ path }: { readonly path: string }): LinkedView | undefined {
  return path === '/open' ? 'context' : path === '/restore' ? 'restore' : undefined;
}

/** @param scheme the editor's own, such as `vscode` */
export function linkToSession(scheme: string, { path, entryId }: SessionRef): string {
  const entry = entryId === undefined ? '' : `&entry=${encodeURIComponent(entryId)}`;
  return `${scheme}://${LINK_AUTHORITY}/open?path=${encodeURIComponent(path)}${entry}`;
}

/** A session by its id, which reveals nothing of this computer, and an entry in it. */
export interface SessionIdRef {
  readonly program: Dialect;
  readonly sessionId: string;
  readonly entryId?: string;
}

/** @param scheme the editor's own, such as `vscode` */
export function linkToSessionId(scheme: string, { program, sessionId, entryId }: SessionIdRef): string {
  const entry = entryId === undefined ? '' : `&entry=${encodeURIComponent(entryId)}`;
  return `${scheme}://${LINK_AUTHORITY}/open?program=${program}&session=${encodeURIComponent(sessionId)}${entry}`;
}

/** Parses a link of `linkToSessionId`; `undefined` for others. @param link as the editor parsed it */
export function parseSessionIdLink(link: { readonly path: string; readonly query: string }): SessionIdRef | undefined {
  const [, name, sessionId, entryId] = /^program=(\w+)&session=([^&]+)(?:&entry=([^&]+))?$/s.exec(link.query) ?? [];
  const program = DIALECTS.find((dialect) => dialect === name);
  if (viewOf(link) === undefined || program === undefined || sessionId === undefined) return undefined;
  return { program, sessionId, ...defined({ entryId }) };
}

/**
 * Parses a link.
 *
 * @param link as the editor parsed it. Its query is decoded, so the path may contain `&`; it ends at the last `&entry=`.
 * @throws {SessionError} `invalid` if the link is malformed, or leads to anything but a session file below `roots`
 */
export function parseSessionLink(link: { readonly path: string; readonly query: string }, roots: readonly Root[]): SessionRef {
  const [, path, entryId] = /^path=(.*?)(?:&entry=([^&]*))?$/s.exec(link.query) ?? [];
  if (viewOf(link) === undefined || path === undefined || !isAbsolute(path) || path.includes('\0') || entryId === '') {
    throw new SessionError('invalid', 'This link doesn’t point to an entry of a session.');
  }
  // The path must be normalized and listed: listings skip hidden folders, and the trash is one.
  const root = rootOf(path, roots);
  const isListed =
    root &&
    isSessionName(basename(path)) &&
    !relative(root.path, path)
      .split(sep)
      .some((name) => name.startsWith('.'));
  if (resolve(path) !== path || !isListed) throw notFollowedError(path);
  return entryId === undefined ? { path } : { path, entryId };
}

/**
 * Checks the real path of a link's file, with symbolic links and short names of Windows resolved.
 *
 * @throws {SessionError} `invalid` if it's in a trash folder
 */
export function assertNotInTrash(path: string, real: string): void {
  if (real.split(sep).some((name) => name.toLowerCase() === TRASH_FOLDER)) throw notFollowedError(path);
}

const notFollowedError = (path: string): SessionError =>
  new SessionError('invalid', 'The link wasn’t opened because its file isn’t one of your sessions: {path}', { path });
