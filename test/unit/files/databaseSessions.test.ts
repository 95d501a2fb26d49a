import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { databases } from '../../../src/core/files/database/thread/databaseThread';
import { readAtSync } from '../../../src/core/files/sync/readAtSync';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import { openSessionBytesSync } from '../../../src/core/files/sync/sessionBytesSync';
import { sessionFileVersion } from '../../../src/core/files/read/sessionFile';
import { SessionError } from '../../../src/core/format/entry/problem';
import {
  createWriter,
  followSession,
  forkSession,
  migrate,
  pathTo,
  readBodies,
  readSession,
  SessionManager,
  sessionToMarkdown,
} from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addSession, copyRealDatabase, createDatabase, insert, originals } from '../../fixtures/openclawDatabase';

/** The content and times of a database and the files beside it. */
const filesOf = (folder: string, names = readdirSync(folder)): unknown =>
  names.toSorted().map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
    statSync(join(folder, name)).mtimeMs,
  ]);

describe('Sessions in OpenClaw’s database', () => {
  const folder = testFolder();

  it('are read as the files that OpenClaw imported them from', async () => {
    const database = copyRealDatabase(folder.path);
    for (const [id, text] of originals) {
      const path = await folder.write(`${id}.jsonl`, text);
      const [stored, file] = await Promise.all([readSession(join(database, `${id}.jsonl`)), readSession(path, { dialect: 'openclaw' })]);
      assert.deepEqual([stored.dialect, stored.size, stored.problems], ['openclaw', file.size, []]);
      assert.deepEqual(stored.entries, file.entries);
      assert.equal(stored.leafId, file.leafId);
      assert.deepEqual(stored.header, file.header);
      const ids = stored.entries.map((entry) => entry.id);
      assert.deepEqual(await readBodies(stored, ids), await readBodies(file, ids));
    }
  });

  it('are read without a problem from a newer version that has the known columns', async () => {
    const path = join(folder.path, 'openclaw-agent.sqlite');
    const database = createDatabase(path);
    const lines = session().user('Ελληνικά').assistant('日本語').lines();
    database.exec(`
      UPDATE schema_meta SET schema_version = 24;
      ALTER TABLE session_nodes ADD COLUMN snapshot_revision INTEGER NOT NULL DEFAULT 0;
      CREATE TABLE session_entry_snapshots (session_key TEXT NOT NULL PRIMARY KEY, value_json TEXT NOT NULL)`);
    addSession(database, { id: 'one', lines, node: { display_name: 'שיחה', snapshot_revision: 3 } });
    insert(database, 'session_entry_snapshots', { session_key: 'agent:main:one', value_json: '{}' });
    database.close();
    const { files } = await listFiles([{ path, dialect: 'openclaw', flat: true }], assert.ifError);
    assert.deepEqual(
      files.map((file) => file.path),
      [join(path, 'one.jsonl')],
    );
    const read = await readSession(join(path, 'one.jsonl'));
    assert.deepEqual([read.name, read.entries.length, read.problems], ['שיחה', lines.length - 1, []]);
  });

  it('aren’t listed if no file could have their id', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    for (const id of ['one', 'a\0b', 'c\nd', '../e', '.f', 'g/h']) addSession(database, { id, lines: session().user('hello').lines() });
    const root = { path, dialect: 'openclaw', flat: true } as const;
    const { files } = await listFiles([root], assert.ifError);
    assert.deepEqual(
      files.map((file) => file.path),
      [join(path, 'one.jsonl')],
    );
  });

  it('give the same Markdown as the files, under their name', async () => {
    const database = copyRealDatabase(folder.path);
    const [id, text] = [...originals][0]!;
    const stored = await sessionToMarkdown(await readSession(join(database, `${id}.jsonl`)));
    const file = await sessionToMarkdown(await readSession(await folder.write('a.jsonl', text), { dialect: 'openclaw' }));
    assert.ok(stored.includes('Nightly report'));
    assert.equal(stored.split('\n').slice(10).join('\n'), file.split('\n').slice(10).join('\n'));
  });

  it('stay as they are, byte for byte: SQLite only uses its own file of shared memory beside them', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    addSession(database, { id: 'one', lines: session().user('hello').assistant('hi').lines() });
    const names = ['a.sqlite', 'a.sqlite-wal'];
    const before = filesOf(folder.path, names);
    assert.deepEqual(readdirSync(folder.path).sort(), ['a.sqlite', 'a.sqlite-shm', 'a.sqlite-wal']);
    const found = await readSession(join(path, 'one.jsonl'));
    await readBodies(found, [...found.byId.keys()]);
    await sessionToMarkdown(found);
    assert.deepEqual(filesOf(folder.path, names), before);
    assert.deepEqual(readdirSync(folder.path).sort(), ['a.sqlite', 'a.sqlite-shm', 'a.sqlite-wal']);
    await databases.end();
    database.close();
    const closed = filesOf(folder.path);
    assert.deepEqual(readdirSync(folder.path), ['a.sqlite']);
    assert.equal((await readSession(join(path, 'one.jsonl'))).entries.length, 2);
    await databases.end();
    assert.deepEqual(filesOf(folder.path), closed);
  });

  it('of a program that was killed are read from its log, beside which SQLite leaves its shared memory', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    addSession(database, { id: 'one', lines: session().user('hello').assistant('hi').lines() });
    mkdirSync(join(folder.path, 'killed'));
    const copy = join(folder.path, 'killed', 'a.sqlite');
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
    database.close();
    const before = filesOf(dirname(copy));
    assert.equal((await readSession(join(copy, 'one.jsonl'))).entries.length, 2);
    await databases.end();
    assert.deepEqual(readdirSync(dirname(copy)).sort(), ['a.sqlite', 'a.sqlite-shm', 'a.sqlite-wal']);
    assert.deepEqual(filesOf(dirname(copy), ['a.sqlite', 'a.sqlite-wal']), before);
  });

  it('are read from the archive that OpenClaw put them in, of both kinds', async () => {
    mkdirSync(join(folder.path, 'agent'));
    mkdirSync(join(folder.path, 'sessions', 'cold'), { recursive: true });
    const path = join(folder.path, 'agent', 'a.sqlite');
    const database = createDatabase(path);
    const lines = session().user('long ago').assistant('then').lines();
    const records = [
      { kind: 'header', version: 1, sessionId: 'x', generation: 'g' },
      ...lines.map((line, seq) => ({ kind: 'event', row: { seq, event_json: line, created_at: 1 } })),
      { kind: 'active', row: { active_position: 0, event_seq: 1, message_position: 0, context_eligible: 1 } },
    ];
    const archive = zstdCompressSync(Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')));
    const sha256 = createHash('sha256').update(archive).digest('hex');
    const file = join(folder.path, 'sessions', 'cold', `${sha256}.jsonl.zst`);
    writeFileSync(file, archive);
    for (const id of ['file', 'row']) {
      addSession(database, { id, lines: [] });
      insert(database, 'session_transcript_cold_archives', {
        session_id: id,
        generation: 'g',
        archive_name: id === 'file' ? `${sha256}.jsonl.zst` : `${id}.jsonl.zst`,
        archive_sha256: sha256,
        event_count: lines.length,
        raw_bytes: Buffer.byteLength(lines.join('\n')),
        archive_bytes: archive.length,
        last_seq: 2,
        archived_at: 1,
        storage: id === 'file' ? 'file' : 'sqlite',
        archive_blob: id === 'file' ? null : archive,
      });
    }
    database.close();
    const expected = await readSession(await folder.write('plain.jsonl', `${lines.join('\n')}\n`), { dialect: 'openclaw' });
    for (const id of ['file', 'row']) {
      const found = await readSession(join(path, `${id}.jsonl`));
      assert.deepEqual([found.entries, found.size, found.marks], [expected.entries, expected.size, { agent: 'main', isArchived: true }]);
      assert.deepEqual(await readBodies(found, [entryId(2)]), await readBodies(expected, [entryId(2)]));
      const opened = openSessionBytesSync(join(path, `${id}.jsonl`));
      assert.equal(readAtSync(opened.file, 0, opened.version.size).toString(), `${lines.join('\n')}\n`);
    }
    // Two agents may have the same archive.
    const copy = join(dirname(path), 'b.sqlite');
    copyFileSync(path, copy);
    const files = [path, copy].map((each) => join(each, 'file.jsonl'));
    const assertRefused = async (code: string, message: RegExp): Promise<void> => {
      for (const each of files)
        await assert.rejects(
          readSession(each),
          (error) => error instanceof SessionError && error.code === code && error.message.endsWith(each) && message.test(error.message),
        );
    };
    writeFileSync(file, 'something else');
    await assertRefused('invalid', /isn’t the one that OpenClaw stored/);
    rmSync(file);
    await assertRefused('not-found', /archive is missing/);
  });

  it('are refused by everything that writes', async () => {
    const path = join(copyRealDatabase(folder.path), `${[...originals.keys()][0]!}.jsonl`);
    const before = filesOf(folder.path);
    const writer = createWriter();
    const { leafId } = await readSession(path);
    const isReadOnly = (error: unknown): boolean => error instanceof SessionError && error.code === 'read-only';
    for (const change of [
      { kind: 'label', entryId: leafId!, label: 'x' },
      { kind: 'rename', name: 'x' },
      { kind: 'branch', entryId: leafId! },
    ] as const)
      await assert.rejects(writer.submit(path, change, { force: true }), isReadOnly);
    await assert.rejects(migrate(path), isReadOnly);
    await assert.rejects(
      writer.guarded(path, () => Promise.resolve(assert.fail('it may not be moved'))),
      isReadOnly,
    );
    const manager = await SessionManager.open(path);
    assert.equal(manager.getEntries().length, (await readSession(path)).entries.length);
    await assert.rejects(async () => manager.appendSessionInfo('x'), isReadOnly);
    assert.deepEqual(filesOf(folder.path), before);
  });

  it('are forked to a file beside the other sessions of the agent', async () => {
    const agent = join(folder.path, 'agents', 'main');
    mkdirSync(join(agent, 'agent'), { recursive: true });
    const path = join(copyRealDatabase(join(agent, 'agent')), '01a1fa48-2006-79fd-ba3f-000000000000.jsonl');
    const fork = await forkSession(path, { roots: [{ path: dirname(path), dialect: 'openclaw', flat: true }] });
    assert.equal(dirname(fork.path), join(agent, 'sessions'));
    const [stored, forked] = await Promise.all([readSession(path), readSession(fork.path, { dialect: 'openclaw' })]);
    assert.deepEqual([forked.header['parentSession'], forked.leafId, statSync(fork.path).mode & 0o777], [path, stored.leafId, 0o600]);
    const ids = pathTo(forked, forked.leafId).map(({ id }) => id);
    assert.deepEqual(
      await readBodies(forked, ids),
      (await readBodies(stored, ids)).map((entry, index) => ({ ...entry, parentId: ids[index - 1] ?? null })),
    );
  });

  it('have another version, and are followed, when only facts beside their events change', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    addSession(database, { id: 'one', lines: session().user('hello').assistant('hi').lines() });
    const at = join(path, 'one.jsonl');
    let before = await readSession(at);
    assert.equal(await followSession(before), before);
    const facts = ({ name, leafId, marks, header }: typeof before) => [name, leafId, marks, header['parentSession']];
    for (const change of [
      "UPDATE session_windows SET display_name = 'Name'",
      "UPDATE session_nodes SET status = 'running'",
      'UPDATE session_nodes SET pinned_at = 5',
      `INSERT INTO session_transcript_index_state (session_id, leaf_event_id, indexed_seq, needs_rebuild, updated_at) VALUES ('one', '${entryId(1)}', 2, 0, 1)`,
      "UPDATE session_windows SET previous_session_id = 'two', display_name = NULL",
    ]) {
      const version = await sessionFileVersion(at);
      database.exec(change);
      const now = await sessionFileVersion(at);
      assert.deepEqual([now.size, now.ino, now.facts === version.facts], [version.size, version.ino, false], change);
      assert.match(now.facts ?? '', /^[0-9a-f]{32}$/);
      const followed = await followSession(before);
      assert.notDeepEqual(facts(followed), facts(before), change);
      assert.deepEqual(facts(followed), facts(await readSession(at)), change);
      assert.equal(await followSession(followed), followed);
      before = followed;
    }
    database.close();
  });
});
