import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findFamilies } from '../../../../src/core/files/relink/families';
import { readKnownSessions, type KnownSession } from '../../../../src/core/files/relink/knownSessions';
import { finishSteps, STEP_LENGTH } from '../../../../src/core/format/session/steps';
import { session } from '../../../fixtures/build';
import { countPauses } from '../../../fixtures/countPauses';
import { testFolder } from '../../../fixtures/folder';

const known = (path: string, owner?: string): KnownSession =>
  ({ path, ...(owner === undefined ? {} : { owner }) }) as Partial<KnownSession> as KnownSession;

describe('Families of sessions', () => {
  it('are the sessions of a project with those of their subagents', () => {
    const [top, below, deepest, other] = [known('/a'), known('/a/b', '/a'), known('/a/b/c', '/a/b'), known('/d')];
    const families = finishSteps(findFamilies([top, below, deepest, other], new Set([top])));
    assert.deepEqual(families, [{ session: top, subagents: [below, deepest] }]);
    assert.deepEqual(finishSteps(findFamilies([top, below], new Set([below]))), [{ session: below, subagents: [] }]);
  });

  it('are found in steps among thousands of sessions', () => {
    const sessions = Array.from({ length: 10 * STEP_LENGTH }, (_, index) => known(`/${index}`));
    const { pauses, result } = countPauses(findFamilies(sessions, new Set(sessions.slice(-3))));
    assert.ok(pauses >= 10, `${pauses} pauses`);
    assert.equal(result.length, 3);
  });

  describe('on the disk', () => {
    const folder = testFolder();
    const put = (name: string, text: string): string => {
      const path = join(folder.path, 'root', 'p', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    };

    it('are below the nearest session, behind logs that have the name of a folder', async () => {
      const log = '{"type":"agent_start"}\n';
      const top = put('s.jsonl', session({ cwd: '/w', branchedFrom: '/old.jsonl' }).text());
      put('s/log.jsonl', log);
      const below = put('s/log/run/session.jsonl', session({ cwd: '/w', id: 'x', parentSession: 'y' }).text());
      const damaged = put('damaged.jsonl', log);
      const root = { path: join(folder.path, 'root'), dialect: 'pi' as const, flat: false };
      const nowhere = { ...root, path: join(folder.path, 'nowhere') };
      const progress: number[] = [];
      const { sessions, unreadable } = await readKnownSessions([root, nowhere], { onProgress: (done) => progress.push(done) });
      assert.deepEqual(
        sessions.map(({ path, owner, parents }) => [path, owner, parents]),
        [
          [top, undefined, ['/old.jsonl']],
          [below, top, ['y']],
        ],
      );
      assert.deepEqual(
        unreadable.map(({ path, reason }) => [path, reason.code]),
        [[damaged, 'not-a-session']],
      );
      assert.deepEqual(progress, [1, 2, 3, 4]);
      const aborted = readKnownSessions([root], { signal: AbortSignal.abort(new Error('not now')) });
      await assert.rejects(aborted, /not now/);
    });
  });
});
