// AssemblyScript → WebAssembly, as the build and the mutations need it.
import asc from 'assemblyscript/asc';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const folder = import.meta.dirname;
/** Nothing of it is looked after by a collector, and there is nobody to tell of what can't be. */
const OPTIONS = ['--outFile', 'scanner.wasm', '-O3', '--noAssert', '--runtime', 'minimal', '--enable', 'simd', '--use', 'abort='];

/**
 * @param {{ path?: string, text?: string }} [changed] a source to be taken with another text
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

/** Where what is not bundled looks for the program, under the folder that it is built into. */
export const MODULE_PATH = join('src', 'core', 'format', 'wasm', 'scanner.wasm.js');

/** The program as a module of its own. */
export const moduleSource = (program) => `exports.__esModule = true;\nexports.default = Buffer.from('${Buffer.from(program).toString('base64')}', 'base64');\n`;
