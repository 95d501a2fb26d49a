/**
 * Opens what we write with pi's own SessionManager: the leaf, the labels, the name and the context must be the intended
 * ones. Works on copies, because opening may write.
 */
import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSessionContext } from '../../src/core/files/read/buildSessionContext';
import { readSession } from '../../src/core/files/read/sessionFile';
import { SessionManager } from '../../src/core/files/api/sessionManager';
import { createWriter } from '../../src/core/files/write/sessionWriter';
import type { Session } from '../../src/core/format/session/session';
import { pathTo } from '../../src/core/format/session/treeTraversal';
import { entryId, session } from '../fixtures/build';
import { testFolder } from '../fixtures/folder';
import { age, linesOf } from '../fixtures/writes';
import { loadPiManager, type PiManagers } from './piManager';

/** A session with everything: two branches, labels, a compaction, a name. */
const tree = () =>
  session()
    .model('p', 'm')
    .user('one')
    .label(entryId(2), 'start')
    .assistant('first')
    .user('two')
    .assistant('second')
    .compaction('what was', entryId(3))
    .user('three')
    .name('A name')
    .branchFrom(entryId(4))
    .user('other')
    .assistant('third')
    .label(entryId(4), 'fork here');

describe('conformance: pi opens what we write', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let pi: PiManagers;
  before(async () => {
    pi = await loadPiManager();
  });

  /** Opens a copy with pi, returns its view of the session, and asserts that it changed nothing. */
  const asPi = async (path: string) => {
    const copy = join(folder.path, 'copy.jsonl');
    await copyFile(path, copy);
    const manager = pi.open(copy);
    assert.equal(await readFile(copy, 'utf8'), await readFile(path, 'utf8'), 'pi left the file as we wrote it');
    const labels = manager.getEntries().flatMap((entry) => {
      const label = manager.getLabel(entry.id);
      return label === undefined ? [] : [[entry.id, label]];
    });
    const { messages, model, thinkingLevel } = manager.buildSessionContext();
    return {
      leafId: manager.getLeafId(),
      branch: manager.getBranch().map((entry) => entry.id),
      labels: Object.fromEntries(labels) as Record<string, string>,
      name: manager.getSessionName(),
      context: { messages: JSON.parse(JSON.stringify(messages)) as unknown, model, thinkingLevel },
      header: manager.getHeader() as Record<string, unknown>,
    };
  };
  const asUs = async (path: string) => {
    const read = await readSession(path);
    const { messages, model, thinkingLevel } = await buildSessionContext(read);
    assert.deepEqual(read.problems, []);
    return {
      leafId: read.leafId,
      branch: pathTo(read, read.leafId).map((head) => head.id),
      labels: Object.fromEntries([...read.labels].filter(([id]) => read.byId.has(id))),
      name: read.name,
      context: { messages: JSON.parse(JSON.stringify(messages)) as unknown, model, thinkingLevel },
      header: read.header,
    };
  };
  /** Asserts that pi and our reader agree. */
  const agreed = async (path: string) => {
    const ours = await asUs(path);
    assert.deepEqual(await asPi(path), ours);
    return ours;
  };
  const source = async () => age(await folder.write('a.jsonl', tree().text()));

  it("labels and names keep the leaf's branch", async () => {
    const path = await source();
    const writer = createWriter();
    const { leafId } = await readSession(path);
    const label = await writer.submit(path, { kind: 'label', entryId: entryId(6), label: 'new' });
    await writer.submit(path, { kind: 'label', entryId: entryId(2), label: '' });
    const name = await writer.submit(path, { kind: 'rename', name: 'Other' });
    const seen = await agreed(path);
    assert.deepEqual([seen.leafId, seen.name, seen.labels], [name.entryId, 'Other', { [entryId(6)]: 'new', [entryId(4)]: 'fork here' }]);
    assert.equal(seen.branch[seen.branch.indexOf(label.entryId) - 1], leafId);
  });

  it('branches open where they were made', async () => {
    const path = await source();
    const writer = createWriter();
    for (const [change, parent] of [
      [{ kind: 'branch', entryId: entryId(6) }, entryId(6)],
      [{ kind: 'branch', entryId: entryId(5), summary: 'left it' }, entryId(4)],
      [{ kind: 'branch', entryId: entryId(2) }, entryId(1)],
    ] as const) {
      const { entryId: id } = await writer.submit(path, change);
      const seen = await agreed(path);
      assert.deepEqual(seen.branch.slice(-2), [parent, id]);
    }
  });

  it('forks have the path, the labels that apply and the context', async () => {
    const path = await source();
    for (const id of [undefined, entryId(6), entryId(7), entryId(8), entryId(10), entryId(2)]) {
      const fork = await createWriter().forkSession(path, id === undefined ? {} : { entryId: id });
      const seen = await agreed(fork.path);
      assert.equal(seen.header.parentSession, path);
    }
    const whole = await createWriter().forkSession(path, { targetCwd: '/work/other' });
    const seen = await agreed(whole.path);
    assert.deepEqual([seen.header.cwd, seen.branch, seen.context], ['/work/other', (await asUs(path)).branch, (await asUs(path)).context]);
  });

  it('forks at an entry are those of pi itself', async () => {
    const path = await source();
    for (const id of [entryId(7), entryId(8), entryId(11)]) {
      const ours = (await createWriter().forkSession(path, { entryId: id, position: 'at' })).path;
      const copy = join(folder.path, 'theirs.jsonl');
      await copyFile(path, copy);
      const theirs = pi.open(copy).createBranchedSession(id)!;
      const entries = async (file: string) => {
        const ids = new Map<string, string>();
        const lines = (await linesOf(file)).slice(1) as { id: string; parentId: string | null; type: string }[];
        // Both give new ids to label lines.
        for (const { id, type } of lines) ids.set(id, type === 'label' ? `label${ids.size}` : id);
        return lines.map((line) => ({ ...line, id: ids.get(line.id), parentId: line.parentId === null ? null : ids.get(line.parentId) }));
      };
      assert.deepEqual(await entries(ours), await entries(theirs));
    }
  });

  it("migrations mean the same as pi's own", async () => {
    const none = { id: undefined, parentId: undefined as never };
    const old = session({ version: undefined })
      .user('a', none)
      .assistant('b', none)
      .message({ role: 'hookMessage', customType: 'h', content: 'x', display: true }, none)
      .entry('compaction', { ...none, summary: 's', tokensBefore: 5, firstKeptEntryIndex: 2 })
      .user('c', none);
    const path = await age(await folder.write('v1.jsonl', old.text()));
    await migratedAlike(path);
  });

  /** pi migrates a copy, and we migrate the file. The ids differ; everything else must be the same. */
  const migratedAlike = async (path: string): Promise<void> => {
    const theirs = join(folder.path, 'theirs.jsonl');
    await copyFile(path, theirs);
    const { messages } = pi.open(theirs).buildSessionContext();
    const before = await asUs(path);
    await createWriter().migrate(path);
    const after = await agreed(path);
    assert.deepEqual([after.branch, after.context], [before.branch, before.context]);
    assert.deepEqual(after.context.messages, JSON.parse(JSON.stringify(messages)));
  };

  /** Asserts that a migration keeps the initial settings, the kept entries of compactions, and the parent session. */
  const keepsItsMeaning = async (source: string): Promise<void> => {
    const path = await age(await folder.write('v1.jsonl', await readFile(source)));
    const before = await readSession(path);
    const { header } = before;
    const contexts = async (read: Session): Promise<unknown[]> =>
      Promise.all(
        [null, ...read.entries.filter((_, index) => index % Math.ceil(read.entries.length / 25) === 0).map(({ id }) => id)].map((id) =>
          buildSessionContext(read, id),
        ),
      );
    const contextsBefore = await contexts(before);
    const { path: migrated, backupPath } = await createWriter().migrate(path);
    assert.deepEqual(await readFile(backupPath), await readFile(source));
    const after = await readSession(migrated);
    assert.deepEqual([before.version, after.version], [1, 3]);
    assert.deepEqual(await contexts(after), contextsBefore);
    assert.deepEqual(
      after.entries.map(({ id, parentId, text }) => [id, parentId, text]),
      before.entries.map(({ id, parentId, text }) => [id, parentId, text]),
    );
    const { parentSession, ...rest } = after.header;
    assert.deepEqual({ ...rest, version: undefined }, { ...header, version: undefined });
    assert.equal(parentSession, header.parentSession ?? header.branchedFrom);
    const seen = await asPi(migrated);
    assert.deepEqual(seen.context.messages, JSON.parse(JSON.stringify((await buildSessionContext(after)).messages)));
    assert.deepEqual(
      [seen.header['provider'], seen.header['modelId'], seen.header['thinkingLevel'], seen.header['branchedFrom']],
      [header.provider, header.modelId, header.thinkingLevel, header.branchedFrom],
    );
  };

  it('version 1 migrates and keeps its meaning', async () => {
    await keepsItsMeaning(join('test', 'fixtures', 'dialects', 'pi-version-1.jsonl'));
  });

  it('a new session, written by our SessionManager', async () => {
    const manager = SessionManager.create('/work/demo', folder.path);
    await manager.appendModelChange('p', 'm');
    await manager.appendThinkingLevelChange('high');
    const promptId = await manager.appendMessage({ role: 'user', content: 'hello', timestamp: 1 });
    await manager.appendMessage({
      role: 'assistant',
      content: [{ type: 'text', text: 'hi' }],
      provider: 'q',
      model: 'n',
      stopReason: 'stop',
      timestamp: 2,
    });
    await manager.appendCustomMessageEntry('t', 'more', true);
    await manager.appendLabelChange(promptId, 'label');
    await manager.appendCompaction('sum', promptId, 7);
    await manager.branchWithSummary(promptId, 'left');
    await manager.appendSessionInfo('Name');
    const seen = await agreed(manager.getSessionFile()!);
    assert.deepEqual(seen.context.messages, JSON.parse(JSON.stringify(manager.buildSessionContext().messages)));
    assert.deepEqual([seen.leafId, seen.name, seen.labels], [manager.getLeafId(), 'Name', { [promptId]: 'label' }]);
  });

  it("our SessionManager answers as pi's does", async () => {
    const path = await source();
    const ours = await SessionManager.open(path);
    const theirs = pi.open(path);
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    assert.deepEqual(plain(ours.getEntries()), plain(theirs.getEntries()));
    assert.deepEqual(plain(ours.getBranch(entryId(8))), plain(theirs.getBranch(entryId(8))));
    assert.deepEqual(plain(ours.getChildren(entryId(4))), plain(theirs.getChildren(entryId(4))));
    assert.deepEqual(plain(ours.getTree()), plain(theirs.getTree()));
    assert.deepEqual(plain(ours.getHeader()), plain(theirs.getHeader()));
    const infos = [await SessionManager.list('/work/demo', folder.path), await pi.list('/work/demo', folder.path)];
    assert.deepEqual(plain(infos[0]), plain(infos[1]));
  });
});
