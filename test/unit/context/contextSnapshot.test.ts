import * as assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { firstDifference, nearestGroupIndex, groupIndexOf, messageCount, readContext, readMessages } from '../../../src/context/host/snapshot/contextSnapshot';
import { buildSessionContext, followSession, readSession } from '../../../src/core/index';
import { session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

const SESSIONS: Readonly<Record<string, () => SessionBuilder>> = {
  'an ordinary one': () => session().user('a').tool('read', { path: 'x' }).tool('bash', { command: 'y' }).assistant('b').bash('z').custom('c').label('e0000001', 'l'),
  'a compacted one': () => session().user('a').assistant('b').user('c', { id: 'kept' }).assistant('d').compaction('s', 'kept').user('e').assistant('f'),
  'one whose compaction brings messages': () =>
    session().user('a').compaction('s', 'none', { systemMessage: { role: 'system', content: 'sys' }, retainedTail: [{ role: 'user', content: 'tail' }, { role: 'assistant', content: [] }] }).user('b'),
  'an edited one': () => session().user('a', { id: 'a' }).assistant('b', { id: 'b' }).user('c').contextEdit('a', 'other').contextEdit('b', null).customMessage('m', 'x').branchSummary('y'),
  'one of oh-my-pi with failed answers': () =>
    session({ title: 'omp' }).user('a').assistant([{ type: 'toolCall', id: 'x', name: 'bash', arguments: {} }], { message: { stopReason: 'aborted' } })
      .message({ role: 'toolResult', toolCallId: 'x', toolName: 'bash', content: [] }).user('b').tool('read', {}).assistant('c'),
  'one of oh-my-pi that was reset': () => session({ title: 'omp' }).user('a').assistant('b').entry('reset_boundary').user('c').assistant('d'),
  'an empty one': () => session(),
};

describe('the context as the view reads it', () => {
  const folder = testFolder();

  for (const [name, build] of Object.entries(SESSIONS)) {
    it(`is the one that the core builds: ${name}`, async () => {
      const opened = await readSession(await folder.write('s.jsonl', build().text()));
      const reading = await readContext(opened);
      const { messages, sources } = await buildSessionContext(opened);
      assert.equal(messageCount(reading), messages.length);
      assert.deepEqual(reading.slots.filter(({ isEntryRow: thin }) => !thin).map(({ entryId, role }) => [entryId, role]), sources.map((source, index) => [source, messages[index]!.role]));
      assert.deepEqual((await readMessages(reading, reading.groups)).flat().map(({ message }) => message), messages);
    });
  }

  it('is read in slices, between which others have their turn, and is given up when nobody wants it', async function () {
    this.timeout(60_000);
    const built = session();
    for (let turn = 0; turn < 20_000; turn++) built.user('a').assistant('b');
    const long = await readSession(await folder.write('long.jsonl', built.text()));
    const turns = { count: 0 };
    const counting = setInterval(() => turns.count++);
    const reading = await readContext(long).finally(() => clearInterval(counting));
    assert.equal(messageCount(reading), 40_000);
    assert.ok(turns.count > 0);
    const reason = new Error('not wanted');
    for (const work of [(signal: AbortSignal) => readContext(long, undefined, 'model', signal), (signal: AbortSignal) => buildSessionContext(long, undefined, { signal })]) {
      await assert.rejects(work(AbortSignal.abort(reason)), reason);
      const controller = new AbortController();
      const begun = work(controller.signal);
      controller.abort(reason);
      await assert.rejects(begun, reason);
    }
  });

  it('knows from where on it is another', async () => {
    const builder = session().user('a', { id: 'a' }).tool('read', { path: 'x' }).user('b');
    const path = await folder.write('s.jsonl', builder.text());
    const first = await readContext(await readSession(path));
    const grow = async (before: typeof first, add: (to: SessionBuilder) => unknown): Promise<typeof first> => {
      const lines = builder.lines().length;
      add(builder);
      await appendFile(path, builder.lines().slice(lines).map((line) => `${line}\n`).join(''));
      return readContext(await followSession(before.session));
    };
    assert.equal(firstDifference(first, first), 3);
    const more = await grow(first, (to) => to.assistant('c'));
    assert.deepEqual([firstDifference(first, more), more.groups.length], [3, 4]);
    const labeled = await grow(more, (to) => to.label('a', 'start'));
    assert.deepEqual([firstDifference(more, labeled), labeled.groups.length], [0, 4]);
    const result = await grow(labeled, (to) => to.message({ role: 'toolResult', toolCallId: 'q', content: [] }));
    assert.deepEqual([firstDifference(labeled, result), result.groups.length], [3, 4]);
  });

  it('is the whole branch in the transcript, each entry once, with what became of it', async () => {
    const builder = SESSIONS['a compacted one']!().contextEdit('kept', 'other').label('kept', 'here');
    const opened = await readSession(await folder.write('s.jsonl', builder.text()));
    const model = await readContext(opened);
    const all = await readContext(opened, undefined, 'transcript');
    assert.deepEqual(all.slots.map(({ entryId }) => entryId), opened.entries.map(({ id }) => id));
    assert.deepEqual(all.slots.map(({ contextStatus: fate, isEntryRow: thin }) => `${thin ? '-' : ''}${fate}`), ['compacted', 'compacted', 'edited', 'in', '-in', 'in', 'in', '-state', '-state']);
    assert.equal(messageCount(all), messageCount(model));
    // The file's text in the one, what the model gets in the other.
    const text = async (reading: typeof all): Promise<unknown> => (await readMessages(reading, [reading.groups[groupIndexOf(reading, 'kept')!]!]))[0]![0]!.message['content'];
    assert.deepEqual([await text(all), await text(model)], ['c', 'other']);
  });

  it('finds in each view the place of the other', async () => {
    const builder = session().user('a', { id: 'a' }).user('b', { id: 'b' }).custom('x', {}, { id: 'x' }).compaction('s', 'b', { id: 's' }).tool('read', { path: 'p' }).custom('y', {}, { id: 'y' });
    const opened = await readSession(await folder.write('s.jsonl', builder.text()));
    const model = await readContext(opened);
    const near = (id: string): string | undefined => model.groups[nearestGroupIndex(model, id) ?? -1]?.key;
    assert.deepEqual(['a', 'b', 'x', 's', 'y', 'nowhere'].map(near), ['s', 'b', 'b', 's', 'e0000006', undefined].map((key) => (key === 'e0000006' ? opened.entries[4]!.id : key)));
    assert.equal(groupIndexOf(model, 'a'), undefined);
    const result = opened.entries[5]!.id;
    assert.equal(model.groups[groupIndexOf(model, result)!]!.key, opened.entries[4]!.id);
  });

  it('stands at any entry, and not at one that is not there', async () => {
    const opened = await readSession(await folder.write('s.jsonl', session().user('a', { id: 'a' }).assistant('b').text()));
    assert.equal((await readContext(opened, 'a')).slots.length, 1);
    await assert.rejects(readContext(opened, 'x'), { code: 'unknown-entry' });
  });
});
