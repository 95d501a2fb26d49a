/** Paths of files, and of folders with everything under them. */
import { sep } from 'node:path';
import { stepCounter, type Steps } from '../../format/session/steps';

/** Returns true if a path is one of the given paths or lies under one; always, if they are `undefined`. */
export function isUnderAny(path: string, paths: readonly string[] | undefined): boolean {
  return paths === undefined || paths.some((at) => path === at || path.startsWith(at + sep));
}

/** `isUnderAny` for many paths on both sides: looks up a path, and its parent folders whose paths are as long as a given one. */
export function pathScope(paths: readonly string[] | undefined): (path: string) => boolean {
  if (paths === undefined) return () => true;
  const among = new Set(paths);
  const lengths = [...new Set(paths.map(({ length }) => length))];
  return (path) =>
    lengths.some((length) => (path.length === length ? among.has(path) : path[length] === sep && among.has(path.slice(0, length))));
}

/**
 * Returns the keys of `files` that are one of the paths or lie under one, as of the first step; all keys without paths.
 * Doesn't walk `files` if each path is a file in it, which has nothing under it.
 */
export function* pathsWithin(files: ReadonlyMap<string, unknown>, paths: readonly string[] | undefined): Steps<Iterable<string>> {
  if (paths === undefined) return files.keys();
  if (paths.every((path) => files.has(path))) return new Set(paths);
  const isInScope = pathScope(paths);
  const within: string[] = [];
  const isStepEnd = stepCounter();
  for (const path of [...files.keys()]) {
    if (isInScope(path)) within.push(path);
    if (isStepEnd()) yield;
  }
  return within;
}
