/** Objects whose properties may be missing. A missing property and one that is `undefined` differ in JSON codecs and comparisons. */

/** The fields; the ones that may be `undefined` are optional properties. */
export type Defined<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Returns the fields that aren't `undefined`, in their order. */
export function defined<T extends object>(fields: T): Defined<T>;
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
