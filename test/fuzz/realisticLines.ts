/** Lines with the keys that programs write, in the same order, and with text that no program would write. */
import { ODD } from '../unit/properties/irregularLines';
import type { Random } from './target';

type Fields = Record<string, unknown>;

/** Most entries are children of the previous one; some are children of any other entry, or of none that exists. */
export function realLine(random: Random, index: number): string {
  const time = 1767348000000 + index * 1000;
  const entry = (type: string, fields: Fields): Fields => ({
    type,
    id: id(random, index),
    parentId: parent(random, index),
    timestamp: new Date(time).toISOString(),
    ...fields,
  });
  const line = random.pick<() => Fields>([
    () =>
      entry('message', {
        message: {
          role: 'user',
          content: random.once(3)
            ? words(random)
            : [{ type: 'text', text: words(random) }, ...(random.once(4) ? [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] : [])],
          timestamp: time,
        },
      }),
    () =>
      entry('message', {
        message: {
          role: 'assistant',
          content: random.list(4, block),
          api: 'x',
          provider: 'p',
          model: words(random, 1),
          usage: usage(random),
          stopReason: random.pick(['stop', 'toolUse', 'error', 'aborted', 'deferred']),
          timestamp: time,
          ...some(random, ANSWER_EXTRAS),
        },
      }),
    () =>
      entry('message', {
        message: {
          role: 'toolResult',
          toolCallId: words(random, 1),
          toolName: random.pick(['read', 'bash', 'edit', '']),
          content: [{ type: 'text', text: words(random) }],
          ...some(random, RESULT_EXTRAS),
          isError: random.once(4),
          timestamp: time,
        },
      }),
    () =>
      entry('message', {
        message: {
          role: 'bashExecution',
          command: words(random),
          output: words(random),
          exitCode: 0,
          cancelled: false,
          truncated: false,
          timestamp: time,
        },
      }),
    () => ({
      type: 'custom_message',
      customType: 'openclaw.x',
      content: words(random),
      display: false,
      id: id(random, index),
      parentId: parent(random, index),
      timestamp: new Date(time).toISOString(),
    }),
    () => ({
      type: 'custom',
      customType: 'model-snapshot',
      data: { a: words(random), list: random.list(300, () => words(random, 3)) },
      id: id(random, index),
      parentId: parent(random, index),
      timestamp: new Date(time).toISOString(),
    }),
    () =>
      entry(random.pick(['label', 'session_info', 'leaf', 'compaction', 'branch_summary', 'context_edit', 'usage', 'of_tomorrow']), {
        targetId: parent(random, index),
        label: words(random, 2),
        name: words(random, 2),
        summary: words(random),
        firstKeptEntryId: parent(random, index),
        fromId: 'root',
        usage: usage(random),
        replacement: null,
      }),
  ])();
  const text = JSON.stringify(line);
  const spaced = random.once(10) ? JSON.stringify(line, undefined, 1).replaceAll('\n', '') : text;
  return random.once(3) ? withOdd(random, spaced) : spaced;
}

/** Inserts a piece in a wrong position, or replaces something by it. */
function withOdd(random: Random, line: string): string {
  const at = random.int(line.length + 1);
  return line.slice(0, at) + random.pick(ODD) + line.slice(at + (random.once(2) ? random.int(12) : 0));
}

const words = (random: Random, most = 6): string => random.text(most);
const id = (random: Random, index: number): string => (random.once(20) ? words(random, 2) : `e${index}`);

function parent(random: Random, index: number): string | null {
  if (random.once(15)) return words(random, 1);
  if (random.once(20)) return null;
  return index === 0 ? null : `e${random.once(5) ? random.int(index + 2) : index - 1}`;
}

function block(random: Random): Fields {
  return random.pick<() => Fields>([
    () => ({ type: 'text', text: words(random), ...some(random, { textSignature: '{"v":1,"id":"msg_1"}' }) }),
    () => ({
      type: 'thinking',
      thinking: words(random),
      thinkingSignature: JSON.stringify({ id: 'rs_1', encrypted: 'x'.repeat(random.int(900)) }),
    }),
    () => ({
      type: 'toolCall',
      id: random.pick(['call_1|fc_2', 'toolu_1', '']),
      name: random.pick(['read', 'write', 'bash', 'Edit', words(random, 1)]),
      arguments: { path: words(random, 2), command: words(random), edits: random.list(3, () => words(random, 2)) },
      ...some(random, { thoughtSignature: 'eHg=' }),
    }),
  ])();
}

/** The orders of keys in usages: Anthropic, OpenAI and Google, oh-my-pi, and versions before `totalTokens`. */
function usage(random: Random): Fields {
  const count = (): number => random.pick([0, 1, 120, 9000, 2 ** 31, 1e21, -1, 0.5]);
  const cost = {
    input: count() / 1e6,
    output: count() / 1e6,
    cacheRead: 0,
    cacheWrite: 0,
    total: count() / 1e6,
    ...some(random, { totalFromProvider: 0.25 }),
  };
  const start = { input: count(), output: count(), cacheRead: count(), cacheWrite: count() };
  return random.pick<Fields>([
    { ...start, totalTokens: count(), cost, cacheWrite1h: count(), ...some(random, { reasoning: 3 }) },
    { ...start, reasoning: count(), totalTokens: count(), cost },
    { ...start, totalTokens: count(), reasoningTokens: count(), cost },
    { ...start, cost },
  ]);
}

const ANSWER_EXTRAS: Fields = {
  responseId: 'resp_1',
  responseModel: 'm-2',
  duration: 1234,
  ttft: 5,
  errorMessage: 'it\nbroke',
  diagnostics: [{ a: { b: [] } }],
  rawStopReason: 'end_turn',
  thinkingLevel: 'high',
  idempotencyKey: 'k',
};
const RESULT_EXTRAS: Fields = {
  details: { diff: '@@ -1 +1 @@\n-"a"\n+b', exitCode: null },
  nestedCalls: { calls: [{ name: 'x', arguments: {} }], complete: true },
};

/** Adds each field in one of three cases. */
const some = (random: Random, fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(() => random.once(3)));
