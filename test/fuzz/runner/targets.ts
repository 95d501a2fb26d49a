/** Finds the targets: each module beside `target` that exports one. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FuzzTarget } from '../target';

const FOLDER = join(__dirname, '..');
const load = createRequire(__filename);

/** @param only a part of the names of the targets to run */
export function fuzzTargets(only = ''): FuzzTarget[] {
  const modules = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.js'))
    .sort();
  return modules
    .flatMap((name) => (load(join(FOLDER, name)) as { target?: FuzzTarget }).target ?? [])
    .filter(({ name }) => name.includes(only));
}
