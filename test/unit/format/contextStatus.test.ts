import assert from 'node:assert/strict';
import { contextPlan } from '../../../src/core/format/context/contextPlan';
import { contextStatuses } from '../../../src/core/format/context/contextStatus';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const fates = (built: SessionBuilder): string => {
  const opened = read(built);
  return contextStatuses(opened, contextPlan(opened)).join(' ');
};

describe('What became of an entry of a branch', () => {
  it('is that the model gets it, or that it is no message', () => {
    assert.equal(fates(session().model('p', 'm').user('a').assistant('b').custom('x').customMessage('y', 'z').branchSummary('s').label(entryId(1), 'l')), 'state in in state in in state');
  });

  it('is that a summary stands for it, but not for what was kept', () => {
    assert.equal(fates(session().user('a').assistant('b').user('c', { id: 'kept' }).compaction('s', 'kept').user('d')), 'compacted compacted in in in');
    assert.equal(fates(session().user('a').compaction('s', 'none').user('b')), 'compacted in in');
  });

  it('is that an older summary, and a system message among what was kept, have been replaced', () => {
    assert.equal(fates(session().user('a').compaction('1', 'none').user('b', { id: 'kept' }).message({ role: 'system', content: 'x' }).compaction('2', 'kept').user('c')), 'compacted compacted in compacted in in');
    assert.equal(fates(session().user('a', { id: 'kept' }).compaction('1', 'kept').user('b').compaction('2', 'kept')), 'in compacted in in');
  });

  it('is that messages of a compaction stand for what was kept', () => {
    assert.equal(fates(session().user('a', { id: 'kept' }).compaction('s', 'kept', { retainedTail: [{ role: 'user', content: 'a' }] }).user('b')), 'compacted in in');
  });

  it('is that an edit changed it, or took it out', () => {
    assert.equal(fates(session().user('a', { id: 'a' }).assistant('b', { id: 'b' }).contextEdit('a', 'other').contextEdit('b', null).user('c')), 'edited omitted state state in');
    // The last edit holds; one that was compacted away does not.
    assert.equal(fates(session().user('a', { id: 'a' }).contextEdit('a', null).contextEdit('a', 'x')), 'edited state state');
    assert.equal(fates(session().user('a', { id: 'a' }).contextEdit('a', null).user('b', { id: 'b' }).compaction('s', 'b')), 'compacted state in in');
  });

  it('is, in oh-my-pi, that it is before a reset, or of an answer that failed', () => {
    assert.equal(fates(session({ title: 'omp' }).user('a').compaction('s', 'none').entry('reset_boundary').user('b')), 'reset reset state in');
    const failed = { message: { stopReason: 'aborted' } };
    assert.equal(fates(session({ title: 'omp' }).user('a').assistant('b', failed).message({ role: 'toolResult', content: [] }).user('c').message({ role: 'toolResult', content: [] })), 'in failed failed in in');
    assert.equal(fates(session().user('a').assistant('b', failed)), 'in in');
  });
});
