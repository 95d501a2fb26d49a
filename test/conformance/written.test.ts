/** Opens the changes that we write into generated sessions with pi: the leaf, the context and the labels must be the intended ones. */
import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  branchPoint,
  buildSessionContext,
  createWriter,
  readSession,
  SessionManager,
  type Change,
  type Message,
  type Session,
  type Writer,
} from '../../src/core/index';
import { testFolder } from '../fixtures/folder';
import { generateSession } from '../fixtures/generate';
import { dice, type Dice } from '../fixtures/random';
import { age, countingStamp, linesOf } from '../fixtures/writes';
import { agree, compareContexts, readBoth } from './compareWithPi';
import { loadPiManager } from './piManager';

const SESSIONS = 24;

describe('The real pi opens what we write into generated sessions', function () {
  this.timeout(120_000);
  const folder = testFolder();

  /** Opens a copy with pi and with our reader, compares both, and returns the properties by which a change is judged. */
  const seen = async (path: string): Promise<Seen> => {
    await agree(folder.path, path);
    assert.equal(
      await readFile(join(folder.path, 'theirs.jsonl'), 'utf8'),
      await readFile(path, 'utf8'),
      'pi left the file as we wrote it',
    );
    return stateOf(await readSession(path));
  };

  const everySession = async (
    versions: readonly number[],
    work: (path: string, random: Dice, count: number) => Promise<void>,
  ): Promise<void> => {
    let count = 0;
    for (let seed = 1000; seed < 1000 + SESSIONS; seed++) {
      const { version, builder, count: entries } = generateSession(seed);
      if (!versions.includes(version)) continue;
      count++;
      const path = await age(await folder.write(`${String(seed)}.jsonl`, builder.text()));
      try {
        await work(path, dice(seed), entries);
      } catch (error) {
        throw new Error(`seed ${String(seed)}`, { cause: error });
      }
    }
    assert.ok(count > 0);
  };

  it('labels, names, branches with and without a summary, one after the other', async () => {
    await everySession([3], async (path, random) => {
      const writer = createWriter(countingStamp());
      for (let step = 0; step < 2; step++) {
        const before = await stateOf(await readSession(path));
        const change = changeOf(before.session, random);
        const { entryId, session } = await writer.submit(path, change);
        const after = await seen(path);
        assert.equal(after.leafId, entryId);
        assert.equal(session.leafId, entryId);
        assert.deepEqual(after, await meant(before, change, after));
      }
    });
  });

  it('forks at an entry, before it, and of the active branch', async () => {
    await everySession([1, 2, 3], async (path, random) => {
      const writer = createWriter();
      const source = await readSession(path);
      const head = random.one(source.entries);
      for (const request of [{}, { entryId: head.id, position: 'at' }, { entryId: head.id }] as const) {
        const fork = await seen((await writer.forkSession(path, request)).path);
        const place = !('entryId' in request) ? source.leafId : 'position' in request ? head.id : branchPoint(source, head);
        assert.deepEqual(fork.messages, await messagesAt(source, place));
        const kept = new Set(fork.session.entries.map(({ id }) => id));
        assert.deepEqual(fork.labels, Object.fromEntries([...source.labels].filter(([id]) => kept.has(id))));
        assert.equal(fork.session.header.parentSession, path);
        assert.equal(fork.session.version, 3);
      }
    });
  });

  it('forks into another project, with all branches', async () => {
    await everySession([1, 2, 3], async (path) => {
      const source = await stateOf(await readSession(path));
      const fork = await seen((await createWriter().forkSession(path, { targetCwd: '/work/other' })).path);
      assert.deepEqual({ ...fork, session: undefined }, { ...source, session: undefined });
      assert.deepEqual(
        fork.session.entries.map(({ id, parentId }) => [id, parentId]),
        source.session.entries.map(({ id, parentId }) => [id, parentId]),
      );
      assert.equal(fork.session.header.cwd, '/work/other');
    });
  });

  it("forks that are pi's own, line by line", async () => {
    const manager = await loadPiManager();
    await everySession([3], async (path, random) => {
      const { id } = random.one((await readSession(path)).entries);
      const copy = join(folder.path, 'theirs.jsonl');
      await copyFile(path, copy);
      const theirs = manager.open(copy);
      theirs.createBranchedSession(id);
      const { path: ours } = await createWriter().forkSession(path, { entryId: id, position: 'at' });
      const [{ parentSession, ...header }, ...lines] = (await linesOf(ours)) as [Line, ...Line[]];
      assert.deepEqual(withoutNewIds(lines), withoutNewIds(plain(theirs.getEntries()) as unknown as Line[]));
      assert.deepEqual({ ...header, id: '', timestamp: '' }, { ...withoutParent(theirs.getHeader()!), id: '', timestamp: '' });
      assert.equal(parentSession, path);
      const whole = manager.forkFrom(copy, '/work/other', join(folder.path, 'there'));
      const [, ...all] = (await linesOf((await createWriter().forkSession(path, { targetCwd: '/work/other' })).path)) as [Line, ...Line[]];
      assert.deepEqual(all, plain(whole.getEntries()));
    });
  });

  it('migrations of versions 1 and 2', async () => {
    await everySession([1, 2], async (path) => {
      const before = await stateOf(await readSession(path));
      await compareContexts(await readBoth(folder.path, await readFile(path, 'utf8')));
      await createWriter().migrate(path);
      const after = await seen(path);
      assert.deepEqual({ ...after, session: undefined }, { ...before, session: undefined });
      assert.deepEqual(
        after.session.entries.map(({ text, id }) => [id, text]),
        before.session.entries.map(({ text, id }) => [id, text]),
      );
      assert.equal(after.session.version, 3);
    });
  });

  it('version 1 keeps the initial settings, the kept entries of compactions, and the parent session', async () => {
    const source = await readFile(join('test', 'fixtures', 'dialects', 'pi-version-1.jsonl'), 'utf8');
    const path = await age(await folder.write('v1.jsonl', source));
    const before = await readSession(path);
    const contexts = (read: Session): Promise<unknown[]> =>
      Promise.all([null, ...read.entries.map(({ id }) => id)].map((id) => buildSessionContext(read, id)));
    const contextsBefore = await contexts(before);
    const { path: migrated, backupPath } = await createWriter().migrate(path);
    assert.equal(await readFile(backupPath, 'utf8'), source);
    const after = await readSession(migrated);
    assert.deepEqual([before.version, after.version], [1, 3]);
    assert.deepEqual(await contexts(after), contextsBefore);
    const heads = ({ entries }: Session) => entries.map(({ id, parentId, text }) => [id, parentId, text]);
    assert.deepEqual(heads(after), heads(before));
    const { parentSession, ...rest } = after.header;
    assert.deepEqual({ ...rest, version: undefined }, { ...before.header, version: undefined });
    assert.equal(parentSession, before.header.parentSession ?? before.header.branchedFrom);
    // pi itself doesn't use the initial settings.
    const { theirs } = await readBoth(folder.path, await readFile(migrated, 'utf8'));
    assert.deepEqual(plain(theirs.buildSessionContext().messages), await messagesAt(after, after.leafId));
    const header = theirs.getHeader();
    for (const key of ['provider', 'modelId', 'thinkingLevel', 'branchedFrom'] as const) assert.equal(header?.[key], before.header[key]);
  });

  it("new sessions, by the documents' SessionManager", async () => {
    for (let seed = 0; seed < 3; seed++) {
      const random = dice(seed);
      const manager = SessionManager.create('/work/demo', join(folder.path, String(seed)), { stamp: countingStamp() });
      const ids = [await manager.appendMessage({ role: 'user', content: `question ${String(seed)}`, timestamp: 1 })];
      for (let step = 0; step < 15; step++) ids.push(await append(manager, random, ids));
      const after = await seen(manager.getSessionFile()!);
      assert.deepEqual([after.leafId, after.name], [manager.getLeafId(), manager.getSessionName()]);
      assert.deepEqual(after.messages, plain(manager.buildSessionContext().messages));
    }
  });
});

