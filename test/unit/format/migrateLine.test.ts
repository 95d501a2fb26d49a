import assert from 'node:assert/strict';
import type { SessionHeader } from '../../../src/core/format/entry/entry';
import { migrateHeader, migrateLine } from '../../../src/core/format/parse/migrateLine';

describe('Migrating a line', () => {
  it('returns the same object if nothing changes', () => {
    const line = { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'x' }, payloadSha256: 'h' };
    assert.equal(migrateLine(line, { id: 'a', parentId: null }), line);
  });

  it('sets id and parent, and removes a hash that is no longer valid', () => {
    assert.deepEqual(migrateLine({ type: 'custom', data: 1, payloadSha256: 'h' }, { id: 'a', parentId: 'b' }), {
      type: 'custom',
      data: 1,
      id: 'a',
      parentId: 'b',
    });
  });

  it('uses the names of version 3', () => {
    const hook = {
      type: 'message',
      id: 'a',
      parentId: null,
      message: { role: 'hookMessage', customType: 'x', content: 'y', more: 1 },
      kept: true,
    };
    assert.deepEqual(migrateLine(hook, { id: 'a', parentId: null }), { ...hook, message: { ...hook.message, role: 'custom' } });
    const compaction = { type: 'compaction', id: 'a', parentId: null, firstKeptEntryIndex: 3 };
    assert.deepEqual(migrateLine(compaction, { id: 'a', parentId: null, firstKeptEntryId: 'c' }), {
      type: 'compaction',
      id: 'a',
      parentId: null,
      firstKeptEntryId: 'c',
    });
    assert.deepEqual(migrateLine(compaction, { id: 'a', parentId: null }), { type: 'compaction', id: 'a', parentId: null });
  });
});

describe('Migrating a header', () => {
  const header = (more: object): SessionHeader => ({ type: 'session', id: 'i', timestamp: 't', cwd: '/c', ...more });

  it('keeps its members and names the parent', () => {
    assert.deepEqual(migrateHeader(header({ provider: 'p', branchedFrom: '/x', own: 1 })), {
      ...header({ provider: 'p', branchedFrom: '/x', own: 1 }),
      version: 3,
      parentSession: '/x',
    });
  });

  it('removes a hash that is no longer valid', () => {
    assert.equal('payloadSha256' in migrateHeader(header({ payloadSha256: 'h' })), false);
  });

  it('keeps an existing parent', () => {
    assert.equal(migrateHeader(header({ version: 2, branchedFrom: '/x', parentSession: '/y' }))['parentSession'], '/y');
  });
});
