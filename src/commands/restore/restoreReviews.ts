/** Reviews of restores, one at a time: a view with the files beside an editor with their changes. */
import * as vscode from 'vscode';
import type { PlannedFile, RestorePlan } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { isChanged, isMissed } from './planFiles';
import { RestoreDiff } from './restoreDiff';
import type { RestoreDocuments } from './restoreDocuments';
import { unrecordedSection } from './restoreItems';
import { RestoreView } from './restoreView';

/**
 * Makes the plan.
 *
 * @param listeners see `PlanRestoreOptions`
 * @param controller aborts it
 */
export type Planning = (
  listeners: {
    readonly onWrittenAfter: (folder: string) => void;
    readonly onPlanned: (file: PlannedFile, folder: string) => void;
  },
  controller: AbortController,
) => Promise<RestorePlan>;

interface Reviewed {
  /** The title of the command. */
  readonly title: string;
  /** Names the entry. */
  readonly entry: string;
  readonly planning: Planning;
  /** Names what happens to a number of files; `undefined` if nothing would. */
  readonly applyLabel: (count: number) => string | undefined;
  /** Finds the files that changed without a recorded edit. Called once the review is shown. */
  readonly unrecorded: (plan: RestorePlan, signal: AbortSignal) => Promise<readonly string[]>;
}

interface OpenReview {
  readonly diff: RestoreDiff;
  readonly cancel: () => void;
  view?: RestoreView;
}

export class RestoreReviews {
  private current: OpenReview | undefined;

  constructor(
    private readonly deps: Pick<CommandDeps, 'log'>,
    private readonly documents: RestoreDocuments,
  ) {}

  /**
   * Plans, and shows what would change, from the first file on. The view is there before, where a change is likely. A review that
   * is open ends.
   *
   * @param decide is called with the whole plan and the ticked files, while their changes are shown. If it's cancelled, the review
   * goes on. With nothing to restore or to show there's no review, and it's called with no files
   * @throws {vscode.CancellationError} if the review is cancelled; as `planning` and `decide`
   */
  async review<T>(
    { title, entry, planning, applyLabel, unrecorded }: Reviewed,
    decide: (plan: RestorePlan, chosen: readonly PlannedFile[]) => Promise<T>,
  ): Promise<T> {
    await this.end();
    const diff = new RestoreDiff(this.documents, `${title}: ${entry}`);
    const log = (error: unknown): void => this.deps.log.error(error);
    const ended = new AbortController();
    try {
      return await new Promise<T>((resolve, reject) => {
        const review: OpenReview = (this.current = { diff, cancel: () => reject(new vscode.CancellationError()) });
        const fail = (error: unknown): void => reject(error instanceof Error ? error : new Error(String(error)));
        let plan: RestorePlan | undefined;
        let isDeciding = false;
        const showAll = async (): Promise<void> => plan && diff.openAll(plan.files).catch(log);
        const apply = async (): Promise<void> => {
          if (isDeciding || !plan) return;
          isDeciding = true;
          try {
            resolve(await decide(plan, review.view?.chosen ?? []));
          } catch (error) {
            if (!(error instanceof vscode.CancellationError && review.view)) fail(error);
          } finally {
            isDeciding = false;
          }
        };
        const viewIn = (folder: string): RestoreView =>
          (review.view ??= new RestoreView({
            title: entry,
            folder,
            applyLabel,
            onApply: apply,
            onCancel: review.cancel,
            onShowAll: showAll,
            onOpen: (file) => diff.open(file).catch(log),
          }));
        /** The editor reads all files before it shows a difference, so until the plan is whole it gets one. */
        const openFirst = async (view: RestoreView, file: PlannedFile): Promise<void> => {
          await view.show();
          if (plan || ended.signal.aborted) return;
          await diff.openAll([file]);
          await view.show();
        };
        const planned: PlannedFile[] = [];
        let filled: RestoreView | undefined;
        let isOpened = false;
        const onWrittenAfter = (folder: string): void => {
          if (!ended.signal.aborted) void viewIn(folder).show().catch(log);
        };
        const onPlanned = (file: PlannedFile, folder: string): void => {
          planned.push(file);
          if (ended.signal.aborted) return;
          if (filled) filled.add(file);
          else if (isShown(file)) {
            filled = viewIn(folder);
            for (const one of planned) filled.add(one);
            void filled.show().catch(log);
          }
          if (!filled || isOpened || !isChanged(file)) return;
          isOpened = true;
          void openFirst(filled, file).catch(log);
        };
        const complete = async (whole: RestorePlan): Promise<void> => {
          if (ended.signal.aborted) return;
          plan = whole;
          if (!whole.files.some(isShown)) {
            review.view?.dispose();
            delete review.view;
            return apply();
          }
          const view = viewIn(whole.folder);
          view.complete(whole.files);
          // The files are there at once. The editor with their changes takes longer, and the focus.
          await view.show();
          await showAll();
          await view.show();
          const files = await unrecorded(whole, ended.signal);
          if (files.length > 0) view.addSection(unrecordedSection(whole.folder, files));
        };
        planning({ onWrittenAfter, onPlanned }, ended).then((whole) => {
          complete(whole).catch((error: unknown) => ended.signal.aborted || log(error));
        }, fail);
      });
    } finally {
      ended.abort();
      if (this.current?.diff === diff) await this.end();
    }
  }

  private async end(): Promise<void> {
    const ending = this.current;
    this.current = undefined;
    ending?.cancel();
    ending?.view?.dispose();
    await ending?.diff.close();
  }
}

/** True for a file that a person sees in the review, or misses in the result. */
const isShown = (file: PlannedFile): boolean => isChanged(file) || isMissed(file);
