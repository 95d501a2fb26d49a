import assert from 'node:assert/strict';
import { join } from 'node:path';
import { databases } from '../../../src/core/files/database/databaseThread';
import { startChild } from '../../fixtures/children';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addSession, createDatabase } from '../../fixtures/openclawDatabase';
import { sharePages } from '../../fixtures/sharedPages';

describe('A database whose pages are shared among many parents', () => {
  const folder = testFolder();
  /** Creates a database, and returns the page at which the table of its sessions begins. */
  const create = (name: string): { path: string; root: number } => {
    const path = join(folder.path, name);
    const database = createDatabase(path);
    addSession(database, { id: name, lines: session().user('a').lines() });
    const root = database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'session_windows'`).get()?.['rootpage'];
    database.close();
    return { path, root: Number(root) };
  };

  it('is refused when SQLite hangs in its schema, while others are read and the event loop runs', async () => {
    const [planted, good] = [create('planted.sqlite').path, create('good.sqlite').path];
    sharePages(planted, 1);
    const child = await startChild('stuckDatabases', '400', planted, good);
    try {
      const refusal = 'SessionError: The file is left out, because reading it made no progress for at least 0.4 seconds.';
      assert.deepEqual([await child.heard(), await child.heard()], [refusal, 'good.sqlite']);
      const turns = Number(await child.heard());
      assert.ok(turns > 100, `${turns} turns of the event loop`);
      child.say('again');
      // It's refused without another thread that would hang.
      assert.deepEqual([await child.heard(), await child.heard(), await child.heard()], [refusal, 'good.sqlite', '1']);
      child.say('retry');
      assert.deepEqual([await child.heard(), await child.heard(), await child.heard()], [refusal, 'good.sqlite', '2']);
    } finally {
      await child.end();
    }
  });

  it('is damaged if they are the pages of a table', async () => {
    const { path, root } = create('planted.sqlite');
    sharePages(path, root);
    await assert.rejects(databases.request('list', path), /Can’t read this database \(it’s damaged\)/);
  });
});
