/**
 * Lines of patches that quote the text to replace, oh-my-pi's edit mode `sloppy`. Its syntax changed several times in 2026; a
 * patch has one of them throughout. FORMAT section 2.
 */

/** How a patch marks its parts; named after the first line of each. */
export type QuotedForm = 'headers' | 'tags' | 'signs' | 'brackets';

/** A line that begins a part of a patch. */
type QuotedMarker =
  /** `file` is absent where the previous file continues. `all`: each match is replaced. `opensFind`: the quoted text follows at once. */
  | { readonly kind: 'file'; readonly file?: string; readonly all: boolean; readonly opensFind: boolean }
  /** The quoted text; the text in its place; text that is added after it; nothing of these. */
  | { readonly kind: 'find' | 'replace' | 'after' | 'end' };

const FIRST_LINES: readonly (readonly [QuotedForm, RegExp])[] = [
  ['headers', /^\s*\*\*\* (?:Edit File:|Reason:|SM:EDIT\b)/i],
  ['tags', /^\s*<SM:EDIT\b/],
  ['signs', /^\s*§/],
  ['brackets', /^\s*\[[^\n\r]{1,5000}\]\r?\n«\r?\n/],
];

/** Returns the form of a patch by its first line; `undefined` for other patches. */
export const quotedForm = (patch: string): QuotedForm | undefined => FIRST_LINES.find(([, first]) => first.test(patch))?.[0];

/** Returns the text of a patch with each marker on a line of its own. */
export const withMarkersOnLines = (patch: string, form: QuotedForm): string =>
  form === 'tags' ? patch.replace(/\r?\n?(<\/?SM:(?:EDIT[^>\n]{0,5000}|FIND|PUT|AFTER)>)\r?\n?/g, '\n$1\n') : patch;

/** UTF-16 units: a longer line marks nothing. */
const MAX_LINE = 5_000;

/** Returns what a line marks. @param next the line after it */
export function quotedMarker(form: QuotedForm, line: string, next: string | undefined): QuotedMarker | undefined {
  if (line.length > MAX_LINE) return undefined;
  switch (form) {
    case 'headers':
      return headerMarker(line);
    case 'tags':
      return tagMarker(line);
    case 'signs': {
      const [, all, file = ''] = /^§(\*?)(.*)$/.exec(line) ?? [];
      if (all !== undefined) return fileMarker(file, all === '*', true);
      return line.trimEnd() === '»' ? { kind: 'replace' } : undefined;
    }
    case 'brackets': {
      const [, file] = next === '«' ? (/^\[(.+)\]$/.exec(line) ?? []) : [];
      if (file !== undefined) return fileMarker(file, false, false);
      return line === '«' ? { kind: 'find' } : line === '»' ? { kind: 'replace' } : undefined;
    }
  }
}

function headerMarker(line: string): QuotedMarker | undefined {
  const [, verb = '', rest = ''] = /^\*\*\* (Edit File:|Reason:|(?:SM:)?[A-Z]+)(?:\s+(.*))?$/i.exec(line) ?? [];
  const name = verb.toLowerCase();
  if (name === 'edit file:') return fileMarker(rest, false, false);
  if (name === 'reason:') return { kind: 'end' };
  if (name === 'sm:edit') {
    const all = /(?:^|\s)all\s*$/.test(rest);
    return fileMarker(all ? rest.trimEnd().slice(0, -'all'.length) : rest, all, false);
  }
  if (rest.trim() !== '') return undefined;
  switch (name) {
    case 'find':
    case 'sm:find':
      return { kind: 'find' };
    case 'replace':
    case 'sm:put':
      return { kind: 'replace' };
    case 'sm:after':
      return { kind: 'after' };
    default:
      return undefined;
  }
}

function tagMarker(line: string): QuotedMarker | undefined {
  const [, file] = /^<SM:EDIT\s+(?:path|file)="([^"]*)"/.exec(line) ?? [];
  if (file !== undefined) return fileMarker(file, /\ball\b[^"]*>$/.test(line), false);
  switch (line) {
    case '<SM:FIND>':
      return { kind: 'find' };
    case '<SM:PUT>':
      return { kind: 'replace' };
    case '<SM:AFTER>':
      return { kind: 'after' };
    case '</SM:FIND>':
    case '</SM:PUT>':
    case '</SM:AFTER>':
    case '</SM:EDIT>':
      return { kind: 'end' };
    default:
      return undefined;
  }
}

function fileMarker(written: string, all: boolean, opensFind: boolean): QuotedMarker {
  const file = unquoted(written.trim());
  return { kind: 'file', ...(file === '' ? {} : { file }), all, opensFind };
}

/** Returns a path without the quotes around it, or the brackets and the tag that models copy from what they read. */
export function unquoted(path: string): string {
  const [, inner] = /^\[(.+?)(?:#[0-9A-Za-z]{2,16})?\]$/.exec(path) ?? [];
  const [, plain] = /^"(.*)"$/.exec(inner ?? path) ?? [];
  return plain ?? inner ?? path;
}
