// Builds the product into dist/, and the core for other programs with its types. With --tests it builds the tests into
// out/ instead of the types, file by file, so that coverage and stack traces name real files. With --faults it also
// builds the extension with switchable faults into out/faults/.
import { build, context } from 'esbuild';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeNotices } from './notices.mjs';
import { assemble, MODULE_PATH, moduleSource } from './src/core/format/wasm/assemble.mjs';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');
const watching = flags.has('--watch');

const program = await assemble();

/** @type {import('esbuild').Plugin} Imports WebAssembly as bytes. */
const wasm = {
  name: 'wasm',
  setup: (build) => {
    build.onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path, namespace: 'wasm' }));
    build.onLoad({ filter: /.*/, namespace: 'wasm' }, () => ({ contents: program, loader: 'binary' }));
  },
};

/**
 * @type {import('esbuild').Plugin} Wraps the editor's API for imports once, instead of once for each importing file,
 * which takes a quarter of a millisecond each.
 */
const editor = {
  name: 'editor',
  setup: (build) => {
    build.onResolve({ filter: /^vscode$/ }, ({ path, namespace }) =>
      namespace === 'editor' ? { path, external: true } : { path, namespace: 'editor' },
    );
    build.onLoad({ filter: /.*/, namespace: 'editor' }, () => ({ contents: "export * from 'vscode';" }));
  },
};

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  sourcemap: !production,
  minify: production,
  logLevel: 'warning',
  charset: 'utf8',
  metafile: true,
  plugins: [wasm],
};

/** @type {import('esbuild').BuildOptions[]} */
const outputs = [
  // The oldest supported editor runs extensions on Node 22.
  {
    ...shared,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    plugins: [wasm, editor],
  },
  {
    ...shared,
    entryPoints: ['src/core/index.ts'],
    outfile: 'dist/core.mjs',
    platform: 'node',
    target: 'node22',
    format: 'esm',
    define: { __dirname: 'import.meta.dirname' },
  },
  // The extension and the core start these threads from the folder of their own code.
  {
    ...shared,
    entryPoints: ['src/core/catalog/worker/catalogWorker.ts'],
    outfile: 'dist/catalogWorker.js',
    platform: 'node',
    target: 'node22',
    format: 'cjs',
  },
  {
    ...shared,
    entryPoints: ['src/core/files/presence/processWorker.ts'],
    outfile: 'dist/processWorker.js',
    platform: 'node',
    target: 'node22',
    format: 'cjs',
  },
  {
    ...shared,
    entryPoints: ['src/context/page/page.ts', 'src/context/page/page.css'],
    outdir: 'dist',
    platform: 'browser',
    target: 'chrome132',
    format: 'iife',
  },
];

if (flags.has('--tests')) {
  rmSync('out', { recursive: true, force: true });
  const sources = ['src', 'test'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((name) => join(root, name))
      .filter(
        (name) =>
          name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.startsWith(dirname(MODULE_PATH)) && !name.includes('node_modules'),
      ),
  );
  const path = join('out', MODULE_PATH);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, moduleSource(program));
  outputs.push({
    entryPoints: sources,
    outdir: 'out',
    outbase: '.',
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

if (flags.has('--faults')) {
  const { faultyOutputs } = await import('./test/mutations/editor/build.mjs');
  outputs.push(...(await faultyOutputs(outputs)));
}

rmSync('dist', { recursive: true, force: true });
if (watching) {
  for (const output of outputs) await (await context(output)).watch();
} else {
  const results = await Promise.all(outputs.map((output) => build(output)));
  writeNotices(results.flatMap(({ metafile }) => metafile ?? []));
  if (!flags.has('--tests') && !production) {
    const { writeDeclarations } = await import('./declarations.mjs');
    await writeDeclarations();
  }
}
