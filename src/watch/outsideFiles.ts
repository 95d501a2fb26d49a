/** Open session files outside the roots. No listing has them, so they are inspected one by one. */
import { findFileVersion, type StoreChange } from '../core/index';

export class OutsideFiles {
  private known = new Map<string, string>();

  /**
   * Inspects the files. Resolves to the files that have changed or vanished since the last call, including files that
   * weren't in it.
   */
  async refresh(paths: readonly string[]): Promise<StoreChange> {
    const now = new Map<string, string>();
    for (const path of paths) now.set(path, await versionOf(path));
    // A file is opened before it is inspected for the first time, so it may have changed in between.
    const changed = paths.filter((path) => this.known.get(path) !== now.get(path));
    this.known = now;
    return {
      changed: new Set(changed.filter((path) => now.get(path) !== MISSING)),
      removed: new Set(changed.filter((path) => now.get(path) === MISSING)),
    };
  }
}

const MISSING = '';

async function versionOf(path: string): Promise<string> {
  try {
    const version = await findFileVersion(path);
    return version ? JSON.stringify(version) : MISSING;
  } catch {
    // The view that reads the file shows the reason.
    return MISSING;
  }
}
