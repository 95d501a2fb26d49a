// Loaded before everything else in the process of the unit tests: replaces the modules by those with faults.
import { existsSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { join, relative } from 'node:path';

const out = join(import.meta.dirname, '..', '..', '..', 'out');

const loadJs = Module._extensions['.js'];
Module._extensions['.js'] = (module, path) => {
  const faulty = join(out, 'faults', relative(out, path));
  if (path.startsWith(join(out, 'src')) && existsSync(faulty)) module._compile(readFileSync(faulty, 'utf8'), path);
  else loadJs(module, path);
};
