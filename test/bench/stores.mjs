// Generates stores from a seed: the same seed gives the same bytes. Tool results make up about nine tenths, and the
// frequencies of words are as uneven as in a natural language.
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const START = Date.parse('2026-01-02T08:00:00.000Z');
const VOCABULARY = 40_000;

/** Returns a generator of numbers from 0 to 1. */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES =
  'ba be bi bo bu ca ce ci co cu da de di do du fa fe ga ge go ha he hi la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve wa we ya zo'.split(
    ' ',
  );

function vocabulary() {
  const random = numbers(7);
  const words = new Set(['the', 'cart', 'total', 'parser', 'token', 'error', 'order']);
  while (words.size < VOCABULARY)
    words.add(Array.from({ length: 1 + Math.floor(random() * 4) }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join(''));
  return [...words];
}

class Speech {
  constructor(words, seed) {
    this.words = words;
    this.random = numbers(seed);
    this.filler = Array.from(
      { length: 600 },
      (_, line) =>
        `  ${line + 1}: const ${this.text(2).replaceAll(' ', '_')} = { "${this.word()}": [${this.text(6)}] }; // ${this.text(4)}`,
    ).join('\n');
  }

  /** Returns a word. The n-th most common word is about n times as rare as the most common one. */
  word() {
    return this.words[Math.floor(this.words.length ** this.random()) - 1] ?? 'the';
  }

  text(count) {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  result(bytes) {
    const from = Math.floor(this.random() * this.filler.length);
    return this.filler.repeat(Math.ceil((from + bytes) / this.filler.length)).slice(from, from + bytes);
  }
}

/** Writes a session of about `size` bytes. */
function writeSession(path, { words, seed, size, resultBytes, cwd }) {
  const speech = new Speech(words, seed);
  const file = openSync(path, 'w');
  const start = START + seed * 60_000;
  let [count, written, parentId, pending] = [0, 0, null, ''];
  const line = (value) => {
    const text = `${JSON.stringify(value)}\n`;
    written += text.length;
    pending += text;
    if (pending.length > 1 << 20) {
      writeSync(file, pending);
      pending = '';
    }
  };
  const time = () => start + count * 3000;
  const message = (message) => {
    count++;
    const id = (seed * 0x1000000 + count).toString(16).slice(-8).padStart(8, '0');
    line({ type: 'message', id, parentId, timestamp: new Date(time()).toISOString(), message: { ...message, timestamp: time() } });
    parentId = id;
  };
  const assistant = (content, stopReason) => {
    const usage = {
      input: 4,
      output: 120,
      cacheRead: 9000,
      cacheWrite: 400,
      totalTokens: 9524,
      cost: { input: 0.000012, output: 0.0018, cacheRead: 0.0027, cacheWrite: 0.0015, total: 0.006012 },
    };
    message({
      role: 'assistant',
      content,
      api: 'anthropic-messages',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      usage,
      stopReason,
    });
  };
  line({
    type: 'session',
    version: 3,
    id: `019b7d2c-0000-7000-8000-${seed.toString(16).padStart(12, '0')}`,
    timestamp: new Date(start).toISOString(),
    cwd,
  });
  while (written < size) {
    message({ role: 'user', content: [{ type: 'text', text: `Please look at ${speech.text(18)}.` }] });
    for (let turn = 0; turn < 3; turn++) {
      const toolCallId = `call_${seed}_${count}`;
      assistant(
        [
          { type: 'text', text: speech.text(12) },
          {
            type: 'toolCall',
            id: toolCallId,
            name: 'read',
            arguments: { path: `src/${words[Math.floor(speech.random() * 40)]}/module${Math.floor(speech.random() * 97)}.ts` },
          },
        ],
        'toolUse',
      );
      const bytes = Math.floor(resultBytes * (0.2 + speech.random() * 1.6));
      message({
        role: 'toolResult',
        toolCallId,
        toolName: 'read',
        content: [{ type: 'text', text: speech.result(bytes) }],
        isError: false,
      });
    }
    assistant([{ type: 'text', text: `**Done.** ${speech.text(40)}.\n\n- ${speech.text(12)}\n- ${speech.text(12)}` }], 'stop');
  }
  writeSync(file, pending);
  closeSync(file);
}

const STORES = {
  // 482 MB: 200 sessions of some weeks.
  large: { files: 200, size: 2.41e6, resultBytes: 6800 },
  // One very long session.
  single: { files: 1, size: 101e6, resultBytes: 6800 },
  // Years of short sessions.
  small: { files: 2700, size: 20e3, resultBytes: 6800 },
};

/** Writes the stores that don't exist yet. Returns the path of each. */
export function makeStores(folder) {
  const words = vocabulary();
  return Object.fromEntries(
    Object.entries(STORES).map(([name, { files, ...options }]) => {
      const root = join(folder, name);
      if (!existsSync(join(root, 'complete'))) {
        for (let seed = 1; seed <= files; seed++) {
          const cwd = `/work/project${seed % 12}`;
          const project = join(root, `--work-project${seed % 12}--`);
          mkdirSync(project, { recursive: true });
          writeSession(join(project, `2026-01-02T08-00-00-000Z_${seed.toString(16).padStart(12, '0')}.jsonl`), {
            words,
            seed,
            cwd,
            ...options,
          });
        }
        writeFileSync(join(root, 'complete'), '');
      }
      return [name, root];
    }),
  );
}
