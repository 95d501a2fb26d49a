// Builds the tests in Stryker's copy of the project, whose sources contain all mutants.
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The project. The copy is in `out/mutations/copies`. */
const project = join(process.cwd(), '..', '..', '..', '..');
/** A mutant of a function that loads a module later. The build must find such imports, so this mutant is left out. */
const LATER = /stryMutAct_\w+\("\d+"\) \? \(\) => undefined : \(stryCov_\w+\("\d+"\), (\(\) => import\('[^']+'\))\)/g;

for (const path of ['node_modules', join('test', 'host', 'node_modules')]) await symlink(join(project, path), path, 'junction');
for (const name of await readdir('src', { recursive: true })) {
  if (!name.endsWith('.ts')) continue;
  const text = await readFile(join('src', name), 'utf8');
  const changed = text.replaceAll(LATER, '$1');
  if (changed !== text) await writeFile(join('src', name), changed);
}
process.argv.push('--tests');
await import(join(process.cwd(), 'esbuild.mjs'));
