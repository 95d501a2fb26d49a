import assert from 'node:assert/strict';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { frameSize } from '../../../src/core/files/database/lines/removedArchive';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import { openSessionBytesSync } from '../../../src/core/files/sync/sessionBytesSync';
import { readAtSync } from '../../../src/core/files/sync/readAtSync';
import { readSession } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addRemovedTranscript, addSession, createDatabase } from '../../fixtures/openclawDatabase';

describe('Transcripts that OpenClaw has deleted or reset', () => {
  const folder = testFolder();
  const lines = session()
    .user('Прощай')
    .assistant('さようなら', { big: 'x'.repeat(300_000) })
    .lines();
  const text = `${lines.join('\n')}\n`;

  it('are archived sessions with the lines that they had, compressed or not', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    addRemovedTranscript(database, 'packed', text);
    addRemovedTranscript(database, 'plain', text, { encoding: 'identity', reason: 'reset' });
    addRemovedTranscript(database, 'twice', '{}', { generation: 'earlier' });
    addRemovedTranscript(database, 'twice', text, { generation: 'later' });
    // The window of a session that was reset may stay.
    addSession(database, { id: 'kept', lines: [], node: { current_session_id: 'next' } });
    addRemovedTranscript(database, 'kept', text, { reason: 'reset' });
    database.close();
    const { files } = await listFiles([{ path, dialect: 'openclaw', flat: true }], assert.ifError);
    const ids = ['kept', 'packed', 'plain', 'twice'];
    assert.deepEqual(
      files.map((file) => file.path).sort(),
      ids.map((id) => join(path, `${id}.jsonl`)),
    );
    const expected = await readSession(await folder.write('plain.jsonl', text), { dialect: 'openclaw' });
    for (const id of ids) {
      const found = await readSession(join(path, `${id}.jsonl`));
      assert.deepEqual([found.entries, found.size, found.problems], [expected.entries, expected.size, []], id);
      assert.equal(found.marks?.isArchived, true, id);
      const opened = openSessionBytesSync(join(path, `${id}.jsonl`));
      assert.equal(opened.size, Buffer.byteLength(text), id);
      assert.equal(readAtSync(opened.file, 0, opened.size).toString(), text, id);
      opened.file.close();
    }
  });

  it('leave a session as it is that goes on under the same ID', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    addSession(database, { id: 'one', lines });
    addRemovedTranscript(database, 'one', 'an archive of something else', { reason: 'reset', archive_blob: new Uint8Array(3) });
    database.close();
    const found = await readSession(join(path, 'one.jsonl'));
    assert.deepEqual([found.entries.length, found.marks?.isArchived], [lines.length - 1, undefined]);
  });

  it('are refused if they’re damaged or don’t say their size', async () => {
    const path = join(folder.path, 'a.sqlite');
    const database = createDatabase(path);
    const packed = zstdCompressSync(Buffer.from(text));
    const forged = Buffer.from(packed);
    forged.writeUInt32LE(text.length * 3, 5);
    addRemovedTranscript(database, 'sum', text, { archive_sha256: 'a'.repeat(64) });
    addRemovedTranscript(database, 'head', text, { archive_blob: new Uint8Array(40) });
    addRemovedTranscript(database, 'empty', text, { archive_blob: new Uint8Array(0) });
    addRemovedTranscript(database, 'forged', text, { archive_blob: forged });
    addRemovedTranscript(database, 'good', text);
    database.close();
    for (const id of ['sum', 'head', 'empty', 'forged']) await assert.rejects(readSession(join(path, `${id}.jsonl`)), /archive/, id);
    assert.equal((await readSession(join(path, 'good.jsonl'))).size, Buffer.byteLength(text));
  });

  it('have the size that the frame of Zstandard says', () => {
    for (const size of [0, 1, 255, 256, 300, 70_000]) assert.equal(frameSize(zstdCompressSync(Buffer.alloc(size))), size);
    assert.equal(frameSize(Buffer.from('28b52ffda0e093', 'hex')), undefined);
    assert.equal(frameSize(Buffer.from('28b52ffd0058', 'hex')), undefined);
    assert.equal(frameSize(Buffer.from('no frame at all')), undefined);
  });
});
