import assert from 'node:assert/strict';
import { activitySummary, commonAncestor, placesSince, type ComparedBranch } from '../../../src/core/format/branches/compareBranches';
import { newestBranches } from '../../../src/core/format/branches/newestBranches';
import type { EntryHead } from '../../../src/core/format/entry/entryHead';
import { headsOf } from '../../../src/core/format/linking/headsById';
import { SessionError } from '../../../src/core/format/entry/problem';
import type { Session } from '../../../src/core/format/session/session';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { countPauses } from '../../fixtures/countPauses';
import { read } from '../../fixtures/read';

const entriesSince = (side: ComparedBranch, since: string | null): EntryHead[] =>
  placesSince(side, since).map((place) => headsOf(side.session).at(place));
const ids = (heads: readonly { id: string }[]): string[] => heads.map((head) => head.id);
const [e1, e2, e3, e4, e5] = [1, 2, 3, 4, 5].map(entryId) as [string, string, string, string, string];
const other = (built: SessionBuilder): Session => read(built, { path: '/sessions/other.jsonl' });
const refused =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof SessionError && error.code === code;

describe('commonAncestor and placesSince', () => {
  const tree = read(
    session().user('a').assistant('b').user('left').assistant('on').branchFrom(e2).user('right').branchFrom(null).user('elsewhere'),
  );
  const at = (id?: string): { session: Session; entryId?: string } =>
    id === undefined ? { session: tree } : { session: tree, entryId: id };
  const elsewhere = entryId(6);

  it('find the last entry that both branches have', () => {
    assert.deepEqual(
      [commonAncestor(at(e4), at(e5)), commonAncestor(at(e5), at(e4)), commonAncestor(at(e4), at(elsewhere)), commonAncestor(at(e4), at())],
      [e2, e2, null, null],
    );
    assert.deepEqual(
      [ids(entriesSince(at(e4), e2)), ids(entriesSince(at(e5), e2)), ids(entriesSince(at(e5), null))],
      [[e3, e4], [e5], [e1, e2, e5]],
    );
  });

  it('handle a branch that is part of the other: nothing follows on it', () => {
    assert.equal(commonAncestor(at(e2), at(e4)), e2);
    assert.deepEqual([ids(entriesSince(at(e2), e2)), ids(entriesSince(at(e4), e2))], [[], [e3, e4]]);
  });

  it('refuse equal branches and unknown entries', () => {
    assert.throws(() => commonAncestor(at(e4), at(e4)), refused('invalid'));
    assert.throws(() => commonAncestor(at(), at(elsewhere)), refused('invalid'));
    assert.throws(() => commonAncestor(at('none'), at(e4)), refused('unknown-entry'));
    assert.throws(() => commonAncestor(at(e4), at('none')), refused('unknown-entry'));
    assert.throws(() => entriesSince(at('none'), null), refused('unknown-entry'));
    const empty = read(session());
    assert.throws(() => commonAncestor({ session: empty }, { session: empty }), refused('invalid'));
    assert.deepEqual(entriesSince({ session: empty }, 'gone'), []);
  });

  it('find the entries even if the path no longer contains the fork point', () => {
    assert.deepEqual(ids(entriesSince(at(e5), e3)), [e5]);
    assert.deepEqual(ids(entriesSince(at(e5), 'gone')), [e1, e2, e5]);
  });

  it('compare a file with its fork by what a fork keeps', () => {
    const fork = other(session().user('a').assistant('b').user('mine'));
    const copied = { session: fork };
    assert.equal(
      commonAncestor(
        { session: read(session().user('a').assistant('b').assistant('theirs', { timestamp: '2026-01-03T00:00:00Z' })) },
        copied,
      ),
      e2,
    );
    // Equal ids by coincidence, as in files whose ids come from line indexes.
    const stranger = read(session().user('x', { timestamp: '2025-01-01T00:00:00Z' }).assistant('y', { timestamp: '2025-01-01T00:00:01Z' }));
    assert.equal(commonAncestor({ session: stranger }, copied), null);
    assert.equal(commonAncestor({ session: read(session().assistant('a')) }, copied), null);
    const kind = (type: string): Session => read(session().entry(type));
    assert.deepEqual(
      [
        commonAncestor({ session: kind('custom') }, { session: other(session().entry('custom')) }),
        commonAncestor({ session: kind('custom') }, { session: other(session().entry('usage')) }),
      ],
      [e1, null],
    );
    // A fork without new entries.
    assert.equal(commonAncestor({ session: read(session().user('a').assistant('b').user('mine')) }, copied), e3);
  });

  it('handle 100,000 entries each', function () {
    this.timeout(60_000);
    const built = session();
    for (let i = 0; i < 100_000; i++) built.entry('custom', { customType: 'x' });
    const left = built.last;
    built.branchFrom(e1);
    for (let i = 0; i < 100_000; i++) built.entry('custom', { customType: 'x' });
    const long = read(built);
    assert.equal(commonAncestor({ session: long, entryId: left }, { session: long }), e1);
    assert.equal(entriesSince({ session: long }, e1).length, 100_000);
    assert.equal(activitySummary(entriesSince({ session: long }, e1)).messages, 0);
  });
});

describe('activitySummary', () => {
  it('counts user messages, messages, tools and their failures, usage, and the time range', () => {
    const done = activitySummary(
      read(
        session()
          .user('a')
          .tool('read', { path: 'a' })
          .tool('bash', { command: 'x' })
          .tool('bash', { command: 'y' }, 'no', { message: { isError: true } })
          .message({ role: 'toolResult' })
          .custom('x')
          .user('b')
          .custom('y')
          .label(e1, 'x'),
      ).entries,
    );
    assert.deepEqual([done.userMessages, done.messages, done.usage.input], [2, 9, 30]);
    assert.deepEqual(done.tools, [
      { name: 'bash', calls: 2, failed: 1 },
      { name: 'read', calls: 1, failed: 0 },
      { name: '?', calls: 1, failed: 0 },
    ]);
    assert.deepEqual(done.timeRange, { from: Date.parse('2026-01-02T10:00:00Z'), to: Date.parse('2026-01-02T10:00:10Z') });
  });

  it('is empty for no entries, and has no time range without times', () => {
    assert.deepEqual(activitySummary([]), {
      userMessages: 0,
      messages: 0,
      tools: [],
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, byModel: [] },
    });
    assert.equal(activitySummary(read(session().custom('x', {}, { timestamp: 'never' })).entries).timeRange, undefined);
    const one = Date.parse('2026-01-02T10:00:02Z');
    assert.deepEqual(activitySummary(read(session().custom('x', {}, { timestamp: 'never' }).user('a')).entries).timeRange, {
      from: one - 1000,
      to: one - 1000,
    });
  });
});

describe('newestBranches', () => {
  it('visits each entry once, however many branches share it', () => {
    const built = session().user('a').branchFrom(null).user('b');
    for (let n = 0; n < 20_000; n++) built.custom('x', {});
    const end = built.last;
    for (let n = 0; n < 200; n++) built.branchFrom(end).user('c');
    const long = read(built.branchFrom(entryId(1)).assistant('leaf'));
    const { pauses, result } = countPauses(newestBranches(long, 200, null));
    assert.deepEqual([result.length, result[1]?.turns], [200, 2]);
    assert.ok(pauses < 1000, `${pauses} pauses`);
  });
});
