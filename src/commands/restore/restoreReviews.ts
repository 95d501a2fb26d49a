/** Reviews of restores, one at a time: a view with the files beside an editor with their changes. */
import * as vscode from 'vscode';
import type { PlannedFile, RestorePlan } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { RestoreDiff } from './restoreDiff';
import type { RestoreDocuments } from './restoreDocuments';
import { unrecordedSection } from './restoreItems';
import { RestoreView } from './restoreView';

interface Reviewed {
  /** The title of the command. */
  readonly title: string;
  /** Names the entry. */
  readonly entry: string;
  readonly plan: RestorePlan;
  /** Names what happens to a number of files. */
  readonly applyLabel: (count: number) => string;
  /** Finds the files that changed without a recorded edit. Called once the review is shown. */
  readonly unrecorded: (signal: AbortSignal) => Promise<readonly string[]>;
}

interface OpenReview {
  readonly view: RestoreView;
  readonly diff: RestoreDiff;
  readonly cancel: () => void;
}

export class RestoreReviews {
  private current: OpenReview | undefined;

  constructor(
    private readonly deps: Pick<CommandDeps, 'log'>,
    private readonly documents: RestoreDocuments,
  ) {}

  /**
   * Shows what a plan would change. A review that is open ends.
   *
   * @param decide is called with the ticked files, while their changes are shown. If it's cancelled, the review goes on
   * @throws {vscode.CancellationError} if the review is cancelled; as `decide`
   */
  async review<T>(
    { title, entry, plan, applyLabel, unrecorded }: Reviewed,
    decide: (chosen: readonly PlannedFile[]) => Promise<T>,
  ): Promise<T> {
    await this.end();
    const diff = new RestoreDiff(this.documents, `${title}: ${entry}`);
    const log = (error: unknown): void => this.deps.log.error(error);
    const showAll = async (): Promise<void> => diff.openAll(plan).catch(log);
    const ended = new AbortController();
    const addUnrecorded = async (view: RestoreView): Promise<void> => {
      const files = await unrecorded(ended.signal);
      if (files.length > 0) view.addSection(unrecordedSection(plan.folder, files));
    };
    try {
      return await new Promise<T>((resolve, reject) => {
        const cancel = (): void => reject(new vscode.CancellationError());
        let isDeciding = false;
        const apply = async (): Promise<void> => {
          if (isDeciding) return;
          isDeciding = true;
          try {
            resolve(await decide(view.chosen));
          } catch (error) {
            if (!(error instanceof vscode.CancellationError)) reject(error instanceof Error ? error : new Error(String(error)));
          } finally {
            isDeciding = false;
          }
        };
        const view: RestoreView = new RestoreView({
          title: entry,
          plan,
          applyLabel,
          onApply: apply,
          onCancel: cancel,
          onShowAll: showAll,
          onOpen: (file) => diff.open(file).catch(log),
        });
        this.current = { view, diff, cancel };
        // The files are there at once. The editor with their changes takes longer, and the focus.
        void view
          .show()
          .then(showAll)
          .then(() => view.show())
          .then(() => addUnrecorded(view))
          .catch((error: unknown) => ended.signal.aborted || log(error));
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
    ending?.view.dispose();
    await ending?.diff.close();
  }
}
