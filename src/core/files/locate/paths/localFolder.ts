/** The folder in which this machine keeps a program's sessions of a project. */
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialect } from '../../../format/entry/dialect';
import { projectFolderName } from '../../../format/write/sessionNames';
import { defaultRoot } from '../programs/programFolders';
import type { Root } from '../roots';

/** Returns the project's folder in the root that the program uses, otherwise in its first known one. Roots of other machines and read-only ones don't count. */
export function localFolder(dialect: Dialect, cwd: string, roots: readonly Root[]): string {
  const usual = defaultRoot(dialect);
  const own = roots.filter((root) => root.dialect === dialect && root.names === undefined && !root.readOnly && root.machine === undefined);
  const root = own.find(({ path }) => path === usual) ?? own[0] ?? { path: usual, flat: false };
  return root.flat ? root.path : join(root.path, projectFolderName(cwd, dialect, { home: homedir(), temp: tmpdir() }));
}
