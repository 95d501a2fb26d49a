/** Values from JSON whose types nothing guarantees: checks and safe access. */

/** An object from JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects except for arrays and `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for arrays; their items may be anything, which `Array.isArray` doesn't say. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns the value of a table's own key; `undefined` for any other key, also for names such as `constructor`. */
export function ownValue<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** True for a whole number from 0 on that a JavaScript number holds exactly. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Returns a string unchanged, and `undefined` for any other value. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const KEYS = Symbol('keys');

/** Remembers the keys of an object with very many members: `Object.keys` takes a second for a million. */
export function rememberKeys(object: object, keys: readonly string[]): void {
  Object.defineProperty(object, KEYS, { value: keys });
}

/** Returns the keys of an object that isn't changed after it was parsed. */
export const keysOf = (object: object): readonly string[] =>
  (object as { readonly [KEYS]?: readonly string[] })[KEYS] ?? Object.keys(object);
