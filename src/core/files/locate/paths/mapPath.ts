/** Paths of another machine, as they are here. The other machine may have another platform. */
import { isAbsolute, posix, win32 } from 'node:path';

/** Path prefixes of another machine, each with its folder here. */
export type PathMap = Readonly<Record<string, string>>;

/** UTF-16 units. Longer paths come from no program. */
const MAX_LENGTH = 4096;

/** True for `C:\…` and `\\host\…`, as Windows writes paths. */
export const isWindowsPath = (path: string): boolean => /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path);

/** Windows has two names for the files of a Linux in it; this returns a path with the older one. */
export const withOldWslName = (path: string): string => path.replace(/^[\\/]{2}wsl\.localhost(?=[\\/])/i, '\\\\wsl$$');

/** True for an absolute path of any platform that leads nowhere but to where it says: it has no `..` and no control characters. */
export const isPlainAbsolutePath = (path: string): boolean =>
  path.length <= MAX_LENGTH &&
  // `//` begins a share of Windows or a path of a machine, depending on the platform.
  (isWindowsPath(path) || (posix.isAbsolute(path) && !path.startsWith('//'))) &&
  !/\p{Cc}/u.test(path) &&
  !path.split(isWindowsPath(path) ? /[\\/]/ : '/').includes('..');

/** True if `map` may lead to the path, which must be an absolute path of this machine. */
export const isMapTarget = (path: string): boolean => isPlainAbsolutePath(path) && isAbsolute(path);

/**
 * Returns the path here of what another machine names; the path itself if no prefix applies. The longest prefix counts.
 * Prefixes end at a separator. Case doesn't matter in paths of Windows, and a path never leaves the folder it's mapped to.
 */
export function mapPath(path: string, map: PathMap | undefined): string {
  if (!map || path.length > MAX_LENGTH) return path;
  let best: { readonly from: string; readonly to: string; readonly rest: string } | undefined;
  for (const [from, to] of Object.entries(map)) {
    const rest = restWithin(path, from);
    if (rest !== undefined && (!best || from.length > best.from.length)) best = { from, to, rest };
  }
  if (!best) return path;
  const here = join(best.to, best.rest, best.from);
  return restWithin(here, best.to) === undefined ? path : here;
}

/** Returns the names that another machine may have for a path here, without the path itself. */
export function unmapPath(path: string, map: PathMap | undefined): string[] {
  const found = new Set<string>();
  for (const [from, to] of Object.entries(map ?? {})) {
    const rest = restWithin(path, to);
    // A longer prefix may lead elsewhere.
    const there = rest === undefined ? undefined : join(from, rest, to);
    if (there !== undefined && there !== path && mapPath(there, map) === join(to, rest ?? '', to)) found.add(there);
  }
  return [...found];
}

/** Returns the part of a path after a prefix; `undefined` if the path isn't at or below it. */
function restWithin(path: string, prefix: string): string | undefined {
  if (isWindowsPath(path) !== isWindowsPath(prefix)) return undefined;
  const style = isWindowsPath(path) ? win32 : posix;
  const [full, start] = [style.normalize(withOldWslName(path)), withoutEnd(style.normalize(withOldWslName(prefix)))];
  const fold = (text: string): string => (style === win32 ? text.toLowerCase() : text);
  if (fold(withoutEnd(full)) === fold(start)) return '';
  return fold(full).startsWith(fold(start) + style.sep) ? full.slice(start.length + 1) : undefined;
}

const withoutEnd = (path: string): string => path.replace(/[\\/]+$/, '');

/** @param rest in the style of the path `styleOf` */
function join(to: string, rest: string, styleOf: string): string {
  const target = isWindowsPath(to) ? win32 : posix;
  return target.join(to, ...(isWindowsPath(styleOf) ? rest.split('\\') : rest.split('/')));
}

/** Returns the last name of a folder's path, which may belong to another platform. */
export const folderName = (path: string): string => (isWindowsPath(path) ? win32 : posix).basename(path);
