import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readSession } from '../../../src/core/index';
import { buildEntryRows } from '../../../src/context/articles/entryRows';
import type * as publisherModule from '../../../src/context/host/branches/branchGraphPublisher';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import { buildHeader } from '../../../src/context/snapshot/pageHeader';
import type { BranchGraph, ViewMode } from '../../../src/context/shared/protocol';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { read } from '../../fixtures/read';
import { until } from '../../fixtures/until';

const { api } = fakeEditor();

describe('The branch graph', () => {
  const { BranchGraphPublisher } = loadWithVscode(
    join(__dirname, '../../../src/context/host/branches/branchGraphPublisher.js'),
    api,
  ) as typeof publisherModule;
  let posted: BranchGraph[];
  let publisher: publisherModule.BranchGraphPublisher;
  let drawn: Promise<void>;
  beforeEach(() => {
    posted = [];
    drawn = Promise.resolve();
    publisher = new BranchGraphPublisher({ post: (graph) => void posted.push(graph), whenDrawn: () => drawn });
  });
  afterEach(() => publisher.reset());

  /** Two branches after the first message; the session continues on the second. */
  const branched = () => read(session().user('a').assistant('b').branchFrom(entryId(1)).assistant('c').user('d'));

  it('names the leaf, the ends of other branches and the forks', async () => {
    const found = branched();
    publisher.show(found, found.leafId);
    await until(() => posted.length > 0);
    const rows = posted[0]!.rows.map(({ kind, id, name, isCurrent }) => [kind, id, name, isCurrent]);
    assert.deepEqual(rows, [
      ['fork', entryId(1), 'fork, a', false],
      ['tip', entryId(2), 'branch, b', false],
      ['leaf', entryId(4), 'current leaf, d', true],
    ]);
  });

  it('says at which entry the files are, which has a row of its own', async () => {
    const found = read(session().user('a').assistant('b').user('c').assistant('d'));
    publisher.show(found, found.leafId, entryId(2));
    await until(() => posted.length > 0);
    const row = posted[0]!.rows.find(({ id }) => id === entryId(2));
    assert.deepEqual([row?.name, row?.filesHere], ['entry, b, files are here', 'files are here']);
    assert.match(row?.details ?? '', /Files were restored to this point/);
    publisher.show(found, found.leafId);
    await until(() => posted.length > 1);
    assert.deepEqual(
      posted[1]!.rows.map(({ id, filesHere }) => [id, filesHere]),
      [
        [entryId(1), undefined],
        [entryId(4), undefined],
      ],
    );
  });

  it('folds archived branches under a row that shows them on request', async () => {
    const archived = (targetId: string) => ({ targetId, archived: true });
    const built = session().user('a').assistant('b').branchFrom(entryId(1)).assistant('c').branchFrom(entryId(1)).user('d');
    const found = read(
      built
        .entry('archive', archived(entryId(2)))
        .entry('archive', archived(entryId(3)))
        .user('e'),
    );
    publisher.show(found, found.leafId);
    await until(() => posted.length > 0);
    const shown = (graph: BranchGraph): unknown[] => graph.rows.map(({ kind, text, startIds }) => [kind, text, startIds]);
    assert.deepEqual(shown(posted[0]!), [
      ['fork', 'a', undefined],
      ['more', '2 archived branches', [entryId(3), entryId(2)]],
      ['leaf', 'e', undefined],
    ]);
    assert.match(posted[0]!.rows[1]!.details, /archived in oh-my-pi/);
    assert.equal(posted[0]!.branchCount, 1);
    publisher.unfold([entryId(3)]);
    await until(() => posted.length > 1);
    assert.deepEqual(
      shown(posted[1]!).map((row) => (row as unknown[])[1]),
      ['a', '1 archived branch', 'c', 'e'],
    );
  });

  it('has the roles of messages in the language of the editor', async () => {
    const { t } = api.l10n;
    api.l10n.t = (text, ...args) => (text === 'assistant' ? 'Assistent' : t(text, ...args));
    try {
      const found = branched();
      publisher.show(found, found.leafId);
      await until(() => posted.length > 0);
    } finally {
      api.l10n.t = t;
    }
    assert.match(posted[0]!.rows[1]!.details, /^Assistent: b\n/);
  });

  it('sums up a branch: turns, and the cost in cents if there is any', async () => {
    const free = { message: { usage: undefined } };
    const cheap = { message: { usage: { input: 1, output: 1, cost: { total: 0.004 } } } };
    const built = session().user('a').assistant('b', free).branchFrom(entryId(1)).assistant('x', cheap);
    const found = read(built.branchFrom(entryId(1)).assistant('c').user('d'));
    publisher.show(found, found.leafId);
    await until(() => posted.length > 0);
    const summaries = posted[0]!.rows.flatMap(({ kind, summary }) => (summary === undefined ? [] : [[kind, summary]]));
    assert.deepEqual(summaries, [
      ['tip', '0 turns'],
      ['tip', '0 turns · <$0.01'],
      ['leaf', '2 turns · $0.04'],
    ]);
  });

  it('is posted again only if the session or the place in it is another', async () => {
    const found = branched();
    publisher.show(found, found.leafId);
    await until(() => posted.length === 1);
    publisher.show(found, found.leafId);
    publisher.show(found, entryId(2));
    await until(() => posted.length === 2);
    publisher.show(branched(), entryId(2));
    await until(() => posted.length === 3);
    assert.deepEqual(
      posted.map(({ rows }) => rows.find(({ isCurrent }) => isCurrent)?.id),
      [entryId(4), entryId(2), entryId(2)],
    );
    publisher.show(found, entryId(2));
    publisher.show(found, entryId(2));
    await until(() => posted.length === 4);
  });

  it('is built when the messages are drawn, for the place where the session is then', async () => {
    const found = branched();
    let draw = (): void => undefined;
    const asked = new Promise<void>((ask) => {
      const waits = new Promise<void>((resolve) => (draw = resolve));
      publisher = new BranchGraphPublisher({ post: (graph) => void posted.push(graph), whenDrawn: () => (ask(), waits) });
    });
    publisher.show(found, found.leafId);
    await asked;
    publisher.show(found, entryId(2));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(posted.length, 0);
    draw();
    await until(() => posted.length > 0);
    assert.deepEqual(
      posted.map(({ rows }) => rows.find(({ isCurrent }) => isCurrent)?.id),
      [entryId(2)],
    );
  });

  it('is posted to a new page, too, also if the last one went before it was', async () => {
    const found = branched();
    publisher.show(found, found.leafId);
    publisher.reset();
    publisher.show(found, found.leafId);
    await until(() => posted.length === 1);
    publisher.reset();
    publisher.show(found, found.leafId);
    await until(() => posted.length === 2);
  });
});

