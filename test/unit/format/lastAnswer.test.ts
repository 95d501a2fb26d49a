import assert from 'node:assert/strict';
import { endsWithAnswer } from '../../../src/core/format/session/lastAnswer';
import { session, type SessionBuilder } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const ends = (builder: SessionBuilder): boolean => endsWithAnswer(read(builder));
const asked = (): SessionBuilder => session().user('Go on');
const stopped = (stopReason: string | undefined): SessionBuilder => asked().assistant('Done.', { message: { stopReason } });

describe('A session that ends with an answer', () => {
  it('ends with a message that the model has ended itself', () => {
    assert.deepEqual(
      ['stop', 'length', 'toolUse', 'error', 'aborted', undefined].map((reason) => ends(stopped(reason))),
      [true, true, false, false, false, false],
    );
    assert.deepEqual([ends(session()), ends(asked()), ends(asked().tool('bash', { command: 'ls' }, 'a'))], [false, false, false]);
  });

  it('may have entries after it that ask the model nothing', () => {
    const done = stopped('stop');
    assert.equal(ends(done.name('Named').label(done.last, 'here').custom('x', {}).bash('ls', 'a')), true);
    assert.equal(ends(stopped('stop').compaction('Short.', 'nowhere')), false);
    assert.equal(ends(stopped('stop').user('More')), false);
    assert.equal(ends(stopped('stop').user('More', { message: { stopReason: 'stop' } })), false);
  });

  it('is looked at where it continues, not at the end of its file', () => {
    const done = stopped('stop');
    const leaf = done.last;
    assert.equal(ends(done.branchFrom(null).user('Another way')), false);
    assert.equal(ends(done.leaf(leaf)), true);
    assert.equal(ends(done.branchFrom(leaf).name('Back')), true);
  });
});
