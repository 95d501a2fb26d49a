/** Folders with their symlinks resolved, so that a project is known whichever way it was entered. */
import { realpath } from 'node:fs/promises';
import { turn } from '../core/index';

export class Places {
  private readonly known = new Map<string, string>();
  private folders: readonly string[] = [];

  /** The workspace's folders as they were learned last. */
  workspace(): readonly string[] {
    return this.folders;
  }

  realPath = (folder: string): string => this.known.get(folder) ?? folder;

  async setWorkspace(folders: readonly string[]): Promise<void> {
    this.folders = await Promise.all(folders.map(resolved));
  }

  /** Looks at folders that were not seen before; answers whether that told anything new. */
  async learn(folders: Iterable<string>): Promise<boolean> {
    const fresh = [...new Set(folders)].filter((folder) => folder !== '' && !this.known.has(folder));
    for (const folder of fresh) this.known.set(folder, folder);
    // Whoever computed the projects has their rows to show first.
    await turn();
    const real = await Promise.all(fresh.map(resolved));
    let news = false;
    fresh.forEach((folder, index) => {
      this.known.set(folder, real[index]!);
      news ||= real[index] !== folder;
    });
    return news;
  }
}

const resolved = (folder: string): Promise<string> => realpath(folder).catch(() => folder);
