import assert from 'node:assert/strict';
import { sessionInArguments } from '../../../src/commands/terminal/resumedTerminals';

describe('the session of a terminal', () => {
  const sessions = [
    { path: '/s/a.jsonl', id: 'id-a' },
    { path: '/s/b.jsonl', id: '' },
    { path: '/s/id-a.jsonl', id: 'id-c' },
  ];

  it('is the one that its program was given, by path or by id', () => {
    assert.equal(sessionInArguments(['--session', '/s/b.jsonl'], sessions), '/s/b.jsonl');
    assert.equal(sessionInArguments(['--resume', 'id-a'], sessions), '/s/a.jsonl');
    assert.equal(sessionInArguments(['/s/id-a.jsonl'], sessions), '/s/id-a.jsonl');
    assert.equal(sessionInArguments('/d /s /c "pi" "--session" "/s/b.jsonl"', sessions), '/s/b.jsonl');
  });

  it('is none where nothing names one', () => {
    assert.equal(sessionInArguments(['-l'], sessions), undefined);
    assert.equal(sessionInArguments([], sessions), undefined);
    assert.equal(sessionInArguments('', sessions), undefined);
  });
});
