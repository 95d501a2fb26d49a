// Compiles the AssemblyScript modules to WebAssembly, for the build and for the mutations.
import asc from 'assemblyscript/asc';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const folder = import.meta.dirname;
/** No garbage collector, because all memory is managed by hand; no abort handler, because assertions are off. */
const OPTIONS = ['--outFile', 'scanner.wasm', '-O3', '--noAssert', '--runtime', 'minimal', '--enable', 'simd', '--use', 'abort='];

/**
 * @param {{ path?: string, text?: string }} [changed] the absolute path of a source to be replaced by `text`
 * @returns {Promise<Uint8Array>}
 */
export async function assemble({ path, text } = {}) {
  let program;
  const { error, stderr } = await asc.main(['scanner.ts', '--baseDir', folder, ...OPTIONS], {
    readFile: async (name, base) => {
      const source = resolve(base, name);
      return source === path ? text : readFile(source, 'utf8').catch(() => null);
    },
    writeFile: (_, contents) => {
      program = contents;
    },
  });
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  return program;
}

/** Path of the module that unbundled code imports, under the output folder. */
export const MODULE_PATH = join('src', 'core', 'format', 'wasm', 'scanner.wasm.js');

/** Returns the source of a CommonJS module that exports the program's bytes. */
export const moduleSource = (program) =>
  `exports.__esModule = true;\nconst bytes = Buffer.from('${Buffer.from(program).toString('base64')}', 'base64');\nexports.default = () => bytes;\n`;
