/** Compares paths by their names alone. Pure: the platform is a parameter. */
import { win32 } from 'node:path';
import { withOldWslName } from './mapPath';

/** The key by which paths are compared: on Windows, separators and case don't matter. */
export function pathKey(path: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? win32.normalize(withOldWslName(path)).toLowerCase() : path;
}

/** True if a path contains a part as people type it: in any case, with slashes. */
export const pathIncludes = (path: string, part: string): boolean => foldPath(path).includes(foldPath(part));

export const foldPath = (path: string): string => path.toLowerCase().replaceAll('\\', '/').replace(/^\.\//, '');

/** True if a path is a folder or lies in it. Either separator ends the folder's name, because sessions may come from other systems. */
export function isWithin(path: string, folder: string, platform: NodeJS.Platform): boolean {
  const [inner, outer] = [pathKey(path, platform), pathKey(folder, platform)];
  return inner === outer || inner.startsWith(/[/\\]$/.test(outer) ? outer : `${outer}/`) || inner.startsWith(`${outer}\\`);
}
