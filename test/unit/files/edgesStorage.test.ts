import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { openJournal, type JournalEntry, type Journal } from '../../../src/core/files/history/journal';
import { withJournal } from '../../../src/core/files/history/journalingWriter';
import { digestFile, writePrivateFile, appendPrivateLine, readPrivateLines } from '../../../src/core/files/storage/privateStorage';
import { mayBeRunning, currentProcess } from '../../../src/core/files/storage/processIdentity';
import { exists } from '../../../src/core/files/io/exists';
import { makePrivateFolder } from '../../../src/core/files/storage/privateFolder';
import { migrateAll, planMigration } from '../../../src/core/files/migration/migrateAll';
import { fileVersion, readSession } from '../../../src/core/files/read/sessionFile';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { beginDeletion, recoverEntry, restoreFromTrash, moveToTrash, filesToTrash } from '../../../src/core/files/trash/trashEntry';
import { openTrashRecords, entryFolder, type TrashRecord, type TrashRecords } from '../../../src/core/files/trash/trashRecords';
import { migrationHandler } from '../../../src/core/files/history/migrationRecovery';
import { recoverOperations } from '../../../src/core/files/storage/operationRecord';
import { createCrossWindowLocks, withLock } from '../../../src/core/files/storage/crossWindowLocks';
import { SessionError } from '../../../src/core/format/entry/problem';
import { entryId, session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age, refuses } from '../../fixtures/writes';

/** A process of this machine that is gone. */
const GONE = { pid: 2 ** 30, began: 1, machine: hostname(), since: Date.now() };
const HOUR = 60 * 60 * 1000;
const codeOf = async (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof SessionError ? error.code : String((error as NodeJS.ErrnoException).code)),
  );
const recordsOf = async (journal: Journal): Promise<JournalEntry[]> => {
  const found: JournalEntry[] = [];
  for await (const record of journal.records()) found.push(record);
  return found;
};

describe('Edge cases of the storage', () => {
  const folder = testFolder();

  it("reports a place that can't be written to or read with a sentence, and leaves nothing incomplete", async () => {
    const file = await folder.write('file', 'x');
    const none = join(folder.path, 'none', 'a');
    assert.equal(await codeOf(makePrivateFolder(join(file, 'inside'))), 'not-found');
    assert.equal(await codeOf(writePrivateFile(none, 'x')), 'not-found');
    assert.equal(await codeOf(appendPrivateLine(none, {})), 'not-found');
    assert.equal(await codeOf(digestFile(none)), 'not-found');
    assert.equal(await codeOf(readPrivateLines(folder.path)), 'invalid');
    assert.deepEqual(await readPrivateLines(none), []);
    await mkdir(join(folder.path, 'taken'));
    assert.equal(await codeOf(writePrivateFile(join(folder.path, 'taken'), 'x')), 'not-a-session');
    assert.deepEqual((await readdir(folder.path)).sort(), ['file', 'taken']);
  });

  it('trusts processes of another machine for an hour', () => {
    const there = { ...GONE, machine: 'elsewhere' };
    assert.deepEqual(
      [there, { ...there, since: Date.now() - 2 * HOUR }, GONE, { ...currentProcess(), began: 1 }, currentProcess()].map(mayBeRunning),
      [true, false, false, false, true],
    );
  });

  it('ignores records of own writes of another form', async () => {
    const windows = createCrossWindowLocks(folder.path);
    await windows.saveWrite('/x', { version: { size: 1, mtimeMs: 2, ino: '3' }, foreignMs: 4 });
    assert.deepEqual(await windows.lastWrite('/x'), { version: { size: 1, mtimeMs: 2, ino: '3' }, foreignMs: 4 });
    const write = join(folder.path, 'writes', (await readdir(join(folder.path, 'writes')))[0]!);
    for (const text of [
      '[]',
      '{"version":1}',
      '{"version":{"size":"1","mtimeMs":2,"ino":"3"},"foreignMs":4}',
      '{"version":{"size":1,"mtimeMs":2,"ino":"3"}}',
    ]) {
      await writeFile(write, text);
      assert.equal(await windows.lastWrite('/x'), undefined, text);
    }
  });

  it("runs nothing where locks can't be created", async () => {
    await folder.write('locks', 'no folder');
    let worked = false;
    assert.equal(await codeOf(withLock(folder.path, '/x', () => Promise.resolve((worked = true)))), 'EEXIST');
    assert.equal(worked, false);
  });
});

