import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import type { CatalogRow } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';
import { addEvent, addRemovedTranscript, addSession, createDatabase } from '../../fixtures/openclawDatabase';

describe('A catalog of OpenClaw’s agents', () => {
  const test = testCatalog();
  const folder = testFolder();
  const lines = session().user('hello').lines();

  /** Returns the rows of a new database, by the ids of their sessions. */
  async function rowsOf(fill: (database: DatabaseSync) => void): Promise<Map<string, CatalogRow>> {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    fill(database);
    database.close();
    const roots = [{ path, dialect: 'openclaw', flat: true } as const];
    const catalog = await test.open({}, { roots });
    const rows = await catalog.sessions();
    assert.deepEqual(
      rows.filter(({ problem }) => problem),
      [],
    );
    await catalog.close();
    const stored = await (await test.openOnly({ roots })).sessions();
    const byPath = (all: readonly CatalogRow[]): unknown => all.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    assert.deepEqual(byPath(stored), byPath(rows), 'its own database has the same rows');
    return new Map(rows.map((row) => [basename(row.path, '.jsonl'), row]));
  }

  it('names the agent of each session by its key, and that of the database if the key names none', async () => {
    const rows = await rowsOf((database) => {
      database.exec("UPDATE schema_meta SET agent_id = 'owner'");
      const keys = {
        main: 'agent:main:main',
        other: 'agent:研究_2:whatsapp:direct:ann',
        old: 'main',
        bad: 'agent:a\u202Eb:x',
        none: 'agent:',
      };
      for (const [id, key] of Object.entries(keys)) addSession(database, { id, key, lines });
      addRemovedTranscript(database, 'gone', lines.join('\n'), { session_key: 'agent:third:x' });
    });
    assert.deepEqual(Object.fromEntries([...rows].map(([id, { agent }]) => [id, agent]).sort()), {
      bad: 'owner',
      gone: 'third',
      main: 'main',
      none: 'owner',
      old: 'owner',
      other: '研究_2',
    });
  });

  it('has a row for each session whose events are all that’s left', async () => {
    const rows = await rowsOf((database) => {
      addSession(database, { id: 'm', lines });
      for (const [seq, line] of session().user('Что осталось').assistant('да').lines().entries()) addEvent(database, 'эхо', seq, line);
    });
    assert.equal(rows.size, 2);
    const { title, dialect, messageCount } = rows.get('эхо')!;
    assert.deepEqual([title, dialect, messageCount], ['Что осталось', 'openclaw', 2]);
  });

  it('lists more such sessions than are read at once', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    database.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO transcript_events (session_id, seq, event_json, created_at) SELECT 'id' || i, 0, '{}', i FROM n`);
    database.close();
    const { files } = await listFiles([{ path, dialect: 'openclaw', flat: true }], assert.ifError);
    assert.equal(new Set(files.map((file) => file.path)).size, 2500);
  });

  it('has sessions of subagents below the ones that started them, but none in a circle or below a missing one', async () => {
    const key = (id: string): string => `agent:main:${id}`;
    const rows = await rowsOf((database) => {
      addSession(database, { id: 'top', lines });
      addSession(database, { id: 'child', lines, node: { spawned_by: key('top') } });
      addSession(database, { id: 'grandchild', lines, window: { parent_session_key: key('child') } });
      addSession(database, { id: 'window', lines, window: { spawned_by: key('top') } });
      addSession(database, { id: 'orphan', lines, node: { spawned_by: key('nobody') } });
      addSession(database, { id: 'self', lines, node: { parent_session_key: key('self') } });
      for (const [id, parent] of Object.entries({ a: 'b', b: 'c', c: 'a' }))
        addSession(database, { id, lines, node: { spawned_by: key(parent) } });
      addSession(database, { id: 'of a circle', lines, node: { spawned_by: key('a') } });
      const source = { parent_session_key: key('top'), fork_source_session_key: key('top'), fork_source_session_id: 'top' };
      addSession(database, { id: 'fork', lines, node: source, window: { parent_session_key: key('top') } });
    });
    const parents = [...rows].flatMap(([id, { parentPath }]) => (parentPath === undefined ? [] : [[id, basename(parentPath, '.jsonl')]]));
    assert.deepEqual(Object.fromEntries(parents.sort()), { child: 'top', grandchild: 'child', window: 'top' });
    for (const [, { parentPath }] of rows) assert.ok(parentPath === undefined || rows.has(basename(parentPath, '.jsonl')));
  });
});
