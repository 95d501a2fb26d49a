import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import { firstDifference } from '../../../src/context/snapshot/compareSnapshots';
import { nearestGroupIndex, groupIndexOf } from '../../../src/context/snapshot/snapshotPositions';
import { messageCount, readContext, readMessages } from '../../../src/context/snapshot/contextSnapshot';
import { buildSessionContext, followSession, readSession } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

const SESSIONS: Readonly<Record<string, () => SessionBuilder>> = {
  'an ordinary one': () =>
    session()
      .user('a')
      .tool('read', { path: 'x' })
      .tool('bash', { command: 'y' })
      .assistant('b')
      .bash('z')
      .custom('c')
      .label('e0000001', 'l'),
  'a compacted one': () =>
    session().user('a').assistant('b').user('c', { id: 'kept' }).assistant('d').compaction('s', 'kept').user('e').assistant('f'),
  'one whose compaction brings messages': () =>
    session()
      .user('a')
      .compaction('s', 'none', {
        systemMessage: { role: 'system', content: 'sys' },
        retainedTail: [
          { role: 'user', content: 'tail' },
          { role: 'assistant', content: [] },
        ],
      })
      .user('b'),
  'an edited one': () =>
    session()
      .user('a', { id: 'a' })
      .assistant('b', { id: 'b' })
      .user('c')
      .contextEdit('a', 'other')
      .contextEdit('b', null)
      .customMessage('m', 'x')
      .branchSummary('y'),
  'one whose compaction, which brings messages, was edited': () =>
    session()
      .user('a')
      .compaction('s', 'none', { id: 'c', retainedTail: [{ role: 'user', content: 'tail' }] })
      .user('b')
      .contextEdit('c', 'other'),
  'one of oh-my-pi with failed answers': () =>
    session({ title: 'omp' })
      .user('a')
      .assistant([{ type: 'toolCall', id: 'x', name: 'bash', arguments: {} }], { message: { stopReason: 'aborted' } })
      .message({ role: 'toolResult', toolCallId: 'x', toolName: 'bash', content: [] })
      .user('b')
      .tool('read', {})
      .assistant('c'),
  'one of oh-my-pi that was reset': () =>
    session({ title: 'omp' }).user('a').assistant('b').entry('reset_boundary').user('c').assistant('d'),
  'an empty one': () => session(),
};

