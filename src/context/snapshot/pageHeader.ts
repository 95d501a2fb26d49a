/** Builds the page's header, localized. */
import { modelName } from '../../core/format/entry/usage';
import { defined } from '../../core/format/values/defined';
import { isObject } from '../../core/format/values/jsonValues';
import { tokensIn, type Usage } from '../../core/format/entry/usage';
import { unfinishedOf } from '../../core/format/session/lastAnswer';
import type { Session } from '../../core/format/session/session';
import { progressText } from '../../core/format/session/sessionProgress';
import { NO_MESSAGES, NO_PROMPT, firstWords, sessionTitle } from '../../core/format/session/sessionTitle';
import { suspectedTip } from '../../core/format/session/treeTraversal';
import { writeRefusal } from '../../core/format/write/change';
import { localizeProblem, t, translate } from '../shared/localization';
import type { HeaderField, PageHeader, ViewMode } from '../shared/protocol';
import { messageCount, type ContextSnapshot } from './contextSnapshot';
import { formatCompact, formatCost, formatNumber } from '../shared/formatNumbers';
import { beginning } from '../../core/format/text/characters';
import { sanitizeText } from '../../core/format/text/sanitizeText';
import { oneLine } from '../../core/format/text/oneLine';
import { plainLine } from '../../core/format/text/plainLine';
import { plainRowWithRole } from '../../core/format/entry/plainRow';

/** @param entryId the entry that the view shows; absent if it follows the leaf. */
export function buildHeader(snapshot: ContextSnapshot, entryId: string | undefined): PageHeader {
  const { session, plan, cost, prompt } = snapshot;
  const agent = prompt?.ids.map((id) => session.byId.get(id)?.agent).find((name) => name !== undefined);
  const problems = [entryId === undefined ? suspectedLeafText(session) : '', problemsText(session)].filter((text) => text !== '').join(' ');
  const entry = plan.leafId === null ? undefined : session.byId.get(plan.leafId);
  // An entry that is the leaf stays one only until the session grows.
  const atLeaf = entryId === undefined || entryId === session.leafId;
  return {
    title: titleOf(snapshot),
    location:
      atLeaf || !entry
        ? t('Current leaf')
        : t({ message: 'At {0}', args: [plainRowWithRole(entry, translate, 80)], comment: 'The beginning of the text of an entry' }),
    atLeaf,
    view: snapshot.view,
    fields: [
      ...(agent === undefined ? [] : [headerField(t('Subagent'), agent)]),
      headerField(t('Model'), plan.settings.model ? modelName(plan.settings.model) : t('none yet')),
      headerField(t('Thinking level'), plan.settings.thinkingLevel),
      messagesField(snapshot),
      ...costField(cost),
      ...progressField(session),
    ],
    note: snapshot.prompt?.hasText
      ? ''
      : t('This session doesn’t include the system prompt and tool definitions, so the model saw more than this.'),
    ...(problems === '' ? {} : { problems }),
    path: session.path,
    isWritable: writeRefusal(session) === undefined,
    hasHiddenMessages: snapshot.slots.some(({ isHidden, isEntryRow }) => isHidden && !isEntryRow),
    ...defined({ entryId, ending: atLeaf ? endingText(session) : undefined }),
  };
}

/** Says what is missing at the end of the active branch. An error is shown where it occurred. */
function endingText(session: Session): string | undefined {
  switch (unfinishedOf(session)) {
    case 'unanswered':
      return session.byId.get(session.leafId ?? '')?.role === 'user'
        ? t('The last message has no answer.')
        : t('The session ends before the model’s answer.');
    case 'interrupted':
      return t('The last answer was interrupted.');
    default:
      return undefined;
  }
}

/** Builds the header for a session that hasn't been read. */
export function placeholderHeader({ path, entryId }: { readonly path: string; readonly entryId?: string }, view: ViewMode): PageHeader {
  return {
    title: t('Session context'),
    location: oneLine(path, 400),
    atLeaf: entryId === undefined,
    view,
    fields: [],
    note: '',
    path,
    isWritable: false,
    hasHiddenMessages: false,
    ...defined({ entryId }),
  };
}

