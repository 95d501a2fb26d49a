/** What stands around the rows: behind the view's title, above the rows, and instead of rows where there are none. */
import * as vscode from 'vscode';
import { DIALECT_FACTS, type Root, type SessionError } from '../../core/index';
import type { ViewSettings } from './viewSettings';
import { WelcomeContent } from './welcomeContent';
import * as words from '../items/rowText';

/** Runs for the button beside the title while sessions are read. */
export const STOP_READING = 'sessionTree.stopReading';

/** How far reading sessions has come. */
export interface ReadingProgress {
  readonly done: number;
  readonly total: number;
  readonly isStopped?: true;
  /** Why the catalog can't be used. */
  readonly problem?: SessionError;
}

/** Files whose reading is over before a number could be read. */
const MIN_REPORTED_FILES = 50;

export class ViewHeader {
  private readonly welcome: WelcomeContent;
  private isReading = false;
  private notice = '';
  private counts = '';

  constructor(
    private readonly view: Pick<vscode.TreeView<unknown>, 'message' | 'description'>,
    private readonly reading: () => ReadingProgress,
    onError: (error: unknown, doing: string) => void,
  ) {
    this.welcome = new WelcomeContent(view, onError);
  }

  /** Whether another welcome may be due: there are files, or rows, where there were none, or the other way round. */
  countsChanged(files: number, shown: number): boolean {
    const before = this.counts;
    this.counts = `${String(files === 0)} ${String(shown === 0)}`;
    return this.counts !== before;
  }

  /** `files`: session files that are known, `shown`: projects that have a row. */
  updateWelcome({ roots, silent, crowded }: { readonly roots: readonly Root[]; readonly silent: readonly Root[]; readonly crowded: readonly Root[] }, files: number, shown: number): void {
    this.notice = words.readingNotice(this.reading());
    const notices = [words.crowdedNotice(crowded.map(({ path }) => path)), this.notice];
    void this.welcome.update(roots, silent.map(({ path }) => path), files, shown, words.joinParts(...notices));
  }

  /** @returns whether what is to be said above the rows is other than what is said there. */
  updateDescription({ filter, program }: ViewSettings): boolean {
    const reading = this.reading();
    const { done, total } = reading;
    const isReading = !reading.isStopped && total - done >= (this.isReading ? 1 : MIN_REPORTED_FILES);
    const description = words.joinParts(
      isReading ? words.readProgress(done, total) : '',
      filter === 'default' ? '' : words.filterName(filter),
      program === 'all' ? '' : DIALECT_FACTS[program].label,
    );
    if (description !== (this.view.description ?? '')) this.view.description = description;
    if (isReading !== this.isReading) void vscode.commands.executeCommand('setContext', 'sessionTree.reading', isReading);
    this.isReading = isReading;
    return words.readingNotice(reading) !== this.notice;
  }
}
