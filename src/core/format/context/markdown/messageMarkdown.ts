/**
 * The content of messages as Markdown: texts, tool calls with their results, output. Each omission is noted where it occurs.
 * One message may have hundreds of thousands of blocks, calls or arguments, so each is a step.
 */
import { isObject, keysOf } from '../../values/jsonValues';
import { providerErrorText } from '../../entry/providerError';
import { isSubagentTool, namedSessions } from '../../families/subagentCalls';
import { imageAddress } from '../../entry/imageAddress';
import type { AssistantMessage, Content, ExecutionMessage, ImageBlock, ToolCallBlock, ToolResultMessage } from '../../entry/message';
import type { Entry } from '../../entry/entry';
import { lacksNestedCalls, nestedCalls } from '../../toolCalls/fileTouches';
import { beginning } from '../../text/characters';
import { durationText } from '../../text/quantities/durationText';
import { jsonSteps } from '../../text/jsonText';
import { normalizeMarkdown } from '../../text/markdown/markdownProse';
import { truncateMiddle, codeBlock, inlineCode, inlineText, blockQuote, MAX_INLINE } from '../../text/markdown/markdownText';
import { STEP_LENGTH, type Steps } from '../../session/steps';
import type { TranslateMessage } from '../../entry/problem';

/** Longer texts lose their middle; in UTF-16 units. */
export const LIMITS = { prose: 60_000, thinking: 12_000, argument: 3_000, output: 6_000, address: 300 } as const;

export function* contentParts(content: Content | undefined, translate: TranslateMessage): Steps<string[]> {
  if (content === undefined) return [];
  if (typeof content === 'string') return [yield* prose(content, translate)];
  const parts: string[] = [];
  for (const block of content) {
    yield;
    parts.push(yield* blockPart(block, translate));
  }
  return parts;
}

function* blockPart(block: Exclude<Content, string>[number], translate: TranslateMessage): Steps<string> {
  switch (block.type) {
    case 'text':
      return yield* prose(block.text, translate);
    case 'image':
      return imageNote(block, translate);
    case 'thinking':
      return blockQuote(
        `*${translate('Thinking', {})}*\n\n${yield* normalizeMarkdown(truncate(block.thinking, LIMITS.thinking, translate))}`,
      );
    default:
      return '';
  }
}

/** Options of the content of messages. */
export interface MessageOptions {
  readonly translate: TranslateMessage;
  /** Omits times of day and durations, so that equal entries of two branches have equal headings. */
  readonly omitTimes?: boolean;
  /** Folds tool calls with their results, and details of errors, as GitHub shows them. */
  readonly isFolded?: boolean;
}

export function* answerParts(message: AssistantMessage, results: readonly Entry[], options: MessageOptions): Steps<string[]> {
  const { translate, isFolded = false } = options;
  const answers = new Map<string | undefined, ToolResultMessage>();
  for (const result of results)
    if (result.type === 'message' && result.message.role === 'toolResult' && result.message.toolCallId !== undefined)
      answers.set(result.message.toolCallId, result.message);
  // Only the answered ones: a set of all calls of a message would take long, and can't be made in steps.
  const calls = new Set<string | undefined>();
  const parts = new JoinedTexts('\n\n');
  for (const block of typeof message.content === 'string' ? [message.content] : message.content) {
    yield;
    if (typeof block === 'string') parts.add(yield* prose(block, translate));
    else if (block.type !== 'toolCall') parts.add(yield* blockPart(block, translate));
    else {
      const answer = answers.get(block.id);
      if (answer) calls.add(block.id);
      for (const part of yield* callParts(block, answer, options)) parts.add(part);
    }
  }
  const others: string[][] = [];
  for (const result of results) {
    if (result.type !== 'message' || result.message.role !== 'toolResult' || calls.has(result.message.toolCallId)) continue;
    const { toolName, durationMs } = result.message;
    others.push(
      [`**${translate('Result of {tool}', { tool: inlineText(toolName ?? '?') })}**${durationNote(durationMs, options)}`],
      yield* resultParts(result.message, options),
    );
  }
  return [...parts.all(), ...others.flat(), ...failureParts(message, translate, isFolded)];
}

/** Collects texts, and joins many to few: as objects of their own they would take the collector long. Empty ones are left out. */
class JoinedTexts {
  private readonly joined: string[] = [];
  private open: string[] = [];

