/** What a person may have meant otherwise, where a search finds nothing. Pure. */
import { folderBaseName, matchFolders, PREFIXES, ROLE_NAMES, matchTools, prefixValues, type Prefix } from './searchQuery';

export type QueryProblem =
  /** No value is there. */
  | { readonly kind: 'empty'; readonly prefix: Exclude<Prefix, 'label'> }
  /** There is no such value. `instead`: the whole text with others that there are. */
  | { readonly kind: 'value'; readonly prefix: 'role' | 'tool' | 'project'; readonly value: string; readonly replacements: readonly Replacement[] }
  /** What stands before a colon is no prefix, and was searched as a word. */
  | { readonly kind: 'prefix'; readonly typed: string };

export interface Replacement {
  /** As `role:user`. */
  readonly name: string;
  /** What to search for then. */
  readonly text: string;
}

/** What values there are. */
export interface KnownValues {
  readonly tools: readonly string[];
  /** Folders of all projects. */
  readonly folders: readonly string[];
}

/** Values that are offered in place of one. */
const MAX_REPLACEMENTS = 8;

export function findQueryProblems(text: string, { tools, folders }: KnownValues): QueryProblem[] {
  const known = prefixValues(text).flatMap(({ prefix, value, start, end }): QueryProblem[] => {
    if (prefix === 'label') return [];
    if (value === '') return [{ kind: 'empty', prefix }];
    if (prefix === 'file') return [];
    const names = prefix === 'role' ? ROLE_NAMES : prefix === 'tool' ? tools : folders.filter((folder) => folder !== '').map(folderBaseName);
    const isMeant = prefix === 'role' ? ROLE_NAMES.includes(value.toLowerCase()) : prefix === 'tool' ? matchTools(value, tools).length > 0 : matchFolders(value, folders).length > 0;
    if (isMeant) return [];
    const instead = [...new Set(names)].slice(0, MAX_REPLACEMENTS).map((name) => {
      const whole = `${prefix}:${/\s/.test(name) ? `"${name}"` : name}`;
      return { name: whole, text: `${text.slice(0, start)}${whole}${text.slice(end)}` };
    });
    return [{ kind: 'value', prefix, value, replacements: instead }];
  });
  return [...known, ...unknownPrefixes(text).map((typed): QueryProblem => ({ kind: 'prefix', typed }))];
}

/** Words with a colon right behind them, as prefixes have; not addresses, times or places in files. */
function unknownPrefixes(text: string): string[] {
  const outside = text.replace(/-?"[^"]*"/g, ' ');
  const typed = Array.from(outside.matchAll(/(?<!\S)([a-z]{2,}):(?!\/\/|:)(?=[^\d]|$)/gi), ([, word]) => word!);
  return [...new Set(typed)].filter((word) => !PREFIXES.some((prefix) => prefix === word.toLowerCase()));
}
