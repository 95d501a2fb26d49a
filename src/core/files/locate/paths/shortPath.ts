/** Paths as people read them: the inverse of `expandPath`. */
import { homedir } from 'node:os';
import { sep } from 'node:path';

/** Returns a path with `~` for the home folder. */
export function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
