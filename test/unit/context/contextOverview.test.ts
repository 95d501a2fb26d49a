import * as assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { ContextUsageCache } from '../../../src/context/host/snapshot/contextOverview';
import { readContext } from '../../../src/context/host/snapshot/contextSnapshot';
import { followSession, readSession } from '../../../src/core/index';
import { entryId, session, type Given, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

const usage = (totalTokens: number): Given => ({ message: { usage: { input: totalTokens - 100, output: 100, cacheRead: 0, cacheWrite: 0, totalTokens, cost: { total: 1 } } } });
const always = (): boolean => true;

describe('a context as a whole', () => {
  const folder = testFolder();
  const read = async (builder: SessionBuilder): ReturnType<typeof readContext> => readContext(await readSession(await folder.write('s.jsonl', builder.text())));
  const parts = async (count: ContextUsageCache, reading: Awaited<ReturnType<typeof read>>): Promise<unknown> => {
    const overview = await count.overview(reading, always);
    return overview && [overview.contextUsage.total, overview.contextUsage.isRecorded, ...overview.contextUsage.parts.map(({ kind, tokens }) => `${kind} ${tokens}`)];
  };

  it('is what each message has, calibrated by what answers recorded', async () => {
    const reading = await read(session().user('x'.repeat(400)).assistant('y'.repeat(400), usage(1200)).user('z'.repeat(4000)).assistant('w'.repeat(1200), usage(4000)));
    // 1,000 before the messages; 6,000 characters are 3,000 tokens then.
    assert.deepEqual(await parts(new ContextUsageCache(), reading), [4000, true, 'prompt 1000', 'user 2200', 'assistant 800']);
  });

  it('is counted again only where it is another: after an edit, after more came', async () => {
    const builder = session().user('x'.repeat(400), { id: 'long' }).assistant('y'.repeat(40));
    const path = await folder.write('s.jsonl', builder.text());
    const count = new ContextUsageCache();
    const first = await readContext(await readSession(path));
    assert.deepEqual(await parts(count, first), await parts(new ContextUsageCache(), first));
    const lines = builder.lines().length;
    await appendFile(path, `${builder.contextEdit('long', 'short').user('more').lines().slice(lines).join('\n')}\n`);
    const edited = await readContext(await followSession(first.session));
    assert.deepEqual(await parts(count, edited), await parts(new ContextUsageCache(), edited));
    assert.deepEqual(count.largest(edited.session).map(({ tokens }) => tokens), [10, 1, 1]);
  });

  it('names the largest messages, of all kinds and of one', async () => {
    const reading = await read(session().user('x'.repeat(40)).tool('read', { path: 'p' }, 'r'.repeat(400)).tool('bash', { command: 'c' }, 'b'.repeat(800)).assistant([{ type: 'thinking', thinking: 't'.repeat(80) }]).contextEdit(entryId(1), null));
    const count = new ContextUsageCache();
    assert.deepEqual(count.largest(reading.session), []);
    await count.overview(reading, always);
    assert.deepEqual(count.largest(reading.session).slice(0, 3).map(({ entryId: id, tokens, text }) => [id, tokens, text]), [[entryId(5), 200, '[bash: c]'], [entryId(3), 100, '[read: p]'], [entryId(6), 20, 'assistant: (no content)']]);
    assert.deepEqual(count.largest(reading.session, 'result', 'read').map(({ tokens }) => tokens), [100]);
    assert.deepEqual(count.largest(reading.session, 'image'), []);
  });

  it('shows no tool’s name as it may dress up', async () => {
    const count = new ContextUsageCache();
    const reading = await read(session().tool('re\u202ead\n', {}, 'r'.repeat(4000)).tool('x'.repeat(500), {}, 'm'.repeat(4000)));
    const overview = await count.overview(reading, always);
    const tools = overview?.contextUsage.parts.flatMap(({ tool }) => tool ?? []) ?? [];
    assert.deepEqual(tools.map((tool) => [tool.slice(0, 10), tool.length]).sort(), [['re⟦RLO⟧ad', 9], ['xxxxxxxxxx', 60]]);
    assert.equal(count.largest(reading.session, 'result', tools[0]).length, 1);
  });

  it('has totals of the session, the branch, and what only the branch has, and how it grew', async () => {
    const builder = session().user('a', { id: 'a' }).assistant('b', usage(200)).branchFrom('a').assistant('c', usage(300)).compaction('s', 'none').assistant('d', usage(150));
    const overview = await new ContextUsageCache().overview(await read(builder), always);
    assert.deepEqual(overview?.totals.map(({ cost }) => cost), [3, 2, 2]);
    assert.deepEqual(overview.growth, { points: [[entryId(3), 1, 300], [entryId(5), 3, 150]], cuts: [[entryId(4), 2]], length: 4 });
  });

  it('of an empty session is nothing, and of many messages is given up when nobody wants it', async () => {
    assert.deepEqual(await new ContextUsageCache().overview(await read(session()), always), { contextUsage: { total: 0, isRecorded: false, parts: [] }, growth: { points: [], cuts: [], length: 0 }, totals: [{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 }] });
    const builder = session();
    for (let i = 0; i < 300; i++) builder.user(`message ${i}`);
    let asked = 0;
    assert.equal(await new ContextUsageCache().overview(await read(builder), () => ++asked < 3), undefined);
    assert.equal(asked, 3);
  });
});
