import assert from 'node:assert/strict';
import { branchMap, branchMapSteps, type BranchMapOptions, type MapRow } from '../../../src/core/format/branches/branchMap';
import { branchLines } from '../../../src/core/format/branches/branchLines';
import type { Session } from '../../../src/core/format/session/session';
import { finishSteps, STEP_LENGTH } from '../../../src/core/format/session/steps';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { read } from '../../fixtures/read';

/** Formats each row as a line: its lane as indentation, its kind, and the start of its edge. */
function picture(of: Session | SessionBuilder, options?: BranchMapOptions): string[] {
  return branchMap('entries' in of ? of : read(of), options).rows.map(
    (row, index) =>
      `${'  '.repeat(row.lane)}${textOf(row)}${row.parentRow === undefined ? '' : row.parentRow === index - 1 ? '' : ` ^${String(row.parentRow)}`}`,
  );
}

function textOf(row: MapRow): string {
  if (row.kind !== 'entry') return `${String(row.branchCount)} more`;
  const marks = [
    row.isFork && 'fork',
    row.isTip && 'tip',
    row.isLeaf && 'leaf',
    row.isCurrent && 'here',
    row.label !== undefined && `[${row.label}]`,
  ].filter(Boolean);
  return [row.head.id, ...(row.messagesBetween > 0 ? [`+${String(row.messagesBetween)}`] : []), ...marks].join(' ');
}

const branched = (): SessionBuilder =>
  session()
    .user('1', { id: 'a' })
    .assistant('2', { id: 'b' })
    .user('3', { id: 'c' })
    .assistant('4', { id: 'd' })
    .branchFrom('b')
    .user('5', { id: 'e' })
    .assistant('6', { id: 'f' })
    .user('7', { id: 'g' });