describe('readFileContext', () => {
  const folder = testFolder();

  for (const [name, build] of Object.entries(SESSIONS)) {
    it(`matches the context that the core builds: ${name}`, async () => {
      const opened = await readSession(await folder.write('s.jsonl', build().text()));
      const snapshot = await readFileContext(opened);
      const { messages, sources } = await buildSessionContext(opened);
      assert.equal(messageCount(snapshot), messages.length);
      assert.deepEqual(
        snapshot.slots.filter(({ isEntryRow }) => !isEntryRow).map(({ entryId, role }) => [entryId, role]),
        sources.map((source, index) => [source, messages[index]!.role]),
      );
      assert.deepEqual(
        (await readMessages(snapshot, snapshot.groups)).flat().map(({ message }) => message),
        messages,
      );
    });
  }

  it('has hundreds of thousands of messages of one compaction', async function () {
    this.timeout(60_000);
    const count = 200_000;
    const retainedTail = Array<unknown>(count).fill({ role: 'user', content: 'a' });
    const built = session().user('a').compaction('s', 'none', { retainedTail });
    const snapshot = await readFileContext(await readSession(await folder.write('tail.jsonl', built.text())));
    assert.equal(messageCount(snapshot), count + 1);
  });

  it('yields to the event loop, and stops when aborted', async function () {
    this.timeout(60_000);
    const built = session();
    for (let turn = 0; turn < 20_000; turn++) built.user('a').assistant('b');
    const long = await readSession(await folder.write('long.jsonl', built.text()));
    const turns = { count: 0 };
    const counting = setInterval(() => turns.count++);
    const snapshot = await readFileContext(long).finally(() => clearInterval(counting));
    assert.equal(messageCount(snapshot), 40_000);
    assert.ok(turns.count > 0);
    const reason = new Error('not wanted');
    for (const work of [
      (signal: AbortSignal) => readFileContext(long, undefined, 'model', signal),
      (signal: AbortSignal) => buildSessionContext(long, undefined, { signal }),
    ]) {
      await assert.rejects(work(AbortSignal.abort(reason)), reason);
      const controller = new AbortController();
      const begun = work(controller.signal);
      controller.abort(reason);
      await assert.rejects(begun, reason);
    }
  });

  it('may yield every 500 entries while it makes the plan, statuses, slots, groups and the cost', async () => {
    const yieldsOf = async (turns: number, view: 'model' | 'transcript'): Promise<number> => {
      const builder = session();
      for (let turn = 0; turn < turns; turn++) builder.user('a').assistant('b');
      const opened = await readSession(await folder.write('long.jsonl', builder.text()));
      const { source } = await readFileContext(opened);
      let yields = 0;
      const yielder = {
        yieldIfDue: () => {
          yields++;
          return Promise.resolve();
        },
      };
      await readContext(opened, { ...source, yielder: () => yielder }, undefined, view);
      return yields;
    };
    // Steps, statuses, the slots of the model and of the transcript, groups and the cost.
    assert.equal((await yieldsOf(1000, 'model')) - (await yieldsOf(250, 'model')), 5 * 3);
    assert.equal((await yieldsOf(1000, 'transcript')) - (await yieldsOf(250, 'transcript')), 6 * 3);
  });

  it('finds the first group that differs', async () => {
    const builder = session().user('a', { id: 'a' }).tool('read', { path: 'x' }).user('b');
    const path = await folder.write('s.jsonl', builder.text());
    const first = await readFileContext(await readSession(path));
    const grow = async (before: typeof first, add: (to: SessionBuilder) => unknown): Promise<typeof first> => {
      const lines = builder.lines().length;
      add(builder);
      await appendFile(
        path,
        builder
          .lines()
          .slice(lines)
          .map((line) => `${line}\n`)
          .join(''),
      );
      return readFileContext(await followSession(before.session));
    };
    assert.equal(firstDifference(first, first), 3);
    const more = await grow(first, (to) => to.assistant('c'));
    assert.deepEqual([firstDifference(first, more), more.groups.length], [3, 4]);
    const labeled = await grow(more, (to) => to.label('a', 'start'));
    assert.deepEqual([firstDifference(more, labeled), labeled.groups.length], [0, 4]);
    const result = await grow(labeled, (to) => to.message({ role: 'toolResult', toolCallId: 'q', content: [] }));
    assert.deepEqual([firstDifference(labeled, result), result.groups.length], [3, 4]);
  });

  it('shows each entry of the branch once in the transcript, with its status', async () => {
    const builder = SESSIONS['a compacted one']!().contextEdit('kept', 'other').label('kept', 'here');
    const opened = await readSession(await folder.write('s.jsonl', builder.text()));
    const model = await readFileContext(opened);
    const all = await readFileContext(opened, undefined, 'transcript');
    assert.deepEqual(
      all.slots.map(({ entryId }) => entryId),
      opened.entries.map(({ id }) => id),
    );
    assert.deepEqual(
      all.slots.map(({ contextStatus, isEntryRow }) => `${isEntryRow ? '-' : ''}${contextStatus}`),
      ['compacted', 'compacted', 'edited', 'in', '-in', 'in', 'in', '-state', '-state'],
    );
    assert.equal(messageCount(all), messageCount(model));
    // The transcript shows the file's text, the model view the edited one.
    const text = async (snapshot: typeof all): Promise<unknown> =>
      (await readMessages(snapshot, [snapshot.groups[groupIndexOf(snapshot, 'kept')!]!]))[0]![0]!.message['content'];
    assert.deepEqual([await text(all), await text(model)], ['c', 'other']);
  });

  it('finds the nearest group of an entry that the view doesn’t show', async () => {
    const builder = session()
      .user('a', { id: 'a' })
      .user('b', { id: 'b' })
      .custom('x', {}, { id: 'x' })
      .compaction('s', 'b', { id: 's' })
      .tool('read', { path: 'p' })
      .custom('y', {}, { id: 'y' });
    const opened = await readSession(await folder.write('s.jsonl', builder.text()));
    const model = await readFileContext(opened);
    const nearest = (id: string): string | undefined => model.groups[nearestGroupIndex(model, id) ?? -1]?.key;
    assert.deepEqual(
      ['a', 'b', 'x', 's', 'y', 'nowhere'].map(nearest),
      ['s', 'b', 'b', 's', 'e0000006', undefined].map((key) => (key === 'e0000006' ? opened.entries[4]!.id : key)),
    );
    assert.equal(groupIndexOf(model, 'a'), undefined);
    const result = opened.entries[5]!.id;
    assert.equal(model.groups[groupIndexOf(model, result)!]!.key, opened.entries[4]!.id);
  });

  it('reads the context at any entry, and rejects an unknown one', async () => {
    const opened = await readSession(await folder.write('s.jsonl', session().user('a', { id: 'a' }).assistant('b').text()));
    assert.equal((await readFileContext(opened, 'a')).slots.length, 1);
    await assert.rejects(readFileContext(opened, 'x'), { code: 'unknown-entry' });
  });
});
