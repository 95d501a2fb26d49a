/** The syntax of a query: words, and prefixes that limit where they are searched. Pure. */
import { ownValue } from '../../../format/values/jsonValues';
import { limitOf } from './queryDates';
import { excludesOnly, MAX_QUERY_UNITS, truncationOf } from './searchQuery';

/** A parsed query. If a field has several values, any of them matches. */
export interface SearchQuery {
  /** The words, in the catalog's query syntax. */
  readonly query: string;
  /** Roles of the catalog. */
  readonly roles?: readonly string[];
  /** Names of tools, or their beginnings. */
  readonly tools?: readonly string[];
  /** Parts of paths. */
  readonly files?: readonly string[];
  /** Words of labels; an empty string matches any label. */
  readonly labels?: readonly string[];
  /** Beginnings of projects' names, or parts of their folders. */
  readonly projects?: readonly string[];
  /** Tags of sessions. */
  readonly tags?: readonly string[];
  /** States of sessions, all of which must hold; see {@link STATES}. */
  readonly is?: readonly string[];
  /** Only from this time on, in milliseconds since 1970; `NaN` if what was typed isn't a date. */
  readonly since?: number;
  /** Only before this time. */
  readonly until?: number;
}

export const PREFIXES = ['role', 'tool', 'file', 'label', 'project', 'tag', 'is', 'after', 'before', 'since', 'until'] as const;
export type Prefix = (typeof PREFIXES)[number];

/** Roles of the catalog by the names that can be typed. `toolCall` matches messages with tool calls. */
const ROLE_ALIASES: Readonly<Record<string, readonly string[]>> = {
  user: ['user'],
  assistant: ['assistant'],
  tool: ['toolCall', 'toolResult'],
  extension: ['custom', 'custom_message'],
  command: ['bashExecution', 'pythonExecution'],
  name: ['session_info', 'title', 'title_change'],
  label: ['label'],
  summary: ['compaction', 'branch_summary'],
  system: ['system', 'session_init'],
};
export const ROLE_NAMES: readonly string[] = Object.keys(ROLE_ALIASES);

/** The values of `is:`. */
export const STATES = ['unfinished', 'running', 'waiting', 'failed', 'archived', 'pinned', 'subagent'] as const;

export const isDatePrefix = (prefix: Prefix): prefix is 'after' | 'before' | 'since' | 'until' =>
  prefix === 'after' || prefix === 'before' || prefix === 'since' || prefix === 'until';

/** Matches phrases, which contain no prefixes, and prefixes with their values. The closing quotation mark of a value may be missing. */
const TOKEN_PATTERN = /-?"[^"]*"|(?<!\S)(role|tool|file|label|project|tag|is|after|before|since|until):(?:"([^"]*)"?|(\S*))/gi;

/** Prefix values that are used: each one is searched in all sessions. */
export const MAX_PREFIX_VALUES = 16;

/** Returns which limit cuts a query: `units` and `words` as in `truncationOf`, or `values` after the first {@link MAX_PREFIX_VALUES}; `undefined` if none does. */
export function searchTruncation(text: string): ReturnType<typeof truncationOf> | 'values' {
  return text.length > MAX_QUERY_UNITS
    ? 'units'
    : (truncationOf(parseSearchQuery(text).query) ?? (prefixValues(text).length > MAX_PREFIX_VALUES ? 'values' : undefined));
}

/** Returns whether a query has only exclusions, and no prefix that limits the sessions that they exclude from. */
export function isOnlyExcluding(text: string): boolean {
  const { query, ...limits } = parseSearchQuery(text);
  return Object.keys(limits).length === 0 && excludesOnly(query);
}

/** The pattern finds the prefixes of this type only, in any case. */
const prefixNamed = (text: string): Prefix => text.toLowerCase() as Prefix;

/**
 * Parses words and prefixes: `label:words`, `tool:bash`, `file:src/index.ts`, `project:shop`, `role:user`, `is:failed`,
 * `tag:later`, `after:2026-11-01`. Values with spaces are in quotation marks.
 */
export function parseSearchQuery(text: string, now = new Date()): SearchQuery {
  const values: Record<Prefix, string[]> = {
    role: [],
    tool: [],
    file: [],
    label: [],
    project: [],
    tag: [],
    is: [],
    after: [],
    before: [],
    since: [],
    until: [],
  };
  let left = MAX_PREFIX_VALUES;
  const query = text
    .slice(0, MAX_QUERY_UNITS)
    .replace(TOKEN_PATTERN, (whole, prefix: string | undefined, quoted: string | undefined, bare: string | undefined) => {
      if (prefix === undefined) return whole;
      const name = prefixNamed(prefix);
      const value = (quoted ?? bare ?? '').trim();
      if (left-- <= 0) return '';
      if (name === 'label') values.label.push(quoted === undefined || value === '' ? value : `"${value}"`);
      else if (value !== '') values[name].push(value);
      return '';
    });
  const roles = values.role.flatMap((value) => ownValue(ROLE_ALIASES, value.toLowerCase()) ?? [value]);
  return {
    query: query.trim(),
    ...(roles.length > 0 ? { roles } : {}),
    ...(values.tool.length > 0 ? { tools: values.tool } : {}),
    ...(values.file.length > 0 ? { files: values.file } : {}),
    ...(values.label.length > 0 ? { labels: values.label } : {}),
    ...(values.project.length > 0 ? { projects: values.project } : {}),
    ...(values.tag.length > 0 ? { tags: values.tag } : {}),
    ...(values.is.length > 0 ? { is: values.is.map((value) => value.toLowerCase()) } : {}),
    ...limitsOf(values, now),
  };
}

/** Returns the times that all typed dates allow. */
function limitsOf(values: Readonly<Record<Prefix, readonly string[]>>, now: Date): Pick<SearchQuery, 'since' | 'until'> {
  const from: number[] = [];
  const to: number[] = [];
  for (const prefix of ['after', 'since', 'before', 'until'] as const)
    for (const value of values[prefix]) {
      const limit = limitOf(prefix, value, now) ?? { from: Number.NaN };
      if (limit.from !== undefined) from.push(limit.from);
      if (limit.to !== undefined) to.push(limit.to);
    }
  return { ...(from.length > 0 ? { since: Math.max(...from) } : {}), ...(to.length > 0 ? { until: Math.min(...to) } : {}) };
}

/** Returns the prefixes of a text with their values and UTF-16 offsets. */
export function prefixValues(
  text: string,
): { readonly prefix: Prefix; readonly value: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(TOKEN_PATTERN)].flatMap(({ 0: whole, 1: prefix, 2: quoted, 3: bare, index }) =>
    prefix === undefined
      ? []
      : [{ prefix: prefixNamed(prefix), value: (quoted ?? bare ?? '').trim(), start: index, end: index + whole.length }],
  );
}

