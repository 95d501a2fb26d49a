/** The quick pick of the search, which searches while the person types. */
import * as vscode from 'vscode';
import type { Arrangement } from '../../contract';
import { typedSince, type SearchHit } from '../../core/index';
import { createQuickPick } from '../../ui/safe/quickInput';
import { localizeError, localizeProblem } from '../../ui/localize';
import type { CommandDeps } from '../handler/commandDeps';
import type { SideKey } from '../handler/sideKey';
import type { OpenTarget } from '../open/revealHit';
import { queryMeaning } from './queryMeaning';
import { SearchFilterButtons } from './searchFilterButtons';
import { errorItem, openTargetOf, type SearchAction, type SearchItem } from './searchItems';
import { hasQuery, listResults, type SearchResults } from './searchResults';

/** A hit with the list that it was chosen from, a recent session, or the change of the Sessions view that lists what the query finds. */
type Picked =
  | { readonly list: Partial<Arrangement>; readonly sessionPath?: undefined; readonly hit?: undefined }
  | {
      readonly list?: undefined;
      readonly sessionPath?: undefined;
      readonly hit: SearchHit;
      readonly hits: readonly SearchHit[];
      readonly openTarget: OpenTarget;
    }
  | { readonly list?: undefined; readonly sessionPath: string; readonly hit?: undefined; readonly openTarget: OpenTarget };

/** Milliseconds between the last key and the search. */
const DEBOUNCE = 120;
/** Milliseconds between two searches for the same query, while sessions are read. */
const REFRESH_INTERVAL = 1500;
/** Hits in the first list; Show More Results adds twice as many. */
const PAGE_SIZE = 50;

