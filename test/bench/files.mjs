// npm run bench:files: the time and memory of the files at a point: 500 files of 10 KB with 2,000 edits in 30 sessions and 50
// commits. Needs the output of `node esbuild.mjs --tests`, and Node 22.13 or later for SQLite.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { writeManyEdits } from './manyEdits.mjs';

const load = createRequire(join(resolve(import.meta.dirname, '..', '..', 'out'), 'index.js'));
const { openCatalog, planRestore } = load('./bundled/index.js');

const folder = mkdtempSync(join(tmpdir(), 'files-'));
try {
  const [project, root] = [join(folder, 'project'), join(folder, 'sessions')];
  const ref = writeManyEdits(project, join(root, 'p'));
  const catalog = await openCatalog({ roots: [root], cacheDir: join(folder, 'cache') });
  await catalog.refresh();
  await catalog.touching(join(project, 'warm'));
  for (let run = 0; run < 3; run++) {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    const spent = () => {
      const { user, system } = process.cpuUsage(cpu);
      return (user + system) / 1000;
    };
    const ms = (value) => `${Math.round(value)} ms`;
    let first;
    const onPlanned = () => (first ??= `${ms(performance.now() - start)}, CPU ${ms(spent())}`);
    const { files } = await planRestore(catalog, ref, { onPlanned });
    const exact = files.filter(({ certainty }) => certainty === 'exact').length;
    const memory = Math.round(process.memoryUsage().rss / 1024 / 1024);
    console.log(
      `${files.length} files, ${exact} exact: ${ms(performance.now() - start)}, CPU ${ms(spent())}, ${memory} MB; the first one: ${first}`,
    );
  }
  await catalog.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
