/** What a search is narrowed down by: first whole sessions are left out, then lines of the others. */
import type { TableLine } from '../encoding/lineTable';
import { occurrences, parseQuery } from './searchQuery';
import { isWithin } from './pathMatch';
import type { CatalogReader } from '../database/catalogReader';
import { wordsOf } from './words';

/** Where is searched. */
export interface SearchScope {
  readonly reader: CatalogReader;
  /** Whether a file is to be told of. */
  readonly isInRoots: (path: string) => boolean;
  readonly indexed: boolean;
}

/** Each must hold; of the several values of one, any. */
export interface SearchFilter {
  /** Messages' roles, and `label`, `session_info`, `title`, `compaction`, `branch_summary`; `toolCall`: messages that call tools. By default all. */
  readonly roles?: readonly string[];
  /** Only entries that call one of these tools; names as they are. */
  readonly tools?: readonly string[];
  /** Only entries that read or wrote a file with one of these parts in its path, in whatever case. */
  readonly files?: readonly string[];
  /** Only entries that carry a label with these words; the last may be begun. An empty text takes any label. */
  readonly labels?: readonly string[];
  /** Only sessions of this folder, or of one of these, and of those in it. */
  readonly project?: string | readonly string[];
  /** Only entries on the branch that the programs would go on with. */
  readonly active?: boolean;
  /** Only entries from then on; milliseconds since 1970, or a date. */
  readonly since?: number | Date | string;
}

export const hasFilter = ({ roles, tools, files, labels, project, active, since }: SearchFilter): boolean =>
  [roles, tools, files, labels, project, since].some((given) => given !== undefined) || active === true;

/** What is left of a session; `undefined`: nothing. */
export type SessionFilter = (n: number, path: string) => ((at: TableLine) => boolean) | undefined;

export function createSessionFilter({ reader: stored, isInRoots: isOurs }: SearchScope, options: SearchFilter): SessionFilter {
  const from = options.since === undefined ? undefined : new Date(options.since).getTime();
  const roles = options.roles && new Set(options.roles);
  const tools = options.tools && new Set(options.tools);
  const touched = options.files && touchedBy(stored, options.files);
  const labeled = options.labels && labeledWith(stored, options.labels);
  const projects = typeof options.project === 'string' ? [options.project] : options.project;
  return (n, path) => {
    const [touching, carrying] = [touched?.get(n), labeled?.get(path)];
    if (!isOurs(path) || (projects && !isInProjects(projects, stored.summary(path)?.cwd)) || (touched && !touching) || (labeled && !carrying)) return undefined;
    return (at) =>
      (!roles || roles.has(at.role) || (at.tools.length > 0 && roles.has('toolCall'))) &&
      (!tools || at.tools.some((name) => tools.has(name))) &&
      (!touching || (touching.has(at.entryId) && at.role !== 'label')) &&
      (!carrying || carrying.has(at.entryId)) &&
      (options.active !== true || at.active) &&
      (from === undefined || at.time >= from);
  };
}

const isInProjects = (projects: readonly string[], cwd: string | undefined): boolean => cwd !== undefined && projects.some((project) => isWithin(cwd, project, process.platform));

/** Entries by session's number. */
function touchedBy(stored: CatalogReader, parts: readonly string[]): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  for (const part of parts) {
    for (const [n, entryId] of stored.touchingPart(part)) {
      const entries = found.get(n);
      if (entries) entries.add(entryId);
      else found.set(n, new Set([entryId]));
    }
  }
  return found;
}

/** Entries by session's path. */
function labeledWith(stored: CatalogReader, texts: readonly string[]): Map<string, Set<string>> {
  const queries = texts.map(parseQuery);
  const found = new Map<string, Set<string>>();
  for (const { path, entryId, label } of stored.labels()) {
    const words = [...wordsOf(label)];
    const answers = queries.some((query) => !query || (query.all.every((term) => occurrences(term, words) > 0) && query.none.every((term) => occurrences(term, words) === 0)));
    if (!answers) continue;
    const entries = found.get(path);
    if (entries) entries.add(entryId);
    else found.set(path, new Set([entryId]));
  }
  return found;
}