/** A prefix at the end of the text, whose value is being typed. */
export interface TypedPrefix {
  readonly prefix: Prefix;
  /** The value so far. */
  readonly value: string;
  /** The text before the value. */
  readonly before: string;
}

/** Returns the prefix at the end of a text if its value isn't complete. */
export function prefixBeingTyped(text: string): TypedPrefix | undefined {
  const last = [...text.matchAll(TOKEN_PATTERN)].at(-1);
  if (last?.[1] === undefined || last.index + last[0].length !== text.length || /[^:]"$/.test(last[0])) return undefined;
  const value = last[2] ?? last[3] ?? '';
  return { prefix: prefixNamed(last[1]), value, before: text.slice(0, last.index + last[1].length + 1) };
}

/** Returns the text with a chosen value and a space after it. */
export const applyCompletion = (before: string, value: string): string => `${before}${/\s/.test(value) ? `"${value}"` : value} `;

/**
 * Returns the text typed after a query. A replacement of that query keeps it.
 *
 * @returns an empty text if the query itself was changed, or if a word was continued that the replacement has changed
 */
export function typedSince(query: string, value: string, replacement: string): string {
  const since = value.startsWith(query) ? value.slice(query.length) : '';
  const lastWord = /\s\S*$/.exec(query)?.[0];
  const isKept = lastWord !== undefined && replacement.endsWith(lastWord);
  return isKept || /\s$/.test(query) || /^\s/.test(since) ? since : '';
}

/**
 * Returns the values that contain the typed text, beginning with the ones that start with it; none if it's a whole
 * value already. Ignores case.
 */
export function completions(typed: string, values: readonly string[]): string[] {
  const wanted = typed.toLowerCase();
  if (values.some((value) => value.toLowerCase() === wanted)) return [];
  const begin = values.filter((value) => value.toLowerCase().startsWith(wanted));
  return [...begin, ...values.filter((value) => !begin.includes(value) && value.toLowerCase().includes(wanted))];
}

/**
 * Returns the folders that a project's name matches: folders with that name, else folders whose name begins with it,
 * else folders whose path contains it.
 */
export function matchFolders(project: string, folders: readonly string[]): string[] {
  const wanted = project.toLowerCase();
  const known = [...new Set(folders)].filter((folder) => folder !== '');
  const named = known.filter((folder) => folderBaseName(folder).toLowerCase().startsWith(wanted));
  const exact = named.filter((folder) => folderBaseName(folder).toLowerCase() === wanted);
  if (exact.length > 0) return exact;
  return named.length > 0 ? named : known.filter((folder) => folder.toLowerCase().includes(wanted));
}

/** Returns the last part of a path of any platform. */
export const folderBaseName = (folder: string): string => folder.split(/[/\\]/).findLast((part) => part !== '') ?? folder;

/** Returns the tools that a name matches: the tool with that name, else tools that begin with it. Ignores case. */
export function matchTools(tool: string, known: readonly string[]): string[] {
  const wanted = tool.toLowerCase();
  const exact = known.filter((name) => name.toLowerCase() === wanted);
  return exact.length > 0 ? exact : known.filter((name) => name.toLowerCase().startsWith(wanted));
}
