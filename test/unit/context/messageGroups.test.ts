import assert from 'node:assert/strict';
import { finishSteps } from '../../../src/core/format/session/steps';
import {
  groupMessages,
  estimateLines,
  resultsFirst,
  type MessageGroup,
  type MessageSlot,
} from '../../../src/context/snapshot/messageGroups';

const slots = (...roles: string[]): MessageSlot[] =>
  roles.map((role, index) => ({ entryId: `e${index}`, role, bytes: 300, contextStatus: 'in' }));

const groupsOf = (list: readonly MessageSlot[]): MessageGroup[] => finishSteps(groupMessages(list));

describe('Message groups', () => {
  it('join an answer and the results after it', () => {
    const groups = groupsOf(slots('user', 'assistant', 'toolResult', 'toolResult', 'assistant', 'user', 'toolResult'));
    assert.deepEqual(
      groups.map(({ key, from, to }) => [key, from, to]),
      [
        ['e0', 0, 1],
        ['e1', 1, 4],
        ['e4', 4, 5],
        ['e5', 5, 6],
        ['e6', 6, 7],
      ],
    );
  });

  it('have distinct keys even if they come from one entry', () => {
    const same = slots('system', 'compactionSummary', 'user').map((slot) => ({ ...slot, entryId: 'c' }));
    assert.deepEqual(
      groupsOf(same).map(({ key }) => key),
      ['c', 'c#1', 'c#2'],
    );
  });

  it('aren’t split by an entry that is no message', () => {
    const asEntryRow = (slot: MessageSlot): MessageSlot => (slot.role === 'custom' ? { ...slot, isEntryRow: true } : slot);
    const order = (...roles: string[]): string =>
      resultsFirst(slots(...roles).map(asEntryRow))
        .map(({ entryId }) => entryId)
        .join(' ');
    assert.equal(
      order('assistant', 'custom', 'toolResult', 'custom', 'toolResult', 'custom', 'user', 'custom', 'toolResult'),
      'e0 e2 e4 e1 e3 e5 e6 e7 e8',
    );
    assert.equal(order('custom', 'assistant', 'custom'), 'e0 e1 e2');
    const ordered = resultsFirst(slots('assistant', 'custom', 'toolResult', 'custom').map(asEntryRow));
    assert.deepEqual(
      groupsOf(ordered).map(({ key, from, to }) => [key, from, to]),
      [
        ['e0', 0, 2],
        ['e1', 2, 3],
        ['e3', 3, 4],
      ],
    );
    assert.deepEqual(
      groupsOf(ordered).map((group) => estimateLines(group)),
      [6, 1, 1],
    );
  });

  it('have an estimated length that grows with their size, up to a limit', () => {
    const long = slots('user').map((slot) => ({ ...slot, bytes: 1e9 }));
    assert.equal(estimateLines(groupsOf(slots('user'))[0]!), 5);
    assert.equal(estimateLines(groupsOf(long)[0]!), 42);
  });
});
