/** Tool calls with their results, and commands that the user ran, as parts. */
import { defined } from '../../core/format/values/defined';
import { isObject } from '../../core/format/values/jsonValues';
import { isSubagentTool, namedSessions } from '../../core/format/families/subagentCalls';
import type { ExecutionMessage, ToolResultMessage } from '../../core/format/entry/message';
import type { Steps } from '../../core/format/session/steps';
import type { PathBases } from '../../core/format/toolCalls/callWords';
import { lacksNestedCalls, nestedCalls } from '../../core/format/toolCalls/fileTouches';
import type { RunPart, ShownStatus, ToolPart, ToolState } from '../shared/protocol';
import { oneLine } from '../../core/format/text/oneLine';
import { formatDuration } from '../shared/formatNumbers';
import { contentParts, outputParts, stringOf } from './contentParts';
import { editDiff } from './editDiff';
import { OUTPUT_LIMITS, type PartCollector } from './partCollector';
import { argumentsText, summarizeToolCall } from './toolCallSummary';

/** The entry that a message was read from. */
export interface SourceEntry {
  readonly id: string;
  readonly time: number;
  readonly contextStatus?: ShownStatus;
}

/** @param call the block of the call; `undefined` if no message before the result has it. */
export function* toolPart(
  call: Readonly<Record<string, unknown>> | undefined,
  result: ToolResultMessage | undefined,
  entry: SourceEntry | undefined,
  bases: PathBases,
  parts: PartCollector,
): Steps<ToolPart> {
  const name = stringOf(call?.['name']) || stringOf(result?.toolName) || 'tool';
  const args = call?.['arguments'];
  const { summary, complete, path } = summarizeToolCall(name, args, bases);
  const details = isObject(result?.details) ? result.details : {};
  const diff = stringOf(details['diff']) || editDiff(args);
  const line = details['firstChangedLine'];
  const state: ToolState = !result ? 'waiting' : result.isError === true ? 'error' : 'ok';
  return {
    kind: 'tool',
    name: oneLine(name, 80),
    summary,
    ...(path === undefined ? {} : { path: typeof line === 'number' ? `${path}:${line}` : path }),
    ...(complete || args === undefined ? {} : { args: yield* parts.addTextSteps(yield* argumentsText(args), OUTPUT_LIMITS) }),
    state,
    ...(diff === undefined ? {} : { diff: yield* parts.addTextSteps(diff, { start: 40_000, end: 0 }) }),
    result: result ? [...(yield* nestedCallParts(result, bases, parts)), ...(yield* contentParts(result.content, parts, outputParts))] : [],
    ...defined({ sessions: startedSessions(name, details) }),
    ...defined({ lacksCalls: (result && lacksNestedCalls(result)) || undefined, duration: formatDuration(result?.['durationMs']) }),
    ...(entry ? { entryId: entry.id, time: entry.time } : {}),
    ...(entry?.contextStatus === undefined ? {} : { contextStatus: entry.contextStatus }),
  };
}

/** Names the sessions of the subagents that a call has started, as its result has them. */
function startedSessions(name: string, details: unknown): string | undefined {
  const sessions = isSubagentTool(name) ? namedSessions(details) : [];
  const names = sessions.map(({ file, agent }) => (agent === undefined ? file : `${agent} ${file}`));
  return names.length === 0 ? undefined : oneLine(names.join(', '), 4000);
}

export function* runPart(message: ExecutionMessage, parts: PartCollector): Steps<RunPart> {
  const failed = typeof message.exitCode === 'number' && message.exitCode !== 0;
  const text = stringOf(message.output);
  return {
    kind: 'run',
    language: message.role === 'bashExecution' ? 'bash' : 'python',
    command: yield* parts.addTextSteps(stringOf(message.command) || stringOf(message.code), OUTPUT_LIMITS),
    ...(/\S/.test(text) ? { output: yield* parts.addTextSteps(text.trimEnd(), OUTPUT_LIMITS) } : {}),
    state: message.cancelled === true ? 'cancelled' : failed ? 'error' : 'ok',
    ...(typeof message.exitCode === 'number' ? { exitCode: message.exitCode } : {}),
    ...(message.truncated === true && typeof message.fullOutputPath === 'string'
      ? { fullOutputPath: oneLine(message.fullOutputPath, 400) }
      : {}),
  };
}

/** The states that pi records of nested calls. */
const NESTED_STATES = ['ok', 'error', 'unfinished'] as const;

function* nestedCallParts(result: ToolResultMessage, bases: PathBases, parts: PartCollector): Steps<ToolPart[]> {
  const calls: ToolPart[] = [];
  for (const call of nestedCalls(result)) {
    const { arguments: args, status, error } = call;
    const name = typeof call['name'] === 'string' && call['name'] !== '' ? call['name'] : 'tool';
    const { summary, complete, path } = summarizeToolCall(name, args, bases);
    const text = complete || args === undefined ? undefined : yield* argumentsText(args);
    calls.push({
      kind: 'tool',
      name: oneLine(name, 80),
      summary,
      ...defined({
        path,
        args: text === undefined ? undefined : yield* parts.addTextSteps(text, OUTPUT_LIMITS),
        duration: formatDuration(call['durationMs']),
      }),
      state: NESTED_STATES.find((state) => state === status) ?? 'waiting',
      isNested: true,
      result: typeof error === 'string' && error !== '' ? [{ kind: 'error', text: yield* parts.addTextSteps(error, OUTPUT_LIMITS) }] : [],
    });
  }
  return calls;
}
