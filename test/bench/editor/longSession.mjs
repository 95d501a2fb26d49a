// Generates a session with everything that a page can draw: prose, code, tables, thinking, tool calls, diffs, images,
// and one huge result.
import { deflateSync } from 'node:zlib';

const LANGUAGES = ['ts', 'python', 'bash', 'json', 'rust', 'sql'];
const CODE =
  'export function total(items: readonly Item[]): number {\n  return items.reduce((sum, { price, count }) => sum + price * count, 0); // in cents\n}\n';
const WORDS =
  'the cart total order stock hold price test parser token error line file read write branch session label search index page'.split(' ');

/** Returns the lines of a session with this many messages, some of them with images. The last result but one has `huge` bytes. */
export function* longSession({ messages, images, huge, cwd }) {
  const start = Date.parse('2026-01-02T08:00:00.000Z');
  const usage = { input: 4, output: 120, cacheRead: 9000, cacheWrite: 400, totalTokens: 9524, cost: { total: 0.006 } };
  let count = 0;
  const entry = (message) => {
    const time = start + ++count * 3000;
    return `${JSON.stringify({ type: 'message', id: `e${count}`, parentId: count === 1 ? null : `e${count - 1}`, timestamp: new Date(time).toISOString(), message: { ...message, timestamp: time } })}\n`;
  };
  const text = (value) => ({ type: 'text', text: value });
  const assistant = (content, stopReason = 'stop') =>
    entry({ role: 'assistant', content, provider: 'anthropic', model: 'claude-x', usage, stopReason });
  yield `${JSON.stringify({ type: 'session', version: 3, id: 'long', timestamp: new Date(start).toISOString(), cwd })}\n`;
  const turns = Math.floor(messages / 4);
  const every = Math.max(1, Math.floor(turns / images));
  for (let turn = 0; turn < turns; turn++) {
    const picture =
      turn % every === 0 && turn / every < images ? [{ type: 'image', mimeType: 'image/png', data: png(320, 200, turn) }] : [];
    yield entry({ role: 'user', content: [text(`Please look at ${words(turn, 12)}.`), ...picture] });
    const isEdit = turn % 5 === 0;
    const call = {
      type: 'toolCall',
      id: `c${turn}`,
      name: isEdit ? 'edit' : 'bash',
      arguments: isEdit ? { path: `src/m${turn % 97}.ts` } : { command: `grep -rn ${words(turn, 2)} src` },
    };
    yield assistant([{ type: 'thinking', thinking: words(turn, 60) }, text(`I look at ${words(turn + 1, 9)}.`), call], 'toolUse');
    const result = turn === turns - 2 ? lines(huge) : `${words(turn, 14)}\n`.repeat(5 + (turn % 40));
    yield entry({
      role: 'toolResult',
      toolCallId: `c${turn}`,
      toolName: call.name,
      content: [text(result)],
      isError: turn % 11 === 0,
      ...(isEdit ? { details: { diff: diff(turn) } } : {}),
    });
    yield assistant([text(answer(turn))]);
  }
}

function answer(turn) {
  const parts = [`**Done.** ${words(turn, 30)}.\n\n- ${words(turn, 6)}\n- \`src/m${turn % 97}.ts\` ${words(turn, 7)}`];
  if (turn % 3 === 0) parts.push(`\`\`\`${LANGUAGES[turn % LANGUAGES.length]}\n${CODE.repeat(1 + (turn % 8))}\`\`\``);
  if (turn % 7 === 0) parts.push(`| a | b | c |\n|---|--:|---|\n${`| ${words(turn, 2)} | ${turn} | \`x\` |\n`.repeat(6)}`);
  // Some turns have a whole pasted file, or a very long answer.
  if (turn % 97 === 0) parts.push(`\`\`\`ts\n${CODE.repeat(120)}\`\`\``);
  if (turn % 131 === 0)
    parts.push(
      Array.from(
        { length: 60 },
        (_, index) => `## Part ${index}\n\n${words(turn + index, 60)} *${words(index, 3)}* [link](https://x.example/${index})`,
      ).join('\n\n'),
    );
  return parts.join('\n\n');
}

const words = (seed, count) =>
  Array.from({ length: count }, (_, index) => WORDS[(seed * 7 + index * index + index) % WORDS.length]).join(' ');
const diff = (turn) =>
  Array.from({ length: 10 + (turn % 60) }, (_, line) => `${'+- '[line % 3]}${line} ${words(turn + line, 8)}`).join('\n');

function lines(bytes) {
  const block = Array.from({ length: 1000 }, (_, line) => `line ${line} ${words(line, 14)}`).join('\n');
  return block.repeat(Math.ceil(bytes / block.length)).slice(0, bytes);
}

/** Returns a picture in a color that depends on the seed. */
function png(width, height, seed) {
  const row = Buffer.alloc(1 + width * 3);
  for (let x = 0; x < width; x++) row.set([(seed * 37 + x) % 256, (seed * 91) % 256, (x * 2) % 256], 1 + x * 3);
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), body.length + 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

function crc(bytes) {
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}