/** Shows the list and resolves to the chosen hit or session. @throws {vscode.CancellationError} */
export async function pickHit(deps: CommandDeps, title: string, sideKey: SideKey): Promise<Picked> {
  const picker = createQuickPick<SearchItem>();
  // Keeps the order, best hits first. The editor's typings lack this property.
  Object.assign(picker, { sortByLabel: false });
  picker.placeholder = vscode.l10n.t('Words, "phrases", -not, file:…');
  const controller = new SearchController(deps, picker, title);
  const subscriptions = [deps.catalog.onDidChange(() => controller.catalogChanged())];
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
      picker.onDidTriggerButton((button) => {
        if (controller.isListButton(button)) resolve({ list: controller.arrangement() });
        else controller.buttonPressed(button);
      });
      picker.onDidAccept(() => controller.accept(picker.selectedItems[0], (item) => choose(item, 'context')));
      subscriptions.push(sideKey.use(() => controller.accept(picker.activeItems[0], (item) => choose(item, 'side'))));
      picker.onDidTriggerItemButton(({ item, button }) => choose(item, openTargetOf(button)));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    if (!picked) throw new vscode.CancellationError();
    return picked;
  } finally {
    vscode.Disposable.from(...subscriptions).dispose();
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
  /** The paths of sessions whose results are all listed. */
  private readonly expanded = new Set<string>();
  /** The query whose results are listed. */
  private listed = '';
  /** The number of results, for the title. */
  private count = '';
  /** True while the results for the current text and filters aren't listed yet. */
  private isOutdated = false;
  /** Chooses the first result once the results are listed. */
  private chooseFirst: ((item: SearchItem) => void) | undefined;

  constructor(
    private readonly deps: CommandDeps,
    private readonly picker: vscode.QuickPick<SearchItem>,
    private readonly title: string,
  ) {}

  start(): void {
    this.filters.show(this.picker);
    void this.search();
  }

  valueChanged(): void {
    this.restart(DEBOUNCE);
  }

  buttonPressed(button: vscode.QuickInputButton): void {
    if (!this.filters.toggle(button)) return;
    this.filters.show(this.picker);
    this.restart(0);
  }

  isListButton(button: vscode.QuickInputButton): boolean {
    return button === this.filters.list;
  }

  /** Returns the arrangement that lists the sessions of the query. */
  arrangement(): Partial<Arrangement> {
    const query = this.filters.queryWith(this.picker.value);
    return this.filters.scope().openProjects ? { query, workspaceOnly: true } : { query };
  }

  /** Chooses an item. Enter right after the last key means the first of the results, which aren't listed yet. */
  accept(item: SearchItem | undefined, choose: (item: SearchItem) => void): void {
    if (this.isOutdated && item === firstOf(this.picker.items)) this.chooseFirst = choose;
    else if (item) choose(item);
  }

  /** Runs the action of an item that isn't a result. */
  run(action: Exclude<SearchAction, { kind: 'hit' | 'session' }>): void {
    switch (action.kind) {
      case 'type':
        this.picker.value = action.text + typedSince(this.listed, this.picker.value, action.text);
        this.restart(0);
        return;
      case 'more':
        this.limit += PAGE_SIZE * 2;
        this.schedule(0);
        return;
      case 'expand':
        this.expanded.add(action.path);
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
    if (hasQuery(this.picker.value, this.filters) && !this.isBusy && this.timer === undefined)
      this.schedule(Math.max(0, this.lastSearch + REFRESH_INTERVAL - Date.now()));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.abortController.abort();
  }

  /** Aborts the current search and schedules a new one from the first page. */
  private restart(delay: number): void {
    this.abortController.abort();
    this.limit = PAGE_SIZE;
    this.expanded.clear();
    this.isOutdated = true;
    this.chooseFirst = undefined;
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
    const request = {
      typed: this.picker.value,
      filters: this.filters,
      limit: this.limit,
      expanded: this.expanded,
      order: this.filters.order(),
      signal,
    };
    const results: SearchResults | undefined = await listResults(this.deps, request).catch((error: unknown) =>
      signal.aborted ? undefined : { items: [this.loggedErrorItem(error)] },
    );
    if (signal.aborted || !results) return;
    this.isBusy = false;
    this.count = results.count ?? '';
    this.lastSearch = Date.now();
    this.listed = request.typed;
    this.show(results.items);
    this.isOutdated = false;
    this.showState();
    const first = firstOf(results.items);
    if (first) this.chooseFirst?.(first);
  }

  /**
   * Shows items. Of another query the first becomes active, as in the editor's own lists. Of the same query the active
   * item stays active if it's still there; after Show More Results, the first new one becomes active.
   */
  private show(items: readonly SearchItem[]): void {
    const before = this.isOutdated ? undefined : this.picker.activeItems[0]?.action;
    const active =
      items.find(({ action }) => sameHit(action, before)) ?? (before?.kind === 'more' ? items[this.picker.items.length - 1] : undefined);
    this.picker.keepScrollPosition = active !== undefined;
    this.picker.items = items;
    if (active) this.picker.activeItems = [active];
  }

  private showState(): void {
    const { done, total, problem, isStopped } = this.deps.catalog.progress();
    const isReading = done < total && !isStopped;
    const progress = problem ? localizeProblem(problem) : isReading ? vscode.l10n.t('{0} of {1} files read', done, total) : '';
    // A separator would stand in the first result, and leave it no room.
    const meaning = queryMeaning(this.picker.value);
    this.picker.title = [this.title, ...this.filters.activeNames(), this.isBusy ? '' : this.count, meaning, progress]
      .filter((part) => part !== '')
      .join(' · ');
    this.picker.busy = this.isBusy || isReading;
  }

  private loggedErrorItem(error: unknown): SearchItem {
    this.deps.log.error(error);
    return errorItem(localizeError(error));
  }
}

const firstOf = (items: readonly SearchItem[]): SearchItem | undefined =>
  items.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);

function sameHit(one: SearchAction, other: SearchAction | undefined): boolean {
  return (
    one.kind === 'hit' &&
    other?.kind === 'hit' &&
    one.hit.path === other.hit.path &&
    one.hit.entryId === other.hit.entryId &&
    one.hit.role === other.hit.role
  );
}
