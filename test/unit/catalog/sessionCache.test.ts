import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { SessionCache } from '../../../src/core/catalog/store/sessionCache';
import { SessionError } from '../../../src/core/format/entry/problem';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { sessionFileVersion } from '../../../src/core/files/read/sessionFile';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('The cache of opened sessions', () => {
  const folder = testFolder();

  it('reads a file once if several versions of it are asked for at once', async () => {
    const text = session().user('first').assistant('second').text();
    const path = await folder.write('a.jsonl', text.slice(0, text.indexOf('\n') + 1));
    const cache = new SessionCache();
    const before = await sessionFileVersion(path);
    const opened = cache.open(path, before, { keep: true });
    await appendFile(path, text.slice(text.indexOf('\n') + 1));
    const after = await sessionFileVersion(path);
    const all = await Promise.all([opened, ...[1, 2, 3].map(() => cache.open(path, after, { keep: true }))]);
    // Reading on keeps the header's object.
    assert.equal(new Set(all.map((one) => one.session.header)).size, 1);
    assert.equal(new Set(all.slice(1).map((one) => one.session)).size, 1);
    assert.deepEqual(
      all.slice(1).map((one) => [one.session.entries.length, one.version]),
      [1, 2, 3].map(() => [2, after]),
    );
  });

  it('finds a title that was written in its place after more was read than the version has', async () => {
    const slot = (title: string): string => titleSlotLine({ title, source: 'auto', updatedAt: '2026-01-01T00:00:00.000Z' });
    const text = session().user('first').assistant('second').text();
    const path = await folder.write('c.jsonl', `${slot('Old')}${text.slice(0, text.indexOf('\n') + 1)}`);
    const cache = new SessionCache();
    const options = { keep: true, dialect: 'omp' } as const;
    const before = await sessionFileVersion(path);
    await appendFile(path, text.slice(text.indexOf('\n') + 1));
    assert.equal((await cache.open(path, before, options)).session.name, 'Old');
    await writeFile(path, `${slot('New')}${text}`);
    const { session: opened } = await cache.open(path, await sessionFileVersion(path), options);
    assert.deepEqual([opened.name, opened.entries.length], ['New', 2]);
  });

  it('goes on after a read that failed', async () => {
    const path = await folder.write('b.jsonl', session().user('first').text());
    const cache = new SessionCache();
    const version = await sessionFileVersion(path);
    const failing = cache.open(path, version, {
      keep: true,
      get dialect(): never {
        throw new SessionError('invalid', 'failed');
      },
    });
    const next = cache.open(path, version, { keep: true });
    await assert.rejects(failing, { message: 'failed' });
    assert.equal((await next).session.entries.length, 1);
  });
});
