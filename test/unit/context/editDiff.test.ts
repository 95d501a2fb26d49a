import assert from 'node:assert/strict';
import { editDiff } from '../../../src/context/articles/editDiff';

describe('editDiff', () => {
  it('contains removed and added lines, with some context', () => {
    assert.equal(editDiff({ path: 'x', oldText: 'a\nb\nc\nd\ne\n', newText: 'a\nb\nc\nD\nDD\ne\n' }), ' a\n b\n c\n-d\n+D\n+DD\n e');
    assert.equal(editDiff({ old_string: '1\n2\n3\n4\n5\nx', new_string: '1\n2\n3\n4\n5\ny' }), ' 3\n 4\n 5\n-x\n+y');
    assert.equal(editDiff({ oldText: '', newText: 'new' }), '+new');
    assert.equal(editDiff({ oldText: 'a\na', newText: 'a' }), ' a\n-a');
  });

  it('joins several edits', () => {
    assert.equal(
      editDiff({
        edits: [
          { oldText: 'a', newText: 'b' },
          { oldText: 'c', newText: 'd' },
        ],
      }),
      '-a\n+b\n …\n-c\n+d',
    );
  });

  it('returns nothing if a call names no change', () => {
    for (const args of [
      undefined,
      'x',
      {},
      { oldText: 'a' },
      { oldText: 'a', newText: 'a' },
      { edits: [] },
      { edits: [{ oldText: 'a', newText: 'b' }, 'odd'] },
      { command: 'ls' },
    ])
      assert.equal(editDiff(args), undefined);
  });
});
