/** Finds the session that a session was forked from, among all listed files. Pure. */
import { basename } from 'node:path';
import { withoutSessionSuffix, type ListedSession } from '../../core/index';

export type ListedFile<K extends ListedSession['kind']> = Extract<ListedSession, { kind: K }>;

/** Returns the file of the session that this one names as its parent; `undefined` if it names none, or none that is listed. */
export type FindParent = (file: ListedFile<'session'>) => ListedFile<'session'> | undefined;

/** Returns a function that finds one of a list by its path. Its map is only made for the first call: many stores have no forks. */
export function findByPath<T extends { readonly path: string }>(list: readonly T[]): (path: string) => T | undefined {
  let known: Map<string, T> | undefined;
  return (path) => (known ??= new Map(list.map((each) => [each.path, each]))).get(path);
}

/**
 * Finds the parent that a session names: by path, by id (oh-my-pi), or by file name if it was moved or archived. If there are
 * several copies, the one with the first path counts.
 */
export function parentFinder(files: readonly ListedFile<'session'>[]): FindParent {
  const fileOf = findByPath(files);
  // Built on demand: few sessions name a parent, and mostly by its path.
  let others: { readonly byId: Map<string, ListedFile<'session'>>; readonly byName: Map<string, ListedFile<'session'>> } | undefined;
  const find = (name: string): ListedFile<'session'> | undefined => {
    if (!others) {
      others = { byId: new Map(), byName: new Map() };
      const put = (known: Map<string, ListedFile<'session'>>, key: string, file: ListedFile<'session'>): void => {
        const copy = known.get(key);
        if (!copy || file.path < copy.path) known.set(key, file);
      };
      for (const file of files) {
        put(others.byId, file.summary.id, file);
        put(others.byName, withoutSessionSuffix(basename(file.path)), file);
      }
    }
    return others.byId.get(name) ?? others.byName.get(withoutSessionSuffix(basename(name)));
  };
  return ({ summary: { parentSession } }) => {
    const parent = parentSession === undefined ? undefined : (fileOf(parentSession) ?? find(parentSession));
    // A copy on another machine is below the session that it's a copy of.
    return (parent?.copyOf?.hasDiverged === false ? fileOf(parent.copyOf.path) : undefined) ?? parent;
  };
}
