/** Paths as sessions name them. */
import { homedir } from 'node:os';
import { posix, resolve, sep, win32 } from 'node:path';
import { isPlainAbsolutePath, isWindowsPath } from './mapPath';
import { expandPath } from '../roots';

/**
 * Resolves a path that a session names against its folder. If the folder is a path of another platform, so is the
 * result, and `~` isn't expanded.
 */
export function resolveIn(cwd: string, file: string): string {
  if (!isForeignPath(cwd)) return resolve(cwd, expandPath(file, homedir(), cwd));
  const style = isWindowsPath(cwd) ? win32 : posix;
  return style.isAbsolute(file) ? style.normalize(file) : style.join(cwd, file);
}

/** True for an absolute path of another platform. */
export const isForeignPath = (path: string): boolean => isPlainAbsolutePath(path) && isWindowsPath(path) !== (sep === '\\');
