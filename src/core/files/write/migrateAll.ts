/** Migrates many files one after the other, with a plan before and a result per file. */
import type { Dialect } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { migrationRefusal } from './migrateFile';
import { readSession } from '../read/sessionFile';
import type { Writer } from './sessionWriter';

export interface MigrationPlan {
  /** What would be migrated, with the version it has and its size in bytes. */
  readonly ready: readonly { readonly path: string; readonly version: number; readonly size: number }[];
  /** What would be left as it is, and why. */
  readonly left: readonly { readonly path: string; readonly reason: SessionError }[];
}

export interface MigrateAllOptions {
  /** What the root says that a file is. */
  readonly dialectOf?: (path: string) => Dialect | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** What a migration of these files would do. Nothing is written; who has a file now is seen when its turn comes. */
export async function planMigration(paths: readonly string[], { dialectOf, signal, onProgress }: MigrateAllOptions = {}): Promise<MigrationPlan> {
  const ready: { path: string; version: number; size: number }[] = [];
  const left: { path: string; reason: SessionError }[] = [];
  for (const [index, path] of paths.entries()) {
    signal?.throwIfAborted();
    try {
      const dialect = dialectOf?.(path);
      const session = await readSession(path, { ...(dialect ? { dialect } : {}), ...(signal ? { signal } : {}) });
      const reason = migrationRefusal(session);
      if (reason) left.push({ path, reason });
      else ready.push({ path, version: session.version, size: session.size });
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      left.push({ path, reason: error });
    }
    onProgress?.(index + 1, paths.length);
  }
  return { ready, left };
}

/** What became of a file. `cancelled`: it was not begun. */
export type MigrationResult =
  | { readonly path: string; readonly did: 'migrated'; readonly backupPath: string }
  | { readonly path: string; readonly did: 'refused'; readonly reason: unknown }
  | { readonly path: string; readonly did: 'cancelled' };

/** Migrates files one after the other. What goes wrong with one is its own result; cancelled is between files. Never throws. */
export async function migrateAll(paths: readonly string[], writer: Writer, { dialectOf, signal, onProgress, force = false }: MigrateAllOptions & { readonly force?: boolean } = {}): Promise<MigrationResult[]> {
  const results: MigrationResult[] = [];
  for (const path of paths) {
    if (signal?.aborted) {
      results.push({ path, did: 'cancelled' });
      continue;
    }
    const dialect = dialectOf?.(path);
    results.push(
      await writer.migrate(path, { force, ...(dialect ? { dialect } : {}) }).then(
        ({ backupPath }) => ({ path, did: 'migrated' as const, backupPath }),
        (reason: unknown) => ({ path, did: 'refused' as const, reason }),
      ),
    );
    onProgress?.(results.length, paths.length);
  }
  return results;
}
