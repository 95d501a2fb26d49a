/** A typed query with the caller's options, as words and filters of the catalog. */
import { defined } from '../../format/values/defined';
import { matchFolders, matchTools, parseSearchQuery, type SearchQuery } from './query/queryPrefixes';
import { acceptsRow, type RowFacts } from './rowStates';
import type { SearchOptions } from './search';

/** The names of the catalog that a query may have. */
export interface KnownNames {
  readonly tools: () => Promise<readonly string[]>;
  readonly folders: () => Promise<readonly string[]>;
  /** The facts of all sessions, or only of those at the paths, as far as the query needs them. */
  readonly facts: (query: SearchQuery, paths: ReadonlySet<string> | undefined) => Promise<readonly RowFacts[]>;
}

/** Returns the words, and the options with the prefixes of the query. */
export async function resolveQuery(
  text: string,
  { running = new Set(), ...given }: SearchOptions,
  known: KnownNames,
): Promise<{ readonly words: string; readonly options: Omit<SearchOptions, 'running'> }> {
  const query = parseSearchQuery(text);
  const roles = [...(query.roles ?? []), ...(given.roles ?? [])];
  const tools = query.tools && (await namedBy(query.tools, () => known.tools(), matchTools));
  const project = query.projects && (await namedBy(query.projects, () => known.folders(), matchFolders));
  const rows =
    query.is || query.tags ? (await known.facts(query, given.paths)).filter((row) => acceptsRow(row, query, running)) : undefined;
  const paths = rows && new Set(rows.map(({ path }) => path).filter((path) => given.paths?.has(path) !== false));
  return {
    words: query.query,
    options: {
      ...given,
      ...defined({
        roles: roles.length > 0 ? roles : undefined,
        tools: tools ?? given.tools,
        files: query.files ?? given.files,
        labels: query.labels ?? given.labels,
        project: project ?? given.project,
        since: latest(query.since, given.since),
        until: earliest(query.until, given.until),
        paths: paths ?? given.paths,
      }),
    },
  };
}

async function namedBy(
  typed: readonly string[],
  known: () => Promise<readonly string[]>,
  match: (name: string, known: readonly string[]) => string[],
): Promise<string[]> {
  const names = await known();
  return typed.flatMap((name) => match(name, names));
}

type Time = SearchOptions['since'];

const latest = (typed: number | undefined, given: Time): Time =>
  typed === undefined || given === undefined ? (typed ?? given) : Math.max(typed, new Date(given).getTime());

const earliest = (typed: number | undefined, given: Time): Time =>
  typed === undefined || given === undefined ? (typed ?? given) : Math.min(typed, new Date(given).getTime());
