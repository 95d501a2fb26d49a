// node test/bench/many.mjs [<folder with core.mjs>]: memory, time and space of tens of thousands of small sessions. Each
// measurement runs in its own process. Times are user and system CPU time, which other load changes little.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installHost } from '../host/install.mjs';
import { makeStores } from './stores.mjs';

const COUNTS = [5000, 50_000];

const WORKS = {
  build: async (catalog) => {
    await catalog.refresh();
  },
  open: async (catalog) => {
    await catalog.sessions();
    await catalog.refresh();
  },
  // The editor takes the rows from `Catalog.files()`, which aren't copies.
  compare: async (catalog) => {
    await catalog.refresh();
  },
  search: async (catalog) => {
    await catalog.refresh();
    return async () => {
      if ((await catalog.search('please look')).length !== 50) throw new Error('There are too few hits.');
    };
  },
};

if (process.argv[2] === 'measure') {
  const [core, root, cacheDir, work] = process.argv.slice(3);
  const { openCatalog } = await import(pathToFileURL(core).href);
  let before = process.cpuUsage();
  const catalog = await openCatalog({ roots: [root], cacheDir });
  const more = await WORKS[work](catalog);
  if (more) {
    before = process.cpuUsage();
    await more();
  }
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ ms: (user + system) / 1000, mb: process.resourceUsage().maxRSS / 1024 }));
  await catalog.close();
  process.exit();
}

const core = join(resolve(process.argv[2] ?? join(import.meta.dirname, '..', '..', 'dist')), 'core.mjs');
// A Node with SQLite.
const { node } = await installHost();
const folder = process.env.BENCH_FOLDER ?? join(tmpdir(), 'session-tree-bench');
const bytesIn = (path) =>
  readdirSync(path, { recursive: true }).reduce(
    (sum, name) => sum + (statSync(join(path, name)).isFile() ? statSync(join(path, name)).size : 0),
    0,
  );
for (const count of COUNTS) {
  const name = `many${count}`;
  const cacheDir = join(folder, `cache-${name}`);
  const { [name]: root } = makeStores(folder, [name]);
  rmSync(cacheDir, { recursive: true, force: true });
  const measure = (work) => {
    const args = ['--disable-warning=ExperimentalWarning', import.meta.filename, 'measure', core, root, cacheDir, work];
    return JSON.parse(execFileSync(node, args, { encoding: 'utf8' }).trim().split('\n').at(-1));
  };
  const [build, open, compare, search] = [measure('build'), measure('open'), measure('compare'), measure('search')];
  const [size, bytes] = [bytesIn(cacheDir), bytesIn(root)];
  console.log(`${count} sessions, ${(bytes / count / 1000).toFixed(1)} KB each:
  indexing: ${(build.ms / count).toFixed(3)} ms of CPU time per session, ${build.mb.toFixed(0)} MB at most
  open, all rows, compared with the disk: ${open.ms.toFixed(0)} ms of CPU time, ${open.mb.toFixed(0)} MB at most
  open, compared with the disk: ${compare.ms.toFixed(0)} ms of CPU time, ${compare.mb.toFixed(0)} MB at most
  search for words that every session has: ${search.ms.toFixed(0)} ms of CPU time
  database: ${(size / 1e6).toFixed(1)} MB, ${((100 * size) / bytes).toFixed(1)} %`);
}
