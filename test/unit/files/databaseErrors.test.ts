import assert from 'node:assert/strict';
import {
  CorruptDatabase,
  DatabaseBusy,
  DatabaseMoved,
  damagedSession,
  databaseError,
  readingError,
} from '../../../src/core/files/database/sqlite/databaseErrors';
import { SessionError } from '../../../src/core/format/entry/problem';

/** An error as `node:sqlite` throws it. */
const sqlite = (errcode: number): Error => Object.assign(new Error('a text of the database'), { code: 'ERR_SQLITE_ERROR', errcode });

describe('Errors of OpenClaw’s databases', () => {
  it('are named without texts of the database, by SQLite’s result codes, extended ones included', () => {
    // SQLITE_BUSY, SQLITE_LOCKED_SHAREDCACHE, SQLITE_PROTOCOL
    for (const code of [5, 262, 15]) assert.ok(readingError(sqlite(code), '/größe.db') instanceof DatabaseBusy, `${code}`);
    // SQLITE_CANTOPEN, SQLITE_READONLY_CANTINIT
    for (const code of [14, 1288]) {
      const error = readingError(sqlite(code), '/größe.db');
      assert.ok(error instanceof SessionError && error.code === 'permission', `${code}`);
      assert.match(error.message, /Check the permissions .*: \/größe\.db$/);
    }
    for (const [code, reason] of [
      [11, 'it’s damaged'],
      [26, 'it isn’t an SQLite database'],
      [522, 'a part of it can’t be read'],
    ] as const) {
      const error = readingError(sqlite(code), '/d');
      assert.ok(error instanceof CorruptDatabase);
      assert.equal(error.message, reason);
      for (const shown of [databaseError(error, '/d'), damagedSession(error, '/d')])
        assert.ok(shown instanceof SessionError && shown.code === 'not-a-session' && shown.message.includes(reason));
    }
    const tooLarge = Object.assign(new RangeError('x'), { code: 'ERR_OUT_OF_RANGE' });
    assert.ok(readingError(tooLarge, '/d') instanceof CorruptDatabase);
  });

  it('stay as they are if they come from elsewhere', () => {
    for (const error of [new Error('x'), sqlite(9), 'text', undefined]) assert.equal(readingError(error, '/d'), error);
    for (const error of [new DatabaseBusy(), new DatabaseMoved()]) assert.notEqual(databaseError(error, '/d'), error);
    assert.equal(databaseError('text', '/d'), 'text');
  });
});
