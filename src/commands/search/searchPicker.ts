/** The list that is searched anew with each letter typed. */
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
import { errorItem, hitItems, moreItem, openTargetOf, type SearchItem } from './searchItems';
import { applyCompletion, completions, searchTruncation, folderBaseName, parseSearchQuery, ROLE_NAMES, prefixBeingTyped, type TypedPrefix } from './searchQuery';

export interface PickedHit {
  readonly hit: SearchHit;
  readonly openTarget: OpenTarget;
}

/** Milliseconds without a letter typed. */
const DEBOUNCE = 120;
/** Milliseconds between two searches for the same, while more is read. */
const REFRESH_INTERVAL = 1500;
/** Hits at first, and more of them each time. */
const PAGE_SIZE = 50;
/** Values that are offered while one is typed. */
const MAX_COMPLETIONS = 6;

/** Resolves to the hit that the person chose. @throws {vscode.CancellationError} */
export async function pickHit(deps: CommandDeps, title: string): Promise<PickedHit> {
  const picker = createQuickPick<SearchItem>();
  // The best hits come first; of the editor's own wish to sort them its typings do not tell.
  Object.assign(picker, { sortByLabel: false });
  picker.placeholder = vscode.l10n.t('Words, "phrases", -not, role: tool: file: label: project:');
  const searching = new SearchController(deps, picker, title);
  const filling = deps.catalog.onDidChange(() => searching.catalogChanged());
  try {
    searching.start();
    const picked = await new Promise<PickedHit | undefined>((resolve) => {
      picker.onDidChangeValue(() => searching.valueChanged());
      picker.onDidTriggerButton((button) => searching.buttonPressed(button));
      picker.onDidAccept(() => {
        const hit = searching.accept(picker.selectedItems[0]);
        if (hit) resolve({ hit, openTarget: undefined });
      });
      picker.onDidTriggerItemButton(({ item, button }) => {
        if (item.action.kind === 'hit') resolve({ hit: item.action.hit, openTarget: openTargetOf(button) });
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    if (!picked) throw new vscode.CancellationError();
    return picked;
  } finally {
    filling.dispose();
    searching.dispose();
    picker.dispose();
  }
}

class SearchController {
  private readonly filters = new SearchFilterButtons();
  private current = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isBusy = false;
  private last = 0;
  private limit = PAGE_SIZE;
  /** How many were found, in words. */
  private count = '';

  constructor(
    private readonly deps: CommandDeps,
    private readonly picker: vscode.QuickPick<SearchItem>,
    private readonly title: string,
  ) {}

  start(): void {
    this.filters.show(this.picker);
    this.picker.items = hintItems();
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

  /** The hit, if the row is one; else does what the row says. */
  accept(item: SearchItem | undefined): SearchHit | undefined {
    const choice = item?.action;
    switch (choice?.kind) {
      case 'hit':
        return choice.hit;
      case 'type':
        this.picker.value = choice.text;
        this.restart(0);
        return undefined;
      case 'more':
        this.limit += PAGE_SIZE * 2;
        this.schedule(0);
        return undefined;
      case 'clear':
        this.filters.clear();
        this.filters.show(this.picker);
        this.restart(0);
        return undefined;
      default:
        return undefined;
    }
  }

  /** More can be found than before. */
  catalogChanged(): void {
    this.showState();
    if (this.hasQuery() && !this.isBusy && this.timer === undefined) this.schedule(Math.max(0, this.last + REFRESH_INTERVAL - Date.now()));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.current.abort();
  }

  private hasQuery(): boolean {
    return this.picker.value.trim() !== '' || this.filters.activeNames().length > 0;
  }

  /** Older answers are nobody's any more. */
  private restart(delay: number): void {
    this.current.abort();
    this.limit = PAGE_SIZE;
    this.schedule(delay);
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.run();
    }, delay);
  }

  private async run(): Promise<void> {
    this.current.abort();
    const { signal } = (this.current = new AbortController());
    this.isBusy = true;
    this.showState();
    const items = await this.items(this.picker.value, signal).catch((error: unknown) => (signal.aborted ? undefined : [this.loggedErrorItem(error)]));
    if (signal.aborted || !items) return;
    this.isBusy = false;
    this.last = Date.now();
    this.show(items);
    this.showState();
  }

  /** What was active stays so if it is still there; after more was asked for, what comes first of it. */
  private show(items: SearchItem[]): void {
    const before = this.picker.activeItems[0]?.action;
    const active = items.find(({ action: choice }) => sameHit(choice, before)) ?? (before?.kind === 'more' ? items[this.picker.items.length - 1] : undefined);
    this.picker.keepScrollPosition = active !== undefined;
    this.picker.items = items;
    if (active) this.picker.activeItems = [active];
  }

  private async items(typed: string, signal: AbortSignal): Promise<SearchItem[]> {
    return [...truncationItems(searchTruncation(typed)), ...(await this.resultItems(typed.slice(0, MAX_QUERY_UNITS), signal))];
  }

  private async resultItems(text: string, signal: AbortSignal): Promise<SearchItem[]> {
    this.count = '';
    if (!this.hasQuery()) return hintItems();
    // It may be another one than it was: the roots change, and another window clears it.
    const catalog = await this.deps.catalog.open();
    const offered = await this.suggestCompletions(catalog, prefixBeingTyped(text));
    const hits = await searchCatalog(catalog, text, { ...this.filters.chosen(), limit: this.limit + 1, signal });
    const sessions = new Map((await catalog.sessions()).map((row) => [row.path, row]));
    const { done, total, isStopped } = this.deps.catalog.progress();
    const state = done >= total ? 'read' : isStopped ? 'stopped' : 'reading';
    if (hits.length === 0 && offered.length > 0) return offered;
    if (hits.length === 0) {
      const doubts = findQueryProblems(text, { tools: await catalog.tools(), folders: Array.from(sessions.values(), ({ cwd }) => cwd) });
      return noResultItems({ filtered: this.filters.activeNames().length > 0, state, sessions: sessions.size, problems: doubts });
    }
    const isCalls = this.isToolCallSearch(text);
    const kind = (hit: SearchHit): EntryKind | undefined => (isCalls && hit.role === 'assistant' ? toolCallKind() : undefined);
    const found = hitItems(hits.slice(0, this.limit), { ago: this.deps.ago, sessions, typed: text, kind });
    const isCut = hits.length > this.limit;
    this.count = isCut ? vscode.l10n.t('more than {0} results', found.length) : found.length === 1 ? vscode.l10n.t('1 result') : vscode.l10n.t('{0} results', found.length);
    return [...offered, ...found, ...(isCut ? [moreItem()] : [])];
  }

  /** Whether what is found is what a message called, and not what it says. */
  private isToolCallSearch(text: string): boolean {
    const { query, tools, files, roles = [] } = parseSearchQuery(text);
    const wanted = [...roles, ...(this.filters.chosen().roles ?? [])];
    return query === '' && (tools !== undefined || files !== undefined || (wanted.length > 0 && wanted.every((role) => role === 'toolCall')));
  }

  /** Values for the prefix that is being typed. */
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
      // Labels are what is found, and there are too many files.
      case 'label':
      case 'file':
        return [];
    }
  }

  private showState(): void {
    const { done, total, problem, isStopped } = this.deps.catalog.progress();
    const isFilling = done < total && !isStopped;
    const filling = problem ? localizeProblem(problem) : isFilling ? vscode.l10n.t('{0} of {1} files read', done, total) : '';
    this.picker.title = [this.title, ...this.filters.activeNames(), this.isBusy ? '' : this.count, filling].filter((part) => part !== '').join(' · ');
    this.picker.busy = this.isBusy || isFilling;
  }

  private loggedErrorItem(error: unknown): SearchItem {
    this.deps.log.error(error);
    return errorItem(localizeError(error));
  }
}

function sameHit(one: SearchItem['action'], other: SearchItem['action'] | undefined): boolean {
  return one.kind === 'hit' && other?.kind === 'hit' && one.hit.path === other.hit.path && one.hit.entryId === other.hit.entryId && one.hit.role === other.hit.role;
}
