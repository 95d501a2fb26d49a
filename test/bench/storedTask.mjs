// Measures one task on sessions in one form, in this process: prints milliseconds of processor time and by the clock, and
// the peak of memory. node storedTask.mjs <task> <core.mjs> <cache folder> <place, as JSON>
import { createReadStream, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';

const [task, core, cacheDir, place] = process.argv.slice(2);
const { root, sessions } = JSON.parse(place);
const [file] = sessions;
const ours = await import(pathToFileURL(core).href);
const options = { roots: [root], cacheDir };

const catalogTask = (work) => async () => {
  const catalog = await ours.openCatalog(options);
  // The comparison with the disk runs in the background.
  await catalog.refresh();
  return work(catalog);
};

async function search(catalog, query) {
  // The search for the first letters ran before, as it does during typing.
  await catalog.search(query.slice(0, 3));
  return async () => {
    const hits = await catalog.search(query);
    if (hits.length !== 50) throw new Error(`${hits.length} hits instead of 50.`);
  };
}

const TASKS = {
  // Only reads and unpacks the same bytes.
  plain: async () => async () => {
    for (const path of sessions) {
      if (path.endsWith('.zst')) zstdDecompressSync(readFileSync(path));
      else if (path.endsWith('.gz')) gunzipSync(readFileSync(path));
      else for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) if (chunk.length === 0) break;
    }
  },
  first: async () => async () => {
    const catalog = await ours.openCatalog(options);
    if ((await catalog.sessions()).length < 20) throw new Error('There are fewer than 20 rows.');
  },
  complete: async () => async () => {
    const catalog = await ours.openCatalog({ ...options, onProgress: () => undefined });
    for (;;) {
      if ((await catalog.sessions()).every((row) => row.complete)) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  },
  build: async () => async () => {
    const catalog = await ours.openCatalog(options);
    await catalog.refresh();
    return catalog.close.bind(catalog);
  },
  unchanged: async () => async () => {
    const catalog = await ours.openCatalog(options);
    if ((await catalog.sessions()).length !== sessions.length) throw new Error('Rows are missing.');
  },
  compared: async () => async () => {
    const catalog = await ours.openCatalog(options);
    await catalog.sessions();
    await catalog.refresh();
  },
  open: async () => () => ours.readSession(file),
  rare: catalogTask((catalog) => search(catalog, 'token goti')),
  common: catalogTask((catalog) => search(catalog, 'the order')),
};

const run = await TASKS[task]();
const cpuBefore = process.cpuUsage();
const before = performance.now();
const end = await run();
const ms = performance.now() - before;
const { user, system } = process.cpuUsage(cpuBefore);
console.log(JSON.stringify({ cpu: (user + system) / 1000, ms, mb: process.resourceUsage().maxRSS / 1024 }));
if (typeof end === 'function') await end();
process.exit();
