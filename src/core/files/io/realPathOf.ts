/** Resolves links in paths that needn't exist. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Returns a path with all links in it resolved, as far as it exists. */
export async function resolveLinks(path: string): Promise<string> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined || dirname(at) === at) return join(real ?? at, ...missing);
    missing.unshift(basename(at));
  }
}

/** Returns a path with the links in the folders above it resolved. It may be a link itself. */
export const realPathOf = async (path: string): Promise<string> => join(await resolveLinks(dirname(path)), basename(path));
