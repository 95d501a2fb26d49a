import assert from 'node:assert/strict';
import { interruptionsOf, overlaps, unitedSpans } from '../../../../src/core/format/restore/interruptions';
import { stateReason, type StateReason } from '../../../../src/core/format/restore/stateReasons';
import type { Session } from '../../../../src/core/format/session/session';
import { SessionBuilder } from '../../../fixtures/build';
import { read } from '../../../fixtures/read';

const at = (seconds: number): number => Date.parse('2026-01-02T10:00:00.000Z') + seconds * 1000;
const given = (seconds: number) => ({ timestamp: new Date(at(seconds)).toISOString(), message: { timestamp: at(seconds) } });
const call = { type: 'toolCall', id: 'c', name: 'bash', arguments: {} };
const result = (toolName: string) => ({ role: 'toolResult', toolCallId: 'c', toolName, content: [], isError: false });

describe('The times in which files may have changed without a record', () => {
  it('are those of commands, from their call to their result', () => {
    const session: Session = read(
      new SessionBuilder()
        .user('go', given(1))
        .assistant([call], given(2))
        .message(result('bash'), given(5))
        .assistant([call], given(6))
        .message(result('read'), given(7))
        .assistant([call], given(8))
        .message(result('grep'), given(9))
        .assistant([call], { ...given(10), message: { timestamp: at(10), stopReason: 'toolUse' } })
        .user('again', given(20))
        .text(),
    );
    const { commands, switches } = interruptionsOf(session);
    assert.deepEqual(commands, [
      { start: at(2), end: at(5) },
      { start: at(10), end: at(20) },
    ]);
    assert.deepEqual(switches, []);
    assert.ok(overlaps(commands, at(3), at(4)));
    assert.ok(overlaps(commands, at(5), at(6)) && overlaps(commands, at(0), at(2)));
    assert.ok(overlaps(commands, at(3), Infinity) && !overlaps(commands, at(21), Infinity));
    assert.ok(!overlaps(commands, at(6), at(9)) && !overlaps(commands, at(21), at(30)) && !overlaps(commands, at(0), at(1)));
  });

  it('are those between two branches, and before the first entry of a fork', () => {
    const lines = new SessionBuilder({ parentSession: '/x.jsonl', timestamp: new Date(at(4)).toISOString() }).user('go', given(1));
    const first = lines.last;
    const session = read(lines.assistant('a', given(2)).branchFrom(first).assistant('b', given(9)).text());
    assert.deepEqual(interruptionsOf(session).switches, [{ start: at(2), end: at(9) }]);
  });

  it('are united where they overlap', () => {
    const spans = [5, 1, 2, 9].map((start) => ({ start, end: start + 2 }));
    assert.deepEqual(unitedSpans(spans), [
      { start: 1, end: 4 },
      { start: 5, end: 7 },
      { start: 9, end: 11 },
    ]);
  });
});

describe('The reasons why a state isn’t certain', () => {
  it('are sentences', () => {
    const all: Record<StateReason, true> = {
      record: true,
      later: true,
      commands: true,
      switched: true,
      changed: true,
      contradicted: true,
      reversed: true,
      before: true,
      unwritten: true,
      unrecorded: true,
      unreadable: true,
    };
    for (const reason of Object.keys(all) as StateReason[]) assert.match(stateReason(reason), /^[A-Z][^\n]{10,398}\.$/);
  });
});
