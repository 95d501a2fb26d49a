/** The list that is searched anew with each letter typed. */
import * as vscode from 'vscode';
import { MOST_UNITS, type Catalog, type SearchHit } from '../core/index';
import { createQuickPick } from '../ui/inputs';
import { reasonOf, sentenceOf } from '../ui/sentence';
import type { CommandDeps } from './deps';
import type { Opened } from './land';
import { callKind, type Kind } from './roles';
import { doubtsIn } from './searchDoubts';
import { SearchFilters } from './searchFilters';
import { searchFor } from './searchFor';
import { completionItem, cutItems, emptyItems, hintItems } from './searchHelp';
import { failedItem, hitItems, moreItem, opens, type SearchItem } from './searchItems';
import { completed, completions, cutOfSearch, folderName, parseSearch, ROLE_NAMES, typingOf, type Typing } from './searchText';

export interface Picked {
  readonly hit: SearchHit;
  readonly opened: Opened;
}

/** Milliseconds without a letter typed. */
const PAUSE = 120;
/** Milliseconds between two searches for the same, while more is read. */
const AGAIN = 1500;
/** Hits at first, and more of them each time. */
const PAGE = 50;
/** Values that are offered while one is typed. */
const OFFERED = 6;

/** Resolves to the hit that the person chose. @throws {vscode.CancellationError} */
export async function pickHit(deps: CommandDeps, title: string): Promise<Picked> {
  const picker = createQuickPick<SearchItem>();
  // The best hits come first; of the editor's own wish to sort them its typings do not tell.
  Object.assign(picker, { sortByLabel: false });
  picker.placeholder = vscode.l10n.t('Words, "phrases", -not, role: tool: file: label: project:');
  const searching = new Searching(deps, picker, title);
  const filling = deps.catalog.onDidChange(() => searching.more());
  try {
    searching.begin();
    const picked = await new Promise<Picked | undefined>((resolve) => {
      picker.onDidChangeValue(() => searching.typed());
      picker.onDidTriggerButton((button) => searching.pressed(button));
      picker.onDidAccept(() => {
        const hit = searching.accept(picker.selectedItems[0]);
        if (hit) resolve({ hit, opened: undefined });
      });
      picker.onDidTriggerItemButton(({ item, button }) => {
        if (item.choice.kind === 'hit') resolve({ hit: item.choice.hit, opened: opens(button) });
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    if (!picked) throw new vscode.CancellationError();
    return picked;
  } finally {
    filling.dispose();
    searching.end();
    picker.dispose();
  }
}

class Searching {
  private readonly filters = new SearchFilters();
  private current = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isBusy = false;
  private last = 0;
  private limit = PAGE;
  /** How many were found, in words. */
  private count = '';

  constructor(
    private readonly deps: CommandDeps,
    private readonly picker: vscode.QuickPick<SearchItem>,
    private readonly title: string,
  ) {}

  begin(): void {
    this.filters.show(this.picker);
    this.picker.items = hintItems();
    this.showState();
  }

  typed(): void {
    this.anew(PAUSE);
  }

  pressed(button: vscode.QuickInputButton): void {
    if (!this.filters.press(button)) return;
    this.filters.show(this.picker);
    this.anew(0);
  }

  /** The hit, if the row is one; else does what the row says. */
  accept(item: SearchItem | undefined): SearchHit | undefined {
    const choice = item?.choice;
    switch (choice?.kind) {
      case 'hit':
        return choice.hit;
      case 'type':
        this.picker.value = choice.text;
        this.anew(0);
        return undefined;
      case 'more':
        this.limit += PAGE * 2;
        this.schedule(0);
        return undefined;
      case 'clear':
        this.filters.clear();
        this.filters.show(this.picker);
        this.anew(0);
        return undefined;
      default:
        return undefined;
    }
  }

  /** More can be found than before. */
  more(): void {
    this.showState();
    if (this.isAsked() && !this.isBusy && this.timer === undefined) this.schedule(Math.max(0, this.last + AGAIN - Date.now()));
  }

  end(): void {
    clearTimeout(this.timer);
    this.current.abort();
  }

  private isAsked(): boolean {
    return this.picker.value.trim() !== '' || this.filters.names().length > 0;
  }

  /** Older answers are nobody's any more. */
  private anew(delay: number): void {
    this.current.abort();
    this.limit = PAGE;
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
    const items = await this.items(this.picker.value, signal).catch((error: unknown) => (signal.aborted ? undefined : [this.failed(error)]));
    if (signal.aborted || !items) return;
    this.isBusy = false;
    this.last = Date.now();
    this.show(items);
    this.showState();
  }

  /** What was active stays so if it is still there; after more was asked for, what comes first of it. */
  private show(items: SearchItem[]): void {
    const before = this.picker.activeItems[0]?.choice;
    const active = items.find(({ choice }) => sameHit(choice, before)) ?? (before?.kind === 'more' ? items[this.picker.items.length - 1] : undefined);
    this.picker.keepScrollPosition = active !== undefined;
    this.picker.items = items;
    if (active) this.picker.activeItems = [active];
  }

  private async items(typed: string, signal: AbortSignal): Promise<SearchItem[]> {
    return [...cutItems(cutOfSearch(typed)), ...(await this.found(typed.slice(0, MOST_UNITS), signal))];
  }

  private async found(text: string, signal: AbortSignal): Promise<SearchItem[]> {
    this.count = '';
    if (!this.isAsked()) return hintItems();
    // It may be another one than it was: the roots change, and another window clears it.
    const catalog = await this.deps.catalog.open();
    const offered = await this.offered(catalog, typingOf(text));
    const hits = await searchFor(catalog, text, { ...this.filters.chosen(), limit: this.limit + 1, signal });
    const sessions = new Map((await catalog.sessions()).map((row) => [row.path, row]));
    const { done, total, isStopped } = this.deps.catalog.progress();
    const state = done >= total ? 'read' : isStopped ? 'stopped' : 'reading';
    if (hits.length === 0 && offered.length > 0) return offered;
    if (hits.length === 0) {
      const doubts = doubtsIn(text, { tools: await catalog.tools(), folders: Array.from(sessions.values(), ({ cwd }) => cwd) });
      return emptyItems({ filtered: this.filters.names().length > 0, state, sessions: sessions.size, doubts });
    }
    const isCalls = this.isForCalls(text);
    const kind = (hit: SearchHit): Kind | undefined => (isCalls && hit.role === 'assistant' ? callKind() : undefined);
    const found = hitItems(hits.slice(0, this.limit), { ago: this.deps.ago, sessions, typed: text, kind });
    const isCut = hits.length > this.limit;
    this.count = isCut ? vscode.l10n.t('more than {0} results', found.length) : found.length === 1 ? vscode.l10n.t('1 result') : vscode.l10n.t('{0} results', found.length);
    return [...offered, ...found, ...(isCut ? [moreItem()] : [])];
  }

  /** Whether what is found is what a message called, and not what it says. */
  private isForCalls(text: string): boolean {
    const { query, tools, files, roles = [] } = parseSearch(text);
    const wanted = [...roles, ...(this.filters.chosen().roles ?? [])];
    return query === '' && (tools !== undefined || files !== undefined || (wanted.length > 0 && wanted.every((role) => role === 'toolCall')));
  }

  /** Values for the prefix that is being typed. */
  private async offered(catalog: Catalog, typing: Typing | undefined): Promise<SearchItem[]> {
    if (!typing) return [];
    const values = completions(typing.value, await this.valuesOf(catalog, typing)).slice(0, OFFERED);
    return values.map((value) => completionItem(`${typing.prefix}:${value}`, completed(typing.before, value)));
  }

  private async valuesOf(catalog: Catalog, { prefix }: Typing): Promise<readonly string[]> {
    switch (prefix) {
      case 'role':
        return ROLE_NAMES;
      case 'tool':
        return catalog.tools();
      case 'project':
        return [...new Set((await catalog.sessions()).map(({ cwd }) => folderName(cwd)))].filter((name) => name !== '');
      // Labels are what is found, and there are too many files.
      case 'label':
      case 'file':
        return [];
    }
  }

  private showState(): void {
    const { done, total, problem, isStopped } = this.deps.catalog.progress();
    const isFilling = done < total && !isStopped;
    const filling = problem ? sentenceOf(problem) : isFilling ? vscode.l10n.t('{0} of {1} files read', done, total) : '';
    this.picker.title = [this.title, ...this.filters.names(), this.isBusy ? '' : this.count, filling].filter((part) => part !== '').join(' · ');
    this.picker.busy = this.isBusy || isFilling;
  }

  private failed(error: unknown): SearchItem {
    this.deps.log.error(error);
    return failedItem(reasonOf(error));
  }
}

function sameHit(one: SearchItem['choice'], other: SearchItem['choice'] | undefined): boolean {
  return one.kind === 'hit' && other?.kind === 'hit' && one.hit.path === other.hit.path && one.hit.entryId === other.hit.entryId && one.hit.role === other.hit.role;
}
