// Folders that go with the process.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a folder in the temp folder. The name is short: an editor puts sockets below it, whose paths are limited.
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
