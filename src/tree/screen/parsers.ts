/** Functions that return a value if it has the expected type, and throw a `TypeError` otherwise. */
import { isArray, isCount, isObject } from '../../core/index';

export type Parser<T> = (value: unknown) => T;

export const text: Parser<string> = (value) => {
  if (typeof value !== 'string') throw new TypeError('Expected a string');
  return value;
};

export const flag: Parser<boolean> = (value) => {
  if (typeof value !== 'boolean') throw new TypeError('Expected a boolean');
  return value;
};

/** For properties that are either true or absent. */
export const isTrue: Parser<true> = (value) => {
  if (value !== true) throw new TypeError('Expected true');
  return value;
};

export const number: Parser<number> = (value) => {
  if (typeof value !== 'number') throw new TypeError('Expected a number');
  return value;
};

export const count: Parser<number> = (value) => {
  if (!isCount(value)) throw new TypeError('Expected a count');
  return value;
};

/** The last moment that a `Date` can have, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;

/** Milliseconds since 1970. */
export const time: Parser<number> = (value) => {
  if (!(typeof value === 'number' && Math.abs(value) <= LAST_TIME)) throw new TypeError('Expected a time in milliseconds');
  return value;
};

export const oneOf =
  <T extends string>(values: readonly T[]): Parser<T> =>
  (value) => {
    const found = values.find((each) => each === value);
    if (found === undefined) throw new TypeError('Expected one of the known values');
    return found;
  };

export const optional =
  <T>(parse: Parser<T>): Parser<T | undefined> =>
  (value) =>
    value === undefined ? undefined : parse(value);

export const record =
  <T>(parse: Parser<T>): Parser<Readonly<Record<string, T>>> =>
  (value) => {
    if (!isObject(value)) throw new TypeError('Expected an object');
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, parse(each)]));
  };

export const list =
  <T>(parse: Parser<T>): Parser<T[]> =>
  (value) => {
    if (!isArray(value)) throw new TypeError('Expected a list');
    return value.map(parse);
  };

/** A parser for each property. The parser of an optional property may return `undefined`. */
type PropertyParsers<T> = { readonly [K in keyof T]-?: Parser<T[K] | (object extends Pick<T, K> ? undefined : never)> };

/** An object with these properties. Other properties and absent optional ones are left out. */
export const object =
  <T extends object>(properties: PropertyParsers<T>): Parser<T> =>
  (value) => {
    if (!isObject(value)) throw new TypeError('Expected an object');
    const found: Record<string, unknown> = {};
    for (const [name, parse] of Object.entries<Parser<unknown>>(properties)) {
      const property = parse(Object.hasOwn(value, name) ? value[name] : undefined);
      if (property !== undefined) found[name] = property;
    }
    // Each property has the type that its parser returns.
    return found as T;
  };
