/** Finds the sessions that touched a file, under any of its names. */
import { pathKey } from '../../../files/locate/paths/pathMatch';
import { lastOf, valueOf } from '../../../format/values/lookups';
import type { Catalog } from '../../catalogApi';
import type { LocatedTouch } from '../../encoding/touchTable';
import type { TouchingSession } from './sessionEdits';

/**
 * The sessions that touched a file, the oldest first: forks come after their sources. Their touches have the file's last
 * path, whichever of its names the session used.
 *
 * @param former its other names in the repository
 */
export async function touchingSessions(
  catalog: Catalog,
  ownPaths: readonly string[],
  former: readonly string[],
): Promise<TouchingSessions> {
  const spellings = new Map<string, string>();
  for (const one of former) for (const name of await catalog.namesOf(one)) spellings.set(keyOf(name), one);
  for (const one of ownPaths) for (const name of await catalog.namesOf(one)) spellings.set(keyOf(name), lastOf(ownPaths));
  const names = [...new Set([...ownPaths, ...former, ...spellings.keys()])];
  const found = new Map<string, { written: LocatedTouch[]; read: LocatedTouch[] }>();
  for (const touch of await catalog.locatedTouches(names)) {
    let one = found.get(touch.path);
    if (!one) found.set(touch.path, (one = { written: [], read: [] }));
    (touch.kind === 'write' ? one.written : one.read).push(touch);
  }
  const summaries = [...found.keys()].flatMap((path) => catalog.files().get(path)?.row.summary ?? []);
  const sessions = summaries
    .sort((a, b) => a.created - b.created || order(a.path, b.path))
    .map(({ path, cwd, dialect }) => ({
      path,
      dialect,
      pathHere: pathsHere(catalog, path, cwd, spellings),
      ...inFileOrder(valueOf(found, path)),
    }));
  return { sessions, names };
}

interface TouchingSessions {
  readonly sessions: readonly TouchingSession[];
  /** All names of the file. */
  readonly names: readonly string[];
}

const keyOf = (path: string): string => pathKey(path, process.platform);

/** Touches are found by one name of the file after the other. */
function inFileOrder({ written, read }: Pick<TouchingSession, 'written' | 'read'>): Pick<TouchingSession, 'written' | 'read'> {
  const sorted = (touches: readonly LocatedTouch[]): LocatedTouch[] => [...touches].sort((a, b) => a.offset - b.offset);
  return { written: sorted(written), read: sorted(read) };
}

/** Returns `pathHere` of a session. Most of its calls spell the file the same. */
function pathsHere(catalog: Catalog, path: string, cwd: string, spellings: ReadonlyMap<string, string>): (file: string) => string {
  let last: { readonly file: string; readonly here: string } | undefined;
  return (file) => {
    if (last?.file === file) return last.here;
    const here = catalog.pathHere(path, cwd, file);
    last = { file, here: spellings.get(keyOf(here)) ?? here };
    return last.here;
  };
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
