// Merges chunks that are always loaded together. esbuild makes a chunk for each set of entry points and `import()`s that
// share modules, also if one of them is always loaded before the others, as the extension is before everything that it
// loads later. Rollup knows that.
import { basename } from 'node:path';
import { rollup } from 'rollup';

const INLINE_MAP = /\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/;

const ESBUILD_HASH = /-[A-Z\d]{8}$/;

/**
 * @param {readonly { path: string, text: string }[]} files esbuild's output: ES modules, with inline source maps if any
 * @param {readonly string[]} entries the names of the entry points' files
 * @param {boolean} sourcemap
 * @param {readonly string[]} [whole] puts what at least three of many small parts load into one file, where these entries aren't parts;
 *   otherwise each combination has its own
 * @returns {Promise<{ name: string, text: string, isEntry: boolean }[]>} fewer files, of the same form
 */
export async function mergeChunks(files, entries, sourcemap, whole) {
  const texts = new Map(files.map(({ path, text }) => [basename(path), text]));
  const bundle = await rollup({
    input: entries,
    // The extension exports what the code needs that is loaded later.
    preserveEntrySignatures: 'allow-extension',
    // esbuild has left out what isn't used.
    treeshake: false,
    // Imports of Node's modules are left in chunks that don't use them.
    onLog: (level, log, report) => (log.code === 'UNUSED_EXTERNAL_IMPORT' ? undefined : report(level, log)),
    plugins: [
      {
        name: 'chunks of esbuild',
        resolveId: (id) => (texts.has(basename(id)) && /^(?:\.\/)?[^/]+$/.test(id) ? basename(id) : { id, external: true }),
        load: (id) => {
          const text = texts.get(id) ?? '';
          const [, map] = INLINE_MAP.exec(text) ?? [];
          return { code: text.replace(INLINE_MAP, ''), map: map ? Buffer.from(map, 'base64').toString() : { mappings: '' } };
        },
      },
    ],
  });
  const { output } = await bundle.generate({
    format: 'es',
    ...(whole ? { manualChunks: commonChunk(entries.filter((entry) => !whole.includes(entry))) } : {}),
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => `${name.replace(ESBUILD_HASH, '')}-[hash].js`,
    hashCharacters: 'base36',
    minifyInternalExports: true,
    hoistTransitiveImports: false,
    sourcemap,
  });
  await bundle.close();
  return output.flatMap((part) => {
    if (part.type !== 'chunk') return [];
    const map = part.map ? `//# sourceMappingURL=data:application/json;base64,${Buffer.from(String(part.map)).toString('base64')}\n` : '';
    return [{ name: part.fileName, text: `${part.code.replace(/\/\/# sourceMappingURL=.*\s*$/, '')}${map}`, isEntry: part.isEntry }];
  });
}

/** The number of parts that have to load a module for it to be in the common file. */
const MIN_PARTS = 3;

/** Returns rollup's `manualChunks`: the common file's name for modules that several parts load. */
function commonChunk(entries) {
  let counts;
  return (id, { getModuleIds, getModuleInfo }) => {
    if (!counts) {
      counts = new Map();
      const parts = [...getModuleIds()].filter((one) => entries.includes(one) || (getModuleInfo(one)?.dynamicImporters.length ?? 0) > 0);
      for (const part of parts) {
        const found = new Set([part]);
        for (const one of found) for (const next of getModuleInfo(one)?.importedIds ?? []) found.add(next);
        for (const one of found) if (!parts.includes(one)) counts.set(one, (counts.get(one) ?? 0) + 1);
      }
    }
    return (counts.get(id) ?? 0) >= MIN_PARTS ? 'common' : undefined;
  };
}
