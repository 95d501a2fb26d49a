/**
 * Sessions with text of any alphabet and length in every field, their folders and their names, in a catalog with its
 * worker threads: every row is complete, names what the session itself names, and is found by a search.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCatalog, readSession, summarize, type Catalog } from '../../src/core/index';
import { Scanner } from '../../src/core/format/scanner/scanner';
import { ALPHABETS } from '../fixtures/texts';
import { CAPACITY, readBytes } from '../unit/properties/readBytes';
import type { FuzzTarget, Random } from './target';

/** Also control characters, and units that are no characters. */
const ALL: readonly (readonly [from: number, to: number])[] = [
  ...ALPHABETS,
  [0, 0x20],
  [0x7f, 0xa0],
  [0x2000, 0x206f],
  [0xd800, 0xdfff],
  [0xfff0, 0xffff],
];
const LENGTHS: readonly number[] = [1, 2, 7, 16, 60, 127, 128, 129, 255, 256, 257, 300, 5_000, 70_000, 300_000, 1_000_000];

/** The word that every session has. */
const WORD = 'findable';

const scanner = new Scanner(CAPACITY, 0);

function anyText(random: Random, most = LENGTHS.length): string {
  if (random.once(20)) return '';
  const unit = Array.from({ length: 1 + random.int(4) }, () => {
    const [from, to] = random.pick(ALL);
    return String.fromCodePoint(from + random.int(to - from + 1));
  }).join('');
  const length = random.pick(LENGTHS.slice(0, most));
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** Returns a text that can be a name of a file or a folder. */
function anyName(random: Random): string {
  const text = Buffer.from(anyText(random, 8).replace(/[\0/]/g, '_')).subarray(0, 200).toString();
  return `n${text}`;
}

/** Mostly a short text: a session has few long ones. */
const short = (random: Random): string => (random.once(4) ? anyText(random) : anyText(random, 8));

/** Most lines look as the programs write them, so that the scanner takes them. */
const maybe = (random: Random, usual: string): string => (random.once(3) ? short(random) : usual);

function sessionText(random: Random, id: string): string {
  const time = '2026-06-01T09:00:00.000Z';
  const isOmp = random.once(2);
  const title = maybe(random, 'Make the hull longer');
  const lines: object[] = [];
  if (isOmp) lines.push(titleSlot(title, time));
  lines.push({
    type: 'session',
    version: 3,
    id,
    timestamp: time,
    cwd: `/home/ada/${maybe(random, 'boat')}`,
    ...(isOmp || random.once(3) ? { title: maybe(random, title), titleSource: maybe(random, 'auto') } : {}),
  });
  const ids = Array.from({ length: 2 + random.int(8) }, (_, index) => (random.once(6) ? `${index}${short(random)}` : `0000000${index}`));
  const calls = ids.map((_, index) => `${random.once(4) ? anyText(random) : 'call'}${index}`);
  let called = calls[0];
  const tool = maybe(random, 'read');
  for (const [index, one] of ids.entries()) {
    const line = { id: one, parentId: index === 0 ? null : random.once(5) ? random.pick(ids) : ids[index - 1], timestamp: time };
    const message = (fields: object): void =>
      void lines.push({ type: 'message', ...line, message: { ...fields, timestamp: 1780304480000 } });
    const text = index === 0 ? `${WORD} ${maybe(random, 'words')}` : maybe(random, 'Nine metres.');
    switch (index === 0 ? 0 : random.int(8)) {
      case 0:
        message({ role: 'user', content: random.once(2) ? text : [{ type: 'text', text }] });
        break;
      case 1:
        lines.push({ type: 'session_info', ...line, name: maybe(random, 'A name') });
        break;
      case 2:
        lines.push({ type: 'label', ...line, targetId: random.pick(ids), label: maybe(random, 'A label') });
        break;
      case 3:
        message({
          role: 'toolResult',
          toolCallId: called,
          toolName: tool,
          content: [{ type: 'text', text }],
          isError: random.once(4),
        });
        break;
      case 4:
        lines.push({ type: 'custom_message', ...line, customType: maybe(random, 'note'), content: text, display: true });
        break;
      case 5:
        lines.push({ type: 'model_change', ...line, provider: maybe(random, 'anthropic'), modelId: maybe(random, 'claude-x') });
        break;
      default:
        called = calls[index];
        message({
          role: 'assistant',
          content: [
            { type: 'text', text },
            ...(random.once(2)
              ? [{ type: 'toolCall', id: called, name: tool, arguments: { path: maybe(random, 'a.ts'), [short(random)]: 1 } }]
              : []),
          ],
          api: maybe(random, 'anthropic-messages'),
          provider: maybe(random, 'anthropic'),
          model: maybe(random, 'claude-x'),
          usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 3 },
          stopReason: maybe(random, 'stop'),
          ...(random.once(6) ? { errorMessage: short(random) } : {}),
        });
    }
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** oh-my-pi fills its first line with spaces up to 256 bytes; longer titles are cut there. */
function titleSlot(title: string, updatedAt: string): object {
  const slot = { type: 'title', v: 1, title: Array.from(title).slice(0, 30).join(''), source: 'auto', updatedAt, pad: '' };
  const length = Buffer.byteLength(JSON.stringify(slot));
  return { ...slot, pad: ' '.repeat(Math.max(0, 255 - length)) };
}

interface OpenCatalog {
  readonly root: string;
  readonly catalog: Catalog;
}

async function open(): Promise<OpenCatalog> {
  const folder = mkdtempSync(join(tmpdir(), 'session-tree-texts-'));
  const root = join(folder, 'sessions');
  mkdirSync(root);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { root, catalog: await openCatalog({ roots: [root], cacheDir: join(folder, 'cache'), background: false }) };
}

/** Kept by the target for the whole process, which its threads don't keep running. */
function onlyCatalog(): () => Promise<OpenCatalog> {
  let opened: Promise<OpenCatalog> | undefined;
  return () => (opened ??= open());
}
const opened = onlyCatalog();

export const target: FuzzTarget = {
  name: 'texts of any alphabet in the catalog',
  cases: 25,
  async run(random) {
    const { root, catalog } = await opened();
    const folder = join(root, anyName(random));
    mkdirSync(folder, { recursive: true });
    try {
      const files = Array.from({ length: 1 + random.int(3) }, (_, index) => {
        const id = `22222222-3333-4444-8555-66666666666${index}`;
        const path = join(folder, `${anyName(random)}${index}.jsonl`);
        writeFileSync(path, sessionText(random, id));
        return path;
      });
      const { problems } = await catalog.refresh();
      assert.deepEqual(problems, []);
      const rows = new Map((await catalog.sessions()).map((row) => [row.path, row]));
      const hits = new Set((await catalog.search(WORD)).map(({ path }) => path));
      for (const path of files) {
        const bytes = readFileSync(path);
        if (bytes.length <= CAPACITY)
          assert.deepEqual(
            (await readBytes(bytes, scanner)).heads,
            (await readBytes(bytes)).heads,
            JSON.stringify(bytes.toString()).slice(0, 20_000),
          );
        const session = await readSession(path);
        const { complete, title, name, messageCount } = rows.get(path) ?? assert.fail(`no row of ${JSON.stringify(path)}`);
        const read = summarize(session);
        assert.deepEqual(
          { complete, title, name, messageCount },
          { complete: true, title: read.title, name: read.name, messageCount: read.messageCount },
        );

        assert.doesNotMatch(title, /\p{Cc}/u);
        assert.ok(hits.has(path), `no hit in ${JSON.stringify(path)}`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await catalog.refresh();
    }
  },
};
