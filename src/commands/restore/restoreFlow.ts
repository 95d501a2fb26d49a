/** The steps of restoring files from a row: planning, the review, the question, writing, and the message with its actions. */
import * as vscode from 'vscode';
import type { EntryRef } from '../../contract';
import { changedInGit, defined, type PlannedFile, type RestorePlan, type SubmitResult } from '../../core/index';
import { branchInteractively, type BranchChange, type BranchTarget } from '../changes/branching';
import { takeTurn } from '../handler/changeEach';
import { withCancellableProgress } from '../handler/cancellableProgress';
import type { CommandDeps } from '../handler/commandDeps';
import { submitOptions, type ConfirmForce } from '../handler/confirmForce';
import type { NotificationAction } from '../handler/notifications';
import { entryDisplayName } from '../handler/prompts';
import type { ReportDocuments } from '../handler/reportDocuments';
import { openConflict } from './mergeEditor';
import { isChanged, isMissed, planFiles, withoutUnsaved } from './planFiles';
import { confirmRestore, restoreLabel } from './restoreQuestion';
import type { RestoreDocuments } from './restoreDocuments';
import { leftActions, type RestoredFiles } from './restoreReport';
import { RestoreReviews, type Planning } from './restoreReviews';

/** The files that a person chose. */
interface ChosenFiles {
  /** Only what is to be restored. */
  readonly plan: RestorePlan;
  /** Files that the person may want to look at, since they can't be restored. */
  readonly left: readonly PlannedFile[];
}

export interface RestoreFlow {
  /** Plans, shows the review, asks, and restores what the person chose. @throws {vscode.CancellationError} */
  readonly restoreInteractively: (target: BranchTarget) => Promise<RestoredFiles>;
  /** Like `restoreInteractively`, together with a branch. @throws {vscode.CancellationError} */
  readonly branchInteractively: (target: BranchTarget) => Promise<{ readonly description: string; readonly restored: RestoredFiles }>;
  /** The actions of a message about what stays. */
  readonly leftActions: (ref: EntryRef, title: string, restored: RestoredFiles) => NotificationAction[];
}

interface RestoreFlowOptions {
  readonly deps: CommandDeps;
  readonly confirmForce: ConfirmForce;
  readonly reports: ReportDocuments;
  readonly documents: RestoreDocuments;
}

export function restoreFlow({ deps, confirmForce, reports, documents }: RestoreFlowOptions): RestoreFlow {
  const reviews = new RestoreReviews(deps, documents);
  /**
   * Plans, shows the review, and passes what the person chose to `decide`, while the changes are still shown.
   */
  const review = async <T>(
    { call, ref, session }: BranchTarget,
    applyLabel: (count: number) => string | undefined,
    decide: (chosen: ChosenFiles) => Promise<T>,
  ): Promise<T> => {
    const planning: Planning = (listeners, controller) =>
      withCancellableProgress(
        vscode.l10n.t('Looking for what changed since…'),
        (progress) => planFiles(deps, ref, { include: 'likely', ...listeners, ...progress }),
        controller,
      );
    const unrecorded = ({ folder, files }: RestorePlan, signal: AbortSignal): Promise<string[]> =>
      changedInGit(
        folder,
        files.map(({ file }) => file),
        signal,
      );
    const entry = entryDisplayName(session, ref.entryId);
    return reviews.review({ title: call.title, entry, planning, applyLabel, unrecorded }, (plan, chosen) =>
      decide({ plan: { ...plan, files: chosen }, left: plan.files.filter(isMissed) }),
    );
  };

  /** Writes what is planned, unless an editor has unsaved changes by now. */
  const write = async <T>(
    { plan, left }: ChosenFiles,
    work: (now: RestorePlan, signal: AbortSignal) => Promise<T & { readonly restored: RestoredFiles | undefined }>,
  ): Promise<{ written: T; restored: RestoredFiles }> => {
    const { now, written } = await takeTurn(deps, vscode.l10n.t('Restoring files…'), async ({ signal }) => {
      const now = withoutUnsaved(plan);
      return { now, written: await work({ ...now, files: now.files.filter(isChanged) }, signal) };
    });
    const { restoreId, done = [], left: leftNow = [] } = written.restored ?? {};
    const unsaved = now.files.filter((file) => !isChanged(file));
    return { written, restored: { ...defined({ restoreId }), done, left: [...left, ...unsaved, ...leftNow] } };
  };

  const branch = async (
    chosen: ChosenFiles,
    change: BranchChange,
    force: boolean,
  ): Promise<RestoredFiles & Pick<SubmitResult, 'entryId' | 'concurrent'>> => {
    const { path } = chosen.plan.ref;
    const writes = await deps.writes();
    const { written, restored } = await write(chosen, (now, signal) =>
      writes.branchWithFiles(change, now, { ...submitOptions(deps, path, force), signal }),
    );
    await deps.refreshAfterWrite([path]);
    return { entryId: written.entryId, ...defined({ concurrent: written.concurrent }), ...restored };
  };

  return {
    restoreInteractively: (target) =>
      review(
        target,
        (count) => (count === 0 ? undefined : restoreLabel(count)),
        async (chosen) => {
          const { plan, left } = chosen;
          if (plan.files.length === 0) return { done: [], left };
          await confirmRestore(deps, { folder: plan.folder, chosen: plan.files, branches: false });
          const writes = await deps.writes();
          const { restored } = await write(chosen, async (now, signal) => ({ restored: await writes.restoreFiles(now, { signal }) }));
          return restored;
        },
      ),
    branchInteractively: (target) =>
      review(target, branchLabel, async (chosen) => {
        const { folder, files } = chosen.plan;
        let restored: RestoredFiles = { done: [], left: [] };
        const description = await branchInteractively(deps, target, async (change) => {
          if (files.length > 0) await confirmRestore(deps, { folder, chosen: files, branches: true });
          const written = await confirmForce(target.ref, (force) => branch(chosen, change, force));
          restored = written;
          return written;
        });
        return { description, restored };
      }),
    leftActions: (ref, title, restored) => {
      const openConflicts = async (files: readonly PlannedFile[]): Promise<void> => {
        const folder = (await deps.session(ref.path)).header.cwd;
        await openConflict(await deps.catalog.open(), documents, { ref, folder, files });
      };
      return leftActions({ reports, openConflicts }, title, restored);
    },
  };
}

const branchLabel = (count: number): string =>
  count === 0 ? vscode.l10n.t('Branch without Files') : vscode.l10n.t('Branch and Restore Files ({count})', { count });
