/** When two paths name the same file, by their names alone. Pure: the platform is passed in. */
import { win32 } from 'node:path';

/** What a path is compared by: on Windows either separator and every way to write a letter are the same. */
export function pathKey(path: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? win32.normalize(path).toLowerCase() : path;
}

/** Whether a path has a part as people write it: in whatever case, with slashes. */
export const pathIncludes = (path: string, part: string): boolean => foldPath(path).includes(foldPath(part));

export const foldPath = (path: string): string => path.toLowerCase().replaceAll('\\', '/').replace(/^\.\//, '');

/** Whether a path is a folder or lies in it. Sessions come from other systems, too, so that either separator ends its name. */
export function isWithin(path: string, folder: string, platform: NodeJS.Platform): boolean {
  const [inner, outer] = [pathKey(path, platform), pathKey(folder, platform)];
  return inner === outer || inner.startsWith(/[/\\]$/.test(outer) ? outer : `${outer}/`) || inner.startsWith(`${outer}\\`);
}
