/** The folders of projects that don't exist any more. */
import type { UntrustedPaths } from '../../core/index';

/** Milliseconds for which a folder isn't looked at again. */
const KEEP_MS = 30_000;

export class MissingFolders {
  private readonly missing = new Set<string>();
  private readonly checkedAt = new Map<string, number>();

  constructor(private readonly named: UntrustedPaths) {}

  /** True if the folder was gone when it was last looked at. */
  has = (folder: string): boolean => this.missing.has(folder);

  /**
   * Checks the folders that haven't been checked for a while. A folder that may be on another computer never counts as
   * missing.
   *
   * @returns true if a folder has disappeared or returned.
   */
  async check(folders: Iterable<string>): Promise<boolean> {
    const now = Date.now();
    const due = [...folders].filter((folder) => folder !== '' && now - (this.checkedAt.get(folder) ?? -Infinity) > KEEP_MS);
    for (const folder of due) this.checkedAt.set(folder, now);
    let hasChanged = false;
    await Promise.all(
      due.map(async (folder) => {
        const isMissing = await this.named.isMissing(folder);
        hasChanged ||= isMissing !== this.missing.has(folder);
        if (isMissing) this.missing.add(folder);
        else this.missing.delete(folder);
      }),
    );
    return hasChanged;
  }
}
