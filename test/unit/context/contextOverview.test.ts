import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { embeddedLocalization } from '../../../src/context/page/embedded/embeddedLocalization';
import { setLocalization } from '../../../src/context/shared/localization';
import { ContextOverview } from '../../../src/context/snapshot/contextOverview';
import { buildHeader } from '../../../src/context/snapshot/pageHeader';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import { followSession, readSession } from '../../../src/core/index';
import { entryId, session, type Given, type SessionBuilder } from '../../fixtures/build';
import { MODEL_WINDOWS } from '../../../src/core/format/context/modelWindows';
import { testFolder } from '../../fixtures/folder';

const usage = (totalTokens: number): Given => ({
  message: { usage: { input: totalTokens - 100, output: 100, cacheRead: 0, cacheWrite: 0, totalTokens, cost: { total: 1 } } },
});
const always = (): boolean => true;

describe('Overview of a context', () => {
  const folder = testFolder();
  const read = async (builder: SessionBuilder): ReturnType<typeof readFileContext> =>
    readFileContext(await readSession(await folder.write('s.jsonl', builder.text())));
  const parts = async (cache: ContextOverview, snapshot: Awaited<ReturnType<typeof read>>): Promise<unknown> => {
    const overview = await cache.overview(snapshot, always);
    return (
      overview && [
        overview.contextUsage.total,
        overview.contextUsage.isRecorded,
        ...overview.contextUsage.parts.map(({ kind, tokens }) => `${kind} ${tokens}`),
      ]
    );
  };

  it('sums up the messages, calibrated by the recorded tokens', async () => {
    const snapshot = await read(
      session()
        .user('x'.repeat(400))
        .assistant('y'.repeat(400), usage(1200))
        .user('z'.repeat(4000))
        .assistant('w'.repeat(1200), usage(4000)),
    );
    // The prompt has 1,000 tokens; 6,000 characters are 3,000 tokens.
    assert.deepEqual(await parts(new ContextOverview(MODEL_WINDOWS), snapshot), [4000, true, 'prompt 1000', 'user 2200', 'assistant 800']);
  });

  it('may yield every 500 entries while it adds up the totals', async () => {
    const yieldsOf = async (turns: number): Promise<number> => {
      const builder = session();
      for (let turn = 0; turn < turns; turn++) builder.user('a').assistant('b');
      const snapshot = await read(builder);
      let yields = 0;
      const yielder = {
        yieldIfDue: () => {
          yields++;
          return Promise.resolve();
        },
      };
      await new ContextOverview(MODEL_WINDOWS).overview({ ...snapshot, source: { ...snapshot.source, yielder: () => yielder } }, always);
      return yields;
    };
    // The heads, the messages, their shares, and the totals of the session and the branch.
    assert.equal((await yieldsOf(1000)) - (await yieldsOf(250)), 5 * 3);
  });

  it('counts only changed entries again, after an edit and after an append', async () => {
    const builder = session().user('x'.repeat(400), { id: 'long' }).assistant('y'.repeat(40));
    const path = await folder.write('s.jsonl', builder.text());
    const cache = new ContextOverview(MODEL_WINDOWS);
    const first = await readFileContext(await readSession(path));
    assert.deepEqual(await parts(cache, first), await parts(new ContextOverview(MODEL_WINDOWS), first));
    const lines = builder.lines().length;
    await appendFile(path, `${builder.contextEdit('long', 'short').user('more').lines().slice(lines).join('\n')}\n`);
    const edited = await readFileContext(await followSession(first.session));
    assert.deepEqual(await parts(cache, edited), await parts(new ContextOverview(MODEL_WINDOWS), edited));
    assert.deepEqual(
      cache.largest(edited.session).map(({ tokens }) => tokens),
      [10, 1, 1],
    );
  });

  it('counts entries again if their file was rewritten, also those in the same places', async () => {
    const cache = new ContextOverview(MODEL_WINDOWS);
    await parts(cache, await read(session().user('a').assistant('b').user('short')));
    const rewritten = await read(session().user('a').assistant('b').user('x'.repeat(4000)));
    assert.deepEqual(await parts(cache, rewritten), await parts(new ContextOverview(MODEL_WINDOWS), rewritten));
  });

  it('counts an image by its size and the model, whatever the text’s scale', async () => {
    const header = Buffer.alloc(64);
    header.writeUInt32BE(0x89504e47, 0);
    header.writeUInt32BE(750, 16);
    header.writeUInt32BE(100, 20);
    const picture = [{ type: 'image', mimeType: 'image/png', data: header.toString('base64') }];
    const messages = (provider: string, modelId: string): SessionBuilder =>
      session()
        .model(provider, modelId)
        .user('x'.repeat(400))
        .user(picture)
        .assistant('y'.repeat(400), { message: { ...(usage(1200).message as object), provider, model: modelId } });
    const cache = new ContextOverview(MODEL_WINDOWS);
    const claude = await read(messages('anthropic', 'claude-opus-4-5'));
    assert.deepEqual(await parts(cache, claude), [1200, true, 'prompt 900', 'user 100', 'assistant 100', 'image 100']);
    assert.deepEqual(
      cache.largest(claude.session).map(({ tokens }) => tokens),
      [100, 100, 100],
    );
    assert.equal((await cache.overview(claude, always))?.contextUsage.window, 200_000);
    const other = await read(messages('x', 'y'));
    assert.match(String(await parts(cache, other)), /image (?!100$)/);
    assert.equal((await cache.overview(other, always))?.contextUsage.window, undefined);
  });

  it('names a message without text by the tools that it called', async () => {
    const snapshot = await read(session().user('Go').tool('bash', { command: 'npm test' }, 'ok').assistant('**Done**'));
    const cache = new ContextOverview(MODEL_WINDOWS);
    await cache.overview(snapshot, always);
    const texts = cache.largest(snapshot.session, 'call').map(({ text }) => text);
    assert.deepEqual(texts, ['[bash: npm test]']);
    assert.deepEqual(
      cache.largest(snapshot.session, 'assistant').map(({ text }) => text),
      ['assistant: Done'],
    );
  });

  it('has the roles of messages in the reader’s language, as the header of the page does', async () => {
    const snapshot = await read(session().user('a').assistant('b').user('c'));
    const earlier = await readFileContext(snapshot.session, entryId(2));
    setLocalization(embeddedLocalization({ language: 'de', translations: { user: 'Benutzer', assistant: 'Assistent' } }));
    try {
      const cache = new ContextOverview(MODEL_WINDOWS);
      await cache.overview(snapshot, always);
      const texts = cache.largest(snapshot.session).map(({ text }) => text);
      assert.deepEqual(texts.sort(), ['Assistent: b', 'Benutzer: a', 'Benutzer: c']);
      assert.equal(buildHeader(earlier, entryId(2)).location, 'At Assistent: b');
    } finally {
      setLocalization(embeddedLocalization({}));
    }
  });

  it('lists the largest messages, of all kinds and of one', async () => {
    const snapshot = await read(
      session()
        .user('x'.repeat(40))
        .tool('read', { path: 'p' }, 'r'.repeat(400))
        .tool('bash', { command: 'c' }, 'b'.repeat(800))
        .assistant([{ type: 'thinking', thinking: 't'.repeat(80) }])
        .contextEdit(entryId(1), null),
    );
    const cache = new ContextOverview(MODEL_WINDOWS);
    assert.deepEqual(cache.largest(snapshot.session), []);
    await cache.overview(snapshot, always);
    assert.deepEqual(
      cache
        .largest(snapshot.session)
        .slice(0, 3)
        .map(({ entryId: id, tokens, text }) => [id, tokens, text]),
      [
        [entryId(5), 200, '[bash: c]'],
        [entryId(3), 100, '[read: p]'],
        [entryId(6), 20, 'assistant: (no content)'],
      ],
    );
    assert.deepEqual(
      cache.largest(snapshot.session, 'result', 'read').map(({ tokens }) => tokens),
      [100],
    );
    assert.deepEqual(cache.largest(snapshot.session, 'image'), []);
  });

  it('sanitizes and truncates tool names', async () => {
    const cache = new ContextOverview(MODEL_WINDOWS);
    const snapshot = await read(session().tool('re\u202ead\n', {}, 'r'.repeat(4000)).tool('x'.repeat(500), {}, 'm'.repeat(4000)));
    const overview = await cache.overview(snapshot, always);
    const tools = overview?.contextUsage.parts.flatMap(({ tool }) => tool ?? []) ?? [];
    assert.deepEqual(tools.map((tool) => [tool.slice(0, 10), tool.length]).sort(), [
      ['re⟦RLO⟧ad', 9],
      ['xxxxxxxxxx', 60],
    ]);
    assert.equal(cache.largest(snapshot.session, 'result', tools[0]).length, 1);
  });

  it('has the growth, and totals of the session, the branch and the entries that only the branch has', async () => {
    const builder = session()
      .user('a', { id: 'a' })
      .assistant('b', usage(200))
      .branchFrom('a')
      .assistant('c', usage(300))
      .compaction('s', 'none')
      .assistant('d', usage(150));
    const overview = await new ContextOverview(MODEL_WINDOWS).overview(await read(builder), always);
    assert.deepEqual(
      overview?.totals.map(({ cost }) => cost),
      [3, 2, 2],
    );
    assert.deepEqual(overview.growth, {
      points: [
        [entryId(3), 1, 300],
        [entryId(5), 3, 150],
      ],
      cuts: [[entryId(4), 2]],
      length: 4,
    });
  });

  it('is empty for an empty session, and stops when it is no longer needed', async () => {
    assert.deepEqual(await new ContextOverview(MODEL_WINDOWS).overview(await read(session()), always), {
      contextUsage: { total: 0, isRecorded: false, parts: [] },
      growth: { points: [], cuts: [], length: 0 },
      totals: [{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 }],
    });
    const builder = session();
    for (let i = 0; i < 300; i++) builder.user(`message ${i}`);
    let calls = 0;
    assert.equal(await new ContextOverview(MODEL_WINDOWS).overview(await read(builder), () => ++calls < 3), undefined);
    assert.equal(calls, 3);
  });
});