describe('Edge cases of deletions', () => {
  const folder = testFolder();
  const trash = () => join(folder.path, '.session-tree-trash');
  let records: TrashRecords;
  beforeEach(async () => {
    records = await openTrashRecords(join(folder.path, 'storage'), assert.ifError);
  });

  /** Moves a session with a folder beside it to the trash. */
  const deleted = async (): Promise<{ place: string; record: TrashRecord; path: string }> => {
    const path = await folder.write('a.jsonl', 'session');
    const beside = join(folder.path, 'a');
    await mkdir(beside);
    await writeFile(join(beside, 'sub.jsonl'), 'sub');
    const deletion: TrashRecord = {
      trashId: '0mabcdefg-00000001',
      path,
      name: 'a',
      at: Date.now(),
      size: 1,
      folder: trash(),
      ...(await filesToTrash(path)),
    };
    const version = fileVersion(await stat(path, { bigint: true }));
    const operation = await beginDeletion(records, deletion, () => makePrivateFolder(trash()));
    await moveToTrash(records, { deletion, operation, version });
    return { place: entryFolder(deletion), record: (await records.read(deletion.trashId))!, path };
  };

  it('refuses a second deletion with the same id', async () => {
    const { place, record } = await deleted();
    assert.match((await codeOf(beginDeletion(records, record, () => makePrivateFolder(trash())))) ?? '', /EEXIST|ENOTEMPTY|permission/);
    assert.equal(await readFile(join(place, '0'), 'utf8'), 'session');
  });

  it("keeps everything in the trash if a part can't be restored", async () => {
    const { place, record, path } = await deleted();
    await unlink(join(place, '0'));
    assert.equal(await codeOf(restoreFromTrash(records, record)), 'not-found');
    assert.equal(await readFile(join(place, '1', 'sub.jsonl'), 'utf8'), 'sub');
    assert.deepEqual([await records.read(record.trashId), existsSync(join(folder.path, 'a')), existsSync(path)], [record, false, false]);
  });

  it('keeps new files and the trash when it ends an interrupted restore', async () => {
    const { place, record, path } = await deleted();
    await writeFile(path, 'new');
    assert.equal(await recoverEntry(records, 'restore', record), 'deleted');
    const left = await records.read(record.trashId);
    assert.deepEqual(
      left?.things.map(({ as }) => as),
      ['0'],
    );
    assert.deepEqual(
      [await readFile(path, 'utf8'), await readFile(join(place, '0'), 'utf8'), await readdir(join(folder.path, 'a'))],
      ['new', 'session', ['sub.jsonl']],
    );
    assert.equal(await codeOf(restoreFromTrash(records, left)), 'invalid');
    await unlink(path);
    await restoreFromTrash(records, left);
    assert.deepEqual([await readFile(path, 'utf8'), existsSync(trash())], ['session', false]);
  });

  it('restores nothing over a new file when it ends an interrupted deletion', async () => {
    const { place, record } = await deleted();
    await unlink(join(place, '0'));
    await writeFile(join(folder.path, 'a'), 'new');
    assert.equal(await recoverEntry(records, 'delete', record), 'deleted');
    assert.deepEqual([await readFile(join(folder.path, 'a'), 'utf8'), await readdir(join(place, '1'))], ['new', ['sub.jsonl']]);
  });

  it("waits for a disk that isn't mounted", async () => {
    const { record } = await deleted();
    const away = { ...record, folder: join(folder.path, 'away', '.session-tree-trash') };
    assert.equal(await recoverEntry(records, 'delete', away), undefined);
    assert.equal((await records.all()).length, 1);
  });

  it("finds nothing below a file, and rejects when a path can't be checked", async () => {
    const file = await folder.write('file', 'x');
    assert.equal(await exists(join(file, 'inside')), false);
    assert.equal(await codeOf(exists(join(folder.path, 'n'.repeat(5000)))), 'ENAMETOOLONG');
  });
});

