import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSessionContext, pathTo, readBodies, readSession, textOf, type Content, type Message, type Session } from '../../src/core/index';
import { sharedFixtures } from '../fixtures/shared';
import { testFolder } from '../fixtures/folder';
import { copies, loadPi } from './pi';

interface Answer {
  readonly header?: object;
  readonly leafId?: string;
  readonly leaf?: string;
  readonly name?: string;
  readonly branchIds?: string[];
  readonly branch?: string[];
  readonly labels?: Record<string, string>;
  readonly tree?: Node[];
  readonly context: { messages: Said[]; [key: string]: unknown } | string[];
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

const FILES = [
  'oh-my-pi/01-linear-tools-titles',
  'oh-my-pi/02-branches-labels-tworoots',
  'oh-my-pi/04-compaction-twice',
  'oh-my-pi/05-reset-boundary',
  'jensen-code/main',
  'openclaw/oc-branches',
];

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

  for (const name of FILES) {
    it(name, async () => {
      const path = join(fixtures, `${name}.jsonl`);
      const expected = (JSON.parse(await readFile(path.replace(/\.jsonl$/, '.expected.json'), 'utf8')) as { reloaded: Answer }).reloaded;
      const session = await readSession(path);
      assert.deepEqual(session.problems, []);
      assert.equal(session.leafId, expected.leafId ?? expected.leaf);
      assert.deepEqual(pathTo(session, session.leafId).map(({ id }) => id), expected.branchIds ?? expected.branch);
      if (expected.tree) assert.deepEqual(nodes(session, session.roots), expected.tree);
      if (expected.labels) assert.deepEqual(Object.fromEntries(session.labels), expected.labels);
      if (expected.name !== undefined) assert.equal(session.name, expected.name);
      const { messages, thinkingLevel, model, models, injectedTtsrRules, mode } = await buildSessionContext(session);
      if (Array.isArray(expected.context)) {
        assert.deepEqual(messages.map(({ role }) => role), expected.context);
        return;
      }
      // jensen-code puts a note of its own before the context, made of its `custom` lines.
      const said = expected.context.messages.filter(({ role, text }) => role !== 'custom' || !text.startsWith('Session memory recorded'));
      assert.deepEqual(messages.map(saidOf(said)), said);
      const ours = session.dialect === 'omp' ? { thinkingLevel, models, injectedTtsrRules, mode } : { thinkingLevel, model };
      for (const [key, value] of Object.entries(ours)) assert.deepEqual(value, expected.context[key], key);
    });
  }

  it('pi/real-v1-large-session, asked of pi itself', async () => {
    const pi = await loadPi();
    const { ours, theirs } = copies(folder.path, readFileSync(join(fixtures, 'pi', 'real-v1-large-session.jsonl'), 'utf8'));
    const session = await readSession(ours);
    const opened = pi.open(theirs);
    const entries = opened.getEntries();
    assert.equal(session.entries.length, entries.length);
    const known = new Map(entries.map(({ id }, index) => [id, session.entries[index]!.id]));
    // pi gives new ids at each opening: ours are taken for them.
    const bodies = await readBodies(session, session.entries.map(({ id }) => id));
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
    return { id, type: session.byId.get(id)!.type, ...(label === undefined ? {} : { label }), children: nodes(session, session.children.get(id) ?? []) };
  });
}

/** A message in the words of the programs' answers. */
const saidOf =
  (said: readonly Said[]) =>
  (message: Message, index: number): Said => {
    const content = message['content'] as Content | undefined;
    const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
    const text = 'summary' in message ? String(message['summary']) : blocks.map((block) => (block.type === 'text' ? textOf([block]) : `[${block.type}]`)).join(' ');
    const stop = said[index]?.stop;
    return { role: message.role, ...(stop === undefined ? {} : { stop: String(message['stopReason']) }), text: text.slice(0, said[index]?.text.length) };
  };
