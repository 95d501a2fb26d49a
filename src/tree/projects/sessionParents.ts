/** Finds the session that a session was forked from, among all listed files. In steps, and pure. */
import { basename } from 'node:path';
import { familyParent, withoutSessionSuffix, type ListedSession, type Steps } from '../../core/index';

export type ListedFile<K extends ListedSession['kind']> = Extract<ListedSession, { kind: K }>;

/** Returns the file of the session that this one names as its parent; `undefined` if it names none, or one that isn't listed. */
export type FindParent = (file: ListedFile<'session'>) => ListedFile<'session'> | undefined;

/** Returns a lookup of the items at these paths. Only a few of many sessions are parents. @param isStepEnd see `stepCounter` */
export function* findByPath<T extends { readonly path: string }>(
  list: readonly T[],
  paths: ReadonlySet<string>,
  isStepEnd: () => boolean,
): Steps<(path: string) => T | undefined> {
  const found = new Map<string, T>();
  if (paths.size > 0) {
    for (const each of list) {
      if (isStepEnd()) yield;
      if (paths.has(each.path)) found.set(each.path, each);
    }
  }
  return (path) => found.get(path);
}

/**
 * Returns a function that finds the parent that a session of the list names: by path, by id (oh-my-pi), or by file name if
 * it was moved or archived. If there are several copies, the one with the first path counts.
 */
export function* parentFinder(files: readonly ListedFile<'session'>[], isStepEnd: () => boolean): Steps<FindParent> {
  const parents = new Set<string>();
  const originals = new Set<string>();
  for (const { summary, copyOf } of files) {
    if (isStepEnd()) yield;
    if (summary.parentSession !== undefined) parents.add(summary.parentSession);
    if (copyOf) originals.add(copyOf.path);
  }
  const fileOf = yield* findByPath(files, new Set([...parents, ...originals]), isStepEnd);
  const find = yield* findByName(files, new Set([...parents].filter((path) => !fileOf(path))), isStepEnd);
  return ({ summary: { parentSession } }) => {
    const parent = parentSession === undefined ? undefined : (fileOf(parentSession) ?? find(parentSession));
    // A copy on another machine is below the session that it's a copy of.
    return (parent?.copyOf?.hasDiverged === false ? fileOf(parent.copyOf.path) : undefined) ?? parent;
  };
}

/** Returns a function that finds the files with one of these ids, or with a file name of one of these paths. */
function* findByName(
  files: readonly ListedFile<'session'>[],
  parents: ReadonlySet<string>,
  isStepEnd: () => boolean,
): Steps<(name: string) => ListedFile<'session'> | undefined> {
  const nameOf = (path: string): string => withoutSessionSuffix(basename(path));
  const names = new Set([...parents].map(nameOf));
  const byId = new Map<string, ListedFile<'session'>>();
  const byName = new Map<string, ListedFile<'session'>>();
  const put = (known: Map<string, ListedFile<'session'>>, key: string, file: ListedFile<'session'>): void => {
    const copy = known.get(key);
    if (!copy || file.path < copy.path) known.set(key, file);
  };
  // Nearly all parents are found by their paths.
  for (const file of parents.size > 0 ? files : []) {
    if (isStepEnd()) yield;
    if (parents.has(file.summary.id)) put(byId, file.summary.id, file);
    const name = nameOf(file.path);
    if (names.has(name)) put(byName, name, file);
  }
  return (parent) => byId.get(parent) ?? byName.get(nameOf(parent));
}

/** Returns the paths of all sessions that others may be put below. */
export function* pathsAbove(files: ReadonlyMap<string, ListedSession>, find: FindParent, isStepEnd: () => boolean): Steps<Set<string>> {
  const found = new Set<string>();
  // A copy, because the map may change while other work runs in between.
  for (const file of [...files.values()]) {
    if (isStepEnd()) yield;
    const above = familyParent(file, (path) => files.get(path));
    if (above !== undefined) found.add(above);
    if (file.copyOf) found.add(file.copyOf.path);
    const parent = file.kind === 'session' ? find(file) : undefined;
    if (parent) found.add(parent.path);
  }
  return found;
}
