// Writes the published types beside the built core: dist/core.d.mts for dist/core.mjs, and dist/contract.d.mts for the
// commands. Each is one file with the exported declarations only.
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..');
const core = join(project, 'src', 'core', 'index.ts');

/** @type {[input: string, output: string][]} */
const OUTPUTS = [
  [core, 'dist/core.d.mts'],
  [join(project, 'src', 'contract.ts'), 'dist/contract.d.mts'],
];

/** The contract's types use those of the core, and import them from the file beside it. */
const fromCore = {
  name: 'from-core',
  /** @param {string} source @param {string | undefined} importer */
  resolveId: (source, importer) => (importer !== undefined && source.endsWith('/core/index') ? { id: './core.mjs', external: true } : null),
};

export async function writeDeclarations() {
  for (const [input, file] of OUTPUTS) {
    const bundle = await rollup({
      input,
      external: [/^node:/],
      plugins: [fromCore, dts({ tsconfig: join(project, 'tsconfig.json') })],
      onwarn: ({ message }) => {
        throw new Error(message);
      },
    });
    await bundle.write({ file });
    await bundle.close();
  }
}
