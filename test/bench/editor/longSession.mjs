// Generates a session with everything that a page can draw, in the shapes of real programs: prose in several alphabets,
// code, tables, thinking, tool calls, diffs, images, hidden messages, errors, branches, compactions, and one huge result.
import { deflateSync } from 'node:zlib';
import { RealSession } from '../realSession.mjs';
import { Speech, vocabulary } from '../speech.mjs';

const LANGUAGES = ['ts', 'python', 'bash', 'json', 'rust', 'sql'];
const CODE =
  'export function total(items: readonly Item[]): number {\n  return items.reduce((sum, { price, count }) => sum + price * count, 0); // in cents\n}\n';
/** The typical size of a result in bytes. */
const RESULT = 500;
/** The share of turns with a message that the program hides. */
const HIDDEN = 0.05;
/** Messages that only summaries tell of. */
const SUMMARIZED = 500;

/**
 * Yields the lines of a session whose context has this many messages, or a few more: it's compacted once before them.
 * Some requests have images, and the last result but one has `huge` bytes. `branches`: the number of abandoned branches,
 * besides those of a real program; each has one request.
 */
export function* longSession({ messages, images, huge, cwd, branches = 0 }) {
  const lines = [];
  const write = (line) => void lines.push(line);
  const start = Date.parse('2026-01-02T08:00:00.000Z');
  const speech = new Speech(vocabulary(), 3);
  const session = new LongSession(speech, { seed: 3, resultBytes: RESULT, cwd, program: 'pi', start, write, images, messages, branches });
  const flush = () => lines.splice(0);
  session.begin();
  while (session.count < SUMMARIZED) session.exchange();
  session.compactNow();
  while (session.count < messages - 4) {
    session.exchange();
    yield* flush();
  }
  session.hugeExchange(huge);
  session.exchange();
  yield* flush();
}

class LongSession extends RealSession {
  /** The number of messages up to an entry, by its id, since the compaction. */
  counts = new Map();
  exchanges = 0;

  /** The number of branches that were abandoned on purpose. */
  abandoned = 0;

  constructor(speech, { images, messages, branches, ...options }) {
    super(speech, options);
    Object.assign(this, { images, messages, branches });
  }

  /** The number of messages of the branch, since the compaction. */
  get count() {
    return this.counts.get(this.parentId) ?? 0;
  }

  entry(type, fields) {
    const { count } = this;
    const id = super.entry(type, fields);
    this.counts.set(id, count + (type === 'message' ? 1 : 0));
    return id;
  }

  /** Another compaction would take most messages out of the context. */
  compact() {}

  compactNow() {
    this.requests = this.requests.slice(-1);
    super.compact();
    this.counts.set(this.parentId, 0);
  }

  exchange() {
    this.exchanges++;
    while (this.abandoned < Math.floor((this.count / this.messages) * this.branches)) this.abandon();
    super.exchange();
  }

  /** Writes a request with its answer, and goes back to the entry before it. */
  abandon() {
    this.abandoned++;
    const { parentId } = this;
    this.message({ role: 'user', content: super.request() });
    this.answer([this.text(20)], 'stop');
    this.parentId = parentId;
  }

  request() {
    const { messages, images, speech } = this;
    const drawn = Math.floor((this.count / messages) * images);
    const hasImage = drawn > (this.drawn ?? -1);
    this.drawn = Math.max(this.drawn ?? -1, drawn);
    return [
      ...super.request(),
      ...(hasImage && drawn < images ? [{ type: 'image', mimeType: 'image/png', data: png(320, 200, speech.integer(97)) }] : []),
    ];
  }

  turn() {
    const { speech } = this;
    if (speech.chance(HIDDEN))
      this.entry('custom_message', {
        customType: 'reminder',
        content: speech.text(40),
        display: false,
        details: { source: speech.word() },
      });
    super.turn();
  }

  lastAnswer() {
    const text = super.lastAnswer();
    return { ...text, text: answer(this.speech, this.exchanges, text.text) };
  }

  /** The result is the only one of its request. */
  hugeExchange(bytes) {
    const { speech } = this;
    this.requests.push(this.message({ role: 'user', content: this.request() }));
    const id = this.source.callId(speech);
    this.answer([{ type: 'toolCall', id, name: 'bash', arguments: { command: 'cat build.log' } }], 'toolUse');
    this.message({
      role: 'toolResult',
      toolCallId: id,
      toolName: 'bash',
      content: [{ type: 'text', text: speech.result(bytes) }],
      isError: false,
    });
    this.answer([this.lastAnswer()], 'stop');
  }
}

/** Returns Markdown of all kinds around a prose. */
function answer(speech, turn, prose) {
  const parts = [`**Done.** ${prose}.\n\n- ${speech.text(6)}\n- \`src/m${turn % 97}.ts\` ${speech.text(7)}`];
  if (turn % 3 === 0) parts.push(`\`\`\`${LANGUAGES[turn % LANGUAGES.length]}\n${CODE.repeat(1 + (turn % 8))}\`\`\``);
  if (turn % 7 === 0) parts.push(`| a | b | c |\n|---|--:|---|\n${`| ${speech.text(2)} | ${turn} | \`x\` |\n`.repeat(6)}`);
  // Some answers have a whole pasted file, or are very long.
  if (turn % 29 === 0) parts.push(`\`\`\`ts\n${CODE.repeat(120)}\`\`\``);
  if (turn % 37 === 0)
    parts.push(
      Array.from(
        { length: 60 },
        (_, index) => `## Part ${index}\n\n${speech.text(60)} *${speech.text(3)}* [link](https://x.example/${index})`,
      ).join('\n\n'),
    );
  return parts.join('\n\n');
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
