/** What a person types into the search: words, and prefixes that narrow down where they are looked for. Pure. */
import { truncationOf, MAX_QUERY_UNITS } from '../../core/index';

/** Of several values of one, any will do. */
export interface SearchQuery {
  /** What is left for the catalog. */
  readonly query: string;
  /** As the catalog names them. */
  readonly roles?: readonly string[];
  /** Names of tools, or how they begin. */
  readonly tools?: readonly string[];
  /** Parts of paths. */
  readonly files?: readonly string[];
  /** Words of labels; an empty text takes any label. */
  readonly labels?: readonly string[];
  /** Beginnings of projects' names, or parts of their folders. */
  readonly projects?: readonly string[];
}

export const PREFIXES = ['role', 'tool', 'file', 'label', 'project'] as const;
export type Prefix = (typeof PREFIXES)[number];

/** What people say, and what entries are called; `toolCall` is any that calls tools. */
const ROLE_ALIASES: Readonly<Record<string, readonly string[]>> = {
  user: ['user'],
  assistant: ['assistant'],
  tool: ['toolCall'],
  command: ['bashExecution', 'pythonExecution'],
  name: ['session_info', 'title', 'title_change'],
  label: ['label'],
  summary: ['compaction', 'branch_summary'],
};
export const ROLE_NAMES: readonly string[] = Object.keys(ROLE_ALIASES);

/** Phrases, in which nothing is a prefix, and prefixes with their values; a quotation mark may still be open. */
const TOKEN_PATTERN = /-?"[^"]*"|(?<!\S)(role|tool|file|label|project):(?:"([^"]*)"?|(\S*))/gi;

/** Values of prefixes that count: each is looked for in all sessions. */
export const MAX_PREFIX_VALUES = 16;

/** What of a text isn't searched: `units` and `words` as `truncationOf` has them, or values behind the first {@link MAX_PREFIX_VALUES}. */
export function searchTruncation(text: string): ReturnType<typeof truncationOf> | 'values' {
  return text.length > MAX_QUERY_UNITS ? 'units' : (truncationOf(parseSearchQuery(text).query) ?? (prefixValues(text).length > MAX_PREFIX_VALUES ? 'values' : undefined));
}

/** `label:words`, `tool:bash`, `file:src/index.ts`, `project:shop`, `role:user`; values with blanks in quotation marks. */
export function parseSearchQuery(text: string): SearchQuery {
  const values: Record<Prefix, string[]> = { role: [], tool: [], file: [], label: [], project: [] };
  let left = MAX_PREFIX_VALUES;
  const query = text.slice(0, MAX_QUERY_UNITS).replace(TOKEN_PATTERN, (whole, prefix: string | undefined, quoted: string | undefined, bare: string | undefined) => {
    if (prefix === undefined) return whole;
    const name = prefix.toLowerCase() as Prefix;
    const value = (quoted ?? bare ?? '').trim();
    if (left-- <= 0) return '';
    if (name === 'label') values.label.push(quoted === undefined || value === '' ? value : `"${value}"`);
    else if (value !== '') values[name].push(value);
    return '';
  });
  const roles = values.role.flatMap((value) => (Object.hasOwn(ROLE_ALIASES, value.toLowerCase()) ? ROLE_ALIASES[value.toLowerCase()]! : [value]));
  return {
    query: query.trim(),
    ...(roles.length > 0 ? { roles } : {}),
    ...(values.tool.length > 0 ? { tools: values.tool } : {}),
    ...(values.file.length > 0 ? { files: values.file } : {}),
    ...(values.label.length > 0 ? { labels: values.label } : {}),
    ...(values.project.length > 0 ? { projects: values.project } : {}),
  };
}

/** The prefixes in a text with their values, and where they stand. */
export function prefixValues(text: string): { readonly prefix: Prefix; readonly value: string; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(TOKEN_PATTERN)].flatMap(({ 0: whole, 1: prefix, 2: quoted, 3: bare, index }) =>
    prefix === undefined ? [] : [{ prefix: prefix.toLowerCase() as Prefix, value: (quoted ?? bare ?? '').trim(), start: index, end: index + whole.length }],
  );
}

/** A prefix at the end of the text, whose value is being typed. */
export interface TypedPrefix {
  readonly prefix: Prefix;
  /** What of the value is there. */
  readonly value: string;
  /** What stands before the value. */
  readonly before: string;
}

export function prefixBeingTyped(text: string): TypedPrefix | undefined {
  const last = [...text.matchAll(TOKEN_PATTERN)].at(-1);
  if (last?.[1] === undefined || last.index + last[0].length !== text.length || /[^:]"$/.test(last[0])) return undefined;
  const value = last[2] ?? last[3] ?? '';
  return { prefix: last[1].toLowerCase() as Prefix, value, before: text.slice(0, last.index + last[1].length + 1) };
}

/** The text with the value that was chosen, ready for more. */
export const applyCompletion = (before: string, value: string): string => `${before}${/\s/.test(value) ? `"${value}"` : value} `;

/** Of values those that a person may mean, what begins so first; none if what is typed is one already. */
export function completions(typed: string, values: readonly string[]): string[] {
  const wanted = typed.toLowerCase();
  if (values.some((value) => value.toLowerCase() === wanted)) return [];
  const begin = values.filter((value) => value.toLowerCase().startsWith(wanted));
  return [...begin, ...values.filter((value) => !begin.includes(value) && value.toLowerCase().includes(wanted))];
}

/** The folders that a person means, of those that have sessions. */
export function matchFolders(project: string, folders: readonly string[]): string[] {
  const wanted = project.toLowerCase();
  const known = [...new Set(folders)].filter((folder) => folder !== '');
  const named = known.filter((folder) => folderBaseName(folder).toLowerCase().startsWith(wanted));
  const exact = named.filter((folder) => folderBaseName(folder).toLowerCase() === wanted);
  if (exact.length > 0) return exact;
  return named.length > 0 ? named : known.filter((folder) => folder.toLowerCase().includes(wanted));
}

/** Of whichever system. */
export const folderBaseName = (folder: string): string => folder.split(/[/\\]/).findLast((part) => part !== '') ?? folder;

/** The tools that a person means, of those that are known: the one of that name, else those that begin so. */
export function matchTools(tool: string, known: readonly string[]): string[] {
  const wanted = tool.toLowerCase();
  const exact = known.filter((name) => name.toLowerCase() === wanted);
  return exact.length > 0 ? exact : known.filter((name) => name.toLowerCase().startsWith(wanted));
}
