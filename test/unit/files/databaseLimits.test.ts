import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { unpackArchive, unpackArchiveSync } from '../../../src/core/files/database/lines/coldArchive';
import { CorruptDatabase } from '../../../src/core/files/database/sqlite/databaseErrors';
import { KnownLines } from '../../../src/core/files/database/lines/knownLines';
import { readDatabase } from '../../../src/core/files/database/thread/readDatabase';
import type { ColdArchive } from '../../../src/core/files/database/storedSessions';
import { readWholeSession } from '../../../src/core/files/read/bytes/sessionBytes';
import { openSessionBytesSync } from '../../../src/core/files/sync/sessionBytesSync';
import { statFileVersions } from '../../../src/core/files/read/versions/statFiles';
import { SessionError } from '../../../src/core/format/entry/problem';
import { readSession } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addSession, createDatabase, insert } from '../../fixtures/openclawDatabase';
import { problems } from '../../fixtures/read';

const PAGE = 4096;

/** An archive as the database describes it. */
const archived = (packed: Buffer, unpackedSize: number): { packed: Buffer; archive: ColdArchive } => ({
  packed,
  archive: { fileName: undefined, size: packed.length, sha256: createHash('sha256').update(packed).digest('hex'), unpackedSize },
});
const archiveOf = (records: string, unpackedSize: number): { packed: Buffer; archive: ColdArchive } =>
  archived(zstdCompressSync(Buffer.from(records)), unpackedSize);

async function unpacked(archive: ColdArchive, packed: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of unpackArchive('a', archive, () => Promise.resolve(packed))) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Returns the bytes that this process has read from files, as far as the system counts them. */
function readBytes(): number {
  const counted = process.platform === 'linux' ? readFileSync('/proc/self/io', 'utf8') : 'rchar: 0';
  return Number(/rchar: (\d+)/.exec(counted)?.[1]);
}

describe('A database is read within limits:', () => {
  const folder = testFolder();

  it('lists are made without the bytes of archives', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    const [count, size] = [20, 500_000];
    for (let each = 0; each < count; each++) {
      addSession(database, { id: `${each}`, lines: [] });
      insert(database, 'session_transcript_cold_archives', {
        session_id: `${each}`,
        generation: 'g',
        archive_name: `${each}.jsonl.zst`,
        archive_sha256: 'a'.repeat(64),
        event_count: 1,
        raw_bytes: 1,
        archive_bytes: size,
        last_seq: 1,
        archived_at: 1,
        storage: 'sqlite',
        archive_blob: Buffer.alloc(size),
      });
    }
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const before = readBytes();
    const { sessions } = await readDatabase(path, (view) => view.list());
    const bytes = readBytes() - before;
    assert.deepEqual([sessions.length, sessions[0]?.cold?.size], [count, size]);
    assert.ok(bytes < (count * size) / 3, `${bytes} bytes`);
  });

  it('events that are larger together than the database are damage', () => {
    const lines = Array.from({ length: 100 }, (_, seq) => ({ seq, length: 1000, stored: 1000 }));
    new KnownLines().add(0, lines, 100_000);
    assert.throws(() => new KnownLines().add(0, lines, 99_999), CorruptDatabase);
    const packed = lines.map((line) => ({ ...line, length: 16 * 1024 * 1024, stored: 1 }));
    const known = new KnownLines();
    for (let at = 0; at < 5; at++) known.add(known.next, packed, 100_000);
    assert.throws(() => known.add(known.next, packed, 100_000), CorruptDatabase);
  });

  it('a damaged page makes only those sessions unreadable that are on it', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    const long = 'x'.repeat(3000);
    for (const id of ['good', 'bad', 'other'])
      addSession(database, { id, lines: session().user(`text of ${id} ${long}`).assistant(`text of ${id} ${long}`).lines() });
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    const bytes = readFileSync(path);
    const page = Math.floor(bytes.indexOf('text of bad') / PAGE) * PAGE;
    writeFileSync(path, bytes.fill(0xff, page, page + PAGE));
    const at = (id: string): string => join(path, `${id}.jsonl`);
    const [good, bad, missing] = await statFileVersions([at('good'), at('bad'), at('missing')], 4);
    assert.ok(good && !(good instanceof Error));
    assert.ok(bad instanceof SessionError && bad.code === 'not-a-session' && bad.message.includes(at('bad')));
    assert.equal(missing, undefined);
    assert.equal((await readSession(at('good'))).entries.length, 2);
    await assert.rejects(readSession(at('bad')), bad);
    assert.throws(() => openSessionBytesSync(at('bad')).version, bad);
  });

  it('a large event that is read in parts is read from the database once', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    const lines = session()
      .user('x'.repeat(4 * 1024 * 1024))
      .lines();
    addSession(database, { id: 'one', lines });
    database.close();
    const before = readBytes();
    assert.equal((await readWholeSession(join(path, 'one.jsonl'), 2 ** 30)).toString(), `${lines.join('\n')}\n`);
    assert.ok(readBytes() - before < 2 * 4 * 1024 * 1024, `${readBytes() - before} bytes`);
  });

  it('an archive may end without a line break', async () => {
    const { packed, archive } = archiveOf(JSON.stringify({ kind: 'event', row: { event_json: '{}' } }), 3);
    assert.equal((await unpacked(archive, packed)).toString(), '{}\n');
    assert.equal(unpackArchiveSync('a', archive, packed).toString(), '{}\n');
  });

  it('an archive that is damaged or unpacks to too much is refused', async () => {
    const event = `${JSON.stringify({ kind: 'event', row: { event_json: '{}' } })}\n`;
    const zeros = zstdCompressSync(Buffer.alloc(64 * 1024 * 1024));
    const cases = [
      archiveOf(event, 4),
      archiveOf(event, -1),
      archiveOf(event, 2 ** 40),
      archived(Buffer.from('not compressed'), 3),
      archived(Buffer.concat([zeros, zeros, zeros, zeros, zstdCompressSync(Buffer.from(event))]), 3),
    ];
    const refused = (error: unknown): boolean =>
      error instanceof SessionError && error.code === 'invalid' && /damaged or too large to read/.test(error.message);
    for (const { packed, archive } of cases) {
      await assert.rejects(unpacked(archive, packed), refused);
      assert.throws(() => unpackArchiveSync('a', archive, packed), refused);
    }
  });

  it('a large archive is unpacked while the event loop runs', async () => {
    const event = `${JSON.stringify({ kind: 'event', row: { event_json: JSON.stringify({ text: 'x'.repeat(200) }) } })}\n`;
    const count = 100_000;
    const { packed, archive } = archiveOf(event.repeat(count), count * 212);
    let turns = 0;
    const done = new AbortController();
    const lines = unpacked(archive, packed).finally(() => done.abort());
    for (; !done.signal.aborted; turns++) await nextTurn();
    assert.equal((await lines).length, archive.unpackedSize);
    assert.ok(turns > 5, `${turns} turns of the event loop`);
  });

  it('an event that is too large is damage', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    const [header, first, second] = session().user('a').assistant('b').lines() as [string, string, string];
    const largest = first.padEnd(16 * 1024 * 1024);
    addSession(database, { id: 'one', lines: [header, largest, second] });
    addSession(database, { id: 'two', lines: [header, `${largest} `, second] });
    database.close();
    assert.deepEqual(problems(await readSession(join(path, 'one.jsonl'))), []);
    assert.ok(problems(await readSession(join(path, 'two.jsonl'))).includes('damaged-event@2'));
  });
});
