import assert from 'node:assert/strict';
import { locateInOutline } from '../../../src/tree/rows/outline';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { read } from '../../fixtures/read';
import { levelOf, outlineOf, outlinePicture, text } from './renderRows';
import type { Filter } from '../../../src/core/index';

function shows(built: SessionBuilder, expected: string, filter: Filter = 'default'): void {
  assert.equal(outlinePicture(read(built), filter), text(expected));
}

const [e1, e2, e3, e4, e5] = [1, 2, 3, 4, 5].map(entryId) as [string, string, string, string, string];

describe('outline of a session', () => {
  it('is empty without entries', () => shows(session(), ''));

  it('is a flat list down to the leaf', () =>
    shows(
      session().user('one').assistant('two').tool('bash', { command: 'ls' }).assistant('three'),
      `
      user: one
      assistant: two
      [bash: ls]
      assistant: three ←
      `,
    ));

  it('has one row per abandoned branch, after the entry where it forks off', () =>
    shows(
      session().user('q').assistant('a').user('left').assistant('left too').user('and on').branchFrom(e2).user('taken').assistant('end'),
      `
      user: q
      assistant: a
      ▸ user: left (2 turns, 3 rows)
        user: left
        assistant: left too
        user: and on
      user: taken
      assistant: end ←
      `,
    ));

  it('leaves out archived branches and the archived end of a branch, except under the filter for all', () => {
    const built = session().user('q').user('left').user('left too').branchFrom(e1).user('middle').branchFrom(e1).user('taken');
    const archived = built.entry('archive', { targetId: e3, archived: true }).entry('archive', { targetId: e4, archived: true });
    const rows = `
      user: q
      ▸ user: left (1 turns, 1 rows)
        user: left
      user: taken ←
      `;
    shows(archived, rows);
    shows(
      archived,
      `
      user: q
      ▸ user: left (2 turns, 2 rows)
        user: left
        user: left too
      ▸ user: middle (1 turns, 1 rows)
        user: middle
      user: taken
      [archived: e0000003]
      [archived: e0000004] ←
      `,
      'all',
    );
  });

  it('lists several branches of one entry in the order in which they were started', () =>
    shows(
      session().user('q').user('first').branchFrom(e1).user('second').branchFrom(e1).user('third').branchFrom(e1).user('taken'),
      `
      user: q
      ▸ user: first (1 turns, 1 rows)
        user: first
      ▸ user: second (1 turns, 1 rows)
        user: second
      ▸ user: third (1 turns, 1 rows)
        user: third
      user: taken ←
      `,
    ));

  it('follows a branch to its newest message, with its own branches inside', () =>
    shows(
      session().user('q').user('b1').assistant('b2').user('older end').branchFrom(e3).user('newer end').branchFrom(e1).user('taken'),
      `
      user: q
      ▸ user: b1 (2 turns, 3 rows)
        user: b1
        assistant: b2
        ▸ user: older end (1 turns, 1 rows)
          user: older end
        user: newer end
      user: taken ←
      `,
    ));

  it('has depth by forks only', () =>
    shows(
      session().user('a').user('b').user('c').user('d').branchFrom(e3).user('d2').branchFrom(e2).user('c2').branchFrom(e1).user('b2'),
      `
      user: a
      ▸ user: b (2 turns, 2 rows)
        user: b
        ▸ user: c (2 turns, 2 rows)
          user: c
          ▸ user: d (1 turns, 1 rows)
            user: d
          user: d2
        user: c2
      user: b2 ←
      `,
    ));

  it('lists abandoned roots at the top', () =>
    shows(
      session()
        .user('first root')
        .assistant('answer')
        .branchFrom(null)
        .user('second root')
        .branchFrom(null)
        .user('third root')
        .assistant('goes on'),
      `
      ▸ user: first root (1 turns, 2 rows)
        user: first root
        assistant: answer
      ▸ user: second root (1 turns, 1 rows)
        user: second root
      user: third root
      assistant: goes on ←
      `,
    ));

  it('has only branches if the session continues before its first entry', () =>
    shows(
      session().user('q').assistant('a').leaf(null),
      `
      ▸ user: q (1 turns, 2 rows)
        user: q
        assistant: a
      `,
    ));

  it('shows labels on entries and on branches', () =>
    shows(
      session().user('q').user('left').branchFrom(e1).user('taken').label(e2, 'try later').label(e3, 'good'),
      `
      user: q
      ▸ [try later] user: left (1 turns, 1 rows)
        [try later] user: left
      [good] user: taken ←
      `,
    ));

  it('marks the nearest visible ancestor of a hidden leaf', () =>
    shows(
      session().user('q').assistant('a').thinking('high').model('anthropic', 'claude-y').name('A name'),
      `
      user: q
      assistant: a ←
      `,
    ));

  it('omits a branch without visible entries', () => {
    const built = session().user('q').assistant('a').thinking('high').branchFrom(e2).user('on');
    shows(
      built,
      `
      user: q
      assistant: a
      user: on ←
      `,
    );
    shows(
      built,
      `
      user: q
      assistant: a
      ▸ [thinking: high] (0 turns, 1 rows)
        [thinking: high]
      user: on ←
      `,
      'all',
    );
  });

  it('lists a branch after its nearest visible ancestor', () =>
    shows(
      // e2 and e3 have no row; the branch forks off at e3.
      session().user('q').thinking('high').thinking('low').user('left').branchFrom(e3).user('taken'),
      `
      user: q
      ▸ user: left (1 turns, 1 rows)
        user: left
      user: taken ←
      `,
    ));

  it('replaces hidden starts of branches by the branches that fork off there', () =>
    shows(
      session().user('q').assistant('retry').user('one way').branchFrom(e2).user('other way').branchFrom(e1).user('taken'),
      `
      user: q
      ▸ user: one way (1 turns, 1 rows)
        user: one way
      ▸ user: other way (1 turns, 1 rows)
        user: other way
      user: taken ←
      `,
      'user-only',
    ));

  describe('under a filter', () => {
    const built = (): SessionBuilder =>
      session()
        .user('q')
        .tool('read', { path: 'a.ts' })
        .assistant('answer')
        .user('left')
        .assistant('left answer')
        .branchFrom(e4)
        .user('taken')
        .label(e5, 'idea')
        .label(entryId(7), 'goal');
    const pictures: Readonly<Record<Filter, string>> = {
      default: `
        user: q
        [read: a.ts]
        assistant: answer
        ▸ [idea] user: left (1 turns, 2 rows)
          [idea] user: left
          assistant: left answer
        [goal] user: taken ←
        `,
      'no-tools': `
        user: q
        assistant: answer
        ▸ [idea] user: left (1 turns, 2 rows)
          [idea] user: left
          assistant: left answer
        [goal] user: taken ←
        `,
      'user-only': `
        user: q
        ▸ [idea] user: left (1 turns, 1 rows)
          [idea] user: left
        [goal] user: taken ←
        `,
      'labeled-only': `
        ▸ [idea] user: left (1 turns, 1 rows)
          [idea] user: left
        [goal] user: taken ←
        `,
      all: `
        user: q
        [read: a.ts]
        assistant: answer
        ▸ [idea] user: left (1 turns, 2 rows)
          [idea] user: left
          assistant: left answer
        [goal] user: taken
        [label: idea]
        [label: goal] ←
        `,
    };
    for (const [filter, picture] of Object.entries(pictures)) it(filter, () => shows(built(), picture, filter as Filter));
  });

  it('dates a branch by its newest message, its own branches included', () => {
    const at = (minute: number): { message: { timestamp: number } } => ({ message: { timestamp: Date.UTC(2026, 0, 2, 10, minute) } });
    const found = read(
      session().user('q').user('b1', at(1)).user('b2', at(5)).branchFrom(e2).user('b3', at(9)).branchFrom(e1).user('taken', at(20)),
    );
    const [row] = levelOf(outlineOf(found, 'default')).filter((each) => each.kind === 'branch');
    assert.equal(row?.newest, Date.UTC(2026, 0, 2, 10, 9));
    assert.equal(row.tipId, e4);
  });

  it('shows each entry once, even in malformed files', () => {
    const circle = session()
      .user('a', { id: 'x', parentId: 'y' })
      .user('b', { id: 'y', parentId: 'x' })
      .user('self', { id: 'z', parentId: 'z' })
      .user('lost', { parentId: 'nobody' });
    shows(
      circle,
      `
      ▸ user: a (2 turns, 2 rows)
        user: a
        user: b
      ▸ user: self (1 turns, 1 rows)
        user: self
      user: lost ←
      `,
    );
  });

  it('makes one level of a chain of 10,000 entries', () => {
    const built = session();
    for (let i = 0; i < 10_000; i++) built.user(`line ${String(i)}`);
    const found = read(built);
    const rows = levelOf(outlineOf(found, 'default'));
    assert.equal(rows.length, 10_000);
    assert.ok(rows.every((row) => row.kind === 'entry'));
  });

  it('handles a chain of 100,000 entries off the active path without recursion', () => {
    const built = session().user('q');
    for (let i = 0; i < 100_000; i++) built.assistant('x');
    const found = read(built.branchFrom(e1).user('taken'));
    const outline = outlineOf(found, 'default');
    assert.deepEqual(
      levelOf(outline).map((row) => row.kind),
      ['entry', 'branch', 'entry'],
    );
    assert.equal(levelOf(outline, e2).length, 100_000);
    assert.deepEqual(locateInOutline(outline, entryId(90_000)), { branches: [e2], entryId: entryId(90_000) });
  }).timeout(60_000);

  it('handles forks nested a thousand deep', () => {
    const built = session().user('q');
    for (let i = 0; i < 1000; i++) {
      const fork = built.last;
      built
        .user(`left ${String(i)}`)
        .branchFrom(fork)
        .user(`on ${String(i)}`);
    }
    const rows = levelOf(outlineOf(read(built), 'default'));
    assert.equal(rows.filter((row) => row.kind === 'branch').length, 1000);
  });

  it('handles 200 forks of one entry', () => {
    const built = session().user('q');
    for (let i = 0; i < 200; i++)
      built
        .branchFrom(e1)
        .user(`try ${String(i)}`)
        .assistant('no');
    const rows = levelOf(outlineOf(read(built), 'default'));
    assert.deepEqual(
      rows.map((row) => row.head.text),
      ['user: q', ...Array.from({ length: 200 }, (_, i) => `user: try ${String(i)}`), 'assistant: no'],
    );
  });
});

