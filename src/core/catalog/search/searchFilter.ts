/** Filters of a search: they exclude whole sessions first, then lines of the others. */
import { Yielder } from '../../files/concurrency/eventLoop';
import type { TableLine } from '../encoding/lineTable';
import { isFoundIn, parseQuery } from './query/searchQuery';
import { isWithin } from '../../files/locate/paths/pathMatch';
import type { CatalogReader } from '../database/catalogReader';
import { wordsOf } from '../index/words/words';

/** The data that is searched. */
export interface SearchScope {
  readonly reader: CatalogReader;
  /** True if a file may be a hit. */
  readonly isSearched: (path: string) => boolean;
  /** Returns the folder of a session's project on this machine. */
  readonly cwdOf: (path: string) => string | undefined;
}

/** All filters must hold; of the values of one filter, any. */
export interface SearchFilter {
  /** The roles of messages, and `label`, `session_info`, `title`, `compaction`, `branch_summary`; `toolCall` for messages that call tools. By default all. */
  readonly roles?: readonly string[];
  /** Only entries that call one of these tools; names are case-sensitive. */
  readonly tools?: readonly string[];
  /** Only entries that read or wrote a file with one of these parts in its path; case doesn't matter. */
  readonly files?: readonly string[];
  /** Only entries that carry a label with these words, of which the last may be incomplete. An empty text matches any label. */
  readonly labels?: readonly string[];
  /** Only sessions of this folder, or of one of these, and of folders within. */
  readonly project?: string | readonly string[];
  /** Only entries on the active branch. */
  readonly active?: boolean;
  /** Only entries from this time on: milliseconds since 1970, or a date. */
  readonly since?: number | Date | string;
  /** Only entries before this time. */
  readonly until?: number | Date | string;
  /** Only these sessions, by their paths. */
  readonly paths?: ReadonlySet<string>;
}

export const hasFilter = ({ roles, tools, files, labels, project, active, since, until, paths }: SearchFilter): boolean =>
  [roles, tools, files, labels, project, since, until, paths].some((given) => given !== undefined) || active === true;

/** Returns the filter for a session's lines; `undefined` if none of them pass. */
export type SessionFilter = (n: number, path: string) => ((at: TableLine) => boolean) | undefined;

/** The filter of a session whose lines all pass. */
export const everyLine = (): boolean => true;

/** @throws the signal's reason when it is aborted */
export async function createSessionFilter(
  { reader: stored, isSearched, cwdOf }: SearchScope,
  options: SearchFilter & { readonly signal?: AbortSignal },
): Promise<SessionFilter> {
  const pause = new Yielder(options.signal);
  const from = options.since === undefined ? undefined : new Date(options.since).getTime();
  const to = options.until === undefined ? undefined : new Date(options.until).getTime();
  const roles = options.roles && new Set(options.roles);
  const tools = options.tools && new Set(options.tools);
  const touched = options.files && (await touchedBy(stored, options.files, pause));
  const labeled = options.labels && (await labeledWith(stored, options.labels, pause));
  const projects = typeof options.project === 'string' ? [options.project] : options.project;
  const isForLines = [roles, tools, touched, labeled, from, to].some((given) => given !== undefined) || options.active === true;
  return (n, path) => {
    const [touching, carrying] = [touched?.get(n), labeled?.get(path)];
    if (
      !isSearched(path) ||
      options.paths?.has(path) === false ||
      (projects && !isInProjects(projects, cwdOf(path))) ||
      (touched && !touching) ||
      (labeled && !carrying)
    )
      return undefined;
    if (!isForLines) return everyLine;
    return (at) =>
      (!roles || roles.has(at.role) || (at.tools.length > 0 && roles.has('toolCall'))) &&
      (!tools || at.tools.some((name) => tools.has(name))) &&
      (!touching || (touching.has(at.entryId) && at.role !== 'label')) &&
      (!carrying || carrying.has(at.entryId)) &&
      (options.active !== true || at.active) &&
      (from === undefined || at.time >= from) &&
      (to === undefined || at.time < to);
  };
}

const isInProjects = (projects: readonly string[], cwd: string | undefined): boolean =>
  cwd !== undefined && projects.some((project) => isWithin(cwd, project, process.platform));

/** Entry ids by the session's number. */
async function touchedBy(stored: CatalogReader, parts: readonly string[], pause: Yielder): Promise<Map<number, Set<string>>> {
  const found = new Map<number, Set<string>>();
  for (const part of parts) {
    for (const touching of stored.touchesOfPart(part)) {
      if (pause.isDue()) await pause.yieldIfDue();
      if (!touching) continue;
      const [n, entryId] = touching;
      const entries = found.get(n);
      if (entries) entries.add(entryId);
      else found.set(n, new Set([entryId]));
    }
  }
  return found;
}

/** Entry ids by the session's path. */
async function labeledWith(stored: CatalogReader, texts: readonly string[], pause: Yielder): Promise<Map<string, Set<string>>> {
  const wanted = texts.map((text) => labelMatcher(text));
  const found = new Map<string, Set<string>>();
  for (const { path, entryId, label } of stored.labels()) {
    if (pause.isDue()) await pause.yieldIfDue();
    if (!wanted.some((matches) => matches(label))) continue;
    const entries = found.get(path);
    if (entries) entries.add(entryId);
    else found.set(path, new Set([entryId]));
  }
  return found;
}

/**
 * Returns the test for labels that match a text: texts of symbols alone, such as `⭐`, have no words, so the label must
 * contain them.
 */
function labelMatcher(text: string): (label: string) => boolean {
  const query = parseQuery(text);
  if (query) return (label) => isFoundIn([...wordsOf(label)], query);
  const symbols = text.replaceAll('"', '').trim();
  return (label) => label.includes(symbols);
}
