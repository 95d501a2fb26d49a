/**
 * The start of the command line. It loads nothing before the compiled code of earlier runs can be used, which saves half of the time
 * that loading takes.
 */
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns the cache's folder as the arguments and the environment name it, before these are parsed and checked. */
function codeFolder(): string {
  const at = process.argv.lastIndexOf('--cache');
  const named = at < 0 ? undefined : process.argv[at + 1];
  const base = process.env['XDG_CACHE_HOME'];
  const cache = named ?? join(base !== undefined && isAbsolute(base) ? base : join(homedir(), '.cache'), 'session-tree');
  return join(cache, 'code');
}

// Older versions of Node have no such cache. A folder that can't be used is no error: it's ignored, and others report it.
(module as { enableCompileCache?: (folder: string) => unknown }).enableCompileCache?.(codeFolder());
import('./main').catch((error: unknown) => {
  process.stderr.write(`session-tree: ${error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error)}\n`);
  process.exitCode = 1;
});