describe('location of an entry in the outline', () => {
  const built = session().user('a').user('b').user('c').branchFrom(e2).thinking('high').user('e').branchFrom(e1).user('f');
  const outline = outlineOf(read(built), 'default');

  it('is the top level for the active path', () => assert.deepEqual(locateInOutline(outline, e1), { branches: [], entryId: e1 }));
  it('includes all branches that lead to the entry', () =>
    assert.deepEqual(locateInOutline(outline, e3), { branches: [e2, e3], entryId: e3 }));
  it('is that of the nearest visible ancestor of a hidden entry', () =>
    assert.deepEqual(locateInOutline(outline, e4), { branches: [e2], entryId: e2 }));
  it('is empty for an unknown entry', () => assert.deepEqual(locateInOutline(outline, 'nobody'), { branches: [] }));

  it('is a level that contains the row, for every entry and filter', () => {
    for (const filter of ['default', 'user-only', 'all'] as const) {
      const outline = outlineOf(read(built), filter);
      for (const { id } of outline.session.entries) {
        const { branches, entryId: found } = locateInOutline(outline, id);
        let start: string | undefined;
        for (const branch of branches) {
          assert.ok(levelOf(outline, start).some((row) => row.kind === 'branch' && row.startId === branch));
          start = branch;
        }
        assert.ok(levelOf(outline, start).some((row) => row.kind === 'entry' && row.head.id === found));
      }
    }
  });
});
