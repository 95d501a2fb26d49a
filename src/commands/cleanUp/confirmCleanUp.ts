/** The question before a clean-up. */
import * as vscode from 'vscode';
import type { CleanUpPlan, CleanUpTarget } from '../../core/index';
import { localizeError } from '../../ui/localize';
import type { CommandDeps } from '../handler/commandDeps';
import { formatBytes } from '../handler/formatBytes';
import { confirm } from '../handler/prompts';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import { askWithSubagents, stayListed, subagentsSentence } from './withSubagents';

/** Reasons that a dialog lists. */
const MAX_LISTED = 5;

export const targetLabel = (to: CleanUpTarget): string => (to === 'archive' ? vscode.l10n.t('Archive') : vscode.l10n.t('Move to Trash'));

export const archiveHint = (): string =>
  vscode.l10n.t('Archived sessions are compressed and stay listed and searchable. Agents don’t see them until you unarchive them.');

/**
 * Returns true if the sessions of subagents are to be cleaned up, too.
 *
 * @throws {vscode.CancellationError}
 */
export async function confirmCleanUp(
  deps: CommandDeps,
  { to, found, left }: CleanUpPlan,
  chosen: ReadonlySet<string>,
  subagents: readonly string[],
): Promise<boolean> {
  const bytes = found.reduce((sum, item) => sum + (chosen.has(item.path) ? item.bytes : 0), 0);
  const reasons = left.slice(0, MAX_LISTED).map(({ path, reason }) => `${sessionDisplayName(deps, path)} · ${localizeError(reason)}`);
  if (left.length > MAX_LISTED) reasons.push(vscode.l10n.t('and {count} more', { count: left.length - MAX_LISTED }));
  const question = cleanUpQuestion(to, chosen.size, formatBytes(bytes));
  const detail = [
    ...(to === 'archive' ? [archiveHint()] : []),
    ...(subagents.length > 0 ? [subagentsSentence(subagents.length)] : []),
    ...(left.length === 0 ? [] : [[vscode.l10n.t('These sessions stay:'), ...reasons].join('\n')]),
  ].join('\n\n');
  if (subagents.length === 0) {
    await confirm(question, detail, targetLabel(to));
    return false;
  }
  const all = to === 'archive' ? vscode.l10n.t('Archive All') : vscode.l10n.t('Move All to Trash');
  if (to === 'archive' || stayListed(deps, subagents, [...chosen])) return askWithSubagents(question, detail, all);
  await confirm(question, detail, all);
  return true;
}

/** Asks with the words of the button. */
function cleanUpQuestion(to: CleanUpTarget, count: number, size: string): string {
  if (to === 'archive')
    return count === 1
      ? vscode.l10n.t('Archive 1 session ({size})?', { size })
      : vscode.l10n.t('Archive {count} sessions ({size})?', { count, size });
  return count === 1
    ? vscode.l10n.t('Move 1 session ({size}) to the trash?', { size })
    : vscode.l10n.t('Move {count} sessions ({size}) to the trash?', { count, size });
}
