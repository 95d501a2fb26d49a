// Starts the threads of the tested code from the bundles that `esbuild.mjs --tests` makes of their programs. That takes a
// third of the processor time, and tests start hundreds of threads.
import { basename, join, sep } from 'node:path';
import threads from 'node:worker_threads';

const out = join(import.meta.dirname, '..', '..', 'out');
const BUNDLED = ['catalogWorker.js', 'databaseWorker.js', 'processWorker.js', 'redactionWorker.js'];

const bundleOf = (script) =>
  typeof script === 'string' && script.startsWith(join(out, 'src') + sep) && BUNDLED.includes(basename(script))
    ? join(out, 'bundled', basename(script))
    : script;

threads.Worker = class extends threads.Worker {
  constructor(script, options) {
    super(bundleOf(script), options);
  }
};
