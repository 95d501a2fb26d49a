import assert from 'node:assert/strict';
import { BRANCH_MARK, forkPoint, pathTo, subtree, suspectedTip, tips } from '../../../src/core/format/session/treeTraversal';
import { entryId, session } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const ids = (heads: readonly { id: string }[]): string[] => heads.map((head) => head.id);
const [e1, e2, e3, e4, e5] = [1, 2, 3, 4, 5].map(entryId) as [string, string, string, string, string];

describe('Tree traversal', () => {
  const found = read(session().user('a').assistant('b').user('c').branchFrom(e1).assistant('d').branchFrom(null).user('e'));

  it('returns the path from the root to an entry', () => {
    assert.deepEqual([ids(pathTo(found, e3)), pathTo(found, null), pathTo(found, 'none')], [[e1, e2, e3], [], []]);
  });

  it('finds tips, and the subtree of an entry', () => {
    assert.deepEqual([ids(tips(found)), ids(subtree(found, e1)), subtree(found, 'none')], [[e3, e4, e5], [e1, e2, e3, e4], []]);
  });

  it('finds the last entry that two paths share', () => {
    assert.equal(forkPoint(pathTo(found, e3), pathTo(found, e4)), e1);
    assert.equal(forkPoint(pathTo(found, e3), pathTo(found, e5)), undefined);
  });

  it('terminates for a cycle made by hand', () => {
    const head = (id: string, parentId: string): never => ({ ...found.byId.get(e1)!, id, parentId }) as never;
    assert.equal(
      pathTo(
        {
          byId: new Map([
            ['x', head('x', 'y')],
            ['y', head('y', 'x')],
          ]),
        },
        'x',
      ).length,
      2,
    );
  });

  it('handles a chain of 200,000 entries', function () {
    this.timeout(60_000);
    const built = session();
    for (let i = 0; i < 200_000; i++) built.entry('custom', { customType: 'x' });
    const long = read(built);
    assert.deepEqual([pathTo(long, long.leafId).length, subtree(long, e1).length, tips(long).length], [200_000, 200_000, 1]);
  });
});

describe('A leaf on a dead branch', () => {
  const stale = (): ReturnType<typeof session> => session().user('1').assistant('2').user('3').assistant('4').branchFrom(e2);

  it('is detected by a bookkeeping entry with an old parent', () => {
    assert.equal(suspectedTip(read(stale().label(e1, 'x')))?.id, e4);
    assert.equal(suspectedTip(read(stale().name('n')))?.id, e4);
  });

  it('is not doubted for a copy with a later time that stands before the answer', () => {
    const late = { message: { timestamp: Date.parse('2026-02-01T00:00:00.000Z') } };
    const copied = session().user('1').assistant('delivered', late).branchFrom(e1).assistant('answer').name('n');
    assert.equal(suspectedTip(read(copied)), undefined);
    const after = session().user('1').assistant('answer').branchFrom(e1).assistant('newer', late).branchFrom(e2).name('n');
    assert.equal(suspectedTip(read(after))?.id, e3);
  });

  it('is not suspected after a deliberate move', () => {
    assert.equal(suspectedTip(read(stale())), undefined);
    assert.equal(suspectedTip(read(stale().user('on'))), undefined);
    assert.equal(suspectedTip(read(stale().custom(BRANCH_MARK))), undefined);
    assert.equal(suspectedTip(read(session().user('1').label(e1, 'x'))), undefined);
  });
});
