/** What an empty view has to say. */
import { access, constants } from 'node:fs/promises';
import type { Root } from '../core/index';

/** The values of the context key `sessionTree.state`. */
export type ViewState = 'ok' | 'noRoot' | 'noSessions' | 'unreadableRoot' | 'allHidden';

export interface Roots {
  readonly there: number;
  /** Folders that are there and can't be listed. */
  readonly unreadable: readonly string[];
}

export async function lookAtRoots(roots: readonly Root[]): Promise<Roots> {
  const results = await Promise.all(roots.map(({ path }) => accessOf(path)));
  return { there: results.filter((result) => result !== 'missing').length, unreadable: roots.filter((_, index) => results[index] === 'unreadable').map(({ path }) => path) };
}

async function accessOf(path: string): Promise<'missing' | 'readable' | 'unreadable'> {
  try {
    await access(path, constants.R_OK | constants.X_OK);
    return 'readable';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
  }
}

export function stateOf({ there, unreadable }: Roots, files: number, shown: number): ViewState {
  if (shown > 0) return 'ok';
  if (files > 0) return 'allHidden';
  if (unreadable.length > 0) return 'unreadableRoot';
  return there === 0 ? 'noRoot' : 'noSessions';
}
