// Installs the old pi that some tests and the benchmarks compare with. Its packages need Node 22, so they aren't among
// the project's own, which install on Node 20.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from './install.mjs';

const folder = join(import.meta.dirname, 'pi');

/** The package's folder. */
export const oldPi = join(folder, 'node_modules', '@earendil-works', 'pi-coding-agent');

/**
 * Installs the packages unless the ones in the lockfile are installed.
 * @throws {Error} if the registry can't be reached
 */
export async function installOldPi() {
  const hash = createHash('sha256')
    .update(await readFile(join(folder, 'package-lock.json')))
    .digest('hex');
  const stamp = join(folder, 'node_modules', '.complete');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === hash) return;
  console.log('Getting an old pi from the npm registry (once) …');
  await npm(folder, ['ci', '--ignore-scripts'], 'an old pi');
  await writeFile(stamp, hash);
}
