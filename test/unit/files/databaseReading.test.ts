import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { SessionError } from '../../../src/core/format/entry/problem';
import { sessionVersion } from '../../../src/core/files/database/databaseSession';
import { DatabaseView } from '../../../src/core/files/database/databaseView';
import type { FilledLines } from '../../../src/core/files/database/lines/filling';
import { KnownLines } from '../../../src/core/files/database/lines/knownLines';
import { databases } from '../../../src/core/files/database/thread/databaseThread';
import { readDatabase, readDatabaseSync } from '../../../src/core/files/database/thread/readDatabase';
import { loadSqlite } from '../../../src/core/files/io/loadSqlite';
import { openSessionBytesSync } from '../../../src/core/files/sync/sessionBytesSync';
import { followSession, readBodies, readSession } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { startChild } from '../../fixtures/children';
import { testFolder } from '../../fixtures/folder';
import { addEvent, addPackedEvent, addSession, copyRealDatabase, createDatabase, insert, originals } from '../../fixtures/openclawDatabase';
import { numbers } from '../../fixtures/random';
import { problems } from '../../fixtures/read';

const COMMITS = 3000;
/** The number of pauses in which the writer waits until the database was read. */
const ROUNDS = 10;

const isError =
  (code: string, message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof SessionError && error.code === code && message.test(error.message);

/** Returns the bytes that this process has read from files, as far as the system counts them. */
function readBytes(): number {
  const counted = process.platform === 'linux' ? readFileSync('/proc/self/io', 'utf8') : 'rchar: 0';
  return Number(/rchar: (\d+)/.exec(counted)?.[1]);
}

describe('Reading a database', () => {
  const folder = testFolder();
  let database: DatabaseSync | undefined;
  afterEach(() => {
    database?.close();
    database = undefined;
  });
  const create = (): string => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    return path;
  };

  it('sees one state at a time while another process commits and makes checkpoints, which it never fails', async () => {
    const path = create();
    for (const id of ['one', 'two']) addSession(database!, { id, lines: session().lines() });
    database!.close();
    database = undefined;
    const writer = await startChild('databaseWriter', path, String(COMMITS / ROUNDS));
    let counted = 0;
    const sizes = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      writer.say('go');
      const done = writer.heard();
      const isDone = done.then(() => true);
      for (let ended = false; !ended; ended = await Promise.race([isDone, Promise.resolve(false)])) {
        const read =
          counted++ % 2 === 0
            ? () => readDatabase(path, (view) => view.open(['one', 'two']))
            : () => Promise.resolve(readDatabaseSync(path, (view) => view.open(['one', 'two'])));
        const [one, two] = await read();
        assert.ok(one && two && !(one instanceof Error) && !(two instanceof Error));
        assert.equal(one.transcript.last?.seq, two.transcript.last?.seq);
        sizes.add(one.transcript.last?.seq ?? -1);
        const found = await readSession(join(path, 'one.jsonl'));
        assert.deepEqual(found.problems, []);
        assert.deepEqual(
          found.entries.map(({ id }) => id),
          found.entries.map((_, index) => `one${index + 1}`),
        );
      }
      assert.equal(await done, 'done');
    }
    await writer.end();
    // Each round is read at least once, and only neighbouring rounds can be read in the same state.
    assert.ok(sizes.size >= ROUNDS / 2, `read ${counted} times, in ${sizes.size} states`);
    const last = await readSession(join(path, 'two.jsonl'));
    assert.equal(last.entries.length, COMMITS);
    assert.equal((await readBodies(last, [`two${COMMITS - 1}`]))[0]?.id, `two${COMMITS - 1}`);
  });

  it('gives a compressed event like any other, and one that can’t be unpacked without its content', async () => {
    const path = create();
    const lines = session()
      .user('packed '.repeat(500))
      .assistant('plain')
      .user('bomb '.repeat(5000))
      .user('damaged '.repeat(50))
      .assistant('shorter '.repeat(50))
      .lines();
    addSession(database!, { id: 'one', lines: [lines[0]!] });
    addPackedEvent(database!, 'one', 1, lines[1]!);
    addSession(database!, { id: 'other', lines: [] });
    insert(database!, 'transcript_events', { session_id: 'one', seq: 2, event_json: lines[2]!, created_at: 1 });
    addPackedEvent(database!, 'one', 3, lines[3]!, 2000);
    addPackedEvent(database!, 'one', 4, lines[4]!);
    database!.exec("UPDATE transcript_events SET event_zstd = x'00112233' WHERE seq = 4");
    addPackedEvent(database!, 'one', 5, lines[5]!, lines[5]!.length + 5);
    const found = await readSession(join(path, 'one.jsonl'));
    assert.deepEqual(
      found.entries.map(({ id, parentId, role }) => [id, parentId, role]),
      [
        [entryId(1), null, 'user'],
        [entryId(2), entryId(1), 'assistant'],
        [entryId(3), entryId(2), 'user'],
        [entryId(4), entryId(3), 'user'],
        [entryId(5), entryId(4), 'assistant'],
      ],
    );
    assert.deepEqual(problems(found), ['damaged-event@4', 'damaged-event@5', 'damaged-event@6']);
    const [packed] = await readBodies(found, [entryId(1)]);
    assert.deepEqual({ ...packed }, JSON.parse(lines[1]!));
  });

  it('reports a damaged event once, however often the session grows', async () => {
    const path = create();
    const lines = session().user('damaged '.repeat(50)).assistant('a').user('b').assistant('c').lines();
    addSession(database!, { id: 'one', lines: [lines[0]!] });
    addPackedEvent(database!, 'one', 1, lines[1]!);
    database!.exec("UPDATE transcript_events SET event_zstd = x'00112233' WHERE seq = 1");
    let found = await readSession(join(path, 'one.jsonl'));
    for (const seq of [2, 3, 4]) {
      addEvent(database!, 'one', seq, lines[seq]!);
      found = await followSession(found);
    }
    assert.deepEqual([found.entries.length, problems(found)], [4, ['damaged-event@2']]);
  });

  it('finds any part of a session’s lines, whether their places are known or not', async () => {
    const path = create();
    const lines = session().user('a').assistant('b '.repeat(3000)).user('c'.repeat(700)).assistant('d').user('e'.repeat(20_000)).lines();
    addSession(database!, { id: 'one', lines: lines.slice(0, -1) });
    addPackedEvent(database!, 'one', lines.length - 1, lines.at(-1)!);
    const whole = Buffer.from(`${lines.join('\n')}\n`);
    const next = numbers(3);
    for (let round = 0; round < 30; round++) {
      const view = new DatabaseView();
      view.moveTo(path);
      const [opened] = await readDatabase(path, () => view.open(['one'], round % 3 === 0));
      assert.ok(opened && !(opened instanceof Error));
      for (let part = 0; part < 5; part++) {
        const position = Math.floor(next() * whole.length);
        const bytes = Buffer.alloc(1 + Math.floor(next() * 9000));
        // The number of a line and the place at which it begins.
        const line = Math.floor(next() * lines.length);
        const mark = new KnownLines(
          line,
          Buffer.byteLength(
            lines
              .slice(0, line)
              .map((each) => `${each}\n`)
              .join(''),
          ),
          line - 1,
        );
        const isMarked = round % 2 === 0 && mark.start <= position;
        const filled: FilledLines = await readDatabase(path, () => view.read(opened, bytes, position, isMarked ? mark : undefined));
        assert.equal(bytes.toString('utf8', 0, filled.count), whole.toString('utf8', position, position + bytes.length));
      }
      await readDatabase(path, () => view.measure(opened));
      assert.equal(sessionVersion(opened).size, whole.length);
      view.close();
    }
  });

  it('ends with the reason if the session is rewritten between two parts of it', () => {
    const path = create();
    const lines = session().user('one'.repeat(50)).assistant('two'.repeat(50)).lines();
    addSession(database!, { id: 'one', lines });
    const opened = openSessionBytesSync(join(path, 'one.jsonl'));
    const bytes = Buffer.alloc(100);
    assert.equal(opened.file.read(bytes, 0, 100, 0), 100);
    database!.exec("UPDATE transcript_rewrite_watermarks SET generation = 'another'");
    assert.throws(() => opened.file.read(bytes, 0, 100, 100), isError('changed', /kept changing/));
    assert.throws(() => opened.version, isError('changed', /kept changing/));
  });

  it('refuses what isn’t a database of OpenClaw, with the reason', async () => {
    const at = (name: string): string => join(folder.path, name, 'one.jsonl');
    writeFileSync(join(folder.path, 'text.sqlite'), 'hello '.repeat(1000));
    writeFileSync(join(folder.path, 'empty.sqlite'), '');
    mkdirSync(join(folder.path, 'folder.sqlite'));
    symlinkSync('/dev/zero', join(folder.path, 'zero.sqlite'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder.path, 'fifo.sqlite')]);
    await assert.rejects(readSession(at('text.sqlite')), isError('not-a-session', /isn’t an SQLite database/));
    await assert.rejects(readSession(at('empty.sqlite')), isError('not-a-session', /isn’t an SQLite database/));
    await assert.rejects(readSession(at('folder.sqlite')), isError('not-found', /doesn’t exist/));
    await assert.rejects(readSession(at('missing.sqlite')), isError('not-found', /doesn’t exist/));
    await assert.rejects(readSession(at('zero.sqlite')), isError('not-a-session', /isn’t a regular file/));
    await assert.rejects(readSession(at('fifo.sqlite')), isError('not-a-session', /isn’t a regular file/));
    const path = create();
    addSession(database!, { id: 'one', lines: session().user('a').lines() });
    await assert.rejects(readSession(join(path, 'two.jsonl')), isError('not-found', /isn’t in the database/));
    database!.exec('DROP TABLE transcript_events');
    await assert.rejects(readSession(join(path, 'one.jsonl')), isError('not-a-session', /no table of session events/));
  });

  it('refuses anything else in the place of a table, and reads no column that is computed', async () => {
    const path = create();
    addSession(database!, { id: 'one', lines: session().user('a').lines() });
    const at = join(path, 'one.jsonl');
    const names = ['transcript_events', 'session_windows', 'session_nodes', 'transcript_rewrite_watermarks'];
    for (const name of names) {
      database!.exec(`ALTER TABLE ${name} RENAME TO hidden`);
      for (const [kind, sql] of [
        ['VIEW', `CREATE VIEW ${name} AS SELECT * FROM hidden`],
        ['TABLE', `CREATE VIRTUAL TABLE ${name} USING fts5(session_id, seq, event_json)`],
      ]) {
        database!.exec(sql!);
        await assert.rejects(readSession(at), isError('not-a-session', new RegExp(`“${name}” isn’t a table`)));
        database!.exec(`DROP ${kind} ${name}`);
      }
      database!.exec(`ALTER TABLE hidden RENAME TO ${name}`);
    }
    assert.equal((await readSession(at)).entries.length, 1);
    database!.exec('ALTER TABLE session_windows DROP COLUMN display_name');
    database!.exec('ALTER TABLE session_windows ADD COLUMN display_name TEXT AS (hex(zeroblob(1000))) VIRTUAL');
    assert.equal((await readSession(at)).name, undefined);
  });

  it('refuses events without the key by which they are found', async () => {
    const path = create();
    addSession(database!, { id: 'one', lines: session().user('a').lines() });
    database!.exec('CREATE TABLE copied AS SELECT * FROM transcript_events; DROP TABLE transcript_events');
    for (const key of ['seq, session_id', 'session_id', 'session_id COLLATE NOCASE, seq', 'session_id, seq DESC']) {
      database!.exec(`CREATE TABLE transcript_events (session_id, seq, event_json, created_at, PRIMARY KEY (${key}))`);
      await assert.rejects(readSession(join(path, 'one.jsonl')), isError('not-a-session', /a key that isn’t known/), key);
      database!.exec('DROP TABLE transcript_events');
    }
  });

  it('reads no database whose texts have another encoding than UTF-8', async () => {
    const path = join(folder.path, 'wide.sqlite');
    const wide = new (loadSqlite().DatabaseSync)(path);
    wide.exec("PRAGMA encoding = 'UTF-16le'; CREATE TABLE transcript_events (session_id, seq, PRIMARY KEY (session_id, seq))");
    wide.close();
    await assert.rejects(readSession(join(path, 'one.jsonl')), isError('not-a-session', /its texts aren’t UTF-8/));
  });

  it('looks at the length of a value before the value', async () => {
    const path = create();
    const [header, first, second] = session().user('a').assistant('b').lines() as [string, string, string];
    addSession(database!, { id: 'one', lines: [header, first] });
    const huge = 200 * 1024 * 1024;
    insert(database!, 'transcript_events', { session_id: 'one', seq: 2, event_json: '', created_at: 1 });
    database!.exec(`UPDATE transcript_events SET event_json = printf('%.*c', ${huge}, 'x') WHERE seq = 2`);
    addEvent(database!, 'one', 3, second);
    database!.exec(`UPDATE session_windows SET display_name = (SELECT event_json FROM transcript_events WHERE seq = 2)`);
    await databases.end();
    const before = readBytes();
    const found = await readSession(join(path, 'one.jsonl'));
    assert.deepEqual([found.entries.length > 1, found.name], [true, undefined]);
    assert.ok(problems(found).includes('damaged-event@3'));
    assert.ok(readBytes() - before < huge / 10, `${readBytes() - before} bytes`);
  });

  it('follows a link to the database, and reads the log beside its target', async () => {
    const path = create();
    addSession(database!, { id: 'one', lines: session().user('a').lines() });
    mkdirSync(join(folder.path, 'elsewhere'));
    symlinkSync(path, join(folder.path, 'elsewhere', 'link.sqlite'));
    assert.equal((await readSession(join(folder.path, 'elsewhere', 'link.sqlite', 'one.jsonl'))).entries.length, 1);
  });

  it('takes values of any type for what they can be', async () => {
    const path = create();
    database!.exec('DROP TABLE transcript_events; DROP TABLE session_nodes');
    database!.exec(
      'CREATE TABLE transcript_events (session_id, seq, event_json, created_at, event_zstd, event_utf8_bytes, navigation_json, PRIMARY KEY (session_id, seq))',
    );
    database!.exec('CREATE TABLE session_nodes (session_key, current_session_id, display_name)');
    insert(database!, 'session_nodes', { session_key: 5, current_session_id: 'one', display_name: 7 });
    insert(database!, 'session_windows', { session_id: 'one', session_key: 'k', created_at: 1, updated_at: 1 });
    const [header, first] = session().user('a').lines() as [string, string];
    const values = [header, first, 5, 1.5, null, Buffer.from('bytes'), 'no JSON', '{"a":\n1}'];
    values.forEach((value, seq) =>
      insert(database!, 'transcript_events', {
        session_id: 'one',
        seq,
        event_json: value,
        created_at: 'x',
        event_zstd: 'text',
        event_utf8_bytes: -1,
      }),
    );
    const found = await readSession(join(path, 'one.jsonl'));
    assert.deepEqual([found.entries.length > 0, found.entries[0]?.id], [true, entryId(1)]);
    assert.deepEqual(
      problems(found).filter((each) => each.startsWith('damaged')),
      ['damaged-event@3', 'damaged-event@4', 'damaged-event@5', 'damaged-event@6'],
    );
  });

  it('ends soon, with a result or a sentence, whatever bytes are damaged', async function () {
    this.timeout(120_000);
    const path = copyRealDatabase(folder.path);
    const whole = readFileSync(path);
    const next = numbers(1);
    const [id] = [...originals.keys()];
    let failed = 0;
    for (let round = 0; round < 150; round++) {
      const bytes = Buffer.from(whole);
      for (let change = 0; change < 1 + (round % 30); change++) {
        const page = Math.floor(next() * (bytes.length / 4096));
        // Most of a page's structure is at its beginning.
        bytes[page * 4096 + Math.floor(next() * (round % 2 === 0 ? 16 : 4096))] = Math.floor(next() * 256);
      }
      writeFileSync(path, bytes);
      if (round % 10 === 9) truncateSync(path, Math.floor(next() * bytes.length));
      try {
        await readDatabase(path, (view) => view.list());
        const found = await readSession(join(path, `${id!}.jsonl`));
        await readBodies(found, [...found.byId.keys()]);
      } catch (error) {
        assert.ok(error instanceof SessionError, String((error as Error).stack));
        failed++;
      }
    }
    assert.ok(failed > 10 && failed < 150, String(failed));
  });
});