interface Seen {
  readonly session: Session;
  readonly leafId: string | null;
  readonly name: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** The messages at the leaf. */
  readonly messages: readonly Message[];
}

async function stateOf(session: Session): Promise<Seen> {
  return {
    session,
    leafId: session.leafId,
    name: session.name,
    labels: Object.fromEntries(session.labels),
    messages: await messagesAt(session, session.leafId),
  };
}

async function messagesAt(session: Session, id: string | null): Promise<readonly Message[]> {
  return plain((await buildSessionContext(session, id)).messages);
}

type Line = Readonly<Record<string, unknown>>;

/** A fork writes its labels as new lines. */
function withoutNewIds(lines: readonly Line[]): Line[] {
  const places = new Map(lines.map(({ id, type }, place) => [id, type === 'label' ? `label ${String(place)}` : id]));
  return lines.map((line) => ({
    ...line,
    id: places.get(line['id']),
    parentId: line['parentId'] === null ? null : places.get(line['parentId']),
  }));
}

const withoutParent = (header: Line): Line => Object.fromEntries(Object.entries(header).filter(([key]) => key !== 'parentSession'));

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function changeOf(session: Session, random: Dice): Parameters<Writer['submit']>[1] {
  const entryId = random.one(session.entries).id;
  return random.one<Change>([
    { kind: 'label', entryId, label: random.one(['new', ' two\nlines ', '']) },
    { kind: 'rename', name: random.one(['Other', '']) },
    { kind: 'branch', entryId },
    { kind: 'branch', entryId, summary: 'left for a reason' },
  ]);
}

