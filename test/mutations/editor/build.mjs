// Builds the extension and its modules with all faults, each behind its switch.
import { existsSync, readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { faults } from './faults.mjs';
import { placesOf, withSwitches } from './switches.mjs';

const project = join(import.meta.dirname, '..', '..', '..');
const out = join(project, 'out', 'faults');

/** The folder of the built modules. It's in `out/faults`, which has the same structure as `out/src`. */
export const modulesFolder = join(out, 'src');
/** The folder of the built extension. */
export const extensionFolder = join(out, 'extension');

/** Returns the reasons why faults can't be built in; empty if all can be. */
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

/** Lets the suite deactivate the extension and activate it again with its own context, and use the same API object. */
const footer = `;if (module.exports.activate) {
  const { activate, ...others } = module.exports;
  module.exports = { ...others, activate: (context) => {
    globalThis.sessionTreeExtension = { context, file: __filename, api: require('vscode') };
    return activate(context);
  } };
}`;

/**
 * Copies the parts of the extension that aren't code.
 * @param {import('esbuild').BuildOptions[]} outputs the extension's builds
 * @returns {Promise<import('esbuild').BuildOptions[]>} the same builds with faults: `modulesFolder` and
 *   `extensionFolder`
 * @throws if a fault isn't in the source
 */
export async function faultyOutputs(outputs) {
  const stale = staleFaults();
  if (stale.length > 0) throw new Error(stale.join('\n'));
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
    // As in the tests' own modules: `import()` becomes `require`, which the tests replace.
    supported: { 'dynamic-import': false },
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
      ...(output.entryPoints.includes('src/extension.ts') ? { footer: { js: footer } } : {}),
      plugins: [switches, ...plugins],
    })),
  ];
}
