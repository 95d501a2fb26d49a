// npm run bench:files: the time and memory of the files at a point, and of their restore: 500 files of 10 KB with 2,000 edits in 30
// sessions and 50 commits. Needs the output of `node esbuild.mjs --tests`, and Node 22.13 or later for SQLite.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { writeManyEdits } from './manyEdits.mjs';

const load = createRequire(join(resolve(import.meta.dirname, '..', '..', 'out'), 'index.js'));
const { applyRestore, openCatalog, planRestore, undoRestore } = load('./bundled/index.js');

const folder = mkdtempSync(join(tmpdir(), 'files-'));
try {
  const [project, root, storage] = ['project', 'sessions', 'storage'].map((name) => join(folder, name));
  const ref = writeManyEdits(project, join(root, 'p'));
  const catalog = await openCatalog({ roots: [root], cacheDir: join(folder, 'cache') });
  await catalog.refresh();
  await catalog.touching(join(project, 'warm'));
  for (let run = 0; run < 3; run++) {
    const planning = stopwatch();
    let first;
    const plan = await planRestore(catalog, ref, { onPlanned: () => (first ??= planning()) });
    const exact = plan.files.filter(({ certainty }) => certainty === 'exact').length;
    const memory = Math.round(process.memoryUsage().rss / 1024 / 1024);
    console.log(`${plan.files.length} files, ${exact} exact: ${planning()}, ${memory} MB; the first one: ${first}`);
    const applying = stopwatch();
    const { restoreId, done } = await applyRestore(plan, { storage });
    console.log(`${done.length} files applied: ${applying()}`);
    const undoing = stopwatch();
    await undoRestore(restoreId, { storage });
    console.log(`Undone: ${undoing()}`);
  }
  await catalog.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts to measure. Returns the function that gives the time since then. */
function stopwatch() {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const ms = (value) => `${Math.round(value)} ms`;
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return `${ms(performance.now() - start)}, CPU ${ms((user + system) / 1000)}`;
  };
}
