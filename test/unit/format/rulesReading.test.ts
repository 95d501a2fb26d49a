// Rules of reading (FORMAT section 3) that are easily lost: each test covers a mutation that no other test noticed.
import assert from 'node:assert/strict';
import { parseEntry } from '../../../src/core/format/entry/parseEntry';
import { BRANCH_MARK, pathTo, suspectedTip } from '../../../src/core/format/session/treeTraversal';
import { entryId, session } from '../../fixtures/build';
import { problems, read } from '../../fixtures/read';

const [e1, e2, e3, e4, e5] = [1, 2, 3, 4, 5].map(entryId) as [string, string, string, string, string];
const ids = (heads: readonly { id: string }[]): string[] => heads.map((head) => head.id);

describe('Rules of reading: lines', () => {
  const [header, one, two] = session().user('one').assistant('two').lines() as [string, string, string];

  it('ignore a torn last line, even if it begins with a whole entry', () => {
    const found = read(`${header}\n${one}\n${two}{"type":"mess`);
    assert.deepEqual([ids(found.entries), problems(found)], [[e1], ['torn-line@3']]);
  });

  it('make no entry of a second header', () => {
    const found = read([header, one, header, two, ''].join('\n'));
    assert.deepEqual([ids(found.entries), found.byId.has(found.header.id)], [[e1, e2], false]);
  });

  it('treat an empty id as missing', () => {
    const found = read(session().user('a', { id: '' }));
    assert.deepEqual([ids(found.entries), found.hasGivenIds, problems(found)], [['00000001'], true, ['no-id@2']]);
  });

  it('number assigned ids by objects, not by lines', () => {
    const lines = session({ version: 1 }).user('a').user('b').lines();
    assert.deepEqual(ids(read([lines[0], '', 'bad', `${lines[1]!}${lines[2]!}`, ''].join('\n')).entries), ['00000001', '00000002']);
  });
});

describe('Rules of reading: cycles', () => {
  it('make the first entry of a cycle in the file its root, wherever a chain enters it', () => {
    // A chain comes first and enters the cycle at its last entry.
    const found = read(session().user('tail', { parentId: e4 }).user('a', { parentId: e4 }).user('b').user('c'));
    assert.deepEqual([found.roots, problems(found)], [[e2], ['cycle@3']]);
    assert.deepEqual([ids(pathTo(found, e1)), found.byId.get(e2)?.parentId], [[e2, e3, e4, e1], null]);
    assert.equal(found.entries[1]?.parentId, null, 'the list says what the map says');
  });
});

describe('Rules of reading: the leaf', () => {
  it('keep leaf lines out of the entries', () => {
    const found = read(session().user('a').leaf(e1, { id: 'mark' }).user('b', { parentId: 'mark' }));
    assert.deepEqual([found.byId.has('mark'), [...found.byId.keys()], found.roots, found.children.get(e1)], [false, [e1, e3], [e1], [e3]]);
  });

  it('report no duplicate entry for a repeated leaf line', () => {
    assert.deepEqual(problems(read(session().user('a').leaf(e1, { id: 'mark' }).leaf(e1, { id: 'mark' }))), []);
  });
});

describe('Rules of reading: a leaf on a dead branch', () => {
  /** Two answers to one prompt, and last a label whose parent is `from`. */
  const two = (from: string) =>
    session().user('1').assistant('2').user('3').assistant('4').branchFrom(e2).label(e1, 'x', { parentId: from });

  it('is suspected if the last line is bookkeeping', () => {
    const stale = () => session().user('1').assistant('2').user('3').assistant('4').branchFrom(e2);
    assert.equal(suspectedTip(read(two(e2)))?.id, e4);
    assert.equal(suspectedTip(read(stale().custom('theirs')))?.id, e4);
    assert.equal(suspectedTip(read(stale().model('p', 'm'))), undefined, 'a setting is a choice of the person');
    assert.equal(suspectedTip(read(stale().custom(BRANCH_MARK))), undefined);
  });

  it('is suspected only if no entry follows it', () => {
    const side = two(e2).custom('theirs', {}, { appendMode: 'side' });
    assert.equal(read(side).leafId, e5);
    assert.equal(suspectedTip(read(side)), undefined);
  });

  it('is suspected only if the other tip has newer messages', () => {
    const built = session().user('1').assistant('old').branchFrom(e1).assistant('new').label(e1, 'x');
    assert.equal(read(built).leafId, e4);
    assert.equal(suspectedTip(read(built)), undefined);
    const older = { message: { timestamp: Date.parse('2025-01-01T00:00:00.000Z') } };
    const behind = session().user('1').assistant('answer').branchFrom(e1).assistant('older', older).branchFrom(e2).name('n');
    assert.equal(suspectedTip(read(behind)), undefined, 'a tip that stands later in the file, but is older');
  });

  it('suggests the newest of several tips, at its end', () => {
    const built = session()
      .user('1')
      .assistant('2')
      .branchFrom(null)
      .user('3')
      .assistant('4')
      .custom('theirs')
      .branchFrom(null)
      .label(e1, 'x');
    assert.equal(suspectedTip(read(built))?.id, e5);
  });
});

describe('Rules of reading: missing content', () => {
  it('is empty if the message has content by its role', () => {
    const of = (message: unknown) => parseEntry({ type: 'message', message }, { id: e1, parentId: null })['message'];
    for (const role of ['user', 'assistant', 'toolResult']) {
      assert.deepEqual(of({ role }), { role, content: [] });
      assert.deepEqual(of({ role, content: null }), { role, content: [] });
    }
    assert.deepEqual(of({ role: 'bashExecution' }), { role: 'bashExecution' });
    assert.deepEqual(of(null), { role: 'other' });
  });
});
