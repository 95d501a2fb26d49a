import assert from 'node:assert/strict';
import { pathsWithin } from '../../../src/core/catalog/refresh/pathScope';

describe('files at or under paths', () => {
  const files = new Map(['/a/x', '/a/y', '/ab', '/b'].map((path) => [path, true]));

  it('are those that are one of them or lie under one', () => {
    assert.deepEqual([...pathsWithin(files, ['/a'])], ['/a/x', '/a/y']);
    assert.deepEqual([...pathsWithin(files, ['/b', '/a/y', '/gone'])], ['/a/y', '/b']);
    assert.deepEqual([...pathsWithin(files, ['/gone'])], []);
    assert.deepEqual([...pathsWithin(files, [])], []);
    assert.deepEqual([...pathsWithin(files, undefined)], ['/a/x', '/a/y', '/ab', '/b']);
  });

  it('are found without walking all files if they are known', () => {
    const known = new Map(files);
    known.keys = () => assert.fail('all were walked');
    assert.deepEqual([...pathsWithin(known, ['/b', '/a/x', '/b'])], ['/b', '/a/x']);
    assert.throws(() => pathsWithin(known, ['/b', '/gone']), /all were walked/);
  });
});