describe('Edge cases of the journal', () => {
  const recovered = async (journal: Journal): Promise<string[]> => {
    const found: string[] = [];
    await recoverOperations(journal.folder, { migrating: migrationHandler(journal, createWriter(), (path) => void found.push(path)) });
    return found;
  };
  const folder = testFolder();
  const write = async (text: string, name = 'a.jsonl') => age(await folder.write(name, text));
  const old = () => session({ version: 1 }).user('one').text();

  it('records every kind of write, and a removed name as empty', async () => {
    const path = await write(session().user('a').name('n').text());
    const journal = await openJournal(join(folder.path, 'journal'));
    const writer = withJournal(createWriter(), journal, assert.ifError);
    await writer.submit(path, { kind: 'rename', name: '' });
    await writer.submit(path, { kind: 'append', lines: [{ type: 'custom', customType: 'c' }] });
    const ids = (await readSession(path)).entries.map(({ id }) => id);
    assert.deepEqual(
      (await recordsOf(journal)).map((entry) =>
        entry.kind === 'rename'
          ? [entry.kind, entry.entryId, entry.from, entry.to]
          : entry.kind === 'append'
            ? [entry.kind, entry.entryId]
            : [],
      ),
      [
        ['append', ids[3]],
        ['rename', ids[2], 'n', ''],
      ],
    );
  });

  it('reports an unwritable journal, and writes without it', async () => {
    const [path, other] = [await write(session().user('a').text()), await write(old(), 'b.jsonl')];
    const place = join(folder.path, 'journal');
    const problems: unknown[] = [];
    const writer = withJournal(createWriter(), await openJournal(place), (error) => problems.push(error));
    await rm(place, { recursive: true });
    await writeFile(place, 'no folder');
    await writer.submit(path, { kind: 'rename', name: 'new' });
    await writer.migrate(other);
    assert.deepEqual([(await readSession(path)).name, (await readSession(other)).version], ['new', 3]);
    // The note at the start of the migration, and its record.
    assert.deepEqual([problems.length, problems.every((error) => error instanceof SessionError)], [3, true]);
  });

  it('leaves no record of a migration of a missing file', async () => {
    const journal = await openJournal(join(folder.path, 'journal'));
    const writer = withJournal(createWriter(), journal, assert.ifError);
    await refuses(journal.folder, 'not-found', () => writer.migrate(join(folder.path, 'none.jsonl')));
    assert.deepEqual(await readdir(journal.folder), []);
  });

  it('handles only migration records of processes that are gone, and ignores a missing session', async () => {
    const journal = await openJournal(join(folder.path, 'journal'));
    const notes = join(journal.folder, 'migrating');
    await makePrivateFolder(notes);
    const begun = { path: join(folder.path, 'none.jsonl'), version: { size: 1, mtimeMs: 1, ino: '1' }, backups: [] };
    await writeFile(join(notes, 'a.json'), '{"path"');
    await writeFile(join(notes, 'b.json'), JSON.stringify({ ...begun, ...currentProcess() }));
    await writeFile(join(notes, 'c.json'), JSON.stringify({ ...begun, ...GONE }));
    assert.deepEqual(await recovered(journal), [begun.path]);
    assert.deepEqual([(await readdir(notes)).sort(), await recordsOf(journal)], [['a.json', 'b.json'], []]);
  });

  it('records a migration only once', async () => {
    const path = await write(old());
    const journal = await openJournal(join(folder.path, 'journal'));
    const writer = withJournal(createWriter(), journal, assert.ifError);
    const version = { size: 1, mtimeMs: 1, ino: '1' };
    await writer.migrate(path);
    await writePrivateFile(
      join(journal.folder, 'migrating', 'c.json'),
      JSON.stringify({ path, version, backups: [], ...GONE, since: Date.now() - HOUR }),
    );
    assert.deepEqual(await recovered(journal), [path]);
    assert.deepEqual([(await recordsOf(journal)).map(({ kind }) => kind), existsSync(`${path}.v1.bak`)], [['migrate'], true]);
  });
});

