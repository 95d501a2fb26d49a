/** Text that names a position in a file, as people and agents write it: `src/a.ts:12`, `src/a.ts:10-29`, `~/x.md#L3`. */

/** A place in a file. */
export interface FileLocation {
  /** The path in the text: absolute, relative to the home folder (`~/`), or relative to the session's working folder. */
  readonly path: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
}

const MAX_LENGTH = 400;
const LOCATION = /^(.+?)(?::(\d{1,7})(?:[:.](\d{1,5}))?(?:-\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)?$/s;

/**
 * Parses text like `src/a.ts:10-29` as a place in a file.
 *
 * @returns `undefined` if the text can't be a file on this machine: not a path, a URL, or a path on another computer.
 */
export function parseFileLocation(text: string): FileLocation | undefined {
  // Bidi and control characters can make a path look like another one.
  // eslint-disable-next-line no-control-regex -- this is what the check is for
  if (text.length > MAX_LENGTH || /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text)) return undefined;
  const [, path = '', first, column, second] = LOCATION.exec(text) ?? [];
  // Accessing `\\server\share` sends the user's credentials to that server.
  if (path === '' || /^[\\/]{2}/.test(path) || /^[a-z][\w+.-]+:/i.test(path)) return undefined;
  const line = Number(first ?? second ?? 0);
  return { path, ...(line > 0 ? { line, ...(column === undefined ? {} : { column: Number(column) }) } : {}) };
}

/** Returns whether a text on its own looks like a file: it has folders or an extension, and no spaces. */
export function looksLikeFilePath(text: string): boolean {
  const path =
    /[\s*?<>|"'`$(){}=;,]/.test(text) || /^[-.]*$/.test(text) || text.startsWith('-') ? undefined : parseFileLocation(text)?.path;
  return (
    path !== undefined &&
    (/^(?:~|\.{1,2}|[a-z]:)?[\\/]?[^\\/]+[\\/].*[^\\/]$/i.test(path) ||
      /^[\w@.-]*\w\.[a-z][a-z\d]{0,9}$/i.test(path) ||
      /^[\\/][^\\/]/.test(path))
  );
}
