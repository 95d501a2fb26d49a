import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DatabaseBusy } from '../../../src/core/files/database/sqlite/databaseErrors';
import { DatabaseView } from '../../../src/core/files/database/databaseView';
import { readDatabase, readDatabaseSync, type DatabaseRequest } from '../../../src/core/files/database/thread/readDatabase';
import { loadSqlite } from '../../../src/core/files/io/loadSqlite';
import { SessionError } from '../../../src/core/format/entry/problem';
import { finishSteps, type Steps } from '../../../src/core/format/session/steps';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addEvent, addSession, createDatabase } from '../../fixtures/openclawDatabase';

const readers: readonly [string, <T>(path: string, request: DatabaseRequest<T>) => Promise<T>][] = [
  ['in the extension host', readDatabase],
  ['in a worker thread', (path, request) => Promise.resolve(readDatabaseSync(path, request))],
];

/** Does some steps, and calls `onPause` in each pause between them. */
function* withPauses<T>(steps: Steps<T>, onPause: () => void): Steps<T> {
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    onPause();
    yield;
  }
  return step.value;
}

describe('A database that changes while it is read', () => {
  const folder = testFolder();
  const open: DatabaseSync[] = [];
  afterEach(() => open.splice(0).forEach((database) => database.close()));

  const create = (name: string): { path: string; database: DatabaseSync } => {
    const path = join(folder.path, name);
    const database = createDatabase(path);
    open.push(database);
    return { path, database };
  };
  const createClosed = (name: string, id: string, text = 'a'): string => {
    const { path, database } = create(name);
    addSession(database, { id, lines: session().user(text).lines() });
    open.pop()?.close();
    return path;
  };
  const linesOf = (count: number): string[] => {
    const built = session();
    for (let each = 0; each < count; each++) built.user(`${each}`);
    return built.lines();
  };

  for (const [where, read] of readers)
    it(`is read from the file that has replaced it, ${where}`, async () => {
      const path = createClosed('a.sqlite', 'old');
      const other = createClosed('other.sqlite', 'new');
      const ids = async (onPause: () => void): Promise<string[]> =>
        (await read(path, (view) => withPauses(view.list(), onPause))).sessions.map(({ id }) => id);
      assert.deepEqual(await ids(() => undefined), ['old']);
      renameSync(other, path);
      assert.deepEqual(await ids(() => undefined), ['new']);
    });

  for (const [where, read] of readers)
    it(`isn’t read through a link or a folder in place of the files beside it, ${where}`, async () => {
      const { path, database } = create(`linked-${readers.findIndex(([name]) => name === where)}.sqlite`);
      addSession(database, { id: 'one', lines: session().user('a').lines() });
      const list = async () => read(path, (view) => view.list());
      assert.equal((await list()).sessions.length, 1);
      for (const suffix of ['-wal', '-shm', '-journal'])
        for (const put of [(name: string) => symlinkSync(`${path}-elsewhere`, name), (name: string) => mkdirSync(name)]) {
          const isThere = suffix !== '-journal';
          if (isThere) renameSync(path + suffix, `${path}-elsewhere`);
          put(path + suffix);
          await assert.rejects(list, (error) => error instanceof SessionError && error.code === 'not-a-session', suffix);
          rmSync(path + suffix, { recursive: true });
          if (isThere) renameSync(`${path}-elsewhere`, path + suffix);
        }
      assert.equal((await list()).sessions.length, 1);
    });

  it('lets its writer commit and make a checkpoint after each part that is read', () => {
    const { path, database } = create('a.sqlite');
    database.exec('BEGIN');
    addSession(database, { id: 'one', lines: linesOf(5000) });
    database.exec('COMMIT');
    const writer = new (loadSqlite().DatabaseSync)(path, { timeout: 0 });
    open.push(writer);
    let [pauses, seq] = [0, 100_000];
    const [opened] = readDatabaseSync(path, (view) =>
      withPauses(view.open(['one']), () => {
        pauses++;
        addEvent(writer, 'one', seq++, '{}');
        assert.equal(writer.prepare('PRAGMA wal_checkpoint(FULL)').get()?.['busy'], 0);
      }),
    );
    assert.ok(opened && !(opened instanceof Error) && pauses >= 5, `${pauses} pauses`);
    assert.equal(opened.transcript.lines.endOf(5000), Buffer.byteLength(`${linesOf(5000).join('\n')}\n`));
  });

  it('is read again if a session is rewritten between its facts and its events', async () => {
    const { path, database } = create('a.sqlite');
    database.exec('BEGIN');
    for (let each = 0; each < 1500; each++) addSession(database, { id: `s${each}`, lines: linesOf(1) });
    database.exec('COMMIT');
    let [attempts, pauses] = [0, 0];
    const [opened] = await readDatabase(path, (view) => {
      attempts++;
      return withPauses(view.open(['s0']), () => {
        // All of its facts were read by then, and the facts of others weren't.
        if (++pauses === 4) database.exec("UPDATE transcript_rewrite_watermarks SET generation = 'later' WHERE session_id = 's0'");
      });
    });
    assert.ok(opened && !(opened instanceof Error) && attempts === 2, `${attempts} attempts`);
    assert.equal(opened.transcript.generation, 'later');
  });

  it('gives nothing of a state that was written in place meanwhile, without a log', () => {
    const path = createClosed('a.sqlite', 'one', 'before');
    const before = readFileSync(path);
    const after = readFileSync(createClosed('other.sqlite', 'one', 'behind'));
    const isLong = (time: number): void => utimesSync(path, time, time);
    isLong(1000);
    const view = new DatabaseView();
    view.moveTo(path);
    const [opened] = finishSteps(view.open(['one'], false));
    assert.ok(opened && !(opened instanceof Error));
    const bytes = Buffer.alloc(10_000);
    writeFileSync(path, after);
    isLong(2000);
    const { count } = finishSteps(view.read(opened, bytes, 0));
    assert.match(bytes.toString('utf8', 0, count), /behind/);
    // SQLite reads the file after it was looked at, and it changes then.
    const { prototype } = loadSqlite().DatabaseSync;
    // oxlint-disable-next-line typescript/unbound-method -- it's called as a method below
    const { exec } = prototype;
    prototype.exec = function (sql) {
      exec.call(this, sql);
      if (sql !== 'COMMIT') return;
      writeFileSync(path, before);
      isLong(3000);
    };
    try {
      assert.throws(() => finishSteps(view.read(opened, bytes, 0)), DatabaseBusy);
    } finally {
      prototype.exec = exec;
    }
    view.close();
  });

  it('is read a moment later if it was just written without a log', () => {
    const path = createClosed('a.sqlite', 'one');
    const view = new DatabaseView();
    view.moveTo(path);
    utimesSync(path, Date.now() / 1000, Date.now() / 1000);
    assert.throws(() => finishSteps(view.list()), DatabaseBusy);
    assert.equal(readDatabaseSync(path, (kept) => kept.list()).sessions.length, 1);
  });
});
