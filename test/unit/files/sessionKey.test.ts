import assert from 'node:assert/strict';
import { join } from 'node:path';
import { sessionKey, type Session } from '../../../src/core/index';
import { testFolder } from '../../fixtures/folder';

describe('sessionKey', () => {
  const folder = testFolder();
  const session = (id: string, name = `${id}.jsonl`): Pick<Session, 'path' | 'header'> => ({
    path: join(folder.path, name),
    header: { type: 'session', id, timestamp: '', cwd: '' },
  });

  it('returns the key whose entry names the session, by id or by file', async () => {
    await folder.write(
      'sessions.json',
      JSON.stringify({
        'agent:main:main': { sessionId: 'a' },
        'agent:main:chat': { sessionId: 'x', sessionFile: '/elsewhere/b-topic-1.jsonl' },
      }),
    );
    assert.equal(await sessionKey(session('a')), 'agent:main:main');
    assert.equal(await sessionKey(session('b', 'b-topic-1.jsonl')), 'agent:main:chat');
    assert.equal(await sessionKey(session('older')), undefined);
  });

  it('returns nothing without a list', async () => {
    assert.equal(await sessionKey(session('a')), undefined);
    await folder.write('sessions.json', '[null]');
    assert.equal(await sessionKey(session('a')), undefined);
  });

  it('reports a broken list', async () => {
    await folder.write('sessions.json', '{"agent:');
    await assert.rejects(sessionKey(session('a')), { code: 'invalid', message: /sessions\.json/ });
  });
});
