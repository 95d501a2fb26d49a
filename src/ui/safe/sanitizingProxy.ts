/** Wraps objects of the editor whose texts are properties, such as a quick pick, and sanitizes each text when it's set. */
import { uiLine } from '../../core/index';

/** Functions by property name that change a value before it's set. */
type Sanitizers<T> = { readonly [Name in keyof T]?: (value: T[Name]) => T[Name] };

/** Returns a proxy of `target` that sanitizes property values. Methods run on `target` itself. */
export function sanitizingProxy<T extends object>(target: T, sanitizers: Sanitizers<T>): T {
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (_, name, value) => {
      // Proxies don’t know the names and types of properties; the sanitizer of a name takes its values.
      const sanitize = sanitizers[name as keyof T] as ((value: unknown) => unknown) | undefined;
      return Reflect.set(target, name, sanitize ? sanitize(value) : value);
    },
  });
}

/** Returns a string as one safe line; other values, such as `undefined`, unchanged. */
export const sanitizeLine = <T>(value: T): T => (typeof value === 'string' ? (uiLine(value) as T & string) : value);