  constructor(private readonly separator: string) {}

  add(text: string): void {
    if (text === '') return;
    this.open.push(text);
    if (this.open.length < STEP_LENGTH) return;
    this.joined.push(this.open.join(this.separator));
    this.open = [];
  }

  all(): string[] {
    return [...this.joined, ...this.open];
  }
}

function* callParts(call: ToolCallBlock, answer: ToolResultMessage | undefined, options: MessageOptions): Steps<string[]> {
  const { translate, isFolded = false } = options;
  const args = yield* argumentParts(call.arguments, translate, answer && diffOf(answer) !== '' ? EDIT_ARGUMENTS : undefined);
  const details = answer ? [...args, ...(yield* resultParts(answer, options))] : args;
  const took = durationNote(answer?.['durationMs'], options);
  return isFolded
    ? [`<details>\n<summary>${translate('Tool', {})} <code>${htmlText(call.name)}</code>${took}</summary>`, ...details, '</details>']
    : [`**${translate('Tool', {})}** ${inlineCode(call.name)}${took}`, ...details];
}

/** Returns a recorded duration behind a dot, for the end of a heading. */
export function durationNote(milliseconds: unknown, { omitTimes = false }: MessageOptions): string {
  const text = omitTimes ? undefined : durationText(milliseconds);
  return text === undefined ? '' : ` · ${text}`;
}

/** Returns why an answer isn't whole: that it comes later, or the words of an error, and the whole error if it has more. */
function failureParts({ stopReason, errorMessage = '' }: AssistantMessage, translate: TranslateMessage, isFolded: boolean): string[] {
  if (stopReason === 'deferred') return [`*${translate('Deferred: the provider delivers the answer later', {})}*`];
  if (stopReason !== 'error' && stopReason !== 'aborted') return [];
  const words = providerErrorText(errorMessage);
  const failure = `*${translate(stopReason === 'error' ? 'Failed' : 'Aborted', {})}* ${inlineText(words ?? errorMessage)}`.trim();
  if (words === undefined && errorMessage.length <= MAX_INLINE) return [failure];
  const title = translate('Error details', {});
  const recorded = codeBlock(truncate(errorMessage, LIMITS.output, translate));
  return [failure, ...(isFolded ? [`<details>\n<summary>${title}</summary>`, recorded, '</details>'] : [`*${title}*`, recorded])];
}

