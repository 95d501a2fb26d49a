/** Lines of all kinds that the scanner takes, with any values in their members. */
import fc from 'fast-check';
import { printJson, type PrintOptions } from './printJson';

const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('word', 'two words', 'src/a.ts', '/home/me/x', '', ' ', '\n', '\u00a0', '\u3000', '\u2003x', '\ufeff'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'Grüße, Größe',
      'Привет, мир',
      '你好，世界 hello',
      'ひらがな テスト',
      'สวัสดี',
      'क्षत्रिय',
      'ΟΔΟΣ Σ',
      '🚀 go',
      'e\u0301a',
      '\ud800',
      'İstanbul',
      '한국어',
      'ﬁn',
      '1️⃣',
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.nat(300).map((count) => 'many words 言葉 '.repeat(count)),
  fc.nat(60).map((count) => `<system-reminder>${'what to do '.repeat(count)}</system-reminder>\nthe question`),
);
const number = fc.oneof(
  fc.nat(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
  fc.constantFrom(0, -0, 1e21, 0.1 + 0.2),
);
const MANY = Array.from({ length: 10 });
/** Keys that differ from known ones in a letter. */
const LIKE_KNOWN = ['jd', 'ie', 'typf', 'uype', 'rolf', 'iserror', 'contenu'];
const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' });
/** Members that few lines have. */
const rarely = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.constant({}) },
    ...Object.entries(members).map(([key, value]) => ({ weight: 1, arbitrary: value.map((one) => ({ [key]: one })) })),
  );
