/** Entries as sections of a readable document. Each omission is noted where it occurs, with its reason. */
import type { BranchForks } from '../../branches/attempts';
import { attemptsTitle, attemptText, moreAttempts } from '../../branches/attemptText';
import { isBranchMark } from '../../session/treeTraversal';
import type { CompactionEntry, Entry } from '../../entry/entry';
import type { Message } from '../../entry/message';
import type { ContextCompaction } from '../contextPlan';
import { modelName } from '../../entry/usage';
import type { EntryHead } from '../../entry/entryHead';
import { modelPromptOf } from '../../entry/prompts/modelPrompt';
import { isRewind, reportBesideContent } from '../../entry/rewind';
import { summaryFileList } from './summaryFileList';
import { inlineText, blockQuote, codeBlock } from '../../text/markdown/markdownText';
import { STEP_LENGTH, stepCounter, type Steps } from '../../session/steps';
import type { TranslateMessage } from '../../entry/problem';
import { hasPromptParts, parseSessionInit, parseSystemMessage, type SystemPrompt } from '../../entry/prompts/systemPrompt';
import {
  answerParts,
  contentParts,
  durationNote,
  executionParts,
  LIMITS,
  prose,
  resultParts,
  truncate,
  type MessageOptions,
} from './messageMarkdown';
import { promptMarkdown } from './promptMarkdown';

export interface SectionOptions extends MessageOptions {
  readonly labels: ReadonlyMap<string, string>;
  readonly compaction?: ContextCompaction;
  /** The first entry that the compaction kept; its section gets a note. */
  readonly firstKeptEntryId?: string;
  /** The system message that declares the prompt; later ones are changes. */
  readonly promptEntryId?: string;
  /** The forks of the branch; a line above the message after each says what was tried there. */
  readonly forks?: BranchForks;
  /** The day on which the session started, as in an ISO time; headings of that day have the time alone. */
  readonly startDay?: string;
}

/** An entry with its head; for an answer also the results of its calls that follow directly. */
interface SectionEntries {
  readonly head: EntryHead;
  readonly entry: Entry;
  readonly results: readonly Entry[];
}

/** Entries without a section, because their effect shows elsewhere. */
const OMITTED_TYPES = new Set(['label', 'usage', 'model_usage']);

export function isOmitted(head: EntryHead): boolean {
  return OMITTED_TYPES.has(head.type);
}

/** Types whose sections have a heading. Those of others are a single line. */
const TYPES_WITH_HEADING = new Set(['message', 'custom_message', 'session_init', 'branch_summary', 'compaction']);

/** Returns true for an entry that is only bookkeeping: a model, a thinking level, a name. */
export const isBookkeeping = (head: EntryHead): boolean => !TYPES_WITH_HEADING.has(head.type);

/** Returns the section of an entry, in steps: a heading and its content, or a single line. */
export function* markdownSection(entries: SectionEntries, options: SectionOptions): Steps<string> {
  return (yield* markdownSectionParts(entries, options)).join(PART_BREAK);
}

/** Stands between the parts of a document. */
export const PART_BREAK = '\n\n';

/** Returns the parts of a section, in steps: joining a section of many megabytes takes too long. */
export function* markdownSectionParts({ head, entry, results }: SectionEntries, options: SectionOptions): Steps<readonly string[]> {
  const { translate, firstKeptEntryId } = options;
  const note =
    firstKeptEntryId === head.id
      ? [`*${translate('The compaction below keeps the messages from here on. Earlier ones are only in its summary.', {})}*`]
      : [];
  const attempts: string[] = [];
  for (const { id } of [entry, ...results]) attempts.push(...(yield* attemptLines(id, options)));
  const parts = [...attempts, ...note, ...(yield* bodyOf(head, entry, results, options))];
  const joined: string[] = [];
  for (let from = 0; from < parts.length; from += STEP_LENGTH) {
    yield;
    const shown = parts.slice(from, from + STEP_LENGTH).filter((part) => part !== '');
    if (shown.length > 0) joined.push(shown.join(PART_BREAK));
  }
  return joined;
}

/** Returns a line for each fork right above a message. The attempt that the document shows is in bold. */
function* attemptLines(id: string, { forks, translate }: SectionOptions): Steps<string[]> {
  const found = forks ? yield* forks.before(id) : [];
  return found.map((fork) => {
    const attempts = fork.attempts.map((attempt) => {
      const text = inlineText(attemptText(attempt, translate, 'en'));
      return attempt.isOwn ? `**${text}**` : text;
    });
    const more = moreAttempts(fork, translate);
    return `*${attemptsTitle(fork, translate)}* ${[...attempts, ...(more === '' ? [] : [more])].join(' · ')}`;
  });
}

function* bodyOf(head: EntryHead, entry: Entry, results: readonly Entry[], options: SectionOptions): Steps<string[]> {
  const { translate } = options;
  const title: Title = (words, took) => heading(words, head, options, took);
  switch (entry.type) {
    case 'message': {
      const { message } = entry;
      const prompt = message.role === 'system' ? parseSystemMessage(message) : undefined;
      return prompt && hasPromptParts(prompt)
        ? yield* promptSection(prompt, title, translate, options.promptEntryId !== head.id)
        : yield* messageSection(message, results, title, options);
    }
    case 'session_init':
      return yield* promptSection(parseSessionInit(entry), title, translate, false);
    case 'custom_message': {
      const report = reportBesideContent(entry);
      return [
        title(
          isRewind(entry)
            ? translate('Rewound to a checkpoint', {})
            : translate('Message of {type}', { type: inlineText(entry.customType) }),
        ),
        ...(yield* contentParts(entry.content, translate)),
        report === undefined ? '' : blockQuote(yield* prose(report, translate)),
      ];
    }
    case 'branch_summary':
      return [
        title(translate('Branch summary', {})),
        blockQuote(yield* prose(entry.summary, translate)),
        summaryFileList(entry.summary, entry['details'], translate),
      ];
    case 'compaction':
      return [
        title(translate('Compaction', {})),
        compactionNote(entry, options),
        entry.shortSummary === undefined ? '' : `**${inlineText(truncate(entry.shortSummary, LIMITS.argument, translate))}**`,
        blockQuote(yield* prose(entry.summary, translate)),
        summaryFileList(entry.summary, entry['details'], translate),
        ...(yield* recordedState(entry, options)),
      ];
    default: {
      const label = options.labels.get(head.id);
      const text = isBranchMark(head) ? translate('Branch starts here', {}) : head.text;
      return [`*${inlineText(text.replace(/^\[(.*)\]$/, '$1'))}*${label === undefined ? '' : mark(label)}`];
    }
  }
}

