import assert from 'node:assert/strict';
import { finishSteps, STEP_LENGTH } from '../../../src/core/format/session/steps';
import { countPauses } from '../../fixtures/countPauses';
import { pathsWithin } from '../../../src/core/catalog/refresh/pathScope';

const within = (files: ReadonlyMap<string, unknown>, paths: readonly string[] | undefined): Iterable<string> =>
  finishSteps(pathsWithin(files, paths));

describe('files at or under paths', () => {
  const files = new Map(['/a/x', '/a/y', '/ab', '/b'].map((path) => [path, true]));

  it('are those that are one of them or lie under one', () => {
    assert.deepEqual([...within(files, ['/a'])], ['/a/x', '/a/y']);
    assert.deepEqual([...within(files, ['/b', '/a/y', '/gone'])], ['/a/y', '/b']);
    assert.deepEqual([...within(files, ['/gone'])], []);
    assert.deepEqual([...within(files, [])], []);
    assert.deepEqual([...within(files, undefined)], ['/a/x', '/a/y', '/ab', '/b']);
  });

  it('are found without walking all files if they are known', () => {
    const known = new Map(files);
    known.keys = () => assert.fail('all were walked');
    assert.deepEqual([...within(known, ['/b', '/a/x', '/b'])], ['/b', '/a/x']);
    assert.throws(() => within(known, ['/b', '/gone']), /all were walked/);
  });

  it('are found in steps among thousands, as they were at first', () => {
    const many = new Map(Array.from({ length: 10 * STEP_LENGTH }, (_, index) => [`/${index % 2}/${index}`, index]));
    const { pauses, result } = countPauses(pathsWithin(many, ['/1']));
    assert.ok(pauses >= 10, `${pauses} pauses`);
    assert.equal([...result].length, 5 * STEP_LENGTH);
    const steps = pathsWithin(many, ['/1']);
    steps.next();
    many.set('/1/later', 0);
    assert.equal([...finishSteps(steps)].includes('/1/later'), false);
  });
});
