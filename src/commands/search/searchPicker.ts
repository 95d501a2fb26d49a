/** The quick pick of the search, which searches while the person types. */
import * as vscode from 'vscode';
import { MAX_QUERY_UNITS, type Catalog, type SearchHit } from '../../core/index';
import { createQuickPick } from '../../ui/quickInput';
import { localizeError, localizeProblem } from '../../ui/localize';
import type { CommandDeps } from '../handler/commandDeps';
import type { OpenTarget } from '../open/revealHit';
import { toolCallKind, type EntryKind } from './entryRoles';
import { findQueryProblems } from './queryProblems';
import { SearchFilterButtons } from './searchFilterButtons';
import { searchCatalog } from './searchCatalog';
import { completionItem, truncationItems, noResultItems, hintItems } from './searchHints';
import {
  errorItem,
  hitItems,
  moreItem,
  openTargetOf,
  separatorItem,
  sessionItems,
  type SearchAction,
  type SearchItem,
} from './searchItems';
import {
  applyCompletion,
  completions,
  searchTruncation,
  folderBaseName,
  parseSearchQuery,
  ROLE_NAMES,
  prefixBeingTyped,
  type TypedPrefix,
} from './searchQuery';

/** A hit with the list that it was chosen from, or a recent session. */
export type Picked =
  | { readonly sessionPath?: undefined; readonly hit: SearchHit; readonly hits: readonly SearchHit[]; readonly openTarget: OpenTarget }
  | { readonly sessionPath: string; readonly hit?: undefined; readonly hits?: undefined; readonly openTarget: OpenTarget };

/** Milliseconds between the last key and the search. */
const DEBOUNCE = 120;
/** Milliseconds between two searches for the same query, while sessions are read. */
const REFRESH_INTERVAL = 1500;
/** Hits in the first list; Show More Results adds twice as many. */
const PAGE_SIZE = 50;
/** Sessions that are listed before anything is typed. */
const RECENT_SESSIONS = 10;
/** Completions of the value that is being typed. */
const MAX_COMPLETIONS = 6;