const mark = (label: string): string => ` · 🏷 ${inlineText(label)}`;

/** Makes a heading. @param took a recorded duration in milliseconds */
type Title = (words: string, took?: unknown) => string;

function heading(words: string, head: EntryHead, options: SectionOptions, took: unknown): string {
  const { labels, startDay, omitTimes = false } = options;
  const label = labels.get(head.id);
  const model = head.role === 'assistant' && head.model ? ` · ${inlineText(modelName(head.model))}` : '';
  const [day = '', time] = head.time === 0 ? [] : new Date(head.time).toISOString().slice(0, 19).split('T');
  const shownTime = time === undefined || omitTimes ? '' : ` · ${day === startDay ? '' : `${day} `}${time}`;
  return `## ${words}${model}${shownTime}${durationNote(took, options)}${label === undefined ? '' : mark(label)}`;
}

function* messageSection(message: Message, results: readonly Entry[], title: Title, options: SectionOptions): Steps<string[]> {
  const { translate } = options;
  switch (message.role) {
    case 'user':
      return [
        title(translate('User', {})),
        ...(yield* quoted(yield* contentParts(message.content, translate))),
        ...modelPromptSection(message, translate, options.isFolded),
      ];
    case 'assistant':
      return [title(translate('Assistant', {}), message['durationMs']), ...(yield* answerParts(message, results, options))];
    case 'toolResult':
      return [
        title(translate('Result of {tool}', { tool: inlineText(message.toolName ?? '?') }), message['durationMs']),
        ...(yield* resultParts(message, options)),
      ];
    case 'bashExecution':
    case 'pythonExecution':
      return [
        title(translate(message.role === 'bashExecution' ? 'Command' : 'Python', {})),
        ...(yield* executionParts(message, translate)),
      ];
    case 'branchSummary':
    case 'compactionSummary':
      return [title(translate('Summary', {})), blockQuote(yield* prose(message.summary, translate))];
    default: {
      const role: string = message.role === 'custom' ? message.customType : message.role;
      return [title(translate('Message of {type}', { type: inlineText(role) })), ...(yield* contentParts(message.content, translate))];
    }
  }
}

/** Returns the prompt that the model got instead of what was said, as code: a program wrote it. */
function modelPromptSection(message: Message, translate: TranslateMessage, isFolded: boolean | undefined): string[] {
  const prompt = modelPromptOf(message);
  if (prompt === undefined) return [];
  const title = translate('Prompt as sent to the model', {});
  const shown = codeBlock(truncate(prompt, LIMITS.output, translate));
  return isFolded ? [`<details>\n<summary>${title}</summary>`, shown, '</details>'] : [`**${title}**`, shown];
}

function* quoted(parts: readonly string[]): Steps<string[]> {
  const quotes: string[] = [];
  const isStep = stepCounter();
  for (const part of parts) {
    quotes.push(blockQuote(part));
    if (isStep()) yield;
  }
  return quotes;
}

function* promptSection(prompt: SystemPrompt, title: Title, translate: TranslateMessage, isChange: boolean): Steps<string[]> {
  yield;
  const words = isChange ? translate('System prompt and tools changed', {}) : translate('System prompt and tools', {});
  return [title(words), ...(yield* promptMarkdown(prompt, { translate, truncate: cutBy(translate), isChange }))];
}

const cutBy =
  (translate: TranslateMessage) =>
  (text: string, limit: number): string =>
    truncate(text, limit, translate);

/** Returns the system prompt and the tools that a compaction records, which replace the earlier ones. */
function* recordedState({ systemMessage }: CompactionEntry, { translate, isFolded }: SectionOptions): Steps<string[]> {
  const prompt = systemMessage?.role === 'system' ? parseSystemMessage(systemMessage) : undefined;
  const state = prompt && { ...prompt, removedSections: [], removedTools: [] };
  const paragraphs = state ? yield* promptMarkdown(state, { translate, truncate: cutBy(translate), isChange: false }) : [];
  if (paragraphs.length === 0) return [];
  const title = translate('System prompt and tools', {});
  return isFolded ? [`<details>\n<summary>${title}</summary>`, ...paragraphs, '</details>'] : [`**${title}**`, ...paragraphs];
}

function compactionNote(entry: CompactionEntry, { compaction, translate }: SectionOptions): string {
  const tokens = translate('Tokens before: {tokens}.', { tokens: entry.tokensBefore });
  if (compaction?.compactionId !== entry.id) return `${tokens} ${translate('A newer compaction replaced this summary.', {})}`;
  const sees = translate('The model sees this summary in place of {count} earlier messages.', { count: compaction.summarized });
  return compaction.firstKeptEntryId === null
    ? `${tokens} ${sees} ${translate('No earlier messages were kept.', {})}`
    : `${tokens} ${sees}`;
}