describe('Edge cases of undo', () => {
  const folder = testFolder();

  it('ignores writes of other machines', async () => {
    const writes = await openWindow(join(folder.path, 'storage'), folder.path);
    await appendPrivateLine(join(writes.journal.folder, '2026-01-01.writes'), {
      id: '0mabcdefg-00000001',
      at: '2026-01-01T00:00:00.000Z',
      machine: 'elsewhere',
      kind: 'delete',
      path: '/x',
      trashId: '0mabcdefg-00000002',
    });
    assert.equal((await recordsOf(writes.journal)).length, 1);
    assert.equal(await writes.nextUndo(), undefined);
  });

  it('keeps a name that was changed since, and continues with the write before it', async () => {
    const path = await age(await folder.write('a.jsonl', session().user('a').text()));
    const writes = await openWindow(join(folder.path, 'storage'), folder.path);
    await writes.writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    await writes.writer.submit(path, { kind: 'rename', name: 'ours' });
    await appendFile(path, '{"type":"session_info","id":"aaaaaaaa","parentId":null,"timestamp":"2026-02-01T00:00:00Z","name":"theirs"}\n');
    await age(path);
    const before = await readFile(path, 'utf8');
    await assert.rejects(writes.undo(), { code: 'changed', message: /renamed again \(to “theirs”\)/ });
    assert.equal(await readFile(path, 'utf8'), before);
    assert.equal((await writes.nextUndo())?.kind, 'label');
  });

  it('undoes a branch of an empty session', async () => {
    const path = await age(await folder.write('a.jsonl', session().user('a').assistant('b').leaf(null).text()));
    const writes = await openWindow(join(folder.path, 'storage'), folder.path);
    assert.equal((await readSession(path)).leafId, null);
    await writes.writer.submit(path, { kind: 'branch', entryId: entryId(2) });
    assert.equal((await readSession(path)).entries.at(-1)?.parentId, entryId(2));
    await writes.undo();
    const read = await readSession(path);
    assert.deepEqual([read.entries.at(-1)?.parentId, read.leafId], [null, read.entries.at(-1)?.id]);
    assert.equal(await writes.nextUndo(), undefined);
  });
});

describe('Edge cases of migrating many files', () => {
  const folder = testFolder();
  const old = () => session({ version: 1 }).user('one').text();

  it('stops planning when aborted, and passes on unexpected errors', async () => {
    const path = await folder.write('a.jsonl', old());
    const { signal } = new AbortController();
    assert.deepEqual(
      (await planMigration([path], { signal })).ready.map(({ version }) => version),
      [1],
    );
    await assert.rejects(planMigration([path], { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
    const dialectOf = () => {
      throw new TypeError('broken');
    };
    await assert.rejects(planMigration([path], { dialectOf }), /broken/);
  });

  it("uses the root's dialect", async () => {
    const paths = [await age(await folder.write('a.jsonl', old())), await age(await folder.write('b.jsonl', old()))];
    const results = await migrateAll(paths, createWriter(), { dialectOf: (path) => (path === paths[0] ? 'openclaw' : undefined) });
    assert.deepEqual(
      results.map((result) => (result.did === 'refused' ? (result.reason as SessionError).code : result.did)),
      ['read-only', 'migrated'],
    );
    assert.equal((await stat(paths[0]!)).size, Buffer.byteLength(old()));
  });
});
