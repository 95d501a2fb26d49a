import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PendingChanges, DeferrableChange } from '../../../src/core/files/history/pendingChanges';
import { readSession } from '../../../src/core/files/read/sessionFile';
import type { Writes } from '../../../src/core/files/history/writes';
import { isTimeOrderedId, timeOrderedId } from '../../../src/core/files/storage/privateStorage';
import { entryId, session } from '../../fixtures/build';
import { endsBefore, openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age, linesOf, refuses } from '../../fixtures/writes';

const talk = () => session().user('one').assistant('first').user('two').assistant('second');
const line = (id: string, parentId: string | null, given: object = {}) =>
  `${JSON.stringify({ type: 'message', id, parentId, timestamp: '2026-02-01T00:00:00Z', message: { role: 'user', content: 'more' }, ...given })}\n`;
const label = (text: string, n = 1): DeferrableChange => ({ kind: 'label', entryId: entryId(n), label: text });

describe('Pending changes', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let storage: string;
  let project: string;
  let path: string;
  let writes: Writes;
  let queue: PendingChanges;

  const write = async (text: string, name = 'a.jsonl') => age(await folder.write(`project/${name}`, text));
  const settle = () => queue.settle(path, writes.writer);
  const others = async (...lines: string[]) => {
    await appendFile(path, lines.join(''));
    await age(path);
  };
  const waiting = async (of?: string) => (await queue.list(of)).map(({ change }) => change);

  beforeEach(async () => {
    storage = join(folder.path, 'storage');
    project = join(folder.path, 'project');
    await mkdir(project);
    path = await write(talk().text());
    writes = await openWindow(storage, folder.path);
    queue = writes.queue;
  });

  it("wait while another program uses the session, and are written in order when it's free", async () => {
    const lock = join(project, '.a.jsonl.lock');
    await writeFile(lock, `${String(process.ppid)}:${String(Date.now())}\n`);
    const submissions: DeferrableChange[] = [label('x'), { kind: 'rename', name: 'n' }, { kind: 'branch', entryId: entryId(2) }];
    for (const change of submissions) await queue.enqueue(path, change);
    const live = await settle();
    assert.deepEqual([live.written, live.waiting.map(({ change }) => change)], [[], submissions]);
    assert.equal((await linesOf(path)).length, 5);
    await others(line('m1', entryId(4)));
    await unlink(lock);
    const { written, waiting: left } = await settle();
    assert.deepEqual([written.map(({ item }) => item.change), left, await queue.list()], [submissions, [], []]);
    const read = await readSession(path);
    assert.deepEqual(
      [read.labels.get(entryId(1)), read.name, read.leafId, read.byId.get(read.leafId!)?.parentId],
      ['x', 'n', written[2]?.entryId, entryId(2)],
    );
    assert.deepEqual(await settle(), { written: [], waiting: [] });
  });

  it('are visible to all windows, also later', async () => {
    const item = await queue.enqueue(path, label('x'));
    const other = (await openWindow(storage, folder.path)).queue;
    assert.deepEqual(await other.list(path), [item]);
    assert.deepEqual([item.path, item.change], [path, label('x')]);
    assert.deepEqual(await other.list(join(project, 'other.jsonl')), []);
    assert.deepEqual([await other.drop(item.id), await other.drop(item.id), await queue.list()], [true, false, []]);
  });

  it('have ids in the order in which they were made, within a millisecond too', () => {
    const ids = Array.from({ length: 10_000 }, () => timeOrderedId(5));
    assert.deepEqual(ids, [...new Set(ids)].sort());
    assert.ok([...ids, timeOrderedId(), timeOrderedId(0)].every(isTimeOrderedId));
  });

  it('are replaced by later changes of the same target', async () => {
    for (const change of [label('x'), label('other', 2), label('y')]) await queue.enqueue(path, change);
    assert.deepEqual(await waiting(path), [label('other', 2), label('y')]);
  });

  it('are refused if they could never be written', async () => {
    await refuses(project, 'unknown-entry', () => queue.enqueue(path, label('x', 9)));
    await refuses(project, 'not-found', () => queue.enqueue(join(project, 'none.jsonl'), label('x')));
    const old = await write(session({ version: 2 }).user('a').text(), 'old.jsonl');
    await refuses(project, 'version', () => queue.enqueue(old, label('x')));
    await others('{"type":"mess');
    await queue.enqueue(path, label('x'));
    assert.deepEqual([(await settle()).written, (await queue.list())[0]?.stuck], [[], undefined]);
  });

  it('stay with the reason if they lost their target, and the others are written', async () => {
    for (const change of [
      label('x'),
      { kind: 'branch', entryId: entryId(2) } as const,
      { kind: 'rename', name: 'n' } as const,
      label('gone', 4),
    ])
      await queue.enqueue(path, change);
    // Another program labels the entry, moves to another branch, and the last entry is gone.
    const text = session().user('one').assistant('first').user('two').branchFrom(null).text();
    await writeFile(path, text + line('l1', entryId(1), { type: 'label', targetId: entryId(1), label: 'theirs', message: undefined }));
    await age(path);
    const { written, waiting: left } = await settle();
    assert.deepEqual(
      written.map(({ item }) => item.change),
      [{ kind: 'rename', name: 'n' }],
    );
    assert.deepEqual(
      left.map(({ stuck }) => stuck?.code),
      ['invalid', 'invalid', 'unknown-entry'],
    );
    assert.match(left[0]!.stuck!.template, /label was changed/);
    assert.match(left[1]!.stuck!.template, /another branch/);
    assert.deepEqual((await settle()).written, []);
    assert.equal((await queue.list()).length, 3);
    assert.equal(await queue.drop(left[0]!.id), true);
  });

  it('can be undone like every write', async () => {
    await queue.enqueue(path, label('x'));
    await settle();
    await writes.undo();
    assert.equal((await readSession(path)).labels.size, 0);
  });

  it('are readable by this user only, and are removed when old', async () => {
    await queue.enqueue(path, label('x'));
    const names = (await readdir(join(storage, 'queue'))).filter((name) => name.endsWith('.waiting'));
    assert.equal(names.length, 1);
    assert.equal((await stat(join(storage, 'queue', names[0]!))).mode & 0o777, 0o600);
    assert.equal((await stat(join(storage, 'queue'))).mode & 0o777, 0o700);
    assert.deepEqual([await queue.prune(60_000), (await queue.prune(-1000)).length, await queue.list()], [[], 1, []]);
  });

  it('are written once, by whichever process is first', async () => {
    const submissions = Array.from({ length: 4 }, (_, n) => label(`l${String(n)}`, n + 1));
    for (const change of submissions) await queue.enqueue(path, change);
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [join(__dirname, '../../fixtures/doomed.js'), '0', 'settle', storage, folder.path, path], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    );
    const ends = await Promise.all(children.map((child) => once(child, 'exit')));
    assert.deepEqual(
      ends.map(([code]) => code as number),
      [0, 0, 0],
    );
    const lines = await linesOf(path);
    assert.deepEqual(
      lines.slice(5).map((written) => written['label']),
      ['l0', 'l1', 'l2', 'l3'],
    );
    assert.deepEqual(await queue.list(), []);
  });

  it('are searched for in the file if a process was killed before it recorded their write', async () => {
    for (const change of [label('x'), label(''), { kind: 'rename', name: 'n' }, { kind: 'branch', entryId: entryId(2) }] as const) {
      for (const written of [true, false]) {
        await write(talk().label(entryId(1), 'before').text());
        await writes.writer.own(path);
        const { id } = await queue.enqueue(path, change);
        if (written) await writes.writer.submit(path, change);
        await rename(join(storage, 'queue', `${id}.waiting`), join(storage, 'queue', `${id}.begun`));
        assert.equal((await settle()).written.length, 1);
        assert.deepEqual([(await linesOf(path)).length, await queue.list()], [7, []], `${change.kind} ${String(written)}`);
      }
    }
  });

  it('can be dropped if a killed process began them, also for a session outside the roots', async () => {
    const { id } = await queue.enqueue(path, label('x'));
    await rename(join(storage, 'queue', `${id}.waiting`), join(storage, 'queue', `${id}.begun`));
    const other = (await openWindow(storage, join(folder.path, 'elsewhere'))).queue;
    assert.equal((await other.settle(path, writes.writer)).waiting[0]?.stuck?.code, 'invalid');
    assert.deepEqual([await other.drop(id), await other.drop(id), await other.list()], [true, false, []]);
  });

  it('are written once even if a process is killed at any step', async () => {
    for (let n = 1, ended = false; !ended; n++) {
      await write(talk().text());
      await writes.writer.own(path);
      await queue.enqueue(path, { kind: 'branch', entryId: entryId(2), summary: 's' });
      ended = await endsBefore(n, 'settle', storage, folder.path, path);
      await age(path);
      await settle();
      const read = await readSession(path);
      assert.deepEqual([read.entries.length, read.problems, await queue.list()], [5, [], []], `killed at ${String(n)}`);
      assert.ok(n < 100);
    }
  });
});