/** Returns a name as HTML in one line. */
const htmlText = (text: string): string =>
  beginning(text, MAX_INLINE)
    .replaceAll(/[&<>]/g, (sign) => `&#${String(sign.charCodeAt(0))};`)
    .replaceAll(/[\s`]+/g, ' ');

/** Returns short arguments as a list, and each long one between fences. @param leftOut names of arguments that aren't shown */
function* argumentParts(args: unknown, translate: TranslateMessage, leftOut?: ReadonlySet<string>): Steps<string[]> {
  if (!isObject(args)) return args === undefined ? [] : [codeBlock(truncate(yield* jsonSteps(args), LIMITS.argument, translate))];
  const short = new JoinedTexts('\n');
  const long = new JoinedTexts('\n\n');
  for (const name of keysOf(args)) {
    yield;
    if (leftOut?.has(name)) continue;
    const value = args[name];
    const text = typeof value === 'string' ? value : yield* jsonSteps(value, 2);
    if (text.length <= 120 && !/[\r\n]/.test(text)) short.add(`- ${inlineText(name)}: ${inlineCode(text)}`);
    else {
      long.add(`${inlineText(name)}:`);
      long.add(codeBlock(truncate(text, LIMITS.argument, translate)));
    }
  }
  return [short.all().join('\n'), ...long.all()];
}

/** Arguments of edits that the diff shows in a more readable form. */
const EDIT_ARGUMENTS = new Set([
  'oldText',
  'newText',
  'old_text',
  'new_text',
  'oldString',
  'newString',
  'old_string',
  'new_string',
  'old_str',
  'new_str',
  'edits',
  'input',
]);

const diffOf = ({ details }: ToolResultMessage): string =>
  isObject(details) && typeof details['diff'] === 'string' ? details['diff'] : '';

export function* resultParts(message: ToolResultMessage, options: MessageOptions): Steps<string[]> {
  const { translate } = options;
  const diff = diffOf(message);
  return [
    ...(yield* nestedCallParts(message, options)),
    message.isError ? translate('Result (error):', {}) : translate('Result:', {}),
    ...(yield* plainParts(message.content, translate)),
    ...(diff === '' ? [] : [codeBlock(truncate(diff, LIMITS.output, translate), 'diff')]),
    ...subagentNote(message, translate),
  ];
}

/** Names the sessions of the subagents that a call has started, as its result has them. */
function subagentNote({ toolName, details }: ToolResultMessage, translate: TranslateMessage): string[] {
  const sessions = isSubagentTool(toolName) ? namedSessions(details) : [];
  const names = sessions.map(({ file, agent }) => `${agent === undefined ? '' : `${inlineText(agent)} `}${inlineCode(file)}`);
  return names.length === 0 ? [] : [translate('Sessions of subagents: {0}', { 0: names.join(', ') })];
}

/** Returns the calls that a tool made while it ran, one after the other. */
function* nestedCallParts(message: ToolResultMessage, options: MessageOptions): Steps<string[]> {
  const { translate } = options;
  const parts: string[][] = [];
  for (const { name, arguments: args, status, durationMs, error } of nestedCalls(message)) {
    const unfinished = status === 'unfinished' ? ` · *${translate('not finished', {})}*` : '';
    const title = `**${translate('Nested call', {})}** ${inlineCode(typeof name === 'string' ? name : '?')}`;
    parts.push(
      [`${title}${durationNote(durationMs, options)}${unfinished}`],
      yield* argumentParts(args, translate),
      typeof error === 'string' ? [codeBlock(truncate(error, LIMITS.output, translate))] : [],
    );
  }
  if (lacksNestedCalls(message)) parts.push([`*${translate('Some of this tool’s calls weren’t recorded.', {})}*`]);
  return parts.flat();
}

/** Returns a program's output, as code and never as Markdown. */
function* plainParts(content: Content, translate: TranslateMessage): Steps<string[]> {
  const parts: string[] = [];
  for (const block of typeof content === 'string' ? [{ type: 'text', text: content } as const] : content) {
    yield;
    if (block.type === 'text' && /\S/.test(block.text)) parts.push(codeBlock(truncate(block.text, LIMITS.output, translate)));
    if (block.type === 'image') parts.push(imageNote(block, translate));
  }
  return parts.length === 0 ? [`*${translate('nothing', {})}*`] : parts;
}

export function* executionParts(message: ExecutionMessage, translate: TranslateMessage): Steps<string[]> {
  const notes = [
    ...(message.cancelled ? [translate('canceled', {})] : []),
    ...(typeof message.exitCode === 'number' && message.exitCode !== 0 ? [translate('exit code {code}', { code: message.exitCode })] : []),
    ...(message.truncated ? [translate('output truncated', {})] : []),
    ...(message.excludeFromContext ? [translate('not shown to the model', {})] : []),
  ];
  return [
    codeBlock(
      truncate(message.command ?? message.code ?? '', LIMITS.argument, translate),
      message.role === 'bashExecution' ? 'sh' : 'python',
    ),
    ...(message.output ? yield* plainParts(message.output, translate) : []),
    ...(notes.length === 0 ? [] : [`*${notes.join(', ')}*`]),
  ];
}

function imageNote(image: ImageBlock, translate: TranslateMessage): string {
  const address = imageAddress(image);
  if (address !== undefined)
    return `*${translate('Image at an address that isn’t opened: {0}', { 0: inlineCode(beginning(address, LIMITS.address)) })}*`;
  const { data, mimeType } = image;
  const type = inlineText(mimeType);
  if (data.startsWith('blob:')) return `*${translate('Image, {type}, stored next to the session', { type })}*`;
  const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  return `*${translate('Image, {type}, {kilobytes} KB', { type, kilobytes: Math.max(1, Math.round(bytes / 1024)) })}*`;
}

export const prose = (text: string, translate: TranslateMessage): Steps<string> =>
  normalizeMarkdown(truncate(text, LIMITS.prose, translate));

export function truncate(text: string, limit: number, translate: TranslateMessage): string {
  return truncateMiddle(text, limit, (characters) => `[… ${translate('{characters} characters are left out here', { characters })} …]`);
}
