/**
 * Links to an entry: what a program or a page hands over is checked here before anything is read. A link opens and
 * does nothing else, and only what is below the folders of sessions that are known.
 */
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import type { SessionRef } from '../../contract';
import { isSessionName, rootOf, SessionError, TRASH_FOLDER, type Root } from '../../core/index';

/** The editor hands over links of this extension alone: `<scheme>://<this>/open?…`. */
export const LINK_AUTHORITY = 'pi-session-tree.pi-session-tree';

/** @param scheme the editor's own, as `vscode`. */
export function linkToSession(scheme: string, { path, entryId }: SessionRef): string {
  const entry = entryId === undefined ? '' : `&entry=${encodeURIComponent(entryId)}`;
  return `${scheme}://${LINK_AUTHORITY}/open?path=${encodeURIComponent(path)}${entry}`;
}

/**
 * What a link leads to.
 *
 * @param link as the editor parsed it: its query is decoded, so that a path with `&` is still one, up to the last `&entry=`.
 * @throws {SessionError} `invalid`
 */
export function parseSessionLink(link: { readonly path: string; readonly query: string }, roots: readonly Root[]): SessionRef {
  const [, path, entryId] = /^path=(.*?)(?:&entry=([^&]*))?$/s.exec(link.query) ?? [];
  if (link.path !== '/open' || path === undefined || !isAbsolute(path) || path.includes('\0') || entryId === '') {
    throw new SessionError('invalid', 'This link does not lead to an entry of a session.');
  }
  // Neither its way nor its ending may hide where it leads; a listing looks into no hidden folder, and the trash is one.
  const root = rootOf(path, roots);
  const isListed = root && isSessionName(basename(path)) && !relative(root.path, path).split(sep).some((name) => name.startsWith('.'));
  if (resolve(path) !== path || !isListed) throw notFollowedError(path);
  return entryId === undefined ? { path } : { path, entryId };
}

/**
 * Checks where a link's path leads when links on the disk, and short names of Windows, are resolved.
 *
 * @throws {SessionError} `invalid` if it leads into a trash folder.
 */
export function assertNotInTrash(path: string, real: string): void {
  if (real.split(sep).some((name) => name.toLowerCase() === TRASH_FOLDER)) throw notFollowedError(path);
}

const notFollowedError = (path: string): SessionError =>
  new SessionError('invalid', 'The link leads to a file that is not among your sessions, and was not followed: {path}', { path });
