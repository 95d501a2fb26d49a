/** The reason why a view is empty. */
import { opendir, stat } from 'node:fs/promises';
import { databaseOf, type Root } from '../../core/index';

/** The values of the context key `sessionTree.state`. */
export type ViewState = 'ok' | 'noRoot' | 'noSessions' | 'unreadableRoot' | 'silentRoot' | 'allHidden';

export interface RootAccess {
  readonly existing: number;
  /** The roots that exist but can't be listed, with the error. */
  readonly unreadable: readonly { readonly path: string; readonly error: unknown }[];
  /** The paths of roots that don't respond, and so may exist. */
  readonly silent: readonly string[];
}

/** @param silent the paths of roots that don't respond, which aren't accessed again */
export async function inspectRoots(roots: readonly Root[], silent: readonly string[]): Promise<RootAccess> {
  const results = await Promise.all(roots.map(async ({ path }) => ({ path, ...(await accessOf(path)) })));
  return {
    existing: results.filter(({ there }) => there).length,
    unreadable: results.flatMap(({ path, error }) => (error === undefined ? [] : [{ path, error }])),
    silent,
  };
}

async function accessOf(path: string): Promise<{ there: boolean; error?: unknown }> {
  try {
    await (await opendir(path)).close();
    return { there: true };
  } catch (error) {
    // The name can't be looked up either, so there is nothing: a parent in the path is a file.
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') && !(await exists(path));
    if (isMissing) return { there: false };
    // If a database can't be read, its listing says why.
    return databaseOf(path) === path ? { there: true } : { there: true, error };
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

export function viewStateOf({ existing: there, unreadable, silent }: RootAccess, files: number, shown: number): ViewState {
  if (shown > 0) return 'ok';
  if (files > 0) return 'allHidden';
  if (silent.length > 0) return 'silentRoot';
  if (unreadable.length > 0) return 'unreadableRoot';
  return there === 0 ? 'noRoot' : 'noSessions';
}
