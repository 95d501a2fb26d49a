import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sameSessionVersion, sessionVersion } from '../../../src/core/files/database/databaseSession';
import { CorruptDatabase } from '../../../src/core/files/database/sqlite/databaseErrors';
import { Pulse } from '../../../src/core/files/concurrency/pulse';
import { DatabaseConnection } from '../../../src/core/files/database/sqlite/databaseConnection';
import { DatabaseReader } from '../../../src/core/files/database/thread/databaseReader';
import { databases as shared } from '../../../src/core/files/database/thread/databaseThread';
import { DatabaseView } from '../../../src/core/files/database/databaseView';
import { closeDatabases, readDatabase } from '../../../src/core/files/database/thread/readDatabase';
import { sameVersion } from '../../../src/core/files/read/versions/compareVersions';
import { databaseVersions, sessionFileVersion } from '../../../src/core/files/read/versions/findFileVersion';
import { statFileVersions } from '../../../src/core/files/read/versions/statFiles';
import type { FileVersion } from '../../../src/core/files/read/versions/fileVersion';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addEvent, addSession, createDatabase } from '../../fixtures/openclawDatabase';
import { dice } from '../../fixtures/random';

/** Returns the number of rows that some work reads from databases. */
async function rowsOf(work: () => Promise<unknown>): Promise<number> {
  const { prototype } = DatabaseConnection;
  // oxlint-disable-next-line typescript/unbound-method -- they're called as methods below
  const { all, iterate } = prototype;
  let count = 0;
  prototype.all = function (...given) {
    const rows = all.apply(this, given);
    count += rows.length;
    return rows;
  };
  prototype.iterate = function* (...given) {
    for (const row of iterate.apply(this, given)) {
      count++;
      yield row;
    }
  };
  try {
    await work();
  } finally {
    Object.assign(prototype, { all, iterate });
  }
  return count;
}

/** Lists the sessions of a database with their versions. */
async function versionsIn(path: string, view?: DatabaseView): Promise<Map<string, readonly [version: FileVersion, opened: unknown]>> {
  view?.moveTo(path);
  const { sessions } = await readDatabase(path, (kept) => (view ?? kept).list());
  const ids = sessions.map(({ id }) => id);
  const opened = await readDatabase(path, (kept) => (view ?? kept).open(ids));
  return new Map(
    opened.flatMap((one, index) => (one && !(one instanceof CorruptDatabase) ? [[ids[index]!, [sessionVersion(one), one]] as const] : [])),
  );
}

/** Returns the versions that a view that has read nothing finds to be the same as before, and the number of rows that it reads. */
async function versionsOfNewView(
  path: string,
  ids: readonly string[],
  before: readonly (FileVersion | undefined)[],
  onRows: (count: number) => void,
): Promise<(FileVersion | undefined)[]> {
  let found: (FileVersion | undefined)[] = [];
  const view = new DatabaseView();
  view.moveTo(path);
  onRows(
    await rowsOf(async () => {
      const outlines = await readDatabase(path, () => view.outline(ids));
      found = outlines.map((one, index) => (one && !(one instanceof CorruptDatabase) ? sameSessionVersion(one, before[index]) : undefined));
    }),
  );
  view.close();
  return found;
}

