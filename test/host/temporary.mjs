// Temporary folders, which are removed with the process.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a temporary folder. Its name is short, because an editor's sockets are below it, and the length of their paths
 * is limited.
 * @returns {{ path: string, remove: () => void }} removed at the end of this process at the latest
 */
export function temporaryFolder() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'pst-')));
  const remove = () => {
    process.off('exit', remove);
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', remove);
  return { path, remove };
}
