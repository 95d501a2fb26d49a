import assert from 'node:assert/strict';
import { appendFile, chmod, mkdir, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSession } from '../../../src/core/files/read/sessionFile';
import type { Writes } from '../../../src/core/files/history/writes';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { SessionError, type SessionErrorCode } from '../../../src/core/format/entry/problem';
import { BRANCH_MARK } from '../../../src/core/format/session/treeTraversal';
import { entryId, session } from '../../fixtures/build';
import { endsBefore, openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age, linesOf, refuses } from '../../fixtures/writes';

const talk = () => session().user('one').assistant('first').user('two').assistant('second');
const v1 = () => session({ version: 1 }).user('one').assistant('first');
const line = (id: string, parentId: string | null, given: object = {}) =>
  `${JSON.stringify({ type: 'message', id, parentId, timestamp: '2026-02-01T00:00:00Z', message: { role: 'user', content: 'more' }, ...given })}\n`;

describe('undo', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let project: string;
  let path: string;
  let writes: Writes;

  const write = async (text: string) => age(await folder.write('project/a.jsonl', text));
  /** Appends lines of another program, and makes the file old enough not to count as growing. */
  const others = async (...lines: string[]) => {
    await appendFile(path, lines.join(''));
    await age(path);
  };
  const fails = async (code: SessionErrorCode, work: () => Promise<unknown>): Promise<string> => refuses(project, code, work);

  beforeEach(async () => {
    project = join(folder.path, 'project');
    await mkdir(project);
    path = await write(talk().text());
    writes = await openWindow(join(folder.path, 'storage'), folder.path);
  });

  it('undoes labels one after the other, and shortens nothing', async () => {
    const texts = [talk().text()];
    for (const label of ['x', 'y', '']) {
      await writes.writer.submit(path, { kind: 'label', entryId: entryId(1), label });
      texts.push(await readFile(path, 'utf8'));
    }
    const seen: (string | undefined)[] = [];
    for (let n = 0; n < 3; n++) {
      const undone = await writes.undo();
      assert.deepEqual([undone.did, undone.path], ['inverse', path]);
      const text = await readFile(path, 'utf8');
      assert.ok(text.startsWith(texts.at(-1)!) && text.length > texts.at(-1)!.length);
      texts.push(text);
      const read = await readSession(path);
      seen.push(read.labels.get(entryId(1)));
      assert.equal(read.entries.at(-1)?.parentId, read.entries.at(-2)?.id);
    }
    assert.deepEqual(seen, ['y', 'x', undefined]);
    assert.match(await fails('invalid', () => writes.undo()), /nothing to undo/);
  });

  it('records sizes, and the undone change', async () => {
    const before = (await stat(path)).size;
    await writes.writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    const next = await writes.nextUndo();
    assert.deepEqual(next?.kind === 'label' && [next.sizeBefore, next.sizeAfter, next.from, next.to], [
      before,
      (await stat(path)).size,
      '',
      'x',
    ]);
    await writes.undo();
    assert.equal(await writes.nextUndo(), undefined);
  });

  it('undoes names, also the first one', async () => {
    await writes.writer.submit(path, { kind: 'rename', name: 'a' });
    await writes.writer.submit(path, { kind: 'rename', name: 'b' });
    await writes.undo();
    assert.equal((await readSession(path)).name, 'a');
    await writes.undo();
    assert.equal((await readSession(path)).name, undefined);
  });

  it('undoes the name in a title slot', async () => {
    await write(titleSlotLine({ title: 'old', source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z' }) + talk().text());
    await writes.writer.submit(path, { kind: 'rename', name: 'new' });
    await writes.undo();
    const read = await readSession(path);
    assert.deepEqual([read.name, read.entries.slice(-2).map((head) => head.type)], ['old', ['title_change', 'title_change']]);
  });

  it('restores the leaf with a line of this extension', async () => {
    await writes.writer.submit(path, { kind: 'branch', entryId: entryId(2), summary: 'left' });
    await writes.undo();
    const read = await readSession(path);
    const leaf = read.byId.get(read.leafId!);
    assert.deepEqual([leaf?.parentId, leaf?.customType, read.entries.at(-1)?.id], [entryId(4), BRANCH_MARK, leaf?.id]);
  });

  it('applies after lines that other programs appended', async () => {
    await writes.writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    const label = (await linesOf(path)).at(-1)?.['id'] as string;
    await others(line('m1', label), line('m2', 'm1'));
    await writes.undo();
    const read = await readSession(path);
    assert.deepEqual([read.labels.size, read.byId.get(read.leafId!)?.parentId], [0, 'm2']);
  });

  it('keeps values that were changed since, reports that once, and continues with the write before', async () => {
    await writes.writer.submit(path, { kind: 'rename', name: 'a' });
    await writes.writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    const label = (await linesOf(path)).at(-1)?.['id'] as string;
    await others(line('l1', label, { type: 'label', targetId: entryId(1), label: 'theirs', message: undefined }));
    assert.match(await fails('changed', () => writes.undo()), /theirs/);
    await writes.undo();
    const read = await readSession(path);
    assert.deepEqual([read.labels.get(entryId(1)), read.name], ['theirs', undefined]);
  });

  it('writes nothing if the former value is already restored', async () => {
    await writes.writer.submit(path, { kind: 'branch', entryId: entryId(2) });
    // A program that didn't notice the branch continues at the old leaf.
    await others(line('m1', entryId(4)));
    const text = await readFile(path, 'utf8');
    assert.equal((await writes.undo()).did, 'inverse');
    assert.equal(await readFile(path, 'utf8'), text);
    assert.equal((await readSession(path)).leafId, 'm1');
  });

  it('restores the newest entry of the old branch', async () => {
    const { entryId: mark } = await writes.writer.submit(path, { kind: 'branch', entryId: entryId(2) });
    await others(line('m1', entryId(4)), line('n1', mark));
    await writes.undo();
    const read = await readSession(path);
    assert.equal(read.byId.get(read.leafId!)?.parentId, 'm1');
  });

  it('removes nothing that was said after a branch at the leaf', async () => {
    for (const [summary, more, place] of [
      ['', false, undefined],
      ['left', false, entryId(4)],
      ['left', true, undefined],
    ] as const) {
      await write(talk().text());
      await writes.writer.own(path);
      const { entryId: branch } = await writes.writer.submit(path, { kind: 'branch', entryId: entryId(4), summary });
      if (more) await others(line('m1', branch));
      const before = await readSession(path);
      await writes.undo();
      const read = await readSession(path);
      assert.equal(place === undefined ? read.leafId : read.byId.get(read.leafId!)?.parentId, place ?? before.leafId);
    }
  });

  it('keeps a branch when the session moved to a third one', async () => {
    await writes.writer.submit(path, { kind: 'branch', entryId: entryId(2) });
    await others(line('m1', null));
    await fails('changed', () => writes.undo());
  });

  it('is guarded, and can be retried', async () => {
    await writes.writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    await writeFile(join(project, '.a.jsonl.lock'), `${String(process.ppid)}:${String(Date.now())}\n`);
    await fails('live', () => writes.undo());
    await fails('live', () => writes.undo({ force: true }));
    await unlink(join(project, '.a.jsonl.lock'));
    assert.equal((await writes.undo()).did, 'inverse');
  });

  it("undoes a fork while it's unchanged", async () => {
    const fork = await writes.writer.forkSession(path);
    assert.deepEqual([(await stat(fork.path)).size, (await writes.undo()).did], [fork.written.size, 'file']);
    assert.deepEqual((await readdir(project)).sort(), ['a.jsonl']);
    const [item] = await writes.trash.list();
    assert.equal(item?.path, fork.path);
    assert.equal(await writes.nextUndo(), undefined);
  });

  it('keeps a fork that was continued, or changed without growing', async () => {
    for (const change of [(text: string) => text + line('m1', entryId(4)), (text: string) => text.replace('first', 'First')]) {
      const fork = await writes.writer.forkSession(path);
      await writeFile(fork.path, change(await readFile(fork.path, 'utf8')));
      await age(fork.path);
      assert.match(await fails('changed', () => writes.undo()), /Can’t undo the fork because it was changed/);
      assert.equal(await writes.nextUndo(), undefined);
    }
  });

  it('restores the file before a migration', async () => {
    await write(v1().text());
    await chmod(path, 0o640);
    await writes.writer.migrate(path);
    assert.equal((await writes.undo()).did, 'file');
    assert.equal(await readFile(path, 'utf8'), v1().text());
    assert.deepEqual([await readdir(project), (await stat(path)).mode & 0o777], [['a.jsonl'], 0o640]);
    await writes.writer.migrate(path);
    assert.equal((await readSession(path)).version, 3);
  });

  it('keeps a migrated file that was written to, or whose backup has changed', async () => {
    await write(v1().text());
    const { backupPath } = await writes.writer.migrate(path);
    await others(line('m1', null));
    await fails('changed', () => writes.undo());
    await unlink(backupPath);
    for (const spoil of [() => writeFile(backupPath, v1().text().replace('one', 'One')), () => unlink(backupPath)]) {
      await write(v1().text());
      await writes.writer.migrate(path);
      await spoil();
      await fails('changed', () => writes.undo());
      await unlink(backupPath).catch(() => undefined);
    }
  });

  it('restores a deleted session, and skips one that was restored', async () => {
    await writes.writer.submit(path, { kind: 'rename', name: 'a' });
    await writes.trash.delete(path);
    assert.deepEqual([(await writes.undo()).did, (await readSession(path)).name], ['file', 'a']);
    const item = await writes.trash.delete(path);
    await writes.trash.restore(item.trashId);
    assert.equal((await writes.undo()).did, 'inverse');
    assert.equal((await readSession(path)).name, undefined);
  });

  it('undoes once, from either of two windows', async () => {
    await writes.writer.submit(path, { kind: 'rename', name: 'a' });
    await writes.writer.submit(path, { kind: 'rename', name: 'b' });
    const other = await openWindow(join(folder.path, 'storage'), folder.path);
    await Promise.all([writes.undo(), other.undo()]);
    assert.equal((await readSession(path)).name, undefined);
    assert.equal((await linesOf(path)).length, 5 + 4);
  });

  it('reports a missing session once', async () => {
    await writes.writer.submit(path, { kind: 'rename', name: 'a' });
    await unlink(path);
    await assert.rejects(writes.undo(), (error) => error instanceof SessionError && error.code === 'not-found');
    assert.equal(await writes.nextUndo(), undefined);
  });

  it('stays whole when a process is killed at any change, and the next undo finishes it', async () => {
    const storage = join(folder.path, 'storage');
    for (let n = 1, ended = false; !ended; n++) {
      await write(talk().text());
      await writes.writer.own(path);
      await writes.writer.submit(path, { kind: 'label', entryId: entryId(1), label: `x${String(n)}` });
      ended = await endsBefore(n, 'undo', storage, folder.path, path);
      assert.deepEqual((await readSession(path)).problems, []);
      await age(path);
      if (await writes.nextUndo()) await writes.undo();
      const read = await readSession(path);
      assert.deepEqual([read.labels.size, read.problems, read.entries.length], [0, [], 6]);
      assert.ok(n < 200);
    }
  });
});

describe('A killed migration', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('is reverted, or complete with its backup, after the next start', async () => {
    const storage = join(folder.path, 'storage');
    const project = join(folder.path, 'project');
    await mkdir(project);
    const path = join(project, 'a.jsonl');
    const seen = { old: 0, done: 0 };
    for (let n = 1, ended = false; !ended; n++) {
      await writeFile(path, v1().text());
      await age(path);
      ended = await endsBefore(n, 'migrate', storage, folder.path, path);
      const writes = await openWindow(storage, folder.path);
      await writes.recover();
      const names = (await readdir(project)).sort();
      const text = await readFile(path, 'utf8');
      if (text === v1().text()) {
        seen.old++;
        assert.deepEqual(names, ['a.jsonl'], `killed at ${String(n)}`);
      } else {
        seen.done++;
        assert.deepEqual(names, ['a.jsonl', 'a.jsonl.v1.bak'], `killed at ${String(n)}`);
        assert.equal(await readFile(join(project, 'a.jsonl.v1.bak'), 'utf8'), v1().text());
        assert.equal((await readSession(path)).version, 3);
        const next = await writes.nextUndo();
        assert.equal(next?.kind, 'migrate', `killed at ${String(n)}`);
        await unlink(join(project, 'a.jsonl.v1.bak'));
        // Keeps this round's records out of the next round's journal.
        await writes.undo().catch(() => undefined);
      }
      assert.deepEqual(await readdir(join(storage, 'journal', 'migrating')).catch(() => []), []);
      assert.ok(n < 200);
    }
    assert.ok(seen.old > 5 && seen.done > 1, JSON.stringify(seen));
  });
});
