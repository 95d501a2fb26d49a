/** What a person types into the search: words, and prefixes that narrow down where they are looked for. Pure. */

export interface SearchText {
  /** What is left for the catalog. */
  readonly query: string;
  /** As the catalog names them; `undefined`: everywhere. */
  readonly roles?: readonly string[];
  /** The beginning of a project's name, or a part of its folder. */
  readonly project?: string;
}

/** What people say, and what entries are called. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  name: ['session_info', 'title', 'title_change'],
  summary: ['compaction', 'branch_summary'],
  command: ['bashExecution', 'pythonExecution'],
};

const PREFIX = /(^|\s)(label|project|role):(?:"([^"]*)"|(\S*))/gi;

/** `label:words`, `role:user`, `project:shop`; values with blanks in quotation marks. What follows `label:` is searched for. */
export function parseSearch(text: string): SearchText {
  const roles: string[] = [];
  let project: string | undefined;
  const query = text.replace(PREFIX, (_whole, space: string, prefix: string, quoted: string | undefined, bare: string | undefined) => {
    const value = quoted ?? bare ?? '';
    switch (prefix.toLowerCase()) {
      case 'label':
        roles.push('label');
        return `${space}${quoted === undefined ? value : `"${value}"`}`;
      case 'role':
        if (value !== '') roles.push(...(ROLES[value.toLowerCase()] ?? [value]));
        return space;
      default:
        if (value !== '') project = value;
        return space;
    }
  });
  return { query: query.trim(), ...(roles.length > 0 ? { roles } : {}), ...(project === undefined ? {} : { project }) };
}

/** The folders that a person means, of those that have sessions. */
export function foldersOf(project: string, folders: readonly string[]): string[] {
  const wanted = project.toLowerCase();
  const known = [...new Set(folders)].filter((folder) => folder !== '');
  const nameOf = (folder: string): string => (folder.split(/[/\\]/).at(-1) ?? '').toLowerCase();
  const named = known.filter((folder) => nameOf(folder).startsWith(wanted));
  const exact = named.filter((folder) => nameOf(folder) === wanted);
  if (exact.length > 0) return exact;
  return named.length > 0 ? named : known.filter((folder) => folder.toLowerCase().includes(wanted));
}

/** A snippet with its marks in brackets, for where the editor does not show by itself what was found. */
export function marked(snippet: string, marks: readonly (readonly [start: number, end: number])[], typed: string): string {
  const value = typed.trim().toLowerCase();
  if (value !== '' && snippet.toLowerCase().includes(value)) return withoutIcons(snippet);
  let text = '';
  let at = 0;
  for (const [start, end] of marks) {
    text += `${snippet.slice(at, start)}‹${snippet.slice(start, end)}›`;
    at = end;
  }
  return withoutIcons(text + snippet.slice(at));
}

/** The editor shows `$(name)` as an icon, and a shell's `$(name)` is none. */
const withoutIcons = (text: string): string => text.replace(/\$\(/g, '\\$(');
