import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { SessionCache } from '../../../src/core/catalog/store/sessionCache';
import { SessionError } from '../../../src/core/format/entry/problem';
import type { Session } from '../../../src/core/format/session/session';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { readSession, sessionFileVersion } from '../../../src/core/files/read/sessionFile';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('The cache of opened sessions', () => {
  const folder = testFolder();

  /** A cache with a loader that counts its calls. */
  function counting(): { cache: SessionCache; heads: (path: string) => Promise<Session>; calls: () => number } {
    let calls = 0;
    const heads = (path: string): Promise<Session> => {
      calls++;
      return readSession(path);
    };
    return { cache: new SessionCache(), heads, calls: () => calls };
  }

  it('reads a file once if several versions of it are asked for at once', async () => {
    const text = session().user('first').assistant('second').text();
    const path = await folder.write('a.jsonl', text.slice(0, text.indexOf('\n') + 1));
    const { cache, heads, calls } = counting();
    const before = await sessionFileVersion(path);
    const opened = cache.open(path, before, { keep: true, heads });
    await appendFile(path, text.slice(text.indexOf('\n') + 1));
    const after = await sessionFileVersion(path);
    const all = await Promise.all([opened, ...[1, 2, 3].map(() => cache.open(path, after, { keep: true, heads }))]);
    assert.equal(calls(), 1);
    assert.deepEqual(
      all.slice(1).map((one) => [one.session.entries.length, one.version]),
      [1, 2, 3].map(() => [2, after]),
    );
  });

  it('finds a title that was written in its place after more was read than the version has', async () => {
    const slot = (title: string): string => titleSlotLine({ title, source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z' });
    const text = session().user('first').assistant('second').text();
    const path = await folder.write('c.jsonl', `${slot('Old')}${text.slice(0, text.indexOf('\n') + 1)}`);
    const { cache, heads } = counting();
    const options = { keep: true, heads, dialect: 'omp' } as const;
    const before = await sessionFileVersion(path);
    await appendFile(path, text.slice(text.indexOf('\n') + 1));
    assert.equal((await cache.open(path, before, options)).session.name, 'Old');
    await writeFile(path, `${slot('New')}${text}`);
    const { session: opened } = await cache.open(path, await sessionFileVersion(path), options);
    assert.deepEqual([opened.name, opened.entries.length], ['New', 2]);
  });

  it('goes on after a read that failed', async () => {
    const path = await folder.write('b.jsonl', session().user('first').text());
    const { cache, heads } = counting();
    const version = await sessionFileVersion(path);
    const failing = cache.open(path, version, { keep: true, heads: () => Promise.reject(new SessionError('invalid', 'failed')) });
    const next = cache.open(path, version, { keep: true, heads });
    await assert.rejects(failing, { message: 'failed' });
    assert.equal((await next).session.entries.length, 1);
  });
});
