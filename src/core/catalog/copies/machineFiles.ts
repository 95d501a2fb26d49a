/** Files and sessions across machines, as a catalog answers questions about them. */
import { mapPath, unmapPath } from '../../files/locate/paths/mapPath';
import { resolveIn } from '../../files/locate/paths/resolveIn';
import { rootOf, type Root } from '../../files/locate/roots';

export class MachineFiles {
  /** The roots of one map each; the first group has none. */
  private readonly groups: readonly (readonly Root[])[];

  constructor(private readonly roots: readonly Root[]) {
    this.groups = [roots.filter(({ map }) => !map), ...roots.flatMap((root) => (root.map ? [[root]] : []))];
  }

  /** Returns the path here of a file that a session names. @param cwd the folder that its header names */
  pathHere(session: string, cwd: string, file: string): string {
    return mapPath(resolveIn(cwd, file), rootOf(session, this.roots)?.map);
  }

  /**
   * Queries the touches of files under all names that sessions of any machine may have for them.
   *
   * @param wanted the names of the files here, absolute
   * @param request returns the touches by these names in any session
   * @returns the touches by sessions that mean one of the files, in the order of the groups
   */
  async touches<T extends { readonly path: string }>(
    wanted: readonly string[],
    request: (names: readonly string[]) => Promise<readonly T[]>,
  ): Promise<T[]> {
    const found: T[] = [];
    for (const group of this.groups) {
      const map = group[0]?.map;
      const names = wanted.flatMap((file) => [...(mapPath(file, map) === file ? [file] : []), ...unmapPath(file, map)]);
      if (group.length === 0 || names.length === 0) continue;
      for (const touch of await request(names)) {
        const root = rootOf(touch.path, this.roots);
        if (root && group.includes(root)) found.push(touch);
      }
    }
    return found;
  }
}