function titleOf({ session }: ContextSnapshot): string {
  // Mostly the first heads suffice, and others needn't be made.
  const title = sessionTitle(session.name, firstWords(session.byId.values()));
  return title === NO_MESSAGES ? t('(no messages)') : title === NO_PROMPT ? t('(no prompt)') : plainLine(title, 100);
}

/**
 * Returns recorded tokens and cost of an answer, each as text; `undefined` if nothing was recorded.
 *
 * @param recorded the usage as in the file, with parts that not all programs write
 */
export function usageText(usage: Usage | undefined, recorded?: unknown): readonly string[] | undefined {
  if (!usage) return undefined;
  const read = tokensIn(usage);
  if (read + usage.output === 0) return undefined;
  const { reasoning, cacheWrite1h, cost } = isObject(recorded) ? recorded : {};
  const tokens = t('{0} in, {1} out', formatCompact(read), formatCompact(usage.output));
  const parts = [tokens];
  if (typeof reasoning === 'number' && reasoning > 0) parts.push(t('{0} reasoning', formatCompact(reasoning)));
  if (typeof cacheWrite1h === 'number' && cacheWrite1h > 0) parts.push(t('{0} cached for an hour', formatCompact(cacheWrite1h)));
  if (usage.cost && usage.cost.total > 0) {
    const total = formatCost(usage.cost.total);
    parts.push(isObject(cost) && cost['totalFromProvider'] === true ? t('{0} as billed by the provider', total) : total);
  }
  return parts;
}

function messagesField(snapshot: ContextSnapshot): HeaderField {
  const name = t('Messages');
  if (snapshot.view === 'model') return headerField(name, formatNumber(messageCount(snapshot)));
  // Summaries are messages for the model only, and rows here, so they count on neither side.
  const messages = snapshot.slots.filter((slot) => !slot.isEntryRow);
  const seen = messages.filter(({ contextStatus }) => contextStatus === 'in' || contextStatus === 'edited');
  const text = t({
    message: '{0} of {1}',
    args: [formatNumber(seen.length), formatNumber(messages.length)],
    comment: 'Messages that the model sees, all messages of the branch',
  });
  return { ...headerField(name, text), hint: t('Messages on this branch that the model sees') };
}

/** The agent's card in one line, with more of it in the hint. */
function progressField({ progress }: Session): HeaderField[] {
  const text = sanitizeText(progressText(progress ?? {}));
  return text === '' ? [] : [{ ...headerField(t('Progress'), text), hint: beginning(text, MAX_HINT) }];
}

/** UTF-16 units. */
const MAX_HINT = 1000;

function costField(cost: number): HeaderField[] {
  return cost > 0
    ? [
        {
          name: t('Cost of this branch'),
          value: formatCost(cost),
          hint: t('Recorded cost from the start of the session to here.'),
        },
      ]
    : [];
}

/** Problems listed in the header; a file may have thousands. */
const MAX_PROBLEMS = 3;

/** Returns the reason why the tree marks the session's leaf as probably accidental; empty if it isn't marked. */
function suspectedLeafText(session: Session): string {
  const tip = suspectedTip(session);
  return tip
    ? t({
        message:
          'This session will resume on an older branch. To see the newer one, choose Go to Newer Branch in its menu. It ends at “{0}”.',
        args: [plainRowWithRole(tip, translate, 80)],
        comment: 'The beginning of the text of an entry',
      })
    : '';
}

/** Returns the problems of the file, as sentences in one line; empty if there are none. */
export function problemsText({ problems }: Session): string {
  if (problems.length === 0) return '';
  const named = problems.slice(0, MAX_PROBLEMS).map(({ template, args }) => oneLine(localizeProblem({ template, args }), 300));
  if (problems.length > MAX_PROBLEMS) named.push(t('And {0} more.', formatNumber(problems.length - MAX_PROBLEMS)));
  return t('Problems in the file: {0}', named.join(' '));
}

const headerField = (name: string, value: string): HeaderField => ({ name, value: oneLine(value, 100) });
