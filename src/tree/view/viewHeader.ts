/** The texts around the rows: the view's description and message, and the welcome content of an empty view. */
import * as vscode from 'vscode';
import { DIALECT_FACTS, oneLine, type Root, type SessionError } from '../../core/index';
import type { ViewSettings } from './stored/viewSettings';
import { WelcomeContent } from './welcomeContent';
import { localizeFilter } from '../../ui/localize';
import * as words from '../items/rowText';

/** The command of the button next to the title while sessions are read. */
export const STOP_READING = 'sessionTree.stopReading';
/** The command of the button next to the title while rows are hidden. */
export const CLEAR_FILTERS = 'sessionTree.clearFilters';

/** The progress of reading sessions. */
export interface ReadingProgress {
  readonly done: number;
  readonly total: number;
  readonly isStopped?: true;
  /** The reason why the catalog can't be used. */
  readonly problem?: SessionError;
}

/** The settings that hide rows. */
export type ShownSettings = Pick<ViewSettings, 'filter' | 'program' | 'hideSubagents'> & {
  readonly workspaceOnly: boolean;
  /** Empty without a filter by tag. */
  readonly tag: string;
  /** Empty without a query. */
  readonly query: string;
  /** The name of the saved view that is shown. */
  readonly savedView?: string | undefined;
  /** The mark of a passed budget; empty for none. */
  readonly budget: string;
  readonly unfinishedOnly: boolean;
  /** The number of unfinished sessions among the listed ones. */
  readonly unfinished: number;
};

/** UTF-16 units of a query above the rows. */
const MAX_QUERY_LENGTH = 60;

/** With fewer files than this, reading ends before a progress could be read. */
const MIN_REPORTED_FILES = 50;

export class ViewHeader {
  private readonly welcome: WelcomeContent;
  private isReading = false;
  private isStopped = false;
  private notice = '';
  private filters = '';
  private counts = '';

  constructor(
    private readonly view: Pick<vscode.TreeView<unknown>, 'message' | 'description' | 'badge'>,
    private readonly reading: () => ReadingProgress,
    onError: (error: unknown, doing: string) => void,
  ) {
    this.welcome = new WelcomeContent(view, onError);
  }

  /** Returns true if the welcome content may have to change: files or rows appeared where there were none, or the reverse. */
  countsChanged(files: number, shown: number): boolean {
    const before = this.counts;
    this.counts = `${String(files === 0)} ${String(shown === 0)}`;
    return this.counts !== before;
  }

  /** @param files the number of known session files. @param shown the number of projects with a row */
  updateWelcome(
    {
      roots,
      silent,
      truncated,
    }: { readonly roots: readonly Root[]; readonly silent: readonly Root[]; readonly truncated: readonly Root[] },
    files: number,
    shown: number,
  ): void {
    this.notice = words.readingNotice(this.reading());
    const notices = [this.filters, words.truncatedNotice(truncated.map(({ path }) => path)), this.notice];
    void this.welcome.update(
      roots,
      silent.map(({ path }) => path),
      files,
      shown,
      words.joinParts(...notices),
    );
  }

  /** Shows at the view's icon how many sessions need input. */
  showBadge(count: number): void {
    if ((this.view.badge?.value ?? 0) === count) return;
    this.view.badge = count === 0 ? undefined : { value: count, tooltip: words.needsInputCount(count) };
  }

  /** @returns true if the message above the rows is out of date */
  updateDescription(settings: ShownSettings): boolean {
    const reading = this.reading();
    const { done, total } = reading;
    const isReading = !reading.isStopped && total - done >= (this.isReading ? 1 : MIN_REPORTED_FILES);
    const { budget, savedView, unfinished } = settings;
    const description = words.joinParts(
      isReading ? words.readProgress(done, total) : '',
      savedView,
      budget,
      unfinished === 0 ? '' : words.unfinishedCount(unfinished),
    );
    if (description !== (this.view.description ?? '')) this.view.description = description;
    if (isReading !== this.isReading) void vscode.commands.executeCommand('setContext', 'sessionTree.reading', isReading);
    this.isReading = isReading;
    const isStopped = reading.isStopped === true;
    if (isStopped !== this.isStopped) void vscode.commands.executeCommand('setContext', 'sessionTree.readingStopped', isStopped);
    this.isStopped = isStopped;
    const filters = filtersText(settings);
    if ((filters === '') !== (this.filters === ''))
      void vscode.commands.executeCommand('setContext', 'sessionTree.hasFilters', filters !== '');
    const isChanged = filters !== this.filters || words.readingNotice(reading) !== this.notice;
    this.filters = filters;
    return isChanged;
  }
}

/** Names what hides rows; empty if nothing does. */
function filtersText({ filter, program, hideSubagents, workspaceOnly, tag, query, unfinishedOnly }: ShownSettings): string {
  const filters = [
    workspaceOnly ? vscode.l10n.t('This Workspace') : undefined,
    unfinishedOnly ? vscode.l10n.t('Unfinished Only') : undefined,
    query === '' ? undefined : vscode.l10n.t('Search: {0}', oneLine(query, MAX_QUERY_LENGTH)),
    tag === '' ? undefined : words.tagsText([tag]),
    program === 'all' ? undefined : DIALECT_FACTS[program].label,
    filter === 'default' ? undefined : localizeFilter(filter),
    hideSubagents ? vscode.l10n.t('Without Subagents') : undefined,
  ].filter((one) => one !== undefined);
  return filters.length === 0 ? '' : vscode.l10n.t('Filters: {0}', filters.join(', '));
}
