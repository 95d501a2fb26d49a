/** Finds the session that a session was forked from, among all listed files. Pure. */
import { basename } from 'node:path';
import { withoutSessionSuffix, type ListedSession } from '../../core/index';

export type ListedFile<K extends ListedSession['kind']> = Extract<ListedSession, { kind: K }>;

/** Returns the file of the session that this one names as its parent; `undefined` if it names none, or none that is listed. */
export type FindParent = (file: ListedFile<'session'>) => ListedFile<'session'> | undefined;

/**
 * Finds the parent that a session names: by path, by id (oh-my-pi), or by file name if it was moved or archived. If there are
 * several copies, the one with the first path counts.
 */
export function parentFinder(files: ReadonlyMap<string, ListedFile<'session'>>): FindParent {
  // Built on demand: few sessions name a parent, and mostly by its path.
  let others: { readonly byId: Map<string, ListedFile<'session'>>; readonly byName: Map<string, ListedFile<'session'>> } | undefined;
  const find = (name: string): ListedFile<'session'> | undefined => {
    if (!others) {
      others = { byId: new Map(), byName: new Map() };
      const put = (known: Map<string, ListedFile<'session'>>, key: string, file: ListedFile<'session'>): void => {
        const copy = known.get(key);
        if (!copy || file.path < copy.path) known.set(key, file);
      };
      for (const file of files.values()) {
        put(others.byId, file.summary.id, file);
        put(others.byName, withoutSessionSuffix(basename(file.path)), file);
      }
    }
    return others.byId.get(name) ?? others.byName.get(withoutSessionSuffix(basename(name)));
  };
  return ({ summary: { parentSession } }) => {
    const parent = parentSession === undefined ? undefined : (files.get(parentSession) ?? find(parentSession));
    // A copy on another machine is below the session that it's a copy of.
    return (parent?.copyOf?.hasDiverged === false ? files.get(parent.copyOf.path) : undefined) ?? parent;
  };
}