/** A member's usual value, sometimes any other. */
const mostly = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> => fc.oneof({ weight: 50, arbitrary: value }, json);
const usage = fc.record(
  {
    input: mostly(number),
    output: number,
    cacheRead: number,
    cacheWrite: number,
    totalTokens: mostly(number),
    reasoning: json,
    cacheWrite1h: mostly(number),
    cost: mostly(
      fc.record(
        { input: number, output: mostly(number), cacheRead: number, cacheWrite: number, total: number, totalFromProvider: json },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);
const args = fc.oneof(
  fc.dictionary(
    fc.constantFrom('path', 'file_path', 'filePath', 'file', 'command', 'content', 'edits', 'offset', 'limit', 'pattern', 'x', '1'),
    fc.oneof(text, json),
    { maxKeys: 5 },
  ),
  json,
);
const block = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({ type: fc.constant('text'), text: mostly(text), textSignature: text }, { requiredKeys: ['type', 'text'] }),
  },
  {
    weight: 40,
    arbitrary: fc.record(
      {
        type: fc.constant('toolCall'),
        id: mostly(fc.constantFrom(...MANY.flatMap(() => ['c', 'd']), 'é')),
        name: mostly(fc.constantFrom('read', 'write', 'edit', 'bash', 'grep', 'exec', 'view')),
        arguments: args,
        thoughtSignature: text,
      },
      { requiredKeys: ['type', 'id', 'name', 'arguments'] },
    ),
  },
  {
    weight: 20,
    arbitrary: fc.record(
      {
        type: fc.constantFrom('thinking', 'image'),
        thinking: text,
        thinkingSignature: fc.nat(6000).map((length) => 'x'.repeat(length)),
        data: text,
      },
      { requiredKeys: ['type'] },
    ),
  },
  json,
);
const content = fc.oneof({ weight: 50, arbitrary: fc.array(block, { maxLength: 4 }) }, { weight: 20, arbitrary: text }, json);
const message = fc.record(
  {
    role: fc.constantFrom(...MANY.flatMap(() => ['user', 'assistant', 'toolResult']), 'bashExecution', 'custom'),
    content,
    provider: mostly(fc.constantFrom('p', 'q')),
    model: mostly(fc.constantFrom('m', 'n/o')),
    responseModel: mostly(fc.constant('r')),
    usage: mostly(usage),
    stopReason: mostly(fc.constantFrom('stop', 'aborted', 'error')),
    errorMessage: mostly(text),
    toolCallId: mostly(fc.constantFrom(...MANY.flatMap(() => ['c', 'd']), 'é')),
    toolName: mostly(fc.constantFrom('read', 'bash')),
    isError: mostly(fc.boolean()),
    timestamp: mostly(fc.integer({ min: 1767340000000, max: 1767350000000 })),
    details: json,
    odd: rarely({ customType: fc.constant('t'), nestedCalls: json, errorMessage: json }),
  },
  { requiredKeys: ['role', 'content'] },
);
/** Members of any line. The id and the parent are added with the line's place. */
const line = fc.record(
  {
    type: fc.constantFrom(
      'message',
      'message',
      'message',
      'message',
      'custom',
      'custom_message',
      'model_change',
      'thinking_level_change',
      'label',
      'other',
    ),
    timestamp: mostly(fc.constantFrom('2026-01-02T10:00:00.000Z', '2026-01-02T10:00:01.250Z')),
    message: mostly(message),
    customType: mostly(fc.constantFrom('mine', 'openclaw:x', 'model-snapshot')),
    content,
    data: json,
    provider: mostly(fc.constant('p')),
    modelId: mostly(fc.constant('m')),
    model: fc.constant('p/m'),
    role: mostly(fc.constant('default')),
    thinkingLevel: mostly(fc.constantFrom('high', 'off')),
    odd: rarely({
      payloadSha256: mostly(fc.constant('x')),
      appendMode: fc.constant('side'),
      usage,
      customType: fc.constant('model-snapshot'),
      __openclaw: json,
    }),
    display: fc.boolean(),
    like: fc.oneof(
      { weight: 9, arbitrary: fc.constant({}) },
      fc.constantFrom(...LIKE_KNOWN).map((key) => ({ [key]: 'x' })),
    ),
  },
  { requiredKeys: ['type', 'timestamp'] },
);
/** Each way of writing JSON has lines of its own, so that most lines are irregular in one way at most. */
const options: fc.Arbitrary<PrintOptions> = fc.record({
  spaces: fc.constantFrom(0, 0, 3),
  escapes: fc.constantFrom(0, 0, 0, 25),
  shuffles: fc.boolean(),
  repeats: fc.constantFrom(0, 0, 0, 12),
});

/** Returns a message with its odd members beside the others. */
function withOdd(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('odd' in message)) return message ?? { role: 'user', content: 'said' };
  const { odd, ...others } = message;
  return { ...others, ...(odd as object) };
}

const lines = fc.array(
  fc.tuple(
    line,
    options,
    fc.nat(),
    fc.nat(30),
    fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, fc.tuple(fc.nat(), fc.nat(255))),
  ),
  { minLength: 1, maxLength: 12 },
);
const FIRST =
  '{"type":"message","id":"e0","parentId":null,"timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"user","content":"first"}}';

/** The lines of a file of version 3 or 1, from its header on. Some of them have a changed byte. */
export const anyLines: fc.Arbitrary<Buffer[]> = fc
  .tuple(fc.constantFrom('"version":3,', '"version":3,', ''), lines)
  .map(([version, found]) => [
    Buffer.from(`{"type":"session",${version}"id":"s","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/home/me"}`),
    Buffer.from(FIRST),
    ...found.map(([members, how, seed, parent, broken], index) => {
      const { message: inner, customType, odd, like, ...others } = members;
      const parentId = parent === 0 ? null : parent === 1 ? 'unknown' : `e${Math.max(0, index - Math.max(0, parent - 25))}`;
      const value = {
        ...others,
        ...(version === '' && seed % 2 === 0 ? {} : { id: `e${index + 1}`, parentId }),
        ...(members.type === 'message' ? { message: withOdd(inner) } : { customType }),
        ...odd,
        ...like,
      };
      const bytes = Buffer.from(printJson(value, seed, how));
      if (broken) bytes[broken[0] % bytes.length] = broken[1] === 10 ? 11 : broken[1];
      return bytes;
    }),
  ]);
