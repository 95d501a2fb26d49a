import assert from 'node:assert/strict';
import { sessionOf } from '../../../src/commands/terminals';

describe('the session of a terminal', () => {
  const sessions = [
    { path: '/s/a.jsonl', id: 'id-a' },
    { path: '/s/b.jsonl', id: '' },
    { path: '/s/id-a.jsonl', id: 'id-c' },
  ];

  it('is the one that its program was given, by path or by id', () => {
    assert.equal(sessionOf(['--session', '/s/b.jsonl'], sessions), '/s/b.jsonl');
    assert.equal(sessionOf(['--resume', 'id-a'], sessions), '/s/a.jsonl');
    assert.equal(sessionOf(['/s/id-a.jsonl'], sessions), '/s/id-a.jsonl');
    assert.equal(sessionOf('/d /s /c "pi" "--session" "/s/b.jsonl"', sessions), '/s/b.jsonl');
  });

  it('is none where nothing names one', () => {
    assert.equal(sessionOf(['-l'], sessions), undefined);
    assert.equal(sessionOf([], sessions), undefined);
    assert.equal(sessionOf('', sessions), undefined);
  });
});
