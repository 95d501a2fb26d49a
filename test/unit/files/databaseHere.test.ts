import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { readAt } from '../../../src/core/files/io/readAt';
import { openSessionBytes } from '../../../src/core/files/read/bytes/sessionBytes';
import { openSessionBytesSync } from '../../../src/core/files/sync/sessionBytesSync';
import { readAtSync } from '../../../src/core/files/sync/readAtSync';
import { readSession } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import {
  addArchivedSession,
  addEvent,
  addPackedEvent,
  addRemovedTranscript,
  addSession,
  createDatabase,
} from '../../fixtures/openclawDatabase';

describe('A session in OpenClaw’s database that is read on the thread of its caller', () => {
  const folder = testFolder();
  const lines = session().user('größe 🏗️').assistant('Gut').user('weiter').lines();
  let database: DatabaseSync;
  beforeEach(() => {
    mkdirSync(join(folder.path, 'agent'));
    database = createDatabase(join(folder.path, 'agent', 'openclaw-agent.sqlite'));
  });
  afterEach(() => database.close());

  const pathOf = (id: string): string => join(folder.path, 'agent', 'openclaw-agent.sqlite', `${id}.jsonl`);

  /** Reads the whole bytes on both threads, which must be the same. */
  async function textOf(id: string): Promise<string> {
    const { size } = await readSession(pathOf(id));
    const there = await openSessionBytes(pathOf(id));
    const here = openSessionBytesSync(pathOf(id));
    try {
      const text = readAtSync(here.file, 0, size).toString();
      assert.equal((await readAt(there.file, 0, size)).toString(), text);
      assert.deepEqual(here.facts, there.facts);
      return text;
    } finally {
      here.file.close();
      await there.file.close();
    }
  }

  it('has the same lines, if they are plain, packed, or a database was written to meanwhile', async () => {
    addSession(database, { id: 'plain', lines, node: { display_name: 'Kran', pinned_at: 5, archived_at: 6, status: 'failed' } });
    assert.equal(await textOf('plain'), `${lines.join('\n')}\n`);
    addSession(database, { id: 'packed', lines: lines.slice(0, 2) });
    addPackedEvent(database, 'packed', 2, lines[2]!);
    addEvent(database, 'packed', 3, lines[3]!);
    assert.equal(await textOf('packed'), `${lines.join('\n')}\n`);
    addEvent(database, 'plain', lines.length, JSON.stringify({ type: 'label', id: 'l', parentId: null, targetId: 'x', label: 'y' }));
    assert.match(await textOf('plain'), /"label":"y"\}\n$/);
  });

  it('has the same lines, if they are in a cold archive, or those of a removed transcript', async () => {
    const { name, archive } = addArchivedSession(database, 'cold', lines);
    mkdirSync(join(folder.path, 'sessions', 'cold'), { recursive: true });
    writeFileSync(join(folder.path, 'sessions', 'cold', name), archive);
    assert.equal(await textOf('cold'), `${lines.join('\n')}\n`);
    addRemovedTranscript(database, 'deleted', `${lines.join('\n')}\n`);
    addRemovedTranscript(database, 'plain-deleted', `${lines.join('\n')}\n`, { encoding: 'identity' });
    for (const id of ['deleted', 'plain-deleted']) assert.equal(await textOf(id), `${lines.join('\n')}\n`);
  });

  it('is refused with the same reason', async () => {
    addSession(database, { id: 'bad', lines: ['{"type":"session"'] });
    addRemovedTranscript(database, 'odd', 'x');
    for (const id of ['bad', 'odd', 'nowhere']) {
      const reason = await readSession(pathOf(id)).then(
        () => '',
        (error: unknown) => (error as { readonly code?: string }).code,
      );
      assert.match(String(reason), /^not-/, id);
    }
    assert.throws(() => openSessionBytesSync(pathOf('nowhere')), { code: 'not-found' });
  });
});
