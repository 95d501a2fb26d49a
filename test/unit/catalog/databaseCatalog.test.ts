import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { IndexedLineReader } from '../../../src/core/catalog/search/indexedLineReader';
import { createQuickScanBuffer, quickScan } from '../../../src/core/catalog/rows/quickScan';
import { quickScanSync } from '../../../src/core/catalog/rows/quickScanSync';
import { stuckError } from '../../../src/core/files/concurrency/threadErrors';
import { databases } from '../../../src/core/files/database/thread/databaseThread';
import { statFileVersions } from '../../../src/core/files/read/versions/statFiles';
import { DiskInventory } from '../../../src/core/catalog/refresh/diskInventory';
import { SessionStore } from '../../../src/core/catalog/store/sessionStore';
import { readSession, type Catalog, type CatalogSource, type Root } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { addEvent, addPackedEvent, addSession, copyRealDatabase, createDatabase, originals } from '../../fixtures/openclawDatabase';

describe('A catalog of OpenClaw’s database', () => {
  const test = testCatalog();
  const folder = testFolder();
  let database: DatabaseSync | undefined;
  afterEach(() => {
    database?.close();
    database = undefined;
  });

  const rootAt = (path: string): Root => ({ path, dialect: 'openclaw', flat: true });

  it('has a row for each session, by its name and below its owner', async () => {
    const path = copyRealDatabase(folder.path);
    const catalog = await test.open({}, { roots: [rootAt(path)] });
    const rows = await catalog.sessions();
    assert.deepEqual(
      rows
        .map(({ name, dialect, complete, writable, parentPath, problem }) => [
          name,
          dialect,
          complete,
          writable,
          parentPath && parentPath.slice(path.length + 1),
          problem,
        ])
        .sort(),
      [
        ['Ann', 'openclaw', true, false, undefined, undefined],
        ['Main chat', 'openclaw', true, false, undefined, undefined],
        ['Nightly report', 'openclaw', true, false, undefined, undefined],
        ['Sub task', 'openclaw', true, false, '01a1fa48-5dc4-7ce9-b9d7-d994a92672d9.jsonl', undefined],
      ],
    );
    assert.deepEqual(rows.map((row) => row.path).sort(), [...originals.keys()].map((id) => join(path, `${id}.jsonl`)).sort());
    assert.deepEqual((await catalog.refresh()).changed, []);
  });

  it('reads a database again that reading made no progress with, once one of its sessions is retried', async () => {
    const path = copyRealDatabase(folder.path);
    const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
    const refuse = (): unknown => databases['refused'].set(path, { error: stuckError(10_000), state: `${dev}:${ino} ${size} ${mtimeNs}` });
    const [id = ''] = originals.keys();
    for (const retried of [path, join(path, `${id}.jsonl`)]) {
      refuse();
      const catalog = await test.open({}, { roots: [rootAt(path)] });
      await assert.rejects(databases.request('list', path), /made no progress/);
      await catalog.forget([retried]);
      await catalog.refresh();
      assert.equal((await databases.request('list', path)).sessions.length, originals.size);
      assert.equal((await catalog.sessions()).filter(({ problem }) => !problem).length, originals.size);
    }
  });

  it('finds words in sessions, in compressed events too, and changes no byte of the database', async () => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    const lines = session().user('plain').assistant('compressed '.repeat(500)).lines();
    addSession(database, { id: 'one', lines: lines.slice(0, 2) });
    addPackedEvent(database, 'one', 2, lines[2]!);
    const files = (): unknown => ['', '-wal'].map((suffix) => readFileSync(path + suffix).toString('base64'));
    const before = files();
    const catalog = await test.open({}, { roots: [rootAt(path)] });
    for (const word of ['plain', 'compressed'])
      assert.deepEqual(
        (await catalog.search(word)).map((hit) => hit.path),
        [join(path, 'one.jsonl')],
      );
    const stored = await catalog.session(join(path, 'one.jsonl'));
    assert.deepEqual(stored.entries, (await readSession(stored.path)).entries);
    assert.deepEqual(files(), before);
  });

  it('first shows what the beginning and the end of a session reveal, and then its exact size', async () => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    const built = session().user('how it began');
    for (let each = 0; each < 100; each++) built.assistant(`${each} ${'x'.repeat(9000)}`);
    const lines = built.user('how it ended').lines();
    addSession(database, { id: 'one', lines });
    const at = join(path, 'one.jsonl');
    const [version] = await statFileVersions([at], 1, undefined, () => undefined);
    assert.ok(version && !(version instanceof Error) && version.isEstimate);
    const file = { path: at, dialect: 'openclaw', version } as const;
    const whole = await readSession(at);
    for (const { summary } of [await quickScan(file, createQuickScanBuffer()), quickScanSync(file, createQuickScanBuffer())])
      assert.deepEqual([summary.title, summary.modified], ['how it began', whole.entries.at(-1)?.time]);
    const source: CatalogSource = {
      index: () => Promise.resolve(catalog.index),
      isReady: () => true,
      read: (work, onRead) => catalog.index.read(work, onRead),
    };
    const store = new SessionStore({ roots: () => [rootAt(path)], source, onProblem: () => undefined, onChange: () => undefined });
    const catalog = await test.openOnly({ roots: [rootAt(path)], store });
    await catalog.refresh();
    for (const known of [catalog.files().get(at), store.disk.files().get(at)])
      assert.deepEqual([known?.version.size, known?.version.isEstimate], [whole.size, undefined]);
  });

  it('follows what is appended', async () => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    const [header, hello, more] = session().user('hello').user('later').lines() as [string, string, string];
    addSession(database, { id: 'one', lines: [header, hello] });
    addSession(database, { id: 'two', lines: session().user('other').lines() });
    const catalog = await test.open({}, { roots: [rootAt(path)] });
    addEvent(database, 'one', 2, more);
    assert.deepEqual((await catalog.refresh([path])).changed, [join(path, 'one.jsonl')]);
    assert.deepEqual(
      (await catalog.search('later')).map((hit) => hit.path),
      [join(path, 'one.jsonl')],
    );
    database.exec("DELETE FROM session_windows WHERE session_id = 'two'; DELETE FROM transcript_events WHERE session_id = 'two'");
    assert.deepEqual((await catalog.refresh()).changed, [join(path, 'two.jsonl')]);
    assert.deepEqual(
      (await catalog.sessions()).map((row) => row.path),
      [join(path, 'one.jsonl')],
    );
  });

  it('is kept current by the store alone, which reads only what was appended', async () => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    const [header, hello, more] = session().user('hello').user('later').lines() as [string, string, string];
    addSession(database, { id: 'one', lines: [header, hello] });
    const changes: string[] = [];
    const store = new SessionStore({
      roots: () => [rootAt(path)],
      onProblem: (at, error) => assert.fail(`${at}: ${String(error)}`),
      onChange: ({ changed, removed }) => changes.push(...changed, ...removed),
    });
    await store.refresh();
    const before = await store.session(join(path, 'one.jsonl'));
    addEvent(database, 'one', 2, more);
    await store.refresh([path]);
    const after = await store.session(join(path, 'one.jsonl'));
    assert.equal(after.entries.length, 2);
    assert.equal(after.entries[0], before.entries[0], 'the known entries are kept');
    assert.deepEqual([...new Set(changes)], [join(path, 'one.jsonl')]);
  });

  it('shows the state of a session, and which ones are pinned or archived, also from its own database', async () => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    const lines = session().user('hello').lines();
    addSession(database, { id: 'working', lines, node: { status: 'running', pinned_at: 5 } });
    addSession(database, { id: 'failed', lines, node: { status: 'timeout', archived_at: 5 } });
    addSession(database, { id: 'plain', lines });
    const marks = async (catalog: Catalog): Promise<unknown> =>
      Object.fromEntries(
        (await catalog.sessions()).map(({ path: at, state, isPinned, isArchived }) => [
          basename(at, '.jsonl'),
          [state, isPinned, isArchived],
        ]),
      );
    const expected = {
      working: ['working', true, undefined],
      failed: ['failed', undefined, true],
      plain: [undefined, undefined, undefined],
    };
    const catalog = await test.open({}, { roots: [rootAt(path)] });
    assert.deepEqual(await marks(catalog), expected);
    await catalog.close();
    assert.deepEqual(await marks(await test.open({}, { roots: [rootAt(path)] })), expected);
  });

  it('links a session to the one that it continues or was forked from', async () => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    const lines = session().user('hello').lines();
    addSession(database, { id: 'first', lines });
    addSession(database, { id: 'next', lines, window: { previous_session_id: 'first', reason: 'rollover' } });
    // OpenClaw names the source as the parent of a fork, too, which is no subagent.
    const key = 'agent:main:first';
    const fork = { parent_session_key: key, fork_source_session_key: key, fork_source_session_id: 'first' };
    addSession(database, { id: 'fork', lines, node: fork });
    addSession(database, { id: 'helper', lines, node: { parent_session_key: key } });
    addSession(database, { id: 'forked helper', lines, node: { ...fork, spawned_by: key } });
    const rows = await (await test.open({}, { roots: [rootAt(path)] })).sessions();
    const parents = Object.fromEntries(rows.map((row) => [basename(row.path), row.parentSessionPath]));
    const first = join(path, 'first.jsonl');
    assert.deepEqual(parents, {
      'first.jsonl': undefined,
      'next.jsonl': first,
      'fork.jsonl': first,
      'helper.jsonl': undefined,
      'forked helper.jsonl': first,
    });
    const owned = rows.flatMap(({ path: at, parentPath }) => (parentPath === undefined ? [] : [[basename(at), parentPath]]));
    assert.deepEqual(owned.sort(), [
      ['forked helper.jsonl', first],
      ['helper.jsonl', first],
    ]);
  });

  it('lists a session once that is a file, too', async () => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    const lines = session().user('hello');
    addSession(database, { id: 'both', lines: lines.lines() });
    const files = join(folder.path, 'files');
    mkdirSync(files);
    for (const name of ['both', 'file']) writeFileSync(join(files, `${name}.jsonl`), lines.text());
    const roots: Root[] = [{ path: files, dialect: 'openclaw', flat: true }, rootAt(path)];
    const inventory = new DiskInventory(() => roots);
    const expected = [join(path, 'both.jsonl'), join(files, 'file.jsonl')].sort();
    await inventory.inspect();
    assert.deepEqual([...inventory.files().keys()].sort(), expected);
    await inventory.inspect([files, path]);
    await inventory.inspect(expected);
    assert.deepEqual([...inventory.files().keys()].sort(), expected);
    for (const table of ['session_windows', 'transcript_events']) database.exec(`DELETE FROM ${table} WHERE session_id = 'both'`);
    await inventory.inspect();
    assert.deepEqual([...inventory.files().keys()].sort(), [join(files, 'both.jsonl'), join(files, 'file.jsonl')].sort());
  });

  it('knows a schema by its tables and columns, reports what is missing, and shows the rest', async () => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    addSession(database, { id: 'one', lines: session().user('hello').lines() });
    database.exec('UPDATE schema_meta SET schema_version = 99');
    database.exec('ALTER TABLE transcript_events ADD COLUMN later TEXT');
    const inventory = new DiskInventory(() => [rootAt(path)]);
    const at = join(path, 'one.jsonl');
    const known = await inventory.inspect();
    assert.deepEqual([known.files.map((file) => file.path), known.failed], [[at], []]);
    database.exec('ALTER TABLE session_nodes DROP COLUMN pinned_at; DROP TABLE session_transcript_cold_archives');
    const { files, failed } = await inventory.inspect();
    assert.deepEqual(
      files.map((file) => file.path),
      [at],
    );
    assert.match(String(failed[0]?.error), /doesn’t have session_nodes\.pinned_at, session_transcript_cold_archives\./);
  });

  it('doesn’t list imported files while the database can’t be listed', async () => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    addSession(database, { id: 'one', lines: session().user('a').lines() });
    database.close();
    database = undefined;
    const files = join(folder.path, 'sessions');
    mkdirSync(files);
    writeFileSync(join(files, 'one.jsonl'), session().user('a').text());
    const disk = new DiskInventory(() => [rootAt(files), rootAt(path)]);
    await disk.inspect();
    assert.deepEqual([...disk.files().keys()], [join(path, 'one.jsonl')]);
    writeFileSync(path, 'damaged');
    assert.equal((await disk.inspect()).failed.length, 1);
    assert.deepEqual([...disk.files().keys()], [join(path, 'one.jsonl')]);
  });

  it('is searched without the session that is rewritten meanwhile', async () => {
    const path = join(folder.path, 'a.sqlite');
    database = createDatabase(path);
    const lines = session().user('hello').assistant('hi').lines();
    addSession(database, { id: 'one', lines });
    const reader = new IndexedLineReader({ summary: () => undefined }, undefined);
    const at = {
      line: 2,
      offset: lines[0]!.length + 1,
      length: lines[1]!.length,
      entryId: '',
      role: 'user',
      time: 0,
      active: true,
      hasText: true,
      tools: [],
    };
    const read = async () => (await reader.read(join(path, 'one.jsonl'), at))?.text;
    assert.equal(await read(), 'hello');
    database.exec('DELETE FROM transcript_events WHERE seq = 1');
    assert.equal(await read(), undefined);
    await reader.close();
  });
});
