import assert from 'node:assert/strict';
import type { SessionSummary, Unfinished } from '../../../src/core/index';
import { TurnTracker } from '../../../src/watch/turnTracker';

const MINUTE = 60_000;

describe('The end of a long turn', () => {
  const at = (path: string, unfinished?: Unfinished): SessionSummary =>
    ({ path, modified: 0, ...(unfinished ? { unfinished } : {}) }) as SessionSummary;
  /** Returns the outcomes of a turn that runs from the start until a time, and then has this end. */
  function outcomes(until: number, end: Unfinished | undefined, isRunning = true): string[] {
    const tracker = new TurnTracker();
    assert.deepEqual(
      tracker.update([at('/a', 'unanswered')], () => true, 0),
      [],
    );
    if (!isRunning) tracker.update([at('/a', 'unanswered')], () => false, 1);
    const ended = tracker.update([at('/a', end)], () => true, until);
    assert.deepEqual(
      tracker.update([at('/a', end)], () => true, until + 1),
      [],
      'it is told once',
    );
    return ended.map(({ outcome }) => outcome);
  }

  it('is a question, an error or an answer', () => {
    assert.deepEqual(
      [outcomes(MINUTE, 'question'), outcomes(MINUTE, 'error'), outcomes(MINUTE, undefined), outcomes(MINUTE, 'todos')],
      [['waits'], ['failed'], ['done'], ['done']],
    );
  });

  it('is nothing after less than a minute, if the person stopped it, or if its program was gone', () => {
    assert.deepEqual([outcomes(MINUTE - 1, 'error'), outcomes(MINUTE, 'interrupted'), outcomes(MINUTE, 'error', false)], [[], [], []]);
  });

  it('isn’t noticed in a session that ran nothing, or is no longer among them', () => {
    const tracker = new TurnTracker();
    tracker.update([at('/a', 'unanswered'), at('/b', 'error')], () => true, 0);
    tracker.update([], () => true, 1);
    assert.deepEqual(
      tracker.update([at('/a', 'error'), at('/b', 'error')], () => true, MINUTE),
      [],
    );
  });
});
