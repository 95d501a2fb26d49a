/** The list that the search shows for the typed text: completions, hits, or why there are none. */
import * as vscode from 'vscode';
import {
  findQueryProblems,
  MAX_QUERY_UNITS,
  STATES,
  type Catalog,
  type SearchHit,
  type SearchOrder,
  applyCompletion,
  completions,
  folderBaseName,
  parseSearchQuery,
  prefixBeingTyped,
  ROLE_NAMES,
  isOnlyExcluding,
  searchTruncation,
  type TypedPrefix,
} from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { toolCallKind, type EntryKind } from '../../ui/entryRoles';
import { groupHits } from './hitGroups';
import { searchCatalog } from './searchCatalog';
import type { SearchFilterButtons } from './searchFilterButtons';
import { completionItem, hintItems, noResultItems, onlyExcludingItem, truncationItems } from './searchHints';
import { expandItem, hitItems, moreItem, type HitItemOptions, separatorItem, sessionItems, type SearchItem } from './searchItems';
import { newestFirst } from '../handler/sessions/newestFirst';

/** Sessions that are listed before anything is typed. */
const RECENT_SESSIONS = 10;
/** Completions of the value that is being typed. */
const MAX_COMPLETIONS = 6;

/** While few sessions have all hits, up to this many times as many hits are searched for. */
const MAX_FACTOR = 16;

/** The first letter of a further word, in scripts where one letter is rarely a word. The catalog completes words of two letters and more. */
const LAST_LETTER = /(?<=\S)\s+[\p{Ll}\p{Lu}]$/u;

type ResultDeps = Pick<CommandDeps, 'ago' | 'catalog' | 'listedSessions' | 'runningSessions' | 'subagentParents' | 'summary'>;
type Filters = Pick<SearchFilterButtons, 'activeNames' | 'scope'>;

interface SearchRequest {
  readonly typed: string;
  readonly filters: Filters;
  /** The number of hits to list. */
  readonly limit: number;
  /** The paths of sessions whose hits are all listed. */
  readonly expanded: ReadonlySet<string>;
  readonly order: SearchOrder;
  readonly signal: AbortSignal;
}

export interface SearchResults {
  readonly items: readonly SearchItem[];
  /** The number of hits, as a text. */
  readonly count?: string;
}

/** Returns whether there is something to search for. */
export function hasQuery(typed: string, filters: Filters): boolean {
  return typed.trim() !== '' || filters.activeNames().length > 0;
}

/** @throws {SessionError} if there is no catalog; the signal's reason when it's aborted. */
export async function listResults(deps: ResultDeps, request: SearchRequest): Promise<SearchResults> {
  const { typed, filters } = request;
  const notices = truncationItems(searchTruncation(typed));
  if (filters.activeNames().length === 0 && isOnlyExcluding(typed)) notices.push(onlyExcludingItem());
  const results = hasQuery(typed, filters) ? await resultsOf(deps, request) : { items: await startItems(deps) };
  return { ...results, items: [...notices, ...results.items] };
}

/** Returns the items of an empty query: the recent sessions and the prefixes. */
async function startItems(deps: ResultDeps): Promise<SearchItem[]> {
  const recent = sessionItems(deps, (await newestFirst(deps.listedSessions())).slice(0, RECENT_SESSIONS), await deps.subagentParents());
  if (recent.length === 0) return hintItems();
  return [separatorItem(vscode.l10n.t('recent sessions')), ...recent, separatorItem(vscode.l10n.t('search by')), ...hintItems()];
}

