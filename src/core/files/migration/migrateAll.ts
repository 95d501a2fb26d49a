/** Migrates many files one after the other, with a plan before and a result per file. */
import { defined } from '../../format/values/defined';
import type { Dialect } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { migrationRefusal } from './migrateFile';
import { readSession } from '../read/sessionFile';
import { permissionRefusal } from '../write/assertWritable';
import type { Writer } from '../write/sessionWriter';

/** Preview of migrating many files. */
export interface MigrationPlan {
  /** Files that would be migrated, with their version and size in bytes. */
  readonly ready: readonly { readonly path: string; readonly version: number; readonly size: number }[];
  /** Files that would stay unchanged, with the reason. */
  readonly left: readonly { readonly path: string; readonly reason: SessionError }[];
}

/** Options for migrating many files. */
export interface MigrateAllOptions {
  /** Returns the dialect of a file's root. */
  readonly dialectOf?: (path: string) => Dialect | undefined;
  readonly signal?: AbortSignal;
  /** Reports the number of processed files. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Determines which files a migration would change. Writes nothing. Files that are in use are only detected by the
 * migration itself. FORMAT section 6, rule 5.
 *
 * @throws the signal's reason if aborted.
 */
export async function planMigration(
  paths: readonly string[],
  { dialectOf, signal, onProgress }: MigrateAllOptions = {},
): Promise<MigrationPlan> {
  const ready: { path: string; version: number; size: number }[] = [];
  const left: { path: string; reason: SessionError }[] = [];
  for (const [index, path] of paths.entries()) {
    signal?.throwIfAborted();
    try {
      const dialect = dialectOf?.(path);
      const session = await readSession(path, defined({ dialect, signal }));
      const reason = migrationRefusal(session) ?? (await permissionRefusal(path));
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

/** Outcome for a file. `cancelled`: it wasn't started. */
export type MigrationResult =
  | { readonly path: string; readonly did: 'migrated'; readonly backupPath: string }
  | { readonly path: string; readonly did: 'refused'; readonly reason: unknown }
  | { readonly path: string; readonly did: 'cancelled' };

/**
 * Migrates files one after the other. A failure is the result of its file; cancellation takes effect between files.
 * Never rejects. FORMAT section 6, rule 5.
 *
 * @returns a result per path, in their order.
 */
export async function migrateAll(
  paths: readonly string[],
  writer: Writer,
  { dialectOf, signal, onProgress, force = false }: MigrateAllOptions & { readonly force?: boolean } = {},
): Promise<MigrationResult[]> {
  const results: MigrationResult[] = [];
  for (const path of paths) {
    if (signal?.aborted) {
      results.push({ path, did: 'cancelled' });
      continue;
    }
    const dialect = dialectOf?.(path);
    results.push(
      await writer.migrate(path, { force, ...defined({ dialect }) }).then(
        ({ backupPath }) => ({ path, did: 'migrated' as const, backupPath }),
        (reason: unknown) => ({ path, did: 'refused' as const, reason }),
      ),
    );
    onProgress?.(results.length, paths.length);
  }
  return results;
}
