import assert from 'node:assert/strict';
import { sessionInArguments, sessionInCommand } from '../../../src/commands/terminal/resumedTerminals';

describe('sessionInArguments', () => {
  const sessions = [
    { path: '/s/a.jsonl', id: 'id-a', modified: 1 },
    { path: '/s/b.jsonl', id: '', modified: 4 },
    { path: '/s/id-a.jsonl', id: 'id-c', modified: 3 },
    { path: '/s/copy-of-a.jsonl', id: 'id-a', modified: 2 },
  ];

  it('finds a session by its path or id in the arguments of a program', () => {
    assert.equal(sessionInArguments(['--session', '/s/b.jsonl'], sessions), '/s/b.jsonl');
    assert.equal(sessionInArguments(['--resume', 'id-c'], sessions), '/s/id-a.jsonl');
    assert.equal(sessionInArguments(['/s/id-a.jsonl'], sessions), '/s/id-a.jsonl');
    assert.equal(sessionInArguments('/d /s /c "pi" "--session" "/s/b.jsonl"', sessions), '/s/b.jsonl');
  });

  it('finds the most recently active one of several with an id', () => {
    assert.equal(sessionInArguments(['--resume', 'id-a'], sessions), '/s/copy-of-a.jsonl');
  });

  it('finds none in other arguments', () => {
    assert.equal(sessionInArguments(['-l'], sessions), undefined);
    assert.equal(sessionInArguments([], sessions), undefined);
    assert.equal(sessionInArguments('', sessions), undefined);
  });

  it('finds a session in a command that opens it again, and in no other', () => {
    const found = (command: string): string | undefined => sessionInCommand(command, () => sessions);
    assert.deepEqual(['pi --session /s/b.jsonl', 'omp --resume id-c', 'omp --resume=id-c --model x', 'pi -r id-c'].map(found), [
      '/s/b.jsonl',
      '/s/id-a.jsonl',
      '/s/id-a.jsonl',
      '/s/id-a.jsonl',
    ]);
    assert.deepEqual(['cat /s/b.jsonl', 'pi --resume', 'rm -rf id-c', ''].map(found), [undefined, undefined, undefined, undefined]);
    assert.equal(found(`${' '.repeat(5000)}pi --session /s/b.jsonl`), undefined);
  });
});
