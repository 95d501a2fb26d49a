/** Checks of values whose types nothing guarantees, made of smaller ones: a table with the members of an object says what is checked. */
import { isArray, isObject, ownValue, type JsonObject } from './jsonValues';

export type Check<T> = (value: unknown) => value is T;

/** A check for each member. Members that may be absent have one that is true for `undefined`. */
export type Shape<T> = { readonly [K in keyof T]-?: Check<object extends Pick<T, K> ? T[K] | undefined : T[K]> };

export const isText: Check<string> = (value) => typeof value === 'string';
export const isFlag: Check<boolean> = (value) => typeof value === 'boolean';
export const isNumber: Check<number> = (value): value is number => Number.isFinite(value);
export const isWhole: Check<number> = (value): value is number => Number.isSafeInteger(value);

export const isOneOf =
  <const T>(values: readonly T[]): Check<T> =>
  (value): value is T =>
    values.some((one) => one === value);

export const isOptional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value) =>
    value === undefined || check(value);

export const isNullOr =
  <T>(check: Check<T>): Check<T | null> =>
  (value) =>
    value === null || check(value);

export const isListOf =
  <T>(check: Check<T>): Check<readonly T[]> =>
  (value): value is readonly T[] =>
    isArray(value) && value.every(check);

/** Objects that have at least these members. */
export const isObjectOf =
  <T extends object>(shape: Shape<T>): Check<T> =>
  (value): value is T =>
    isObject(value) && hasMembers(value, shape);

/** Returns whether an object has these members as its own. */
export function hasMembers<T extends object>(value: JsonObject, shape: Shape<T>): value is JsonObject & T {
  return Object.entries<Check<unknown>>(shape).every(([name, check]) => check(ownValue(value, name)));
}
