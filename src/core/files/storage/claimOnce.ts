/** Lets exactly one of several windows do something once. */
import { createHash } from 'node:crypto';
import { readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../io/fileErrors';
import { makePrivateFolder } from './privateFolder';

/** Milliseconds after which a claim is forgotten. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/**
 * Resolves to true in the first window that claims a key, and to false in all others.
 *
 * @param folder belongs to the extension, and has nothing but claims. It's created on demand.
 */
export async function claimOnce(folder: string, key: string, now = Date.now()): Promise<boolean> {
  await makePrivateFolder(folder);
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => undefined);
    // Another window may remove it, too.
    if (found && now - found.mtimeMs > MAX_AGE) await unlink(file).catch(() => undefined);
  }
  try {
    await writeFile(join(folder, createHash('sha256').update(key).digest('hex')), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
