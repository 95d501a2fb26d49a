/** Builds the rows of entries that are no messages: one line, and details in a fold. */
import { modelName } from '../../core/format/entry/usage';
import { summaryFileList } from '../../core/format/context/markdown/summaryFileList';
import type { Entry } from '../../core/format/entry/entry';
import type { EntryHead } from '../../core/format/entry/entryHead';
import { isObject, ownValue } from '../../core/format/values/jsonValues';
import { textOf } from '../../core/format/entry/message';
import { parseSessionInit, parseSystemMessage } from '../../core/format/entry/prompts/systemPrompt';
import { requireEntry } from '../../core/format/session/requireEntry';
import { runSteps, type Steps } from '../../core/format/session/steps';
import type { Session } from '../../core/format/session/session';
import { isBranchMark, isOriginMark } from '../../core/format/session/treeTraversal';
import { inlineText } from '../../core/format/text/markdown/markdownText';
import { t, translate } from '../shared/localization';
import type { BuiltArticle } from './buildArticle';
import type { ContextSnapshot, PlannedSlot } from '../snapshot/contextSnapshot';
import type { EntryRow, Part } from '../shared/protocol';
import { formatNumber } from '../shared/formatNumbers';
import { usageText } from '../snapshot/pageHeader';
import { oneLine } from '../../core/format/text/oneLine';
import { MARKDOWN_LIMITS, PartCollector } from './partCollector';
import { promptParts } from './promptParts';
import { dataParts, mayHaveData, storeText } from './recordedData';

const LENGTH = 160;
const SHORT_LENGTH = 2000;
const ID_LENGTH = 40;
/** Entry types whose bodies provide the details. */
const WITH_BODY = new Set(['compaction', 'branch_summary', 'context_edit', 'session_init', 'usage', 'model_usage']);

/** Builds the rows of slots with `isEntryRow`, in order. */
export async function buildEntryRows({ session, source }: ContextSnapshot, slots: readonly PlannedSlot[]): Promise<BuiltArticle[]> {
  const wanted = slots.flatMap(({ entryId }) => (needsBody(requireEntry(session, entryId)) ? [entryId] : []));
  const bodies = new Map((await source.bodies(session, wanted)).map((entry) => [entry.id, entry]));
  const yielder = source.yielder(undefined);
  const rows: BuiltArticle[] = [];
  for (const slot of slots) rows.push(await runSteps(buildEntryRow(session, slot, bodies.get(slot.entryId)), () => yielder.yieldIfDue()));
  return rows;
}

const needsBody = (head: EntryHead): boolean => WITH_BODY.has(head.type) || mayHaveData(head, isKnown(head));

function* buildEntryRow(session: Session, slot: PlannedSlot, body: Entry | undefined): Steps<BuiltArticle> {
  const head = requireEntry(session, slot.entryId);
  const row =
    slot.contextStatus === 'omitted'
      ? { kind: 'edit' as const, text: t('Removed by an edit: {0}', head.text) }
      : describe(session, head, body);
  const collector = new PartCollector();
  const parts = body && mayHaveData(head, isKnown(head)) ? yield* dataParts(body, collector) : yield* foldedParts(body, collector);
  const { contextStatus } = slot;
  return {
    article: {
      key: slot.entryId,
      kind: 'row',
      entryId: slot.entryId,
      time: head.time,
      ...(slot.label === undefined ? {} : { label: oneLine(slot.label, 80) }),
      ...(contextStatus === 'in' || contextStatus === 'state' ? {} : { contextStatus }),
      row: { ...row, text: oneLine(row.text, LENGTH) },
      parts,
    },
    texts: collector.texts,
    images: [],
  };
}

function* foldedParts(body: Entry | undefined, collector: PartCollector): Steps<Part[]> {
  yield;
  const text = foldedText(body);
  yield;
  const summary: Part[] = /\S/.test(text) ? [{ kind: 'markdown', text: yield* collector.addTextSteps(text, MARKDOWN_LIMITS) }] : [];
  const prompt =
    body?.type === 'session_init'
      ? parseSessionInit(body)
      : body?.type === 'compaction' && body.systemMessage?.role === 'system'
        ? parseSystemMessage(body.systemMessage)
        : undefined;
  return prompt ? [...summary, ...(yield* promptParts(prompt, collector))] : summary;
}

function foldedText(body: Entry | undefined): string {
  if (body?.type === 'session_init') return subagentFacts(body);
  if (body?.type === 'compaction' || body?.type === 'branch_summary') return `${body.summary}\n\n${summaryExtras(body)}`.trimEnd();
  const replacement: unknown = body?.type === 'context_edit' ? body.replacement : undefined;
  return isObject(replacement) ? textOf(replacement['content']) : '';
}

/** Returns what a subagent may do, as localized Markdown. */
function subagentFacts({ readOnly, spawns }: Entry): string {
  const facts = [
    readOnly === true ? t('This subagent only reads.') : '',
    spawns === '' ? t('It may start no other agents.') : '',
    spawns === '*' ? t('It may start any agent.') : '',
    typeof spawns === 'string' && spawns !== '' && spawns !== '*' ? t('It may start: {0}', inlineText(oneLine(spawns, SHORT_LENGTH))) : '',
  ];
  return facts.filter((fact) => fact !== '').join('\n\n');
}

/** Returns the other content of a summary's entry: a short summary, and the files that it names. As localized Markdown. */
export function summaryExtras(entry: Entry): string {
  const short = shortSummary(entry);
  const words = short === undefined ? '' : t('Short summary: {0}', inlineText(oneLine(short, SHORT_LENGTH)));
  return [words, summaryFilesMarkdown(entry)].filter((text) => text !== '').join('\n\n');
}