async function resultsOf(deps: ResultDeps, { typed, filters, limit, expanded, order, signal }: SearchRequest): Promise<SearchResults> {
  const text = typed.slice(0, MAX_QUERY_UNITS);
  // Opened for each search: the catalog changes when the roots change and when another window clears it.
  const catalog = await deps.catalog.open();
  const completed = await suggestCompletions(catalog, prefixBeingTyped(text));
  const running = new Set(deps.runningSessions().map(({ path }) => path));
  let searched = limit;
  const search = (query: string): Promise<SearchHit[]> =>
    searchCatalog(catalog, query, { ...filters.scope(), running, order, limit: searched + 1, signal });
  let query = text;
  let hits = await search(query);
  if (hits.length === 0 && LAST_LETTER.test(text)) hits = await search((query = text.replace(LAST_LETTER, '')));
  if (hits.length === 0) return { items: completed.length > 0 ? completed : await explainNoResults(deps, catalog, text, filters) };
  const showsToolCalls = isToolCallSearch(text, filters);
  const kind = (hit: SearchHit): EntryKind | undefined => (showsToolCalls && hit.role === 'assistant' ? toolCallKind() : undefined);
  const options = { ago: deps.ago, summary: deps.summary, parents: await deps.subagentParents(), typed: text, kind };
  let isCut = hits.length > searched;
  let items = groupedItems(hits.slice(0, searched), expanded, isCut, options);
  // One session with very many hits would hide the others.
  while (isCut && searched < limit * MAX_FACTOR && items.reduce((sum, item) => sum + item.items.length, 0) < limit / 2) {
    searched *= 4;
    hits = await search(query);
    isCut = hits.length > searched;
    items = groupedItems(hits.slice(0, searched), expanded, isCut, options);
  }
  const count = items.reduce((sum, item) => sum + item.count, 0);
  return { items: [...completed, ...items.flatMap((item) => item.items), ...(isCut ? [moreItem()] : [])], count: countText(count, isCut) };
}

/** Returns the items of each session, with the number of entries that they stand for. */
function groupedItems(
  hits: readonly SearchHit[],
  expanded: ReadonlySet<string>,
  isCut: boolean,
  options: HitItemOptions,
): { readonly items: readonly SearchItem[]; readonly count: number }[] {
  // The first of several copies in forks stands for all.
  const items = hitItems(hits, options);
  const itemOf = new Map(items.map((item) => [item.action.kind === 'hit' ? item.action.hit : undefined, item]));
  const shown = hits.filter((hit) => itemOf.has(hit));
  return groupHits(shown, expanded, isCut).map((group) => ({
    items: [...group.shown.flatMap((hit) => itemOf.get(hit) ?? []), ...(group.hidden > 0 ? [expandItem(group.path, group.hidden)] : [])],
    count: group.shown.length + group.hidden,
  }));
}

function countText(count: number, isCut: boolean): string {
  if (isCut) return vscode.l10n.t('more than {0} results', count);
  return count === 1 ? vscode.l10n.t('1 result') : vscode.l10n.t('{0} results', count);
}

async function explainNoResults(deps: ResultDeps, catalog: Catalog, text: string, filters: Filters): Promise<SearchItem[]> {
  const folders = await catalog.folders();
  const { done, total, isStopped } = deps.catalog.progress();
  const state = done >= total ? 'read' : isStopped ? 'stopped' : 'reading';
  const problems = findQueryProblems(text, {
    tools: await catalog.tools(),
    folders,
    tags: parseSearchQuery(text).tags ? await tagsOf(catalog) : [],
  });
  return noResultItems({ filtered: filters.activeNames().length > 0, state, hasSessions: folders.length > 0, problems });
}

/** Returns whether a query finds messages by their tool calls only, not by their text. */
function isToolCallSearch(text: string, filters: Filters): boolean {
  const { query, tools, files, roles = [] } = parseSearchQuery(text);
  const wanted = [...roles, ...(filters.scope().roles ?? [])];
  return query === '' && (tools !== undefined || files !== undefined || (wanted.length > 0 && wanted.every((role) => role === 'toolCall')));
}

/** Returns completions for the prefix that is being typed. */
async function suggestCompletions(catalog: Catalog, typing: TypedPrefix | undefined): Promise<SearchItem[]> {
  if (!typing) return [];
  const values = completions(typing.value, await valuesOf(catalog, typing)).slice(0, MAX_COMPLETIONS);
  return values.map((value) => completionItem(`${typing.prefix}:${value}`, applyCompletion(typing.before, value)));
}

/** Returns the tags of all sessions, sorted. */
async function tagsOf(catalog: Catalog): Promise<string[]> {
  return [...new Set((await catalog.sessions()).flatMap((row) => row.tags ?? []))].sort();
}

async function valuesOf(catalog: Catalog, { prefix }: TypedPrefix): Promise<readonly string[]> {
  switch (prefix) {
    case 'role':
      return ROLE_NAMES;
    case 'tool':
      return catalog.tools();
    case 'project':
      return [...new Set((await catalog.folders()).map(folderBaseName))].filter((name) => name !== '');
    case 'is':
      return STATES;
    // Labels are shown as hits, dates are typed, and there are too many files to list.
    case 'label':
    case 'file':
    case 'after':
    case 'before':
    case 'since':
    case 'until':
      return [];
    case 'tag':
      return tagsOf(catalog);
  }
}
