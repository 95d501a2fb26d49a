// Writes the published types beside the built core: dist/core.d.mts for dist/core.mjs, dist/contract.d.mts for the
// commands, and dist/api.d.mts for other extensions. Each is one file with the exported declarations only.
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..');
const core = join(project, 'src', 'core', 'index.ts');

/** @type {[input: string, output: string][]} */
const OUTPUTS = [
  [core, 'dist/core.d.mts'],
  [join(project, 'src', 'contract.ts'), 'dist/contract.d.mts'],
  [join(project, 'src', 'api.ts'), 'dist/api.d.mts'],
];

/** Types that use those of another file import them from there. */
const fromCore = {
  name: 'from-core',
  /** @param {string} source @param {string | undefined} importer */
  resolveId: (source, importer) => {
    if (importer !== undefined && source.endsWith('/core/index')) return { id: './core.mjs', external: true };
    return importer?.endsWith('api.ts') && source === './contract' ? { id: './contract.mjs', external: true } : null;
  },
};

export async function writeDeclarations() {
  for (const [input, file] of OUTPUTS) {
    const bundle = await rollup({
      input,
      external: [/^node:/, 'vscode'],
      plugins: [fromCore, dts({ tsconfig: join(project, 'tsconfig.json') })],
      onwarn: ({ message }) => {
        throw new Error(message);
      },
    });
    await bundle.write({ file });
    await bundle.close();
  }
}
