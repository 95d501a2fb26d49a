/** Builds the page's header, localized. */
import * as vscode from 'vscode';
import { firstWords, isObject, modelName, sessionTitle, writeRefusal, type EntryHead, type Session, type Usage } from '../../../core/index';
import type { SessionRef } from '../../../contract';
import { localizeProblem, localizeTitle } from '../../../ui/localize';
import type { HeaderField, PageHeader, ViewMode } from '../../shared/protocol';
import { messageCount, type ContextSnapshot } from './contextSnapshot';
import { formatCompact, formatCost, formatNumber } from './formatNumbers';
import { oneLine } from './oneLine';
import { plainLine } from './plainLine';

/** @param entryId the entry that the view shows; absent if it follows the leaf. */
export function buildHeader(snapshot: ContextSnapshot, entryId: string | undefined): PageHeader {
  const { session, plan } = snapshot;
  const problems = problemsText(session);
  const entry = plan.leafId === null ? undefined : session.byId.get(plan.leafId);
  return {
    title: titleOf(snapshot),
    location:
      entryId === undefined || !entry
        ? vscode.l10n.t('Current leaf')
        : vscode.l10n.t({ message: 'At {0}', args: [plainLine(entry.text, 80)], comment: 'The beginning of the text of an entry' }),
    atLeaf: entryId === undefined,
    view: snapshot.view,
    fields: [
      headerField(vscode.l10n.t('Model'), plan.settings.model ? modelName(plan.settings.model) : vscode.l10n.t('none yet')),
      headerField(vscode.l10n.t('Thinking'), plan.settings.thinkingLevel),
      messagesField(snapshot),
      ...costField(plan.path),
    ],
    note: snapshot.prompt?.hasText
      ? ''
      : vscode.l10n.t('This session doesn’t include the system prompt and tool definitions, so the model saw more than this.'),
    ...(problems === undefined ? {} : { problems }),
    path: session.path,
    isWritable: writeRefusal(session) === undefined,
    hasHiddenMessages: snapshot.slots.some(({ entryId: id, isEntryRow }) => !isEntryRow && session.byId.get(id)?.isHidden === true),
    ...(entryId === undefined ? {} : { entryId }),
  };
}

/** Builds the header for a session that hasn't been read. */
export function placeholderHeader({ path, entryId }: SessionRef, view: ViewMode): PageHeader {
  return {
    title: vscode.l10n.t('Session context'),
    location: oneLine(path, 400),
    atLeaf: entryId === undefined,
    view,
    fields: [],
    note: '',
    path,
    isWritable: false,
    hasHiddenMessages: false,
    ...(entryId === undefined ? {} : { entryId }),
  };
}

export function titleOf({ session }: ContextSnapshot): string {
  return plainLine(localizeTitle(sessionTitle(session.name, firstWords(session.entries))), 100);
}

/**
 * Returns recorded tokens and cost of an answer as text; `undefined` if nothing was recorded.
 *
 * @param recorded the usage as in the file, with parts that not all programs write
 */
export function usageText(usage: Usage | undefined, recorded?: unknown): string | undefined {
  if (!usage) return undefined;
  const read = usage.input + usage.cacheRead + usage.cacheWrite;
  if (read + usage.output === 0) return undefined;
  const { reasoning, cacheWrite1h, cost } = isObject(recorded) ? recorded : {};
  const tokens = vscode.l10n.t('{0} in, {1} out', formatCompact(read), formatCompact(usage.output));
  const parts = [tokens];
  if (typeof reasoning === 'number' && reasoning > 0) parts.push(vscode.l10n.t('{0} reasoning', formatCompact(reasoning)));
  if (typeof cacheWrite1h === 'number' && cacheWrite1h > 0)
    parts.push(vscode.l10n.t('{0} cached for an hour', formatCompact(cacheWrite1h)));
  if (usage.cost && usage.cost.total > 0) {
    const total = formatCost(usage.cost.total);
    parts.push(isObject(cost) && cost['totalFromProvider'] === true ? vscode.l10n.t('{0} as billed by the provider', total) : total);
  }
  return parts.join(', ');
}

function messagesField(snapshot: ContextSnapshot): HeaderField {
  const count = formatNumber(messageCount(snapshot));
  const all = formatNumber(snapshot.slots.reduce((sum, slot) => (slot.isEntryRow ? sum : sum + 1), 0));
  const name = vscode.l10n.t('Messages');
  return snapshot.view === 'model'
    ? headerField(name, count)
    : {
        ...headerField(
          name,
          vscode.l10n.t({ message: '{0} of {1}', args: [count, all], comment: 'Messages that the model sees, all messages of the branch' }),
        ),
        hint: vscode.l10n.t('Messages on this branch that the model sees'),
      };
}

function costField(path: readonly EntryHead[]): HeaderField[] {
  const total = path.reduce((sum, head) => sum + (head.usage?.cost?.total ?? 0), 0);
  return total > 0
    ? [
        {
          name: vscode.l10n.t('Cost'),
          value: formatCost(total),
          hint: vscode.l10n.t('Recorded cost from the start of the session to here.'),
        },
      ]
    : [];
}

/** Problems listed in the header; a file may have thousands. */
const MAX_PROBLEMS = 3;

function problemsText({ problems }: Session): string | undefined {
  if (problems.length === 0) return undefined;
  const named = problems.slice(0, MAX_PROBLEMS).map(({ template, args }) => oneLine(localizeProblem({ template, args }), 300));
  if (problems.length > MAX_PROBLEMS) named.push(vscode.l10n.t('And {0} more.', formatNumber(problems.length - MAX_PROBLEMS)));
  return vscode.l10n.t('Problems in the file: {0}', named.join(' '));
}

const headerField = (name: string, value: string): HeaderField => ({ name, value: oneLine(value, 100) });
