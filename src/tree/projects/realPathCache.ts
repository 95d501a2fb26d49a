/** Folders with their symlinks resolved, so that a project is known whichever way it was entered. */
import { yieldToEventLoop, type UntrustedPaths } from '../../core/index';

export class RealPathCache {
  private readonly realPaths = new Map<string, string>();
  private folders: readonly string[] = [];

  constructor(private readonly named: UntrustedPaths) {}

  /** The workspace's folders as they were learned last. */
  workspace(): readonly string[] {
    return this.folders;
  }

  realPath = (folder: string): string => this.realPaths.get(folder) ?? folder;

  async setWorkspace(folders: readonly string[]): Promise<void> {
    this.folders = await Promise.all(folders.map(async (folder) => (await this.named.realPath(folder)) ?? folder));
  }

  /**
   * Looks at folders that were not seen before; answers whether that told anything new. Only in a workspace: nothing else
   * depends on where a project's folder leads.
   */
  async resolve(folders: Iterable<string>): Promise<boolean> {
    if (this.folders.length === 0) return false;
    const fresh = [...new Set(folders)].filter((folder) => folder !== '' && !this.realPaths.has(folder));
    for (const folder of fresh) this.realPaths.set(folder, folder);
    // Whoever computed the projects has their rows to show first.
    await yieldToEventLoop();
    let news = false;
    await Promise.all(
      fresh.map(async (folder) => {
        const real = (await this.named.realPath(folder)) ?? folder;
        this.realPaths.set(folder, real);
        news ||= real !== folder;
      }),
    );
    return news;
  }
}
