/** Finds the session that another one names as its parent, among all listed files. In steps, and pure. */
import { basename } from 'node:path';
import { withoutSessionSuffix } from '../../format/session/archivedSession';
import type { Steps } from '../../format/session/steps';
import type { ListedFile } from './listedSession';

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
  for (const file of files) {
    if (isStepEnd()) yield;
    const parent = parentName(file);
    if (parent !== undefined) parents.add(parent);
    if (file.copyOf) originals.add(file.copyOf.path);
  }
  const fileOf = yield* findByPath(files, new Set([...parents, ...originals]), isStepEnd);
  const find = yield* findByName(files, new Set([...parents].filter((path) => !fileOf(path))), isStepEnd);
  return (file) => {
    const name = parentName(file);
    const parent = name === undefined ? undefined : (fileOf(name) ?? find(name));
    // A copy on another machine is below the session that it's a copy of.
    return (parent?.copyOf?.hasDiverged === false ? fileOf(parent.copyOf.path) : undefined) ?? parent;
  };
}

/** Returns the path or id of its parent that a session has. In a folder for subagents alone, a folder may be named by the parent's id. */
const parentName = ({ summary: { parentSession }, root, owner }: ListedFile<'session'>): string | undefined =>
  parentSession ?? (root.ofSubagents && owner !== undefined ? withoutSessionSuffix(basename(owner)) : undefined);

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
