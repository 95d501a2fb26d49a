/** The list that is searched anew with each letter typed. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { SessionError, type CatalogRow, type SearchHit } from '../core/index';
import type { CommandDeps } from './deps';
import { marked } from './searchText';
import { sentence } from './speak';

interface Found extends vscode.QuickPickItem {
  readonly hit?: SearchHit;
}

/** Milliseconds without a letter typed. */
const PAUSE = 120;
/** Milliseconds between two searches for the same, while more is read. */
const AGAIN = 1500;

type Search = (text: string, signal: AbortSignal) => Promise<SearchHit[]>;

/** Resolves to the hit that the person chose. @throws {vscode.CancellationError} */
export async function pickHit(deps: CommandDeps, title: string, search: Search): Promise<SearchHit> {
  const picker = vscode.window.createQuickPick<Found>();
  // The best hits come first; of the editor's own wish to sort them its typings do not tell.
  Object.assign(picker, { sortByLabel: false });
  picker.title = title;
  picker.placeholder = vscode.l10n.t('Words, "phrases", -not; narrow down with label: role: project:');
  const searching = new Searching(deps, picker, search);
  const filling = deps.catalog.onDidChange(() => searching.more());
  try {
    searching.showProgress();
    picker.onDidChangeValue(() => searching.typed());
    const chosen = await new Promise<SearchHit | undefined>((resolve) => {
      picker.onDidAccept(() => {
        const hit = picker.selectedItems[0]?.hit;
        if (hit) resolve(hit);
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    if (!chosen) throw new vscode.CancellationError();
    return chosen;
  } finally {
    filling.dispose();
    searching.end();
    picker.dispose();
  }
}

class Searching {
  private readonly title: string;
  private current = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isBusy = false;
  private last = 0;

  constructor(
    private readonly deps: CommandDeps,
    private readonly picker: vscode.QuickPick<Found>,
    private readonly search: Search,
  ) {
    this.title = picker.title ?? '';
  }

  typed(): void {
    // Older answers are nobody's any more.
    this.current.abort();
    this.schedule(PAUSE);
  }

  /** More can be found than before. */
  more(): void {
    this.showProgress();
    if (this.picker.value !== '' && !this.isBusy && this.timer === undefined) this.schedule(Math.max(0, this.last + AGAIN - Date.now()));
  }

  showProgress(): void {
    const { done, total, problem } = this.deps.catalog.progress();
    const isFilling = done < total;
    const words = problem ? sentence(problem) : isFilling ? vscode.l10n.t('{0} of {1} files read', done, total) : '';
    this.picker.title = words === '' ? this.title : `${this.title} · ${words}`;
    this.picker.busy = this.isBusy || isFilling;
  }

  end(): void {
    clearTimeout(this.timer);
    this.current.abort();
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
    const text = this.picker.value;
    this.isBusy = true;
    this.showProgress();
    const items = await this.itemsFor(text, signal).catch((error: unknown) => (signal.aborted ? undefined : [this.failed(error)]));
    if (signal.aborted || !items) return;
    this.isBusy = false;
    this.last = Date.now();
    this.picker.items = items;
    this.showProgress();
  }

  private async itemsFor(text: string, signal: AbortSignal): Promise<Found[]> {
    if (text.trim() === '') return [];
    const hits = await this.search(text, signal);
    const sessions = new Map((await (await this.deps.catalog.open()).sessions()).map((row) => [row.path, row]));
    if (hits.length === 0) return [{ label: vscode.l10n.t('Nothing found'), alwaysShow: true }];
    return hits.map((hit) => this.itemOf(hit, sessions.get(hit.path), text));
  }

  private itemOf(hit: SearchHit, row: CatalogRow | undefined, text: string): Found {
    const branch = hit.active ? '' : vscode.l10n.t('on a branch that was left');
    const parts = [row?.name ?? row?.firstMessage ?? basename(hit.path), roleName(hit.role), this.deps.ago(hit.time), branch];
    return {
      label: marked(hit.snippet, hit.marks, text),
      description: parts.filter((part) => part !== '').join(' · '),
      detail: row?.cwd || vscode.l10n.t('Unknown project'),
      alwaysShow: true,
      hit,
    };
  }

  private failed(error: unknown): Found {
    this.deps.log.error(error instanceof Error ? error : String(error));
    return { label: error instanceof SessionError ? sentence(error) : String(error), alwaysShow: true };
  }
}

/** What an entry is, for a person. */
function roleName(role: string): string {
  switch (role) {
    case 'user':
      return vscode.l10n.t('user');
    case 'assistant':
      return vscode.l10n.t('assistant');
    case 'label':
      return vscode.l10n.t('label');
    case 'session_info':
    case 'title':
    case 'title_change':
      return vscode.l10n.t('name');
    case 'compaction':
    case 'branch_summary':
      return vscode.l10n.t('summary');
    case 'bashExecution':
    case 'pythonExecution':
      return vscode.l10n.t('command');
    default:
      return role;
  }
}
