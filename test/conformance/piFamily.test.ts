import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  buildSessionContext,
  pathTo,
  readBodies,
  readSession,
  sessionUsage,
  textOf,
  type Content,
  type Dialect,
  type Message,
  type Session,
} from '../../src/core/index';
import { sharedFixtures } from '../fixtures/shared';
import { testFolder } from '../fixtures/folder';
import { copies, loadPi } from './pi';

/** What a program answers, or by hand what it should. */
interface Answer {
  readonly leafId?: string;
  readonly leaf?: string;
  readonly name?: string;
  readonly branchIds?: string[];
  readonly branch?: string[];
  readonly labels?: Record<string, string>;
  readonly tree?: Node[];
  readonly context: { messages: Said[]; [key: string]: unknown } | string[];
  /** Messages at other entries. */
  readonly contexts?: Record<string, Said[]>;
  readonly rows?: string[];
  readonly totals?: { input: number; output: number; cost: number };
}
/** `root`: what the folder says of a file that does not tell. */
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
interface Said {
  readonly role: string;
  readonly text: string;
  readonly stop?: string;
}

const OWN = resolve('test', 'fixtures', 'dialects');
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
  for (const [id, said] of Object.entries(expected.contexts ?? {})) {
    assert.deepEqual((await buildSessionContext(session, id)).messages.map(saidOf(said)), said);
  }
  const { messages, thinkingLevel, model, models, injectedTtsrRules, mode } = await buildSessionContext(session);
  if (Array.isArray(expected.context)) {
    assert.deepEqual(
      messages.map(({ role }) => role),
      expected.context,
    );
    return;
  }
  const said = expected.context.messages.filter((message) => !isMemoryNote(message));
  assert.deepEqual(messages.map(saidOf(said)), said);
  const ours = session.dialect === 'omp' ? { thinkingLevel, models, injectedTtsrRules, mode } : { thinkingLevel, model };
  for (const [key, value] of Object.entries(ours)) assert.deepEqual(value, expected.context[key], key);
}

/** jensen-code puts a note of its own before the context, made of its `custom` lines: no entry says it. */
const isMemoryNote = ({ role, text }: Said): boolean => role === 'custom' && text.startsWith('Session memory recorded');

describe('Files of every dialect, made by hand', () => {
  for (const [name, dialect] of Object.entries(BY_HAND)) it(name, () => compare(join(OWN, `${name}.jsonl`), dialect));

  it('jensen-code differs: the note of its session memory is no entry, and not in our contexts', async () => {
    const path = join(OWN, 'jensen-code.jsonl');
    const { reloaded } = JSON.parse(await readFile(path.replace(/\.jsonl$/, '.expected.json'), 'utf8')) as {
      reloaded: { context: { messages: Said[] } };
    };
    const { messages } = await buildSessionContext(await readSession(path));
    assert.ok(isMemoryNote(reloaded.context.messages[0]!));
    assert.equal(messages.length, reloaded.context.messages.length - 1);
  });
});

describe('The programs agree about files that they wrote', function () {
  this.timeout(60_000);
  const folder = testFolder();
  const fixtures = sharedFixtures();
  if (fixtures === undefined) {
    it('was not checked: these files are not part of a clone', () => {
      console.log('    not checked: set SESSION_FIXTURES to the folder with the files that the programs wrote');
    });
    return;
  }

  for (const [name, dialect] of Object.entries(BY_THE_PROGRAMS)) it(name, () => compare(join(fixtures, `${name}.jsonl`), dialect, dialect));

  it('pi/real-v1-large-session, asked of pi itself', async () => {
    const pi = await loadPi();
    const { ours, theirs } = copies(folder.path, readFileSync(join(fixtures, 'pi', 'real-v1-large-session.jsonl'), 'utf8'));
    const session = await readSession(ours);
    const opened = pi.open(theirs);
    const entries = opened.getEntries();
    assert.equal(session.entries.length, entries.length);
    const known = new Map(entries.map(({ id }, index) => [id, session.entries[index]!.id]));
    // pi gives new ids at each opening: ours are taken for them.
    const bodies = await readBodies(
      session,
      session.entries.map(({ id }) => id),
    );
    entries.forEach((entry, index) => {
      const { id, parentId, ...rest } = entry as unknown as { id: string; parentId: string | null; firstKeptEntryId?: string };
      const kept = rest.firstKeptEntryId === undefined ? {} : { firstKeptEntryId: known.get(rest.firstKeptEntryId) };
      assert.deepEqual(bodies[index], { ...rest, ...kept, id: known.get(id), parentId: parentId === null ? null : known.get(parentId) });
    });
    for (let index = 0; index < entries.length; index += 37) {
      opened.branch(entries[index]!.id);
      const { messages } = await buildSessionContext(session, session.entries[index]!.id);
      assert.deepEqual(messages, opened.buildSessionContext().messages);
    }
  });
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

/** A message in the words of the programs' answers. */
const saidOf =
  (said: readonly Said[]) =>
  (message: Message, index: number): Said => {
    const content = message['content'] as Content | undefined;
    const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
    const text =
      'summary' in message
        ? String(message['summary'])
        : blocks.map((block) => (block.type === 'text' ? textOf([block]) : `[${block.type}]`)).join(' ');
    const stop = said[index]?.stop;
    return {
      role: message.role,
      ...(stop === undefined ? {} : { stop: String(message['stopReason']) }),
      text: text.slice(0, said[index]?.text.length),
    };
  };
