/** Folders with their symlinks resolved, so that a project is known whichever way it was entered. */
import { turn, type NamedPaths } from '../core/index';

export class Places {
  private readonly known = new Map<string, string>();
  private folders: readonly string[] = [];

  constructor(private readonly named: NamedPaths) {}

  /** The workspace's folders as they were learned last. */
  workspace(): readonly string[] {
    return this.folders;
  }

  realPath = (folder: string): string => this.known.get(folder) ?? folder;

  async setWorkspace(folders: readonly string[]): Promise<void> {
    this.folders = await Promise.all(folders.map(async (folder) => (await this.named.realPath(folder)) ?? folder));
  }

  /**
   * Looks at folders that were not seen before; answers whether that told anything new. Only in a workspace: nothing else
   * depends on where a project's folder leads.
   */
  async learn(folders: Iterable<string>): Promise<boolean> {
    if (this.folders.length === 0) return false;
    const fresh = [...new Set(folders)].filter((folder) => folder !== '' && !this.known.has(folder));
    for (const folder of fresh) this.known.set(folder, folder);
    // Whoever computed the projects has their rows to show first.
    await turn();
    let news = false;
    await Promise.all(
      fresh.map(async (folder) => {
        const real = (await this.named.realPath(folder)) ?? folder;
        this.known.set(folder, real);
        news ||= real !== folder;
      }),
    );
    return news;
  }
}
