import assert from 'node:assert/strict';
import type { ListedSession } from '../../../src/core/catalog/store/listedSession';
import { subagentParents, subagentsBelow } from '../../../src/core/catalog/store/familyLinks';
import { finishSteps, STEP_LENGTH } from '../../../src/core/format/session/steps';
import { countPauses } from '../../fixtures/countPauses';
import { file } from '../tree/storedFiles';

const filesOf = (owners: readonly (readonly [path: string, owner?: string])[]): Map<string, ListedSession> =>
  new Map(owners.map(([path, owner]) => [path, file(path, '/work/app', 1, owner === undefined ? {} : { owner })]));

describe('Sessions of subagents below a session', () => {
  const parents = finishSteps(
    subagentParents(
      filesOf([['/a.jsonl'], ['/a/b.jsonl', '/a.jsonl'], ['/a/b/c.jsonl', '/a/b.jsonl'], ['/d.jsonl'], ['/e/f.jsonl', '/e.jsonl']]),
    ),
  );
  const below = (...paths: string[]): string[] => finishSteps(subagentsBelow(parents, paths));

  it('are found at any depth, without the sessions that are asked about', () => {
    assert.deepEqual(Object.fromEntries(parents), { '/a/b.jsonl': '/a.jsonl', '/a/b/c.jsonl': '/a/b.jsonl' });
    assert.deepEqual(below('/a.jsonl'), ['/a/b.jsonl', '/a/b/c.jsonl']);
    assert.deepEqual(below('/a.jsonl', '/a/b.jsonl'), ['/a/b/c.jsonl']);
    assert.deepEqual([below('/d.jsonl'), below('/a/b/c.jsonl'), below()], [[], [], []]);
  });

  it('are found in steps among thousands', () => {
    const many = filesOf([
      ['/a.jsonl'],
      ...Array.from({ length: 10 * STEP_LENGTH }, (_, at) => [`/a/${String(at)}.jsonl`, '/a.jsonl'] as const),
    ]);
    const found = countPauses(subagentParents(many));
    assert.ok(found.pauses >= 10, `${String(found.pauses)} pauses`);
    const { pauses, result } = countPauses(subagentsBelow(found.result, ['/a.jsonl']));
    assert.ok(pauses >= 10, `${String(pauses)} pauses`);
    assert.equal(result.length, 10 * STEP_LENGTH);
  });
});
