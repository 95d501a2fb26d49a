import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isDamaged } from '../../../src/core/format/parse/damagedLine';
import { forkSession, migrate, readSession } from '../../../src/core/index';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';
import { exerciseBodies, exerciseManager, exerciseParser, exerciseTree, unlessRefused } from './exerciseSession';
import { brokenBytes } from './brokenSessions';

describe('A file with any bytes', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('is read or refused with a SessionError, and every function of the session terminates', async () => {
    const path = join(folder.path, 'broken.jsonl');
    let read = 0;
    await fc.assert(
      fc.asyncProperty(brokenBytes, async (bytes) => {
        await writeFile(path, bytes);
        await unlessRefused(() => exerciseParser(bytes));
        const session = await unlessRefused(() => readSession(path));
        if (!session) return;
        read++;
        exerciseTree(session);
        await exerciseBodies(session);
        await exerciseManager(session);
        assert.ok((await readFile(path)).equals(bytes), 'reading changes no byte');
      }),
      { numRuns: 300 },
    );
    assert.ok(read > 150, `most of them are sessions: ${read}`);
  });

  it('is forked and migrated completely, or refused with a SessionError', async () => {
    const path = join(folder.path, 'broken.jsonl');
    await fc.assert(
      fc.asyncProperty(brokenBytes, async (bytes) => {
        await writeFile(path, bytes);
        await age(path);
        const session = await unlessRefused(() => readSession(path));
        if (!session) return;
        const fork = await unlessRefused(() => forkSession(path, { targetCwd: '/work/other', sessionDir: folder.path }));
        if (fork) {
          const copy = await readSession(fork.path);
          exerciseTree(copy);
          // The fork may end with an added line that preserves the leaf.
          const ids = session.entries.filter((head) => !isDamaged(head)).map((head) => head.id);
          assert.deepEqual(copy.entries.map((head) => head.id).slice(0, ids.length), ids);
          assert.ok(copy.entries.length <= ids.length + 1);
          assert.equal(copy.problems.filter(({ code }) => ['bad-line', 'damaged-line', 'no-id'].includes(code)).length, 0);
        }
        if (!(await unlessRefused(() => migrate(path)))) assert.ok((await readFile(path)).equals(bytes), 'a refusal leaves every byte');
      }),
      { numRuns: 60 },
    );
  });
});