/** Returns the files that a summary names, as localized Markdown. */
const summaryFilesMarkdown = (entry: Entry): string =>
  entry.type === 'compaction' || entry.type === 'branch_summary' ? summaryFileList(entry.summary, entry['details'], translate) : '';

type Describe = (head: EntryHead, session: Session, body: Entry | undefined) => EntryRow;

function describe(session: Session, head: EntryHead, body: Entry | undefined): EntryRow {
  const known = ownValue(DESCRIPTIONS, head.type);
  return known ? known(head, session, body) : { kind: 'other', text: withoutBrackets(head.text) };
}

const DESCRIPTIONS: Readonly<Record<string, Describe>> = {
  label: (head, session) => {
    const target = targetOf(head, session);
    const text = head.label === undefined ? t('Label cleared: {0}', target.text) : t('Label “{0}”: {1}', head.label, target.text);
    return { kind: 'label', text, ...target.id };
  },
  model_change: (head) => ({
    kind: 'model',
    text: t('Model: {0}', head.model ? modelName(head.model) : withoutBrackets(head.text)),
  }),
  thinking_level_change: (head) => ({ kind: 'thinking', text: t('Thinking: {0}', head.thinkingLevel ?? 'off') }),
  compaction: (head, session, body) => ({
    kind: 'compaction',
    text: [compacted(body), shortSummary(body), missingKeptMessage(session, head)].filter((text) => text !== undefined).join('. '),
  }),
  branch_summary: () => ({ kind: 'branch', text: t('Branch summary') }),
  context_edit: (head, session) => {
    const target = targetOf(head, session);
    const text = head.omits ? t('Removed from context: {0}', target.text) : t('Replaced in context: {0}', target.text);
    return { kind: 'edit', text, ...target.id };
  },
  archive: (head, session) => {
    const target = targetOf(head, session);
    return {
      kind: 'other',
      text: head.archives === false ? t('Unarchived: {0}', target.text) : t('Archived: {0}', target.text),
      ...target.id,
    };
  },
  custom: (head, _session, body) =>
    isBranchMark(head)
      ? { kind: 'branch', text: t('Branch starts here') }
      : isOriginMark(head)
        ? { kind: 'extension', text: t('Origin of this session') }
        : head.customType === 'pi.virtual-model-state'
          ? { kind: 'model', text: t('Virtual model state') }
          : { kind: 'extension', text: storeText(body) ?? t('Extension data: {0}', head.customType ?? '') },
  usage: usageRow,
  model_usage: usageRow,
  session_info: nameRow,
  title_change: nameRow,
  session_init: ({ agent }) => ({
    kind: 'prompt',
    text: agent === undefined ? t('System prompt and tools at the start') : t('System prompt and tools of {0} at the start', agent),
  }),
  reset_boundary: () => ({ kind: 'reset', text: t('Reset: the model sees nothing before this') }),
};

const isKnown = ({ type }: EntryHead): boolean => ownValue(DESCRIPTIONS, type) !== undefined;

function nameRow(head: EntryHead): EntryRow {
  return {
    kind: 'name',
    text: head.label === undefined || head.label === '' ? t('Name cleared') : t('Renamed to “{0}”', head.label),
  };
}

/** Names what was paid for: its kind or purpose, a note, the model, the tokens and their cost. */
function usageRow(head: EntryHead, _session: Session, body: Entry | undefined): EntryRow {
  const [kind, purpose, note] = [body?.['kind'], body?.['purpose'], body?.['note']].map((text) => (typeof text === 'string' ? text : ''));
  const parts = [kind, purpose, note, head.model ? modelName(head.model) : '', ...(usageText(head.usage, body?.['usage']) ?? [])];
  const text = parts.filter((part) => part !== '').join(' · ');
  return { kind: 'other', text: text === '' ? t('Usage') : t('Usage: {0}', text) };
}

const shortSummary = (body: Entry | undefined): string | undefined => (body?.type === 'compaction' ? body.shortSummary : undefined);

function compacted(body: Entry | undefined): string {
  const before = body?.type === 'compaction' && typeof body.tokensBefore === 'number' ? body.tokensBefore : 0;
  return before > 0 ? t('Compacted; the context had {0} tokens', formatNumber(before)) : t('Compacted');
}

/** Returns a note if a compaction names a first kept message that isn't in the file. */
export function missingKeptMessage({ byId }: Session, { firstKeptEntryId, retainedTail }: EntryHead): string | undefined {
  if (retainedTail || firstKeptEntryId == null || firstKeptEntryId === '' || byId.has(firstKeptEntryId)) return undefined;
  return t('The first message to keep isn’t in the file ({0}), so no earlier messages are kept', oneLine(firstKeptEntryId, ID_LENGTH));
}

/** Returns the target of an entry, if it is in the file. */
function targetOf(head: EntryHead, session: Session): { readonly text: string; readonly id: { readonly targetId?: string } } {
  const target = typeof head.targetId === 'string' ? session.byId.get(head.targetId) : undefined;
  return target
    ? { text: target.text, id: { targetId: target.id } }
    : { text: t('an entry that isn’t in the file ({0})', head.targetId ?? '?'), id: {} };
}

/** `[tools: 3]` → `tools: 3`. */
const withoutBrackets = (text: string): string => /^\[(.*)\]$/s.exec(text)?.[1] ?? text;
