/**
 * Links to an entry: what a program or a page hands over is checked here before anything is read. A link opens and
 * does nothing else, and only what is below the folders of sessions that are known.
 */
import { isAbsolute, resolve } from 'node:path';
import type { SessionRef } from '../contract';
import { rootOf, SessionError, type Root } from '../core/index';

/** The editor hands over links of this extension alone: `<scheme>://<this>/open?…`. */
export const LINK_AUTHORITY = 'pi-session-tree.pi-session-tree';

/** @param scheme the editor's own, as `vscode`. */
export function linkTo(scheme: string, { path, entryId }: SessionRef): string {
  const entry = entryId === undefined ? '' : `&entry=${encodeURIComponent(entryId)}`;
  return `${scheme}://${LINK_AUTHORITY}/open?path=${encodeURIComponent(path)}${entry}`;
}

/**
 * What a link leads to.
 *
 * @param link as the editor parsed it: its query is decoded, so that a path with `&` is still one, up to the last `&entry=`.
 * @throws {SessionError} `invalid`
 */
export function refOfLink(link: { readonly path: string; readonly query: string }, roots: readonly Root[]): SessionRef {
  const [, path, entryId] = /^path=(.*?)(?:&entry=([^&]*))?$/s.exec(link.query) ?? [];
  if (link.path !== '/open' || path === undefined || !isAbsolute(path) || path.includes('\0') || entryId === '') {
    throw new SessionError('invalid', 'This link does not lead to an entry of a session.');
  }
  // Neither its way nor its ending may hide where it leads.
  if (resolve(path) !== path || !path.endsWith('.jsonl') || !rootOf(path, roots)) {
    throw new SessionError('invalid', 'The link leads to a file that is not among your sessions, and was not followed: {path}', { path });
  }
  return entryId === undefined ? { path } : { path, entryId };
}
