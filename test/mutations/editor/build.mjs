// Builds the extension and its modules with all faults in them, each behind its switch.
import { existsSync, readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { faults } from './faults.mjs';
import { placesOf, withSwitches } from './switches.mjs';

const project = join(import.meta.dirname, '..', '..', '..');
const out = join(project, 'out', 'faults');

/** Lies in `out/faults`, which holds the modules as `out/src` does. */
export const modulesFolder = join(out, 'src');
/** A copy of the extension. */
export const extensionFolder = join(out, 'extension');

/** Returns why faults can't be built in, in words; empty if all can be. */
export function staleFaults() {
  return faults.flatMap((fault) => {
    const path = join(project, 'src', `${fault.file}.ts`);
    if (!existsSync(path)) return [`There is no src/${fault.file}.ts`];
    const places = placesOf(fault, readFileSync(path, 'utf8')).length;
    return places === 1 ? [] : [`"${fault.find}" is ${places === 0 ? 'not' : `${places} times`} in "${fault.in}" in src/${fault.file}.ts`];
  });
}

/** @type {import('esbuild').Plugin} */
const switches = {
  name: 'switches',
  setup: (building) => {
    building.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const ofFile = faults.filter(({ file }) => path === join(project, 'src', `${file}.ts`));
      return ofFile.length === 0 ? undefined : { contents: withSwitches(readFileSync(path, 'utf8'), ofFile), loader: 'ts' };
    });
  },
};

/** Lets the suite end the extension and begin it anew, with its own context. */
const footer = `;{
  const { activate, ...others } = module.exports;
  module.exports = { ...others, activate: (context) => {
    globalThis.sessionTreeExtension = { context, file: __filename };
    return activate(context);
  } };
}`;

/**
 * Copies what the extension consists of besides its code.
 * @param {import('esbuild').BuildOptions[]} outputs what is built of the extension
 * @returns {Promise<import('esbuild').BuildOptions[]>} what is built of it with faults: `modulesFolder` and `extensionFolder`
 */
export async function faultyOutputs(outputs) {
  await rm(out, { recursive: true, force: true });
  for (const name of ['package.json', 'package.nls.json', 'l10n', 'media'])
    await cp(join(project, name), join(extensionFolder, name), { recursive: true });
  const entryPoints = [...new Set(faults.map(({ file }) => join(project, 'src', `${file}.ts`)))];
  const modules = {
    entryPoints,
    outdir: modulesFolder,
    outbase: join(project, 'src'),
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [switches],
  };
  const shipped = outputs.filter(({ outfile, outdir }) => (outfile ?? `${outdir}/`).startsWith('dist/'));
  return [
    modules,
    ...shipped.map(({ outfile, outdir, plugins = [], ...output }) => ({
      ...output,
      ...(outfile ? { outfile: join(extensionFolder, outfile) } : { outdir: join(extensionFolder, outdir) }),
      ...(outfile === 'dist/extension.js' ? { footer: { js: footer } } : {}),
      plugins: [switches, ...plugins],
    })),
  ];
}
