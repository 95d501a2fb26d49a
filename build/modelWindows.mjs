// Writes the context windows of models from pi's own list on npm: `npm run models -- <version> …`, the newest one last.
// Models that a later version no longer has stay in the list, for old sessions.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = '@earendil-works/pi-ai';
const TARGET = 'src/core/format/context/modelWindows.json';

const versions = process.argv.slice(2);
if (versions.length === 0) throw new Error(`Name the versions of ${PACKAGE}: npm run models -- 1.6.0`);

/** @type {Map<string, Map<string, number>>} Tokens by model and provider. */
const windows = new Map();
for (const version of versions) {
  const folder = await mkdtemp(join(tmpdir(), 'models-'));
  try {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const [packed] = JSON.parse(execFileSync(npm, ['pack', `${PACKAGE}@${version}`, '--json'], { cwd: folder, encoding: 'utf8' }));
    execFileSync('tar', ['xzf', packed.filename], { cwd: folder });
    const models = await listedModels(join(folder, 'package', 'dist'));
    if (models.length === 0) throw new Error(`${PACKAGE} ${version} has no list of models in a known form`);
    for (const { provider, id, contextWindow } of models) {
      if (!windows.has(id)) windows.set(id, new Map());
      windows.get(id).set(provider, contextWindow);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Finds the models wherever the package has them: in files of data since 1.0, before that in a module. */
async function listedModels(dist) {
  const data = join(dist, 'providers', 'data');
  const files = await readdir(data).catch(() => []);
  const values = await Promise.all(
    files.filter((name) => name.endsWith('.json')).map(async (name) => JSON.parse(await readFile(join(data, name), 'utf8'))),
  );
  if (values.length === 0) values.push(await import(join(dist, 'models.generated.js')));
  const found = [];
  const waiting = values;
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value.contextWindow === 'number' && value.contextWindow > 0 && value.id && value.provider) found.push(value);
    else waiting.push(...Object.values(value).filter((inner) => inner !== null && typeof inner === 'object'));
  }
  return found;
}

/** One number where all providers agree. */
const shortest = (byProvider) => {
  const [first, ...others] = new Set(byProvider.values());
  return others.length === 0 ? first : Object.fromEntries([...byProvider].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const list = Object.fromEntries([...windows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, byProvider]) => [id, shortest(byProvider)]));
const written = { source: `${PACKAGE} ${versions.at(-1)}`, read: new Date().toISOString().slice(0, 10), windows: list };
await writeFile(TARGET, `${JSON.stringify(written, null, 1)}\n`);
console.log(`${Object.keys(list).length} models in ${TARGET}`);
