/** Runs a search in the catalog: resolves the names of projects and tools in the query to names in the catalog. */
import { defined, type Catalog, type SearchHit, type SearchOptions } from '../../core/index';
import { workspaceFolderPaths } from '../../ui/workspaceFolders';
import { matchFolders, parseSearchQuery, matchTools } from './queryPrefixes';

/** Filters of a search, in addition to the filters in its text. */
export interface ChosenFilters {
  readonly roles?: readonly string[];
  /** Only entries with a label. */
  readonly labeled?: boolean;
  /** Only the projects that are open in the window. */
  readonly openProjects?: boolean;
  /** Only active branches. */
  readonly active?: boolean;
}

/** Runs the query in `text`, within a scope. `limit` is the largest number of hits. */
export async function searchCatalog(
  catalog: Catalog,
  text: string,
  { limit, signal, ...scope }: ChosenFilters & Pick<SearchOptions, 'limit' | 'signal'> = {},
): Promise<SearchHit[]> {
  const query = parseSearchQuery(text);
  const roles = [...(query.roles ?? []), ...(scope.roles ?? [])];
  const known = query.tools ? await catalog.tools() : [];
  const tools = query.tools?.flatMap((tool) => matchTools(tool, known));
  const project = await projectFolders(catalog, query.projects, scope.openProjects === true);
  const labels = query.labels ?? (scope.labeled ? [''] : undefined);
  return catalog.search(query.query, {
    ...defined({
      roles: roles.length > 0 ? roles : undefined,
      tools,
      files: query.files,
      labels,
      project,
      active: scope.active || undefined,
      limit,
      signal,
    }),
  });
}

/** Returns the folders to search in: the folders of named projects, otherwise the open folders if `openOnly`; `undefined` for all. */
async function projectFolders(catalog: Catalog, named: readonly string[] | undefined, openOnly: boolean): Promise<string[] | undefined> {
  if (!named) return openOnly ? workspaceFolderPaths() : undefined;
  const folders = await catalog.folders();
  return named.flatMap((name) => matchFolders(name, folders));
}
