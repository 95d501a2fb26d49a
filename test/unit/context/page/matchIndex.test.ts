import * as assert from 'node:assert/strict';
import { MatchIndex } from '../../../../src/context/page/find/matchIndex';

describe('Hits', () => {
  const hits = new MatchIndex();
  hits.add([[2, 3], [5, 1]]);
  hits.add([[9, 2]]);

  it('numbers matches through all articles', () => {
    assert.equal(hits.total, 6);
    const all = Array.from({ length: 7 }, (_, number) => hits.at(number)).map((place) => place && [place.index, place.nth]);
    assert.deepEqual(all, [[2, 0], [2, 1], [2, 2], [5, 0], [9, 0], [9, 1], undefined]);
    assert.equal(hits.at(-1), undefined);
  });

  it('finds the first match from an article on', () => {
    assert.deepEqual([0, 2, 3, 5, 6, 9, 10].map((index) => hits.firstFrom(index)), [0, 0, 3, 3, 4, 4, undefined]);
  });

  it('forgets what is to be searched again', () => {
    const grows = new MatchIndex();
    grows.add([[2, 3], [5, 1], [9, 2]]);
    grows.truncate(5);
    assert.equal(grows.total, 3);
    grows.add([[7, 1]]);
    assert.deepEqual(grows.at(3), { index: 7, nth: 0 });
    grows.truncate(0);
    assert.deepEqual([grows.total, grows.at(0), grows.firstFrom(0)], [0, undefined, undefined]);
  });
});