describe('The part of a database that is kept in memory', () => {
  const folder = testFolder();
  // The thread's part runs in this one, where its rows are counted.
  const reader = new DatabaseReader(new Pulse());
  before(() => {
    shared.request = (method, ...params) => Reflect.apply(reader[method], reader, params) as never;
  });
  after(() => Reflect.deleteProperty(shared, 'request'));
  const lines = session().user('hello').assistant('hi').lines();
  const event = (text: string): string => JSON.stringify({ type: 'message', id: text, message: { role: 'user', content: text } });

  const create = (name: string, count: number): { path: string; database: DatabaseSync } => {
    const path = join(folder.path, name);
    const database = createDatabase(path);
    database.exec('PRAGMA wal_autocheckpoint = 0; BEGIN');
    for (let each = 0; each < count; each++) addSession(database, { id: `s${each}`, lines });
    database.exec('COMMIT');
    return { path, database };
  };

  it('is read again only where it changed', async () => {
    const { path, database } = create('a.sqlite', 10);
    database.exec('BEGIN');
    addSession(database, { id: 'long', lines: [...lines, ...Array.from({ length: 3000 }, (_, each) => event(`${each}`))] });
    database.exec('COMMIT');
    const cold = await rowsOf(() => versionsIn(path));
    const before = await versionsIn(path);
    addEvent(database, 'long', lines.length + 3000, event('more'));
    const after = await rowsOf(() => versionsIn(path));
    assert.ok(after < cold / 10, `${cold} and then ${after} rows`);
    const now = await versionsIn(path);
    assert.deepEqual(
      [...now].filter(([id, version]) => JSON.stringify(version) !== JSON.stringify(before.get(id))).map(([id]) => id),
      ['long'],
    );
    database.close();
  });

  it('isn’t needed for the versions of sessions that didn’t change since they were listed', async () => {
    const { path, database } = create('known.sqlite', 40);
    const long = Array.from({ length: 400 }, (_, index) => event(`${index} ${'x'.repeat(2000)}`));
    addSession(database, { id: 'long', lines: [...lines, ...long] });
    const ids = ['long', ...Array.from({ length: 40 }, (_, each) => `s${each}`)];
    const before = (await databaseVersions(path, ids)).map((version) => (version instanceof Error ? undefined : version));
    let rows = 0;
    // A new thread knows nothing of the database.
    const known = await versionsOfNewView(path, ids, before, (count) => (rows = count));
    assert.deepEqual(known, before);
    assert.ok(rows < 400, `${rows} rows`);
    database.close();
  });

  it('isn’t needed to list sessions that were never read: their size is a guess until then', async () => {
    const { path, database } = create('fresh.sqlite', 1);
    const long = Array.from({ length: 400 }, (_, index) => event(`${index} ${'x'.repeat(2000)}`));
    for (const id of ['long', 'unmarked']) addSession(database, { id, lines: [...lines, ...long] });
    database.exec("DELETE FROM transcript_rewrite_watermarks WHERE session_id = 'unmarked'");
    const [at, unmarked] = [join(path, 'long.jsonl'), join(path, 'unmarked.jsonl')];
    const listed = async (each: string, before?: FileVersion): Promise<FileVersion> => {
      const [version] = await statFileVersions([each], 1, undefined, () => before);
      assert.ok(version && !(version instanceof Error));
      return version;
    };
    let guess: FileVersion | undefined;
    const rows = await rowsOf(async () => {
      guess = await listed(at);
    });
    assert.ok(guess && rows < 200, `${rows} rows`);
    const exact = await sessionFileVersion(at, guess);
    const size = (count: number): number => [...lines, ...long].slice(0, count).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
    assert.deepEqual([guess.isEstimate, exact.isEstimate, exact.size], [true, undefined, size(Infinity)]);
    assert.deepEqual([sameVersion(guess, exact), exact.mtimeMs, await listed(at, exact)], [true, guess.mtimeMs, exact]);
    // Without a generation, the size is the only sign of a rewritten event.
    const before = await listed(unmarked);
    assert.deepEqual([before.isEstimate, before.size], [undefined, exact.size]);
    addEvent(database, 'long', lines.length + 400, event('more'));
    database.exec("UPDATE transcript_events SET event_json = event_json || ' ' WHERE session_id = 'unmarked' AND seq = 2");
    const known = [
      [at, exact],
      [unmarked, before],
    ] as const;
    for (const [each, earlier] of known) {
      const now = await listed(each, earlier);
      assert.deepEqual([now.isEstimate, sameVersion(now, earlier), now.size > earlier.size], [undefined, false, true], each);
    }
    database.close();
  });

  it('holds for more databases than four, after their connections were closed', async () => {
    const databases = Array.from({ length: 12 }, (_, index) => create(`${index}.sqlite`, 20));
    for (const { database } of databases) database.close();
    for (const { path } of databases) await versionsIn(path);
    closeDatabases();
    const rows = await rowsOf(async () => {
      for (const { path } of databases) await readDatabase(path, (view) => view.outline([]));
    });
    assert.equal(rows, 0);
  });

  it('is read again after any change', async () => {
    for (const seed of [1, 2]) {
      const random = dice(seed);
      const below = (end: number): number => random.below(end);
      const { path, database } = create(`random${seed}.sqlite`, 60);
      const ids = Array.from({ length: 60 }, (_, each) => `s${each}`);
      let earlier: (FileVersion | undefined)[] = [];
      const pick = (): string => random.one(ids);
      const changes: readonly (() => void)[] = [
        () => {
          const id = pick();
          const last = Number(
            database.prepare('SELECT max(seq) AS last FROM transcript_events WHERE session_id = ?').get(id)?.['last'] ?? -1,
          );
          for (let count = below(20); count >= 0; count--) addEvent(database, id, last + 21 - count, event('x'.repeat(below(900))));
        },
        () =>
          database.exec(
            `UPDATE session_windows SET display_name = 'n${below(100)}', updated_at = ${below(1e6)} WHERE session_id = '${pick()}'`,
          ),
        () =>
          database.exec(
            `UPDATE session_nodes SET status = 'done', spawned_by = 'agent:main:${pick()}' WHERE current_session_id = '${pick()}'`,
          ),
        () => {
          const id = `new${below(1e9)}`;
          ids.push(id);
          addSession(database, { id, lines });
        },
        () => {
          const id = pick();
          for (const table of ['session_windows', 'transcript_rewrite_watermarks', 'transcript_events'])
            database.exec(`DELETE FROM ${table} WHERE session_id = '${id}'`);
        },
        () => {
          const id = pick();
          database.exec(`UPDATE transcript_rewrite_watermarks SET generation = 'g${below(1e6)}' WHERE session_id = '${id}'`);
          database.exec(`DELETE FROM transcript_events WHERE session_id = '${id}' AND seq > 0`);
          addEvent(database, id, 1, event('rewritten'));
        },
        () => database.exec(`DELETE FROM transcript_rewrite_watermarks WHERE session_id = '${pick()}'`),
        () =>
          database.exec(
            `UPDATE transcript_events SET event_json = '${event('y'.repeat(below(9000)))}' WHERE session_id NOT IN (SELECT session_id FROM transcript_rewrite_watermarks)`,
          ),
        () => database.exec(random.one(['VACUUM', 'PRAGMA wal_checkpoint(PASSIVE)', 'PRAGMA wal_checkpoint(TRUNCATE)'])),
      ];
      for (let round = 0; round < 40; round++) {
        for (let count = below(4); count >= 0; count--) {
          try {
            random.one(changes)();
          } catch (error) {
            // A deleted session gets no event, and no second one of its name.
            if (!/constraint/i.test(String(error))) throw error;
          }
        }
        const fresh = new DatabaseView();
        const found = await versionsIn(path, fresh);
        fresh.close();
        assert.deepEqual(await versionsIn(path), found, `seed ${seed}, round ${round}`);
        // As a listing does, which knows the versions of an earlier one.
        const now = await databaseVersions(path, ids, earlier);
        assert.deepEqual(
          now,
          [...ids.keys()].map((at) => found.get(ids[at]!)?.[0]),
          `seed ${seed}, round ${round}`,
        );
        earlier = now.map((version) => (version instanceof Error ? undefined : version));
      }
      database.close();
    }
  });
});
