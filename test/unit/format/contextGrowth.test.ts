import assert from 'node:assert/strict';
import { contextPlan } from '../../../src/core/format/context/contextPlan';
import {
  downsample,
  firstAnswer,
  contextGrowth,
  lastRecordedTokens,
  type GrowthPoint,
} from '../../../src/core/format/context/contextGrowth';
import type { Session } from '../../../src/core/format/session/session';
import { pathTo } from '../../../src/core/format/session/treeTraversal';
import { session, type Fields } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const usage = (total: number, more: Fields = {}): Fields => ({
  message: { usage: { input: total - 30, output: 10, cacheRead: 20, cacheWrite: 0, totalTokens: total }, ...more },
});
const pathOf = (opened: Session): ReturnType<typeof pathTo> => pathTo(opened, opened.leafId);

describe('contextGrowth', () => {
  it('has the tokens that each answer recorded, and the compactions and resets', () => {
    const opened = read(
      session({ title: 'omp' })
        .user('a')
        .assistant('b', usage(100))
        .assistant('failed', usage(70, { stopReason: 'error' }))
        .compaction('s', 'x')
        .assistant('c', { message: { usage: { input: 5, output: 6, cacheRead: 7, cacheWrite: 8 } } })
        .entry('reset_boundary')
        .assistant('d', { message: { usage: null } }),
    );
    const { points, resets: cuts, length } = contextGrowth(pathOf(opened));
    assert.deepEqual(
      points.map(({ at, tokens }) => [at, tokens]),
      [
        [1, 100],
        [4, 26],
      ],
    );
    assert.deepEqual([cuts.map(({ at }) => at), length], [[3, 5], 7]);
    assert.equal(points[0]!.id, opened.entries[1]!.id);
  });

  it('keeps ends, maxima and minima when there are too many points', () => {
    const many = Array.from({ length: 10_000 }, (_, at): GrowthPoint => ({
      id: String(at),
      at,
      tokens: at === 5000 ? 1e6 : at === 7000 ? 0 : 100 + at,
    }));
    const kept = downsample(many, 200);
    assert.ok(kept.length <= 200, String(kept.length));
    for (const at of [0, 5000, 7000, 9999]) assert.ok(kept.includes(many[at]!), String(at));
    assert.deepEqual(
      kept,
      [...kept].sort((a, b) => a.at - b.at),
    );
    assert.deepEqual(downsample(many.slice(0, 5), 5), many.slice(0, 5));
  });
});

describe('lastRecordedTokens', () => {
  const last = (builder: ReturnType<typeof session>): unknown => {
    const opened = read(builder);
    const plan = contextPlan(opened);
    return lastRecordedTokens(
      plan,
      opened.byId,
      plan.steps.map(({ id }) => id),
    );
  };

  it('takes the last answer that did not fail', () => {
    assert.deepEqual(
      last(
        session()
          .user('a')
          .assistant('b', usage(100))
          .assistant('c', usage(50, { stopReason: 'aborted' }))
          .user('d'),
      ),
      { index: 1, tokens: 100 },
    );
    assert.equal(last(session().user('a')), undefined);
  });

  it('ignores records from before a compaction, an edit or a reset', () => {
    assert.equal(
      last(session().user('a').assistant('b', usage(100)).user('k', { id: 'k' }).assistant('c', usage(200)).compaction('s', 'k').user('d')),
      undefined,
    );
    assert.deepEqual(
      last(session().user('a').user('k', { id: 'k' }).assistant('c', usage(200)).compaction('s', 'k').assistant('d', usage(90))),
      { index: 3, tokens: 90 },
    );
    assert.equal(last(session().user('a', { id: 'a' }).assistant('b', usage(100)).contextEdit('a', null)), undefined);
  });
});

describe('firstAnswer', () => {
  const first = (builder: ReturnType<typeof session>): unknown => {
    const found = firstAnswer(pathOf(read(builder)));
    return found && [found.tokens, found.before.length];
  };

  it('returns the tokens that it read for the messages before it and the prompt', () => {
    assert.deepEqual(
      first(
        session()
          .model('p', 'm')
          .user('a')
          .assistant('x', usage(5, { stopReason: 'error' }))
          .assistant('b', usage(100))
          .assistant('c', usage(200)),
      ),
      [90, 3],
    );
  });

  it('returns undefined if there is no answer, if it recorded nothing, or if its context was compacted or reset', () => {
    assert.equal(first(session().user('a')), undefined);
    assert.equal(
      first(
        session()
          .user('a')
          .assistant('b', { message: { usage: null } }),
      ),
      undefined,
    );
    assert.equal(first(session().user('a').compaction('s', 'x').assistant('b', usage(100))), undefined);
    const long = session();
    for (let i = 0; i < 60; i++) long.user('a');
    assert.equal(first(long.assistant('b', usage(100))), undefined);
  });
});
