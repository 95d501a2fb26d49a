/** The packages of pi that tests run: 1.5.2 for most of them, the newest for what it brought, and an old one for what later versions changed. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export type PiVersion = '1.6.0' | '1.5.2' | '0.87.1';

/** The modules that tests use. Those of 1.5.2 and 1.6.0 need no other package and Node 22.19; `session-manager` of 0.87.1 loads on any Node. */
const MODULES = {
  '1.6.0': { index: 'bundle/index.js', 'session-manager': 'bundle/index.js', 'usage-totals': 'core/usage-totals.js' },
  '1.5.2': { index: 'bundle/index.js', 'session-manager': 'bundle/index.js', 'usage-totals': 'core/usage-totals.js' },
  '0.87.1': { index: 'index.js', 'session-manager': 'core/session-manager.js', 'usage-totals': 'core/usage-totals.js' },
} as const;

const FOLDERS: Readonly<Record<PiVersion, string>> = {
  '1.6.0': resolve('test', 'host', 'node_modules', '.pi-1.6.0'),
  '1.5.2': resolve('test', 'host', 'node_modules', '.pi-1.5.2'),
  '0.87.1': resolve('test', 'host', 'pi', 'node_modules', '@earendil-works', 'pi-coding-agent'),
};

/** The command of the newest pi. */
export const NEWEST_COMMAND = join(FOLDERS['1.6.0'], 'dist', 'bundle', 'cli.js');

/** The folder of the extension pi-subagents 0.67.0. */
export const PI_SUBAGENTS = resolve('test', 'host', 'node_modules', '.pi-subagents-0.67.0');

/** Imports a module of pi. Its types are not written for this project's strictness, so the caller says which it expects. */
export async function importPi<T>(name: keyof (typeof MODULES)[PiVersion], version: PiVersion = '1.5.2'): Promise<T> {
  const file = join(FOLDERS[version], 'dist', MODULES[version][name]);
  if (!existsSync(file))
    throw new Error(`pi ${version} is missing. Run "node test/host/installPi.mjs", or "npm run test:unit", which does.`);
  return (await import(pathToFileURL(file).href)) as T;
}
