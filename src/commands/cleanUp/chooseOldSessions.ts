/** The list in which the person chooses the sessions to clean up. Sessions that may still matter say why, and aren't selected at first. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { DIALECT_FACTS, SessionError, unarchivedPath, Yielder, type CleanUpPlan, type SessionSummary } from '../../core/index';
import { localizeSessionTitle } from '../../ui/localize';
import { createFilledQuickPick } from '../../ui/safe/quickInput';
import type { CommandDeps } from '../handler/commandDeps';
import { formatBytes } from '../handler/formatBytes';

interface OldSession extends vscode.QuickPickItem {
  readonly path: string;
  readonly bytes: number;
  /** True if there's a reason to keep it as it is. */
  readonly mayMatter: boolean;
}

/** Resolves to the paths of the chosen sessions. @throws {vscode.CancellationError} */
export async function chooseOldSessions(deps: CommandDeps, title: string, { found }: CleanUpPlan): Promise<ReadonlySet<string>> {
  const summaries = deps.sessions();
  const reasonsToKeep = keepReasons(
    summaries,
    await labelCounts(deps),
    (summary) => summary.marks?.isPinned === true || deps.marks.isPinned(summary),
  );
  const pause = new Yielder(undefined);
  const items: OldSession[] = [];
  for (const { path, bytes } of found) {
    if (pause.isDue()) await pause.yieldIfDue();
    const summary = deps.summary(path);
    if (!summary) continue;
    const facts = [
      formatBytes(bytes),
      deps.ago(summary.modified),
      basename(summary.cwd),
      DIALECT_FACTS[summary.dialect].label,
      summary.marks?.isArchived ? vscode.l10n.t('archived') : '',
    ];
    const reasons = reasonsToKeep(summary);
    items.push({
      label: localizeSessionTitle(summary),
      // Below the title: a long title leaves no room next to it.
      detail: [...facts, ...reasons].filter((fact) => fact !== '').join(' · '),
      mayMatter: reasons.length > 0,
      path,
      bytes,
    });
  }
  const picker = await createFilledQuickPick(items);
  try {
    picker.title = title;
    picker.canSelectMany = true;
    picker.matchOnDetail = true;
    picker.selectedItems = items.filter(({ mayMatter }) => !mayMatter);
    const showTotal = (): void => {
      const bytes = picker.selectedItems.reduce((sum, item) => sum + item.bytes, 0);
      picker.placeholder = vscode.l10n.t('{count} of {all} sessions selected ({size})', {
        count: picker.selectedItems.length,
        all: items.length,
        size: formatBytes(bytes),
      });
    };
    showTotal();
    picker.onDidChangeSelection(showTotal);
    const chosen = await new Promise<readonly OldSession[] | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedItems));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    if (!chosen || chosen.length === 0) throw new vscode.CancellationError();
    return new Set(chosen.map(({ path }) => path));
  } finally {
    picker.dispose();
  }
}

/** Returns the number of labels by path; none if there is no index. */
async function labelCounts(deps: CommandDeps): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  try {
    for (const { path } of await (await deps.catalog.open()).labels()) counts.set(path, (counts.get(path) ?? 0) + 1);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    deps.log.info(error.message);
  }
  return counts;
}

/** Returns a function that gives the reasons for keeping a session as it is. */
function keepReasons(
  summaries: readonly SessionSummary[],
  labels: ReadonlyMap<string, number>,
  isPinned: (summary: SessionSummary) => boolean,
): (summary: SessionSummary) => readonly string[] {
  const parents = new Set(summaries.map(({ parentSession }) => parentSession));
  const newest = new Map<string, SessionSummary>();
  for (const summary of summaries) {
    const key = projectKey(summary);
    if (summary.modified > (newest.get(key)?.modified ?? -1)) newest.set(key, summary);
  }
  return (summary) => {
    const count = labels.get(summary.path) ?? 0;
    const facts: readonly (readonly [boolean, string])[] = [
      [summary.name !== undefined, vscode.l10n.t('named')],
      [count > 0, count === 1 ? vscode.l10n.t('1 label') : vscode.l10n.t('{count} labels', { count })],
      [isPinned(summary), vscode.l10n.t('pinned')],
      [parents.has(unarchivedPath(summary.path)) || parents.has(summary.id), vscode.l10n.t('has forks')],
      [newest.get(projectKey(summary)) === summary, vscode.l10n.t('newest of its project')],
    ];
    return facts.flatMap(([holds, text]) => (holds ? [text] : []));
  };
}

/** A program continues the newest session of a folder. */
const projectKey = ({ cwd, dialect }: SessionSummary): string => `${dialect} ${cwd}`;
