import assert from 'node:assert/strict';
import { contextPlan } from '../../../src/core/format/context/contextPlan';
import { contextStatuses } from '../../../src/core/format/context/contextStatus';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const fates = (built: SessionBuilder): string => {
  const opened = read(built);
  return contextStatuses(opened, contextPlan(opened)).join(' ');
};

describe('contextStatuses', () => {
  it('distinguishes included entries from those that are not messages', () => {
    assert.equal(
      fates(
        session().model('p', 'm').user('a').assistant('b').custom('x').customMessage('y', 'z').branchSummary('s').label(entryId(1), 'l'),
      ),
      'state in in state in in state',
    );
  });

  it('marks entries that a summary replaces, but not those that were kept', () => {
    assert.equal(
      fates(session().user('a').assistant('b').user('c', { id: 'kept' }).compaction('s', 'kept').user('d')),
      'compacted compacted in in in',
    );
    assert.equal(fates(session().user('a').compaction('s', 'none').user('b')), 'compacted in in');
  });

  it('marks older summaries and kept system messages as compacted', () => {
    assert.equal(
      fates(
        session()
          .user('a')
          .compaction('1', 'none')
          .user('b', { id: 'kept' })
          .message({ role: 'system', content: 'x' })
          .compaction('2', 'kept')
          .user('c'),
      ),
      'compacted compacted in compacted in in',
    );
    assert.equal(
      fates(session().user('a', { id: 'kept' }).compaction('1', 'kept').user('b').compaction('2', 'kept')),
      'in compacted in in',
    );
  });

  it('marks all earlier entries if the compaction has a retained tail', () => {
    assert.equal(
      fates(
        session()
          .user('a', { id: 'kept' })
          .compaction('s', 'kept', { retainedTail: [{ role: 'user', content: 'a' }] })
          .user('b'),
      ),
      'compacted in in',
    );
  });

  it('marks entries that an edit changed or removed', () => {
    assert.equal(
      fates(session().user('a', { id: 'a' }).assistant('b', { id: 'b' }).contextEdit('a', 'other').contextEdit('b', null).user('c')),
      'edited omitted state state in',
    );
    // The last edit applies; one that was compacted does not.
    assert.equal(fates(session().user('a', { id: 'a' }).contextEdit('a', null).contextEdit('a', 'x')), 'edited state state');
    assert.equal(
      fates(session().user('a', { id: 'a' }).contextEdit('a', null).user('b', { id: 'b' }).compaction('s', 'b')),
      'compacted state in in',
    );
  });

  it('marks, in oh-my-pi, entries before a reset and those of failed answers', () => {
    assert.equal(
      fates(session({ title: 'omp' }).user('a').compaction('s', 'none').entry('reset_boundary').user('b')),
      'reset reset state in',
    );
    const failed = { message: { stopReason: 'aborted' } };
    assert.equal(
      fates(
        session({ title: 'omp' })
          .user('a')
          .assistant('b', failed)
          .message({ role: 'toolResult', content: [] })
          .user('c')
          .message({ role: 'toolResult', content: [] }),
      ),
      'in failed failed in in',
    );
    assert.equal(fates(session().user('a').assistant('b', failed)), 'in in');
  });
});
