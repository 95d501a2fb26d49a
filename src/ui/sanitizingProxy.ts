/** Objects of the editor whose texts are set one by one, such as a quick pick: each is treated when it is set. */
import { uiLine } from '../core/index';

/** What becomes of a property when it is set. */
export type Sanitizers<T> = { readonly [Name in keyof T]?: (value: T[Name]) => T[Name] };

/** `target` behind a proxy that treats what is set. Methods run on `target` itself. */
export function sanitizingProxy<T extends object>(target: T, treatments: Sanitizers<T>): T {
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (_, name, value) => {
      const treat = treatments[name as keyof T] as ((value: unknown) => unknown) | undefined;
      return Reflect.set(target, name, treat ? treat(value) : value);
    },
  });
}

/** A text as one safe line; other values, such as `undefined`, as they are. */
export const sanitizeLine = <T>(value: T): T => (typeof value === 'string' ? (uiLine(value) as T & string) : value);