describe('The context view’s texts', () => {
  const folder = testFolder();

  it('name the first three problems of a file, and count the others', async () => {
    const problemsOf = async (bad: number): Promise<string | undefined> => {
      const path = await folder.write('s.jsonl', session().user('a').text() + '{"type":\n'.repeat(bad));
      return buildHeader(await readFileContext(await readSession(path)), undefined).problems;
    };
    assert.equal(await problemsOf(0), undefined);
    const three = (await problemsOf(3)) ?? '';
    assert.match(three, /^Problems in the file: /);
    assert.doesNotMatch(three, /more/);
    assert.match((await problemsOf(10)) ?? '', / And 7 more\.$/);
  });

  it('name the newer branch of a session that will resume on an older one, unless an entry was chosen', async () => {
    const lines = session().user('1').assistant('2').user('newer').branchFrom(entryId(2)).name('n');
    const opened = await readSession(await folder.write('s.jsonl', lines.text()));
    const atLeaf = buildHeader(await readFileContext(opened), undefined).problems;
    assert.match(atLeaf ?? '', /^This session will resume on an older branch\. .* It ends at “.*newer”\.$/);
    assert.equal(buildHeader(await readFileContext(opened, entryId(1)), entryId(1)).problems, undefined);
  });

  it('count messages that the model sees among those of the branch, without summaries', async () => {
    const messagesOf = async (lines: SessionBuilder, view: ViewMode): Promise<string | undefined> => {
      const opened = await readSession(await folder.write('s.jsonl', lines.text()));
      return buildHeader(await readFileContext(opened, undefined, view), undefined).fields.find(({ name }) => name === 'Messages')?.value;
    };
    const summarized = (): SessionBuilder => session().user('a').branchSummary('The other one.').user('b');
    assert.equal(await messagesOf(summarized(), 'model'), '3');
    assert.equal(await messagesOf(summarized(), 'transcript'), '2 of 2');
    assert.equal(await messagesOf(summarized().compaction('All.', entryId(3)).user('c'), 'transcript'), '2 of 3');
  });

  it('say how many tokens a compaction left behind', async () => {
    const rowOf = async (tokensBefore: number): Promise<string | undefined> => {
      const lines = session().user('a').user('b').compaction('The sum.', entryId(2), { tokensBefore }).user('c');
      const opened = await readSession(await folder.write('s.jsonl', lines.text()));
      const snapshot = await readFileContext(opened, undefined, 'transcript');
      const built = await buildEntryRows(
        snapshot,
        snapshot.slots.filter(({ isEntryRow }) => isEntryRow === true),
      );
      return built[0]?.article.row?.text;
    };
    assert.equal(await rowOf(12345), 'Compacted; the context had 12,345 tokens');
    assert.equal(await rowOf(0), 'Compacted');
  });

  it('clean the long text of a summary in steps', async () => {
    const lines = session().user('a').compaction('\u202e'.repeat(100_000), entryId(1)).user('c');
    const snapshot = await readFileContext(await readSession(await folder.write('s.jsonl', lines.text())), undefined, 'transcript');
    let steps = 0;
    const yielder = { yieldIfDue: () => Promise.resolve(void steps++) };
    const slots = snapshot.slots.filter(({ isEntryRow }) => isEntryRow === true);
    await buildEntryRows({ ...snapshot, source: { ...snapshot.source, yielder: () => yielder } }, slots);
    assert.ok(steps >= 8, `${String(steps)} steps`);
  });
});