describe('branchMap', () => {
  it('draws a line that forks off before its parent line continues', () => {
    assert.deepEqual(picture(branched()), ['a', 'b fork', '  d +1 tip', 'g +2 tip leaf here ^1']);
    assert.deepEqual(picture(branched().branchFrom('d').user('8', { id: 'h' })), ['a', 'b fork', '  g +2 tip', 'h +2 tip leaf here ^1']);
  });

  it('continues straight to the leaf, even if another branch is newer', () => {
    assert.deepEqual(picture(branched().leaf('d')), ['a', 'b fork', '  g +2 tip', 'd +1 tip leaf here ^1']);
    assert.deepEqual(picture(branched().branchFrom('d').user('8', { id: 'h' }).leaf('g')), [
      'a',
      'b fork',
      '  h +2 tip',
      'g +2 tip leaf here ^1',
    ]);
  });

  it('counts the messages on an edge, and gives a tip the entries of its line and its own ones', () => {
    const built = session()
      .user('1', { id: 'a' })
      .custom('x')
      .assistant('2', { id: 'b' })
      .name('n')
      .user('3', { id: 'c' })
      .branchFrom('b')
      .user('4', { id: 'd' });
    assert.deepEqual(picture(built), ['a', 'b fork', '  c tip', 'd tip leaf here ^1']);
    const ends = branchMap(read(built)).rows.flatMap((row) =>
      row.kind === 'entry' && row.isTip ? [[row.line?.length, row.own?.length]] : [],
    );
    assert.deepEqual(ends, [
      [2, 2],
      [4, 1],
    ]);
  });

  it('has two rows for an unbranched session, and none for an empty one', () => {
    assert.deepEqual(picture(session().user('1', { id: 'a' }).assistant('2').user('3', { id: 'c' })), ['a', 'c +1 tip leaf here']);
    assert.deepEqual(picture(session().user('1', { id: 'a' })), ['a tip leaf here']);
    assert.deepEqual(branchMap(read(session())), { rows: [], laneCount: 0, branchCount: 0 });
  });

  it('shows labels, compactions and the current entry, and marks the paths to the leaf and to the current entry', () => {
    const built = branched().compaction('s', 'e', { id: 'k' }).user('8').user('9', { id: 'i' }).label('a', 'start', { id: 'l' });
    assert.deepEqual(picture(built, { currentId: 'c' }), ['a [start]', 'b fork', '  c here', '  d tip', 'k +3 ^1', 'l +2 tip leaf']);
    const { rows } = branchMap(read(built), { currentId: 'c' });
    const ids = (name: 'isActive' | 'isOnCurrentPath'): string =>
      rows.map((row) => (row.kind === 'entry' && row[name] ? row.head.id : '')).join('');
    assert.deepEqual([ids('isActive'), ids('isOnCurrentPath')], ['abkl', 'abc']);
  });

  it('indents forks of forks, and counts branches without bookkeeping entries', () => {
    const built = branched()
      .branchFrom('c')
      .user('8', { id: 'h' })
      .branchFrom('h')
      .label('h', 'x', { id: 'm' })
      .branchFrom('h')
      .assistant('9', { id: 'i' })
      .branchFrom('g')
      .user('10', { id: 'j' });
    assert.deepEqual(picture(built), ['a', 'b fork', '  c fork', '    d tip', '  h [x] ^2', '  i tip', 'j +3 tip leaf here ^1']);
    assert.equal(branchMap(read(built)).branchCount, 3);
    assert.deepEqual(picture(built, { currentId: 'm' }).slice(4, 6), ['  h fork [x] ^2', '    m tip here']);
  });

  it('shows several roots, the one with the leaf last', () => {
    const built = session().user('1', { id: 'a' }).branchFrom(null).user('2', { id: 'b' }).branchFrom(null).user('3', { id: 'c' });
    assert.deepEqual(picture(built), ['  a tip', '  b tip', 'c tip leaf here']);
    // Before the first entry.
    assert.deepEqual(picture(session().user('1', { id: 'a' }).leaf(null)), ['a tip']);
  });

  it('continues below a leaf that is not a tip', () => {
    assert.deepEqual(picture(session().user('1', { id: 'a' }).user('2', { id: 'b' }).user('3', { id: 'c' }).leaf('b')), [
      'a',
      'b leaf here',
      'c tip',
    ]);
  });

  describe('with very many branches', () => {
    const many = (count: number): SessionBuilder => {
      const built = session().user('1', { id: 'a' });
      for (let i = 0; i < count; i++) built.branchFrom('a').user('x', { id: `t${String(i)}` });
      return built;
    };

    it('collapses the oldest ones, fork by fork', () => {
      assert.deepEqual(picture(many(6), { limit: 2 }), ['a fork', '  3 more', '  t3 tip ^0', '  t4 tip ^0', 't5 tip leaf here ^0']);
      assert.equal(branchMap(read(many(6)), { limit: 2 }).branchCount, 6);
    });

    it('keeps the current entry, and expands more branches of one fork', () => {
      assert.deepEqual(picture(many(6), { limit: 0, currentId: 't1' }), ['a fork', '  4 more', '  t1 tip here ^0', 't5 tip leaf ^0']);
      assert.deepEqual(picture(many(6), { limit: 1, expandedIds: new Set(['t0', 'none']) }), [
        'a fork',
        '  3 more',
        '  t0 tip ^0',
        '  t4 tip ^0',
        't5 tip leaf here ^0',
      ]);
      const [, more] = branchMap(read(many(40)), { limit: 0 }).rows;
      assert.ok(more?.kind === 'more' && more.branchCount === 39 && more.startIds.length === 25 && more.startIds[0] === 't38');
    });

    it('collapses consecutive forks without drawn branches into one row', () => {
      const built = session().user('1', { id: 'a' });
      for (let i = 0; i < 5; i++)
        built
          .user('2', { id: `m${String(i)}` })
          .user('x', { id: `t${String(i)}` })
          .branchFrom(`m${String(i)}`);
      built.user('3', { id: 'z' });
      assert.deepEqual(picture(built, { limit: 0 }), ['a', '  5 more', 'z +5 tip leaf here ^0']);
      assert.deepEqual(
        picture(built, { limit: 1 }),
        ['a', '  4 more', 'm4 fork +4 ^0', '  t4 tip', 'z tip leaf here ^2'].map((row) => row.replace('fork +4', '+4 fork')),
      );
    });

    it('also shows the parent lines of an expanded line', () => {
      const built = session()
        .user('1', { id: 'a' })
        .user('old', { id: 'o1' })
        .user('old', { id: 'o2' })
        .user('old', { id: 'o3' })
        .branchFrom('a');
      for (let i = 0; i < 5; i++) built.branchFrom('a').user('x', { id: `t${String(i)}` });
      built.branchFrom('o1').user('new', { id: 'n1' }).branchFrom('t4').user('leaf', { id: 'z' });
      assert.deepEqual(picture(built, { limit: 1 }), [
        'a fork',
        '  4 more',
        '  o1 fork ^0',
        '    1 more',
        '  n1 tip ^2',
        'z +1 tip leaf here ^0',
      ]);
    });

    it('shows only the newest of very many labels', () => {
      const built = session();
      for (let i = 0; i < 400; i++) built.user('x', { id: `t${String(i)}` });
      for (let i = 0; i < 400; i++) built.label(`t${String(i)}`, 'l');
      const { rows } = branchMap(read(built));
      assert.equal(rows.length, 302);
      assert.ok(rows[1]?.kind === 'entry' && rows[1].head.id === 't100' && rows[1].messagesBetween === 99);
    });
  });

  it('folds 140,000 branches of an entry without a row', function () {
    this.timeout(60_000);
    const count = 140_000;
    const built = session().user('1', { id: 'a' }).user('2', { id: 'b' });
    for (let i = 0; i < count; i++) built.user('old', { parentId: 'b' });
    built.branchFrom('b').user('3', { id: 'c' });
    for (let i = 0; i < 40; i++) built.user('newer', { parentId: 'c' });
    const { rows } = branchMap(read(built.branchFrom('c').user('4')));
    assert.ok(rows.some((row) => row.kind === 'more' && row.branchCount >= count));
  });

  it('has each entry of a tree on one line, and handles 100,000 entries with 500 branches', function () {
    this.timeout(60_000);
    const built = session();
    for (let i = 0; i < 100_000; i++) {
      if (i % 200 === 199) built.branchFrom(entryId(1 + ((i * 7919) % i)));
      built.user('x');
    }
    const large = read(built);
    const { rows, branchCount: branches, laneCount: lanes } = branchMap(large);
    assert.ok(branches > 450 && rows.length < 400 && lanes < 60, `${String(branches)} ${String(rows.length)} ${String(lanes)}`);
    // Each entry is visited several times: for its line, for the newest message below it, for its mark and for its row.
    const steps = [...branchMapSteps(large)].length;
    assert.ok(steps > (3 * 100_000) / STEP_LENGTH, `${String(steps)} steps`);
    const { lines } = finishSteps(branchLines(large, null));
    const onLines = lines.flatMap((line) => line.places);
    assert.deepEqual([onLines.length, new Set(onLines).size], [100_000, 100_000]);
    for (const [index, row] of rows.entries())
      if (row.parentRow !== undefined) assert.ok(row.parentRow < index && rows[row.parentRow]!.lane <= row.lane);
  });
});
