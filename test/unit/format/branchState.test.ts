import assert from 'node:assert/strict';
import { branchState } from '../../../src/core/format/branches/branchState';
import { finishSteps } from '../../../src/core/format/session/steps';
import { entrySnippet, readBodies, readSession, type BranchState, type Session } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('The state of an entry’s branch', () => {
  const folder = testFolder();
  const stateOf = (read: Session, id: string): BranchState => finishSteps(branchState(read, id));

  it('is active on the path to the leaf, and otherwise left with what replaced it', async () => {
    const lines = session().user('ask').assistant('answer').user('first try').assistant('no').branchFrom('e0000002').user('second try');
    const read = await readSession(await folder.write('a.jsonl', lines.text()));
    assert.deepEqual(stateOf(read, 'e0000001'), { state: 'active' });
    assert.deepEqual(stateOf(read, 'e0000005'), { state: 'active' });
    for (const id of ['e0000003', 'e0000004'])
      assert.deepEqual(stateOf(read, id), { state: 'left', replacedBy: { id: 'e0000005', prompt: 'second try' } });
    assert.throws(() => stateOf(read, 'x'), /no entry x/);
  });

  it('has an empty prompt if nobody asked on the other branch, and none of it without another branch', async () => {
    const lines = session().user('ask').assistant('left').branchFrom('e0000001').assistant('kept');
    const read = await readSession(await folder.write('a.jsonl', lines.text()));
    assert.deepEqual(stateOf(read, 'e0000002'), { state: 'left', replacedBy: { id: 'e0000003', prompt: '' } });
    const alone = await readSession(await folder.write('b.jsonl', session().user('ask').entry('leaf', { targetId: null }).text()));
    assert.equal(stateOf(alone, 'e0000001').state, alone.leafId === null ? 'left' : 'active');
  });

  it('has snippets as searches make them, also of texts that were changed', async () => {
    const lines = session()
      .user(`${'before '.repeat(50)}the needle ${'after '.repeat(50)}`)
      .assistant('');
    const read = await readSession(await folder.write('a.jsonl', lines.text()));
    const [user, empty] = await readBodies(read, ['e0000001', 'e0000002']);
    assert.ok(user && empty);
    const { snippet, marks } = entrySnippet(user, 'needle role:user');
    assert.deepEqual(
      marks.map(([start, end]) => snippet.slice(start, end)),
      ['needle'],
    );
    assert.deepEqual(entrySnippet(user, 'missing').marks, []);
    assert.match(entrySnippet(user, '').snippet, /^before before/);
    assert.deepEqual(entrySnippet(empty, 'x'), { snippet: '', marks: [] });
  });
});
