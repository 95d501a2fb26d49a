import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  buildSessionContext,
  pathTo,
  readSession,
  sessionUsage,
  textOf,
  type Content,
  type Dialect,
  type Message,
  type Session,
} from '../../src/core/index';

/** A program's result for a session, or the expected one, written by hand. */
interface Answer {
  readonly leafId?: string;
  readonly leaf?: string;
  readonly name?: string;
  readonly branchIds?: string[];
  readonly branch?: string[];
  readonly labels?: Record<string, string>;
  readonly tree?: Node[];
  readonly context: { messages: RecordedMessage[]; [key: string]: unknown } | string[];
  /** Messages at other entries. */
  readonly contexts?: Record<string, RecordedMessage[]>;
  readonly rows?: string[];
  readonly totals?: { input: number; output: number; cost: number };
}
/** `root`: the dialect of the folder, for files that don't show their program. */
interface Expected {
  readonly root?: Dialect;
  readonly reloaded: Answer;
}
interface Node {
  readonly id: string;
  readonly type: string;
  readonly label?: string;
  readonly children: Node[];
}
interface RecordedMessage {
  readonly role: string;
  readonly text: string;
  readonly stop?: string;
}

const OWN = resolve('test', 'fixtures', 'dialects');
/** Written by oh-my-pi 18.2.3, jensen-code 2.0.0 and OpenClaw 2026.7.1. */
const PROGRAMS = resolve('test', 'fixtures', 'programs');
const BY_HAND: Readonly<Record<string, Dialect>> = {
  'oh-my-pi-titles-roles-rules': 'omp',
  'oh-my-pi-compaction-then-reset': 'omp',
  'oh-my-pi-version-2': 'omp',
  'jensen-code': 'jensen',
  gsd: 'gsd',
  openclaw: 'openclaw',
  'pi-version-1': 'pi',
};
const BY_THE_PROGRAMS: Readonly<Record<string, Dialect>> = {
  'oh-my-pi/01-linear-tools-titles': 'omp',
  'oh-my-pi/02-branches-labels-tworoots': 'omp',
  'oh-my-pi/04-compaction-twice': 'omp',
  'oh-my-pi/05-reset-boundary': 'omp',
  'jensen-code/main': 'jensen',
  'openclaw/oc-branches': 'openclaw',
};

async function compare(path: string, dialect: Dialect, folder?: Dialect): Promise<void> {
  const { root = folder, reloaded: expected } = JSON.parse(await readFile(path.replace(/\.jsonl$/, '.expected.json'), 'utf8')) as Expected;
  const session = await readSession(path, root ? { dialect: root } : {});
  assert.deepEqual(session.problems, []);
  assert.equal(session.dialect, dialect);
  assert.equal(session.leafId, expected.leafId ?? expected.leaf);
  assert.deepEqual(
    pathTo(session, session.leafId).map(({ id }) => id),
    expected.branchIds ?? expected.branch,
  );
  if (expected.tree) assert.deepEqual(nodes(session, session.roots), expected.tree);
  if (expected.labels) assert.deepEqual(Object.fromEntries(session.labels), expected.labels);
  if (expected.name !== undefined) assert.equal(session.name, expected.name);
  if (expected.rows)
    assert.deepEqual(
      session.entries.map(({ text }) => text),
      expected.rows,
    );
  const { input, output, cost } = sessionUsage(session);
  if (expected.totals) assert.deepEqual({ input, output, cost }, expected.totals);
  for (const [id, recorded] of Object.entries(expected.contexts ?? {})) {
    assert.deepEqual((await buildSessionContext(session, id)).messages.map(toRecorded(recorded)), recorded);
  }
  const { messages, thinkingLevel, model, models, injectedTtsrRules, mode } = await buildSessionContext(session);
  if (Array.isArray(expected.context)) {
    assert.deepEqual(
      messages.map(({ role }) => role),
      expected.context,
    );
    return;
  }
  const recorded = expected.context.messages.filter((message) => !isMemoryNote(message));
  assert.deepEqual(messages.map(toRecorded(recorded)), recorded);
  const ours = session.dialect === 'omp' ? { thinkingLevel, models, injectedTtsrRules, mode } : { thinkingLevel, model };
  for (const [key, value] of Object.entries(ours)) assert.deepEqual(value, expected.context[key], key);
}

/** True for the note of its own that jensen-code puts before the context. It is made from `custom` lines, and no entry contains it. */
const isMemoryNote = ({ role, text }: RecordedMessage): boolean => role === 'custom' && text.startsWith('Session memory recorded');

describe('Files of every dialect, made by hand', () => {
  for (const [name, dialect] of Object.entries(BY_HAND)) it(name, () => compare(join(OWN, `${name}.jsonl`), dialect));

  it('jensen-code differs: the note of its session memory is no entry, and not in our contexts', async () => {
    const path = join(OWN, 'jensen-code.jsonl');
    const { reloaded } = JSON.parse(await readFile(path.replace(/\.jsonl$/, '.expected.json'), 'utf8')) as {
      reloaded: { context: { messages: RecordedMessage[] } };
    };
    const { messages } = await buildSessionContext(await readSession(path));
    assert.ok(isMemoryNote(reloaded.context.messages[0]!));
    assert.equal(messages.length, reloaded.context.messages.length - 1);
  });
});

describe('The programs agree about files that they wrote', () => {
  for (const [name, dialect] of Object.entries(BY_THE_PROGRAMS)) it(name, () => compare(join(PROGRAMS, `${name}.jsonl`), dialect, dialect));
});

function nodes(session: Session, ids: readonly string[]): Node[] {
  return ids.map((id) => {
    const label = session.labels.get(id);
    return {
      id,
      type: session.byId.get(id)!.type,
      ...(label === undefined ? {} : { label }),
      children: nodes(session, session.children.get(id) ?? []),
    };
  });
}

/** Converts a message to the form of the recorded results. */
const toRecorded =
  (recorded: readonly RecordedMessage[]) =>
  (message: Message, index: number): RecordedMessage => {
    const content = message['content'] as Content | undefined;
    const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
    const text =
      'summary' in message
        ? String(message['summary'])
        : blocks.map((block) => (block.type === 'text' ? textOf([block]) : `[${block.type}]`)).join(' ');
    const stop = recorded[index]?.stop;
    return {
      role: message.role,
      ...(stop === undefined ? {} : { stop: String(message['stopReason']) }),
      text: text.slice(0, recorded[index]?.text.length),
    };
  };
