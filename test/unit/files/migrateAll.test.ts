import assert from 'node:assert/strict';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrateAll, planMigration } from '../../../src/core/files/migration/migrateAll';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { SessionError } from '../../../src/core/format/entry/problem';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { age, snapshot } from '../../fixtures/writes';

const old = (version: number) => session({ version }).user('one').assistant('first').text();

describe('migrateAll', () => {
  const folder = testFolder();
  const write = async (name: string, text: string) => age(await folder.write(name, text));
  const codeOf = (reason: unknown) => (reason instanceof SessionError ? reason.code : String(reason));

  it('plans without writing', async () => {
    const paths = [
      await write('a', old(1)),
      await write('b', old(2)),
      await write('c', old(3)),
      await write('d', 'no session'),
      join(folder.path, 'e'),
      await write('f', old(1)),
      await write('g', `${old(1)}{"ty`),
      await write('h', old(1)),
    ];
    await chmod(paths[7]!, 0o444);
    const before = await snapshot(folder.path);
    const seen: number[] = [];
    const plan = await planMigration(paths, {
      dialectOf: (path) => (path.endsWith('f') ? 'openclaw' : undefined),
      onProgress: (done) => seen.push(done),
    });
    assert.deepEqual(plan.ready, [
      { path: paths[0], version: 1, size: Buffer.byteLength(old(1)) },
      { path: paths[1], version: 2, size: Buffer.byteLength(old(2)) },
    ]);
    assert.deepEqual(
      plan.left.map(({ path, reason }) => [path.slice(-1), reason.code]),
      [
        ['c', 'already-current'],
        ['d', 'not-a-session'],
        ['e', 'not-found'],
        ['f', 'read-only'],
        ['g', 'torn'],
        ['h', 'permission'],
      ],
    );
    assert.deepEqual([await snapshot(folder.path), seen], [before, [1, 2, 3, 4, 5, 6, 7, 8]]);
  });

  it('reports file by file, and continues after a refusal', async () => {
    const paths = [await write('a', old(1)), await write('b', old(3)), await write('c', old(2))];
    const results = await migrateAll(paths, createWriter());
    assert.deepEqual(
      results.map((result) => [
        result.did,
        result.did === 'migrated' ? result.backupPath : result.did === 'refused' ? codeOf(result.reason) : '',
      ]),
      [
        ['migrated', `${paths[0]!}.v1.bak`],
        ['refused', 'already-current'],
        ['migrated', `${paths[2]!}.v2.bak`],
      ],
    );
    for (const path of paths) assert.equal((await readSession(path)).version, 3);
  });

  it('stops between files when aborted', async () => {
    const paths = [await write('a', old(1)), await write('b', old(1)), await write('c', old(1))];
    const stop = new AbortController();
    const results = await migrateAll(paths, createWriter(), {
      signal: stop.signal,
      onProgress: (done) => {
        if (done === 2) stop.abort();
      },
    });
    assert.deepEqual(
      results.map(({ did }) => did),
      ['migrated', 'migrated', 'cancelled'],
    );
    assert.equal(await readFile(paths[2]!, 'utf8'), old(1));
  });
});
