/** Paths of what moves. They're compared by their names only, as the platform does; links aren't resolved. */
import { isAbsolute, join, normalize, relative, sep } from 'node:path';

/** UTF-16 units. Longer paths come from no program, and looking up their folders would take long. */
const MAX_LENGTH = 4096;

/** The key of a path: normalized, without a separator at the end. On Windows, case doesn't matter. */
export function placeKey(path: string): string {
  const normal = normalize(path);
  if (sep === '\\') return normal.replace(/(?<=[^:\\/])[\\/]$/, '').toLowerCase();
  return normal.length > 1 && normal.endsWith(sep) ? normal.slice(0, -1) : normal;
}

/** True for a text that may be the path of something on this machine. */
export const isPlace = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH && !value.includes('\0') && isAbsolute(value);

/** Values of files and folders. A folder's value also applies to everything in it. */
export class PlaceMap<T> {
  private readonly values = new Map<string, T>();

  set(path: string, value: T): void {
    this.values.set(placeKey(path), value);
  }

  delete(path: string): void {
    this.values.delete(placeKey(path));
  }

  get isEmpty(): boolean {
    return this.values.size === 0;
  }

  /** Returns the value of the path, or of the nearest folder around it, and the path within that. */
  find(path: string): { readonly value: T; readonly within: string } | undefined {
    if (!isPlace(path)) return undefined;
    const key = placeKey(path);
    for (let end = key.length; end > 0; end = key.lastIndexOf(sep, end - 1)) {
      const value = this.values.get(key.slice(0, end));
      if (value !== undefined) return { value, within: end === key.length ? '' : normalize(path).slice(end + 1) };
    }
    return undefined;
  }
}

/** The new paths of files and folders that have moved. */
export class MovedPaths extends PlaceMap<string> {
  /** Returns the new path; `undefined` for a path that hasn't moved, or isn't one. */
  readonly newPath = (path: string): string | undefined => {
    const found = this.find(path);
    return found && (found.within === '' ? found.value : join(found.value, found.within));
  };
}

/** Returns a path relative to `folder`: empty for the folder itself; `undefined` if it's outside. */
export function placeWithin(folder: string, path: string): string | undefined {
  if (!isPlace(path)) return undefined;
  const [outer, inner] = [placeKey(folder), placeKey(path)];
  if (inner === outer) return '';
  const start = outer.endsWith(sep) ? outer : outer + sep;
  if (!inner.startsWith(start)) return undefined;
  // On Windows, the key has other letters.
  return sep === '\\' ? relative(normalize(folder), normalize(path)) : inner.slice(start.length);
}
