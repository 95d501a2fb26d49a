/** Carries out moves of sessions one after the other, and remembers where everything went. */
import { rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withoutSessionSuffix } from '../../format/session/archivedSession';
import type { Dialect } from '../../format/entry/dialect';
import { relinkedHeader, type MovedSession } from '../../format/write/relinkHeader';
import type { Disk } from '../io/disk';
import { realPathOf } from '../io/realPathOf';
import type { Writer } from '../write/sessionWriter';
import type { MoveLog } from '../write/moveLog';
import type { HeaderPlace } from './headerPlace';
import { MovedPaths } from './movedPaths';
import { relocate, type Relocation } from './relocate';

interface MoverTools {
  readonly writer: Writer;
  readonly log: MoveLog;
  readonly disk?: Disk;
}

export class Mover {
  /** The sessions that have moved. */
  readonly moved = new MovedPaths();

  constructor(
    private readonly tools: MoverTools,
    private readonly newFolder: (folder: string) => string | undefined = () => undefined,
  ) {}

  /**
   * Moves a session under the guard, or rewrites its header if its path stays.
   *
   * @param relocation `folder`: the project's other folder, where programs may be at work with the session.
   * @returns false if nothing had to change.
   * @throws {SessionError} as `Writer.guarded` and {@link relocate}.
   */
  async move(relocation: Relocation & { readonly folder?: string }, dialect: Dialect, log = this.tools.log): Promise<boolean> {
    const { path, newPath, folder } = relocation;
    const { writer, disk } = this.tools;
    if (newPath !== path) await writer.assertChangeable(newPath);
    const names = newPath === path ? [] : await this.addMoved(path, newPath);
    let hasChanged: boolean;
    try {
      hasChanged = await writer.guarded(path, (file) => relocate({ ...relocation, path: file.path }, file, log, disk), {
        dialect,
        ...(folder === undefined ? {} : { folders: [folder] }),
      });
    } catch (error) {
      for (const name of names) this.moved.delete(name);
      throw error;
    }
    if (newPath === path) return hasChanged;
    await writer.own(newPath).catch(() => undefined);
    // Project folders without sessions would be listed as empty projects.
    await rmdir(dirname(path)).catch(() => undefined);
    return hasChanged;
  }

  /** Replaces the path of a session's parent, if that has moved. @throws {SessionError} as `move` */
  async repoint(path: string, dialect: Dialect, log = this.tools.log): Promise<void> {
    await this.move({ path, newPath: path, headerOf: this.headerOf() }, dialect, log);
  }

  /** Returns the function that rewrites headers. `moved`: set for a session of the project. */
  headerOf(moved?: MovedSession): (header: HeaderPlace) => string {
    const places = { folder: this.newFolder, session: this.moved.newPath };
    return ({ value, text }) => {
      const next = relinkedHeader(value, places, moved);
      return next === value ? text : JSON.stringify(next);
    };
  }

  /**
   * Registers the paths of a session and of the folder with its name as moved, also with links in the folders above
   * resolved.
   *
   * @returns the paths that were registered.
   */
  async addMoved(path: string, newPath: string): Promise<string[]> {
    const real = await realPathOf(path);
    const newFolder = dirname(newPath);
    const newReal = join(await realPathOf(newFolder), basename(newPath));
    const pairs = [
      [real, newReal],
      [withoutSessionSuffix(real), withoutSessionSuffix(newReal)],
      [path, newPath],
      [withoutSessionSuffix(path), withoutSessionSuffix(newPath)],
    ] as const;
    for (const [from, to] of pairs) this.moved.set(from, to);
    return pairs.map(([from]) => from);
  }
}
