/** Session files that lie outside the roots and are open all the same: nobody lists them, so they are looked at one by one. */
import { stat } from 'node:fs/promises';
import { fileVersion } from '../core/index';

export class OutsideFiles {
  private known = new Map<string, string>();

  /** Looks at these files alone; resolves to those that changed or vanished since they were last looked at, and to those that weren't. */
  async refresh(paths: readonly string[]): Promise<{ changed: string[]; removed: string[] }> {
    const now = new Map<string, string>();
    for (const path of paths) now.set(path, await versionOf(path));
    // Who opened a file has read it before the first look, so it may have changed since.
    const changed = paths.filter((path) => this.known.get(path) !== now.get(path));
    this.known = now;
    return { changed: changed.filter((path) => now.get(path) !== MISSING), removed: changed.filter((path) => now.get(path) === MISSING) };
  }
}

const MISSING = '';

async function versionOf(path: string): Promise<string> {
  try {
    return JSON.stringify(fileVersion(await stat(path, { bigint: true })));
  } catch {
    // Why it can't be seen is told by whoever shows it, when it reads it.
    return MISSING;
  }
}
