/** Folders with symlinks resolved, so that a project is recognized by whichever path it was opened. */
import { yieldToEventLoop, type UntrustedPaths } from '../../core/index';

export class RealPathCache {
  private readonly realPaths = new Map<string, string>();
  private folders: readonly string[] = [];

  constructor(private readonly named: UntrustedPaths) {}

  /** The workspace's folders as of the last `setWorkspace`. */
  workspace(): readonly string[] {
    return this.folders;
  }

  realPath = (folder: string): string => this.realPaths.get(folder) ?? folder;

  async setWorkspace(folders: readonly string[]): Promise<void> {
    this.folders = await Promise.all(folders.map(async (folder) => (await this.named.realPath(folder)) ?? folder));
  }

  /**
   * Resolves folders that are new to the cache. Only if there is a workspace: nothing else depends on a project's real path.
   *
   * @returns true if a folder's real path differs from its path
   */
  async resolve(folders: Iterable<string>): Promise<boolean> {
    if (this.folders.length === 0) return false;
    const fresh = [...new Set(folders)].filter((folder) => folder !== '' && !this.realPaths.has(folder));
    for (const folder of fresh) this.realPaths.set(folder, folder);
    // The caller shows the projects' rows first.
    await yieldToEventLoop();
    let differs = false;
    await Promise.all(
      fresh.map(async (folder) => {
        const real = (await this.named.realPath(folder)) ?? folder;
        this.realPaths.set(folder, real);
        differs ||= real !== folder;
      }),
    );
    return differs;
  }
}
