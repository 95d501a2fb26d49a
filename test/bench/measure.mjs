// Measures one task in this process: prints milliseconds and the peak of memory.
// node measure.mjs <task> <core.mjs> <store> <cache folder> [<file, or search query>]
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { piFolder } from '../host/installPi.mjs';

const [work, core, store, cacheDir, file] = process.argv.slice(2);
const APPENDS = 101;
const isPi = work.startsWith('pi');
const ours = isPi ? undefined : await import(pathToFileURL(core).href);
const pi = isPi ? (await import(pathToFileURL(join(piFolder, 'dist', 'bundle', 'index.js')).href)).SessionManager : undefined;
const options = { roots: [store], cacheDir };

async function piList() {
  const folders = readdirSync(store, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return (await Promise.all(folders.map((folder) => pi.listAll(join(store, folder.name))))).flat();
}

function piOpen() {
  const session = pi.open(file);
  return [session.getTree(), session.getBranch()];
}

const WORKS = {
  'pi-list': async () => piList,
  'pi-search': async () => async () =>
    (await piList()).filter(({ allMessagesText }) => file.split(' ').every((word) => new RegExp(word, 'i').test(allMessagesText))),
  'pi-open': async () => piOpen,
  list: async () => async () => {
    const catalog = await ours.openCatalog(options);
    if ((await catalog.sessions()).length < 20) throw new Error('There are fewer than 20 rows.');
  },
  refreshed: async () => async () => {
    const catalog = await ours.openCatalog(options);
    await catalog.sessions();
    await catalog.refresh();
  },
  build: async () => async () => {
    const catalog = await ours.openCatalog(options);
    await catalog.refresh();
    return catalog.close.bind(catalog);
  },
  complete: async () => {
    const files = readdirSync(store, { recursive: true }).filter((name) => name.endsWith('.jsonl')).length;
    return async () => {
      let onRows = () => undefined;
      const catalog = await ours.openCatalog({ ...options, onRows: () => onRows() });
      for (;;) {
        const changed = new Promise((resolve) => (onRows = resolve));
        if ((await catalog.sessions()).filter((row) => row.complete).length === files) return;
        await changed;
      }
    };
  },
  open: async () => () => ours.readSession(file),
  // As much as pi's tree and branch: the heads of all entries, with the texts of their rows, and the path to the leaf.
  entries: async () => async () => {
    const { entries, byId, leafId } = await ours.readSession(file);
    const path = [];
    for (let id = leafId; id !== null; id = byId.get(id).parentId) path.push(byId.get(id));
    return [entries, path];
  },
  // Follows a running program: reads one appended line at a time, based on the previous session. Returns the median.
  follow: async () => {
    const { appendFileSync } = await import('node:fs');
    let session = await ours.readSession(file);
    return async () => {
      const times = [];
      for (let line = 0; line < APPENDS; line++) {
        const id = Math.random().toString(16).slice(2, 10).padEnd(8, '0');
        appendFileSync(
          file,
          `${JSON.stringify({ type: 'message', id, parentId: session.leafId, timestamp: new Date().toISOString(), message: { role: 'user', content: 'one more line' } })}\n`,
        );
        const before = performance.now();
        session = await ours.followSession(session);
        times.push(performance.now() - before);
        if (session.leafId !== id) throw new Error('The line was not read.');
      }
      return { ms: times.sort((a, b) => a - b)[APPENDS >> 1] };
    };
  },
  search: async () => {
    const catalog = await ours.openCatalog(options);
    // The comparison with the disk runs in the background and has a row of its own.
    await catalog.refresh();
    // The search for the first letters ran before, as it does during typing.
    await catalog.search(file.slice(0, 3));
    return async () => {
      const hits = await catalog.search(file);
      if (hits.length !== 50) throw new Error(`${hits.length} hits instead of 50.`);
    };
  },
};

const run = await WORKS[work]();
const before = performance.now();
const result = await run();
const ms = result?.ms ?? performance.now() - before;
console.log(JSON.stringify({ ms, mb: process.resourceUsage().maxRSS / 1024 }));
if (typeof result === 'function') await result();
process.exit();
