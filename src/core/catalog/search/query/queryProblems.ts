/** Finds likely mistakes in a query without results. Pure. */
import { parsePeriod } from './queryDates';
import {
  folderBaseName,
  isDatePrefix,
  matchFolders,
  PREFIXES,
  ROLE_NAMES,
  STATES,
  matchTools,
  prefixValues,
  type Prefix,
} from './queryPrefixes';

export type QueryProblem =
  /** The prefix has no value. */
  | { readonly kind: 'empty'; readonly prefix: Exclude<Prefix, 'label'> }
  /** The value doesn't exist. `replacements` are queries with existing values. */
  | {
      readonly kind: 'value';
      readonly prefix: 'role' | 'tool' | 'project' | 'is' | 'tag';
      readonly value: string;
      readonly replacements: readonly Replacement[];
    }
  /** The value isn't a date. */
  | { readonly kind: 'date'; readonly prefix: Prefix; readonly value: string }
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
  readonly tags?: readonly string[];
}

/** Replacements for one value. */
const MAX_REPLACEMENTS = 10;

/** Returns the problems of known prefixes in the order of the text, then the unknown prefixes. */
export function findQueryProblems(text: string, given: PrefixValues): QueryProblem[] {
  if (!/[\p{L}\p{N}]/u.test(text)) return [{ kind: 'noWord' }];
  const known = prefixValues(text).flatMap(({ prefix, value, start, end }): QueryProblem[] => {
    if (prefix === 'label') return [];
    if (value === '') return [{ kind: 'empty', prefix }];
    if (prefix === 'file') return [];
    if (isDatePrefix(prefix)) return parsePeriod(value, new Date()) ? [] : [{ kind: 'date', prefix, value }];
    const { names, isKnown } = knownValues(prefix, value, given);
    if (isKnown) return [];
    const replacements = [...new Set(names)].slice(0, MAX_REPLACEMENTS).map((name) => {
      const corrected = `${prefix}:${/\s/.test(name) ? `"${name}"` : name}`;
      return { name: corrected, text: `${text.slice(0, start)}${corrected}${text.slice(end)}` };
    });
    return [{ kind: 'value', prefix, value, replacements }];
  });
  return [...known, ...unknownPrefixes(text).map((typed): QueryProblem => ({ kind: 'prefix', typed }))];
}

/** Returns the existing values, and whether a value is one of them. */
function knownValues(
  prefix: 'role' | 'tool' | 'project' | 'is' | 'tag',
  value: string,
  { tools, folders, tags = [] }: PrefixValues,
): { readonly names: readonly string[]; readonly isKnown: boolean } {
  const lower = value.toLowerCase();
  const among = (names: readonly string[]) => ({ names, isKnown: names.some((name) => name.toLowerCase() === lower) });
  switch (prefix) {
    case 'role':
      return among(ROLE_NAMES);
    case 'is':
      return among(STATES);
    case 'tag':
      return among(tags);
    case 'tool':
      return { names: tools, isKnown: matchTools(value, tools).length > 0 };
    case 'project':
      return {
        names: folders.filter((folder) => folder !== '').map(folderBaseName),
        isKnown: matchFolders(value, folders).length > 0,
      };
  }
}

/** Returns words that end with a colon like prefixes; not URLs, times or paths. */
function unknownPrefixes(text: string): string[] {
  const unquoted = text.replace(/-?"[^"]*"/g, ' ');
  const typed = Array.from(unquoted.matchAll(/(?<!\S)([a-z]{2,}):(?!\/\/|:)/gi), ([, word = '']) => word);
  return [...new Set(typed)].filter((word) => !PREFIXES.some((prefix) => prefix === word.toLowerCase()));
}