/** Returns the state that a change should lead to, from the state before it. */
async function meant(before: Seen, change: Change, { session, leafId }: Seen): Promise<Seen> {
  const same = { ...before, session, leafId };
  switch (change.kind) {
    case 'label': {
      const label = change.label.replace('\n', ' ').trim();
      const others = Object.fromEntries(Object.entries(before.labels).filter(([id]) => id !== change.entryId));
      return { ...same, labels: label === '' ? others : { ...before.labels, [change.entryId]: label } };
    }
    case 'rename':
      return { ...same, name: change.name || undefined };
    case 'branch': {
      const messages = await messagesAt(before.session, branchPoint(before.session, before.session.byId.get(change.entryId)!));
      const timestamp = session.byId.get(leafId!)!.time;
      const summary = { role: 'branchSummary', summary: change.summary ?? '', fromId: before.leafId ?? 'root', timestamp } as const;
      return { ...same, messages: change.summary ? [...messages, summary] : messages };
    }
    case 'append':
      return same;
  }
}

/** Appends one more entry of any kind, at the leaf or from an earlier entry. */
function append(manager: SessionManager, random: Dice, ids: readonly string[]): Promise<string> {
  const some = random.one(ids);
  if (random.once(4)) manager.branch(some);
  if (random.once(20)) manager.resetLeaf();
  const appends: readonly (() => Promise<string>)[] = [
    () => manager.appendMessage({ role: 'user', content: 'more', timestamp: 2 }),
    () =>
      manager.appendMessage({
        role: 'assistant',
        content: [{ type: 'text', text: 'yes' }],
        provider: 'p',
        model: 'm',
        stopReason: 'stop',
        timestamp: 3,
      }),
    () =>
      manager.appendMessage({
        role: 'system',
        content: 'rules',
        sections: { a: 'b' },
        toolsAdded: [{ name: 'read', description: '', parameters: {} }],
        timestamp: 4,
      }),
    () => manager.appendModelChange('p', 'm'),
    () => manager.appendThinkingLevelChange('high'),
    () => manager.appendCompaction('sum', some, 7, { d: 1 }, true),
    () => manager.appendCustomEntry('t', { n: 1 }),
    () => manager.appendCustomMessageEntry('t', 'words', false),
    () => manager.appendSessionInfo(random.one(['Name', ''])),
    () => manager.appendLabelChange(some, random.one(['label', undefined])),
    () => manager.branchWithSummary(random.one([some, null]), 'left', { d: 1 }),
  ];
  return random.one(appends)();
}
