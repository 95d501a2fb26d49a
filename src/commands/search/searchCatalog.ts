/** Runs a search in the catalog within the scope of the search field's buttons. */
import { defined, type Catalog, type SearchHit, type SearchOptions } from '../../core/index';
import { workspaceFolderPaths } from '../../ui/workspaceFolders';

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
export function searchCatalog(
  catalog: Catalog,
  text: string,
  { labeled, openProjects, active, ...options }: ChosenFilters & Pick<SearchOptions, 'limit' | 'order' | 'running' | 'signal'> = {},
): Promise<SearchHit[]> {
  return catalog.search(text, {
    ...options,
    ...defined({
      labels: labeled ? [''] : undefined,
      project: openProjects ? workspaceFolderPaths() : undefined,
      active: active || undefined,
    }),
  });
}
