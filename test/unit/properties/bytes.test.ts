import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { forkSession, migrate, readSession } from '../../../src/core/index';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';
import { askTheFile, askTheManager, askTheParser, askTheTree, inOurWords } from './exerciseSession';
import { brokenBytes } from './brokenSessions';

describe('Whatever bytes a file holds', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('reading ends, in an answer or in our words, and every question about it does', async () => {
    const path = join(folder.path, 'broken.jsonl');
    let read = 0;
    await fc.assert(
      fc.asyncProperty(brokenBytes, async (bytes) => {
        await writeFile(path, bytes);
        await inOurWords(() => askTheParser(bytes));
        const session = await inOurWords(() => readSession(path));
        if (!session) return;
        read++;
        askTheTree(session);
        await askTheFile(session);
        await askTheManager(session);
        assert.ok((await readFile(path)).equals(bytes), 'reading changes no byte');
      }),
      { numRuns: 300 },
    );
    assert.ok(read > 150, `most of them are sessions: ${read}`);
  });

  it('a fork or a migration of it is whole, or refused in our words', async () => {
    const path = join(folder.path, 'broken.jsonl');
    await fc.assert(
      fc.asyncProperty(brokenBytes, async (bytes) => {
        await writeFile(path, bytes);
        await age(path);
        const session = await inOurWords(() => readSession(path));
        if (!session) return;
        const fork = await inOurWords(() => forkSession(path, { targetCwd: '/work/other', sessionDir: folder.path }));
        if (fork) {
          const copy = await readSession(fork.path);
          askTheTree(copy);
          // One line of ours may stand at the end, to keep the leaf.
          const ids = session.entries.map((head) => head.id);
          assert.deepEqual(copy.entries.map((head) => head.id).slice(0, ids.length), ids);
          assert.ok(copy.entries.length <= ids.length + 1);
          assert.equal(copy.problems.filter(({ code }) => code === 'bad-line' || code === 'no-id').length, 0);
        }
        if (!(await inOurWords(() => migrate(path)))) assert.ok((await readFile(path)).equals(bytes), 'a refusal leaves every byte');
      }),
      { numRuns: 60 },
    );
  });
});
