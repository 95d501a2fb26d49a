/** Finds likely mistakes in a query without results. Pure. */
import { folderBaseName, matchFolders, PREFIXES, ROLE_NAMES, matchTools, prefixValues, type Prefix } from './queryPrefixes';

export type QueryProblem =
  /** The prefix has no value. */
  | { readonly kind: 'empty'; readonly prefix: Exclude<Prefix, 'label'> }
  /** The value doesn't exist. `replacements` are queries with existing values. */
  | {
      readonly kind: 'value';
      readonly prefix: 'role' | 'tool' | 'project';
      readonly value: string;
      readonly replacements: readonly Replacement[];
    }
  /** The word before a colon isn't a prefix, so it was searched as a word. */
  | { readonly kind: 'prefix'; readonly typed: string }
  /** There are only characters that aren't searched, such as the first quotation mark of a phrase. */
  | { readonly kind: 'noWord' };

interface Replacement {
  /** The prefix with its value, such as `role:user`. */
  readonly name: string;
  /** The whole query with the replacement. */
  readonly text: string;
}

/** The existing values of prefixes. */
interface PrefixValues {
  readonly tools: readonly string[];
  /** Folders of all projects. */
  readonly folders: readonly string[];
}

/** Replacements for one value. */
const MAX_REPLACEMENTS = 8;

/** Returns the problems of known prefixes in the order of the text, then the unknown prefixes. */
export function findQueryProblems(text: string, { tools, folders }: PrefixValues): QueryProblem[] {
  if (!/[\p{L}\p{N}]/u.test(text)) return [{ kind: 'noWord' }];
  const known = prefixValues(text).flatMap(({ prefix, value, start, end }): QueryProblem[] => {
    if (prefix === 'label') return [];
    if (value === '') return [{ kind: 'empty', prefix }];
    if (prefix === 'file') return [];
    const names =
      prefix === 'role' ? ROLE_NAMES : prefix === 'tool' ? tools : folders.filter((folder) => folder !== '').map(folderBaseName);
    const isKnown =
      prefix === 'role'
        ? ROLE_NAMES.includes(value.toLowerCase())
        : prefix === 'tool'
          ? matchTools(value, tools).length > 0
          : matchFolders(value, folders).length > 0;
    if (isKnown) return [];
    const replacements = [...new Set(names)].slice(0, MAX_REPLACEMENTS).map((name) => {
      const corrected = `${prefix}:${/\s/.test(name) ? `"${name}"` : name}`;
      return { name: corrected, text: `${text.slice(0, start)}${corrected}${text.slice(end)}` };
    });
    return [{ kind: 'value', prefix, value, replacements }];
  });
  return [...known, ...unknownPrefixes(text).map((typed): QueryProblem => ({ kind: 'prefix', typed }))];
}

/** Returns words that end with a colon like prefixes; not URLs, times or line numbers of files. */
function unknownPrefixes(text: string): string[] {
  const unquoted = text.replace(/-?"[^"]*"/g, ' ');
  const typed = Array.from(unquoted.matchAll(/(?<!\S)([a-z]{2,}):(?!\/\/|:)(?=[^\d]|$)/gi), ([, word = '']) => word);
  return [...new Set(typed)].filter((word) => !PREFIXES.some((prefix) => prefix === word.toLowerCase()));
}
