/** Lines as programs write them, and pieces that no program writes. */
import type { Random } from '../../fuzz/target';
import { generateSession, type Program } from '../../fixtures/generate';

/** Entries of a generated session, some of them with spaces between values, or with a piece in a wrong position. */
export function irregularLines(random: Random, most: number): string[] {
  const program = random.pick<Program>(['pi', 'omp', 'openclaw']);
  const lines = generateSession(1 + random.int(100_000), { program })
    .builder.lines()
    .slice(1);
  return lines.slice(0, 1 + random.int(most)).map((line) => {
    const text = random.once(10) ? JSON.stringify(JSON.parse(line), undefined, 1).replaceAll('\n', '') : line;
    if (!random.once(3)) return text;
    const at = random.int(text.length + 1);
    return text.slice(0, at) + random.pick(ODD) + text.slice(at + (random.once(2) ? random.int(12) : 0));
  });
}

export const LINE =
  '{"type":"message","id":"a1","parentId":"a0","timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"toolResult","toolCallId":"c","toolName":"read","content":[{"type":"text","text":"TEXT"}],"isError":false,"timestamp":1767348000000}}';
export const ANSWER =
  '{"type":"message","id":"a1","parentId":null,"timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"TEXT"},{"type":"toolCall","id":"c","name":"read","arguments":{"path":"/home/me/x"}}],"api":"x","provider":"p","model":"m","usage":{"input":4,"output":120,"cacheRead":9000,"cacheWrite":400,"totalTokens":9524,"cost":{"input":0.000012,"output":0.0018,"cacheRead":0.0027,"cacheWrite":0.0015,"total":0.0060120000000000004}},"stopReason":"stop","timestamp":1767348000000}}';

/** Pieces to insert into a line. */
export const ODD = [
  'a"b',
  'a\\"b',
  'a\\\\"',
  'a\\',
  'a\\u12',
  'a\\u12zz',
  '\\u0041\\u001b',
  '\\x',
  '\u0001',
  '\0',
  '\t',
  'é🚀',
  '\uFEFF',
  '"}],"content":[{"',
  '"}]}}{"type":"message","id":"b","message":{"role":"',
  '\\n\\t\\/\\b\\f\\r',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '""',
  'null',
  'nul',
  'true',
  '-',
  '-0',
  '01',
  '1.',
  '.5',
  '1.5e',
  '1e5',
  '1E+5',
  '1e999',
  '123456789012345678',
  '0.1234567890123456789',
  ' ',
  '\r',
  '"usage":{"input":3},',
  '"role":"user",',
  ',"details":{"a":[1,{"b":null}],"c":{}}',
  ',"__proto__":{"usage":{}}',
  '"usage":{"__proto__":{"input":5}},',
  '"content":"again",',
  '"c\\u006fntent":[],',
  '"customType":"t",',
  ',"payloadSha256":"x"',
  '['.repeat(40) + ']'.repeat(40),
  'x'.repeat(2000),
];
