import assert from 'node:assert/strict';
import { ArticleStore } from '../../../../src/context/page/messages/articleStore';
import type { Article } from '../../../../src/context/shared/protocol';

const article = (key: string, label?: string): Article => ({
  key,
  kind: 'user',
  entryId: key,
  time: 0,
  parts: [],
  ...(label === undefined ? {} : { label }),
});
const articles = (from: number, to: number): Article[] => Array.from({ length: to - from }, (_, index) => article(`a${from + index}`));

describe('ArticleStore', () => {
  const open = (count: number): ArticleStore => {
    const store = new ArticleStore();
    store.open(1, Array<number>(count).fill(3));
    return store;
  };

  it('requests missing articles, and each only once', () => {
    const store = open(100);
    assert.deepEqual(store.requestMissing({ from: -5, to: 10 }), { from: 0, to: 10 });
    assert.equal(store.requestMissing({ from: 0, to: 10 }), undefined);
    store.put(1, 0, articles(0, 10));
    assert.deepEqual(store.requestMissing({ from: 5, to: 200 }), { from: 10, to: 100 });
    assert.equal(store.has({ from: 0, to: 10 }), true);
    assert.equal(store.has({ from: 5, to: 11 }), false);
  });

  it('ignores articles of an earlier revision', () => {
    const store = open(3);
    store.update(2, 3, [1]);
    assert.deepEqual(store.put(1, 0, articles(0, 3)), []);
    assert.equal(store.get(0), undefined);
  });

  it('keeps articles when more are appended', () => {
    const store = open(3);
    store.put(1, 0, articles(0, 3));
    assert.equal(store.update(2, 3, [1, 1]), 2);
    assert.equal(store.count, 5);
    assert.deepEqual(store.requestMissing({ from: 0, to: 5 }), { from: 3, to: 5 });
  });

  it('requests articles again only if they changed', () => {
    const store = open(3);
    store.requestMissing({ from: 0, to: 3 });
    store.update(2, 2, [1, 1]);
    assert.deepEqual(store.requestMissing({ from: 0, to: 4 }), { from: 2, to: 4 });
    assert.equal(store.requestMissing({ from: 0, to: 4 }), undefined);
  });

  it('keeps outdated articles until new ones arrive, and reports only changed ones', () => {
    const store = open(3);
    store.put(1, 0, articles(0, 3));
    store.update(2, 1, [3, 3]);
    assert.equal(store.get(2)?.key, 'a2');
    assert.deepEqual(store.requestMissing({ from: 0, to: 3 }), { from: 1, to: 3 });
    assert.deepEqual(store.put(2, 1, [article('a1', 'new label'), article('a2')]), [1]);
  });

  it('removes articles when the context becomes shorter', () => {
    const store = open(3);
    store.put(1, 0, articles(0, 3));
    assert.equal(store.update(2, 1, []), 0);
    assert.equal(store.get(1), undefined);
    assert.equal(store.has({ from: 0, to: 3 }), true);
  });

  it('removes distant articles', () => {
    const store = open(5000);
    store.put(1, 0, articles(0, 5000));
    store.trim(2500);
    assert.equal(store.get(0), undefined);
    assert.equal(store.get(2500)?.key, 'a2500');
  });

  it('keeps the pieces of a long text until its article changes', () => {
    const store = open(2);
    store.put(1, 0, articles(0, 2));
    store.addPiece(1, 0, 'a');
    store.addPiece(1, 0, 'b');
    store.put(1, 1, [article('a1')]);
    assert.equal(store.middle(1, 0), 'ab');
    store.put(1, 1, [article('other')]);
    assert.equal(store.middle(1, 0), '');
  });
});
