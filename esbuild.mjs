// Builds what ships into dist/; with --tests also what the tests run into out/,
// file by file, so that coverage and stack traces name real files.
import { build, context } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');
const watching = flags.has('--watch');

/** @type {import('esbuild').BuildOptions} */
const shared = { bundle: true, sourcemap: !production, minify: production, logLevel: 'warning', charset: 'utf8' };

/** @type {import('esbuild').BuildOptions[]} */
const outputs = [
  // The oldest supported editor runs extensions on Node 22.
  { ...shared, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', platform: 'node', target: 'node22', format: 'cjs', external: ['vscode'] },
  { ...shared, entryPoints: ['src/core/index.ts'], outfile: 'dist/core.mjs', platform: 'node', target: 'node22', format: 'esm', define: { __dirname: 'import.meta.dirname' } },
  // Both start it from the folder that they lie in.
  { ...shared, entryPoints: ['src/core/catalog/catalogWorker.ts'], outfile: 'dist/catalogWorker.js', platform: 'node', target: 'node22', format: 'cjs' },
  { ...shared, entryPoints: ['src/context/page/page.ts', 'src/context/page/page.css'], outdir: 'dist', platform: 'browser', target: 'chrome132', format: 'iife' },
];

if (flags.has('--tests')) {
  rmSync('out', { recursive: true, force: true });
  const sources = ['src', 'test'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .map((name) => join(root, name))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.includes('node_modules')),
  );
  outputs.push({ entryPoints: sources, outdir: 'out', outbase: '.', platform: 'node', target: 'node22', format: 'cjs', sourcemap: 'inline', logLevel: 'warning' });
}

rmSync('dist', { recursive: true, force: true });
if (watching) {
  for (const output of outputs) await (await context(output)).watch();
} else {
  await Promise.all(outputs.map((output) => build(output)));
}
