import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sessionRecap } from '../../../src/core/files/locate/programs/sessionRecap';
import { testFolder } from '../../fixtures/folder';

/** The tables of oh-my-pi 18.5, of which only one has recaps. */
const TABLES = `
CREATE TABLE session_titles (session_id TEXT PRIMARY KEY, title TEXT NOT NULL, updated_at INTEGER NOT NULL DEFAULT 1);
CREATE TABLE session_recaps (
  id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, cwd TEXT NOT NULL, recap TEXT NOT NULL, created_at INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX idx_session_recaps_session ON session_recaps(session_id, created_at);`;

describe('A recap of oh-my-pi', () => {
  const folder = testFolder();
  const open: DatabaseSync[] = [];
  afterEach(() => open.splice(0).forEach((database) => database.close()));

  function history(tables = TABLES): DatabaseSync {
    const database = new DatabaseSync(join(folder.path, 'history.db'));
    open.push(database);
    database.exec(`PRAGMA journal_mode = WAL; ${tables}`);
    return database;
  }
  const add = (database: DatabaseSync, id: string, recap: string | Uint8Array): unknown =>
    database.prepare('INSERT INTO session_recaps (session_id, cwd, recap) VALUES (?, ?, ?)').run(id, '/work', recap);
  const of = (...names: string[]): string => join(folder.path, ...names);
  const path = (): string => of('sessions', '-work-', 'a.jsonl');

  it('is none where there’s no history, and an error if that can’t be known', async () => {
    assert.equal(await sessionRecap(path(), 'one'), undefined);
    assert.equal(await sessionRecap(of('others', '-work-', 'a.jsonl'), 'one'), undefined);
    mkdirSync(of('history.db'));
    assert.equal(await sessionRecap(path(), 'one'), undefined);
    await assert.rejects(sessionRecap(of('\0', 'sessions', '-work-', 'a.jsonl'), 'one'), { code: 'ERR_INVALID_ARG_VALUE' });
  });

  it('is the newest one of the session, while oh-my-pi has the history open', async () => {
    const database = history();
    add(database, 'one', 'Der Kiel ist fertig.');
    add(database, 'two', 'Something else.');
    add(database, 'one', 'Kiel und Mast sind fertig. 帆はまだ。');
    assert.equal(await sessionRecap(path(), 'one'), 'Kiel und Mast sind fertig. 帆はまだ。');
    assert.equal(await sessionRecap(of('archive', 'sessions', '-work-', 'a.jsonl'), 'two'), 'Something else.');
    assert.equal(await sessionRecap(path(), 'three'), undefined);
    add(database, 'one', 'Now the sail.');
    assert.equal(await sessionRecap(path(), 'one'), 'Now the sail.');
  });

  it('is missing without a history or a table, and for files elsewhere', async () => {
    assert.equal(await sessionRecap(path(), 'one'), undefined);
    add(history(), 'one', 'Here.');
    assert.equal(await sessionRecap(of('other', '-work-', 'a.jsonl'), 'one'), undefined);
    mkdirSync(of('old'));
    const old = new DatabaseSync(of('old', 'history.db'));
    old.exec('CREATE TABLE history (id INTEGER PRIMARY KEY, prompt TEXT)');
    old.close();
    assert.equal(await sessionRecap(of('old', 'sessions', '-work-', 'a.jsonl'), 'one'), undefined);
  });

  it('isn’t a value of another kind, nor read from a view or a folder', async () => {
    const database = history();
    add(database, 'one', 'Whole.');
    add(database, 'one', new Uint8Array([1, 2]));
    add(database, 'one', 'x'.repeat(100_000));
    assert.equal(await sessionRecap(path(), 'one'), 'Whole.');
    mkdirSync(of('planted', 'history.db'), { recursive: true });
    assert.equal(await sessionRecap(of('planted', 'sessions', 'p', 'a.jsonl'), 'one'), undefined);
    mkdirSync(of('view'));
    const view = new DatabaseSync(of('view', 'history.db'));
    view.exec("CREATE VIEW session_recaps AS SELECT 'one' AS session_id, 'planted' AS recap");
    view.close();
    await assert.rejects(sessionRecap(of('view', 'sessions', 'p', 'a.jsonl'), 'one'), /session_recaps/);
    mkdirSync(of('text'));
    writeFileSync(of('text', 'history.db'), 'no database '.repeat(100));
    await assert.rejects(sessionRecap(of('text', 'sessions', 'p', 'a.jsonl'), 'one'));
  });

  it('is read without changing the history', async () => {
    const database = history();
    add(database, 'one', 'Here.');
    database.close();
    open.length = 0;
    const state = (): unknown => [readdirSync(folder.path), readFileSync(of('history.db')).toString('hex')];
    const before = state();
    assert.equal(await sessionRecap(path(), 'one'), 'Here.');
    assert.deepEqual(state(), before);
  });
});