/** Shows the list and resolves to the chosen hit or session. @throws {vscode.CancellationError} */
export async function pickHit(deps: CommandDeps, title: string): Promise<Picked> {
  const picker = createQuickPick<SearchItem>();
  // Keeps the order, best hits first. The editor's typings lack this property.
  Object.assign(picker, { sortByLabel: false });
  picker.placeholder = vscode.l10n.t('Words, "phrases", -not, role: tool: file: label: project:');
  const controller = new SearchController(deps, picker, title);
  const subscription = deps.catalog.onDidChange(() => controller.catalogChanged());
  try {
    controller.start();
    const picked = await new Promise<Picked | undefined>((resolve) => {
      const choose = ({ action }: SearchItem, openTarget: OpenTarget): void => {
        const hits = picker.items.flatMap((item) => (item.action.kind === 'hit' ? [item.action.hit] : []));
        if (action.kind === 'hit') resolve({ hit: action.hit, hits, openTarget });
        else if (action.kind === 'session') resolve({ sessionPath: action.path, openTarget });
        else controller.run(action);
      };
      picker.onDidChangeValue(() => controller.valueChanged());
      picker.onDidTriggerButton((button) => controller.buttonPressed(button));
      picker.onDidAccept(() => {
        if (picker.selectedItems[0]) choose(picker.selectedItems[0], 'context');
      });
      picker.onDidTriggerItemButton(({ item, button }) => choose(item, openTargetOf(button)));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    if (!picked) throw new vscode.CancellationError();
    return picked;
  } finally {
    subscription.dispose();
    controller.dispose();
    picker.dispose();
  }
}

/** Runs searches for the quick pick's value and filters, one at a time. A new search aborts the previous one. */
class SearchController {
  private readonly filters = new SearchFilterButtons();
  private abortController = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isBusy = false;
  /** The end of the last search, in milliseconds since 1970. */
  private lastSearch = 0;
  private limit = PAGE_SIZE;
  /** The number of results, for the title. */
  private count = '';

  constructor(
    private readonly deps: CommandDeps,
    private readonly picker: vscode.QuickPick<SearchItem>,
    private readonly title: string,
  ) {}

  start(): void {
    this.filters.show(this.picker);
    this.picker.items = this.startItems();
    this.showState();
  }

  valueChanged(): void {
    this.restart(DEBOUNCE);
  }

  buttonPressed(button: vscode.QuickInputButton): void {
    if (!this.filters.toggle(button)) return;
    this.filters.show(this.picker);
    this.restart(0);
  }

  /** Runs the action of an item that isn't a result. */
  run(action: Exclude<SearchAction, { kind: 'hit' | 'session' }>): void {
    switch (action.kind) {
      case 'type':
        this.picker.value = action.text;
        this.restart(0);
        return;
      case 'more':
        this.limit += PAGE_SIZE * 2;
        this.schedule(0);
        return;
      case 'clear':
        this.filters.clear();
        this.filters.show(this.picker);
        this.restart(0);
        return;
      case 'nothing':
        return;
    }
  }

  /** Searches again, since the catalog has more to find. */
  catalogChanged(): void {
    this.showState();
    if (this.hasQuery() && !this.isBusy && this.timer === undefined)
      this.schedule(Math.max(0, this.lastSearch + REFRESH_INTERVAL - Date.now()));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.abortController.abort();
  }

  private hasQuery(): boolean {
    return this.picker.value.trim() !== '' || this.filters.activeNames().length > 0;
  }

  /** Aborts the current search and schedules a new one from the first page. */
  private restart(delay: number): void {
    this.abortController.abort();
    this.limit = PAGE_SIZE;
    this.schedule(delay);
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.search();
    }, delay);
  }

  private async search(): Promise<void> {
    this.abortController.abort();
    const { signal } = (this.abortController = new AbortController());
    this.isBusy = true;
    this.showState();
    const items = await this.items(this.picker.value, signal).catch((error: unknown) =>
      signal.aborted ? undefined : [this.loggedErrorItem(error)],
    );
    if (signal.aborted || !items) return;
    this.isBusy = false;
    this.lastSearch = Date.now();
    this.show(items);
    this.showState();
  }

  /** Shows items. The active item stays active if it's still there; after Show More Results, the first new one becomes active. */
  private show(items: SearchItem[]): void {
    const before = this.picker.activeItems[0]?.action;
    const active =
      items.find(({ action }) => sameHit(action, before)) ?? (before?.kind === 'more' ? items[this.picker.items.length - 1] : undefined);
    this.picker.keepScrollPosition = active !== undefined;
    this.picker.items = items;
    if (active) this.picker.activeItems = [active];
  }

  private async items(typed: string, signal: AbortSignal): Promise<SearchItem[]> {
    return [...truncationItems(searchTruncation(typed)), ...(await this.resultItems(typed.slice(0, MAX_QUERY_UNITS), signal))];
  }

  private async resultItems(text: string, signal: AbortSignal): Promise<SearchItem[]> {
    this.count = '';
    if (!this.hasQuery()) return this.startItems();
    // Opened for each search: the catalog changes when the roots change and when another window clears it.
    const catalog = await this.deps.catalog.open();
    const completed = await this.suggestCompletions(catalog, prefixBeingTyped(text));
    const hits = await searchCatalog(catalog, text, { ...this.filters.scope(), limit: this.limit + 1, signal });
    const sessions = new Map((await catalog.sessions()).map((row) => [row.path, row]));
    const { done, total, isStopped } = this.deps.catalog.progress();
    const state = done >= total ? 'read' : isStopped ? 'stopped' : 'reading';
    if (hits.length === 0 && completed.length > 0) return completed;
    if (hits.length === 0) {
      const problems = findQueryProblems(text, { tools: await catalog.tools(), folders: Array.from(sessions.values(), ({ cwd }) => cwd) });
      return noResultItems({ filtered: this.filters.activeNames().length > 0, state, sessions: sessions.size, problems });
    }
    const showsToolCalls = this.isToolCallSearch(text);
    const kind = (hit: SearchHit): EntryKind | undefined => (showsToolCalls && hit.role === 'assistant' ? toolCallKind() : undefined);
    const found = hitItems(hits.slice(0, this.limit), { ago: this.deps.ago, sessions, typed: text, kind });
    const isCut = hits.length > this.limit;
    this.count = isCut
      ? vscode.l10n.t('more than {0} results', found.length)
      : found.length === 1
        ? vscode.l10n.t('1 result')
        : vscode.l10n.t('{0} results', found.length);
    return [...completed, ...found, ...(isCut ? [moreItem()] : [])];
  }

  /** Returns what is listed before anything is typed: the recent sessions and the prefixes. */
  private startItems(): SearchItem[] {
    const recent = sessionItems(this.deps.sessions().slice(0, RECENT_SESSIONS), this.deps.ago);
    if (recent.length === 0) return hintItems();
    return [separatorItem(vscode.l10n.t('recent sessions')), ...recent, separatorItem(vscode.l10n.t('search by')), ...hintItems()];
  }

  /** Returns whether a query finds messages by their tool calls only, not by their text. */
  private isToolCallSearch(text: string): boolean {
    const { query, tools, files, roles = [] } = parseSearchQuery(text);
    const wanted = [...roles, ...(this.filters.scope().roles ?? [])];
    return (
      query === '' && (tools !== undefined || files !== undefined || (wanted.length > 0 && wanted.every((role) => role === 'toolCall')))
    );
  }

  /** Returns completions for the prefix that is being typed. */
  private async suggestCompletions(catalog: Catalog, typing: TypedPrefix | undefined): Promise<SearchItem[]> {
    if (!typing) return [];
    const values = completions(typing.value, await this.valuesOf(catalog, typing)).slice(0, MAX_COMPLETIONS);
    return values.map((value) => completionItem(`${typing.prefix}:${value}`, applyCompletion(typing.before, value)));
  }

  private async valuesOf(catalog: Catalog, { prefix }: TypedPrefix): Promise<readonly string[]> {
    switch (prefix) {
      case 'role':
        return ROLE_NAMES;
      case 'tool':
        return catalog.tools();
      case 'project':
        return [...new Set((await catalog.sessions()).map(({ cwd }) => folderBaseName(cwd)))].filter((name) => name !== '');
      // Labels are shown as hits, and there are too many files to list.
      case 'label':
      case 'file':
        return [];
    }
  }

  private showState(): void {
    const { done, total, problem, isStopped } = this.deps.catalog.progress();
    const isReading = done < total && !isStopped;
    const progress = problem ? localizeProblem(problem) : isReading ? vscode.l10n.t('{0} of {1} files read', done, total) : '';
    this.picker.title = [this.title, ...this.filters.activeNames(), this.isBusy ? '' : this.count, progress]
      .filter((part) => part !== '')
      .join(' · ');
    this.picker.busy = this.isBusy || isReading;
  }

  private loggedErrorItem(error: unknown): SearchItem {
    this.deps.log.error(error);
    return errorItem(localizeError(error));
  }
}

function sameHit(one: SearchItem['action'], other: SearchItem['action'] | undefined): boolean {
  return (
    one.kind === 'hit' &&
    other?.kind === 'hit' &&
    one.hit.path === other.hit.path &&
    one.hit.entryId === other.hit.entryId &&
    one.hit.role === other.hit.role
  );
}
