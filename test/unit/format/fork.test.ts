import assert from 'node:assert/strict';
import { planFork, type ForkPlan, type ForkRequest } from '../../../src/core/format/write/fork';
import { finishSteps } from '../../../src/core/format/session/steps';
import { SessionError } from '../../../src/core/format/entry/problem';
import { BRANCH_MARK } from '../../../src/core/format/session/treeTraversal';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { read } from '../../fixtures/read';
import { countingStamp } from '../../fixtures/writes';

const plan = (builder: SessionBuilder, request: ForkRequest = {}): ForkPlan =>
  finishSteps(planFork(read(builder, { path: '/work/demo.jsonl' }), request, countingStamp()));
const targets = (of: ForkPlan) => of.entries.map(({ target }) => [target.id, target.parentId]);
const [one, two, three, four, five] = [1, 2, 3, 4, 5].map(entryId) as [string, string, string, string, string];

describe('planFork', () => {
  it('makes a new header with the same project and its source', () => {
    const { header } = plan(session({ extra: 1, title: 'x', payloadSha256: 'h' }).user('a'));
    assert.deepEqual(header, {
      type: 'session',
      version: 3,
      id: header['id'],
      timestamp: '2026-03-04T05:06:07.890Z',
      cwd: '/work/demo',
      parentSession: '/work/demo.jsonl',
      extra: 1,
    });
    assert.match(String(header['id']), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('takes the path to an answer, and the path before a prompt', () => {
    const tree = session().user('a').assistant('b').user('c').assistant('d');
    assert.deepEqual(targets(plan(tree, { entryId: two })), [
      [one, null],
      [two, one],
    ]);
    const before = plan(tree, { entryId: three });
    assert.deepEqual(targets(before), [
      [one, null],
      [two, one],
    ]);
    assert.equal(before.prompt?.id, three);
    assert.deepEqual(targets(plan(tree, { entryId: three, position: 'at' })), [
      [one, null],
      [two, one],
      [three, two],
    ]);
    assert.deepEqual(targets(plan(tree, { entryId: two, position: 'before' })), [[one, null]]);
    assert.deepEqual(targets(plan(tree, { entryId: one })), []);
  });

  it('takes the active branch if no entry is given', () => {
    const tree = session().user('a').assistant('b').branchFrom(one).assistant('c');
    assert.deepEqual(targets(plan(tree)), [
      [one, null],
      [three, one],
    ]);
  });

  it('omits label lines, sets new parent ids, and adds the labels that still apply at the end', () => {
    const tree = session()
      .user('a')
      .label(one, 'first')
      .assistant('b')
      .label(three, 'gone')
      .label(three)
      .user('c')
      .label(entryId(6), 'asked');
    const fork = plan(tree, { entryId: three });
    assert.deepEqual(targets(fork), [
      [one, null],
      [three, one],
    ]);
    assert.deepEqual(fork.addedLines, [
      { type: 'label', id: 'f0000004', parentId: three, timestamp: '2026-01-02T10:00:01.000Z', targetId: one, label: 'first' },
    ]);
  });

  it('redirects a compaction that keeps entries from a label line on to the next entry', () => {
    const tree = session().user('a').label(one, 'x').label(one, 'y').assistant('b').compaction('sum', two);
    const fork = plan(tree);
    assert.equal(fork.entries.at(-1)?.target.firstKeptEntryId, four);
    assert.equal(plan(session().user('a').assistant('b').compaction('sum', two)).entries.at(-1)?.target.firstKeptEntryId, two);
  });

  it('takes everything into another project and preserves the leaf', () => {
    const tree = session().user('a').assistant('b').branchFrom(one).assistant('c').label(two, 'x');
    const fork = plan(tree, { cwd: '/work/other' });
    assert.equal(fork.header['cwd'], '/work/other');
    assert.deepEqual(targets(fork), [
      [one, null],
      [two, one],
      [three, one],
      [four, three],
    ]);
    assert.deepEqual(fork.addedLines, []);
  });

  it('omits damaged lines, and connects what is around them', () => {
    const [header, ...lines] = session().user('a').user('b').user('c').label(four, 'x').assistant('d').lines();
    const broken = lines.map((line, index) => (index === 1 || index === 2 ? line.slice(0, -9) : line));
    const found = read([header, ...broken, ''].join('\n'), { path: '/work/demo.jsonl' });
    assert.deepEqual(
      finishSteps(planFork(found, {}, countingStamp())).entries.map(({ target }) => [target.id, target.parentId]),
      [
        [one, null],
        [five, one],
      ],
    );
    assert.deepEqual(
      finishSteps(planFork(found, { cwd: '/work/other' }, countingStamp())).entries.map(({ target }) => [target.id, target.parentId]),
      [
        [one, null],
        [four, one],
        [five, four],
      ],
    );
  });

  it('preserves a leaf that a leaf line set', () => {
    const fork = plan(session().user('a').assistant('b').leaf(one), { cwd: '/work/other' });
    assert.deepEqual(
      fork.addedLines.map((line) => [line['customType'], line['parentId']]),
      [[BRANCH_MARK, one]],
    );
  });

  it('takes version 1 with the ids that reading assigns, and with its initial settings', () => {
    const tree = session({ version: undefined, provider: 'p', modelId: 'm', branchedFrom: '/x' })
      .user('a', { id: undefined })
      .entry('compaction', { id: undefined, summary: 's', tokensBefore: 1, firstKeptEntryIndex: 1 })
      .entry('compaction', { id: undefined, summary: 's', tokensBefore: 1, firstKeptEntryIndex: 99 });
    const fork = plan(tree);
    assert.deepEqual(
      fork.entries.map(({ target }) => target),
      [
        { id: '00000001', parentId: null },
        { id: '00000002', parentId: '00000001', firstKeptEntryId: '00000001' },
        { id: '00000003', parentId: '00000002' },
      ],
    );
    assert.deepEqual(
      [fork.header['provider'], fork.header['branchedFrom'], fork.header['parentSession']],
      ['p', undefined, '/work/demo.jsonl'],
    );
  });

  it('refuses versions above 3 and unknown entries', () => {
    assert.throws(
      () => plan(session({ version: 4 }).user('a')),
      (error: unknown) => error instanceof SessionError && error.code === 'version',
    );
    assert.throws(
      () => plan(session().user('a'), { entryId: five }),
      (error: unknown) => error instanceof SessionError && error.code === 'unknown-entry',
    );
  });
});
