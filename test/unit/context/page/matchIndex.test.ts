import assert from 'node:assert/strict';
import { MatchIndex } from '../../../../src/context/page/find/matchIndex';

describe('MatchIndex', () => {
  const matches = new MatchIndex();
  matches.add([
    [2, 3],
    [5, 1],
  ]);
  matches.add([[9, 2]]);

  it('numbers the matches of all articles', () => {
    assert.equal(matches.total, 6);
    const all = Array.from({ length: 7 }, (_, number) => matches.at(number)).map((position) => position && [position.index, position.nth]);
    assert.deepEqual(all, [[2, 0], [2, 1], [2, 2], [5, 0], [9, 0], [9, 1], undefined]);
    assert.equal(matches.at(-1), undefined);
  });

  it('finds the first match from an article on', () => {
    assert.deepEqual(
      [0, 2, 3, 5, 6, 9, 10].map((index) => matches.firstFrom(index)),
      [0, 0, 3, 3, 4, 4, undefined],
    );
  });

  it('removes articles that are searched again', () => {
    const growing = new MatchIndex();
    growing.add([
      [2, 3],
      [5, 1],
      [9, 2],
    ]);
    growing.truncate(5);
    assert.equal(growing.total, 3);
    growing.add([[7, 1]]);
    assert.deepEqual(growing.at(3), { index: 7, nth: 0 });
    growing.truncate(0);
    assert.deepEqual([growing.total, growing.at(0), growing.firstFrom(0)], [0, undefined, undefined]);
  });
});
