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
 * @returns {Promise<{ name: string, text: string, isEntry: boolean }[]>} fewer files, of the same form
 */
export async function mergeChunks(files, entries, sourcemap) {
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
