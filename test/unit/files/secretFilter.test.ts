import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { readBodies, readSession, SecretFilter } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

const PASSWORD = 'Quiet7Harbor9x';

describe('The filter of secrets in answers', () => {
  const folder = testFolder();

  it('replaces tokens in texts, also the second time that a text has them', async () => {
    const token = 'gh' + 'p_' + 'a1B2'.repeat(9);
    const filter = await SecretFilter.create();
    assert.match(await filter.text(`use ${token} now`), /^use \[redacted:[\w-]+\] now$/);
    assert.match(await filter.text(`PASSWORD=${PASSWORD}, so ${PASSWORD}`), /^PASSWORD=(\[redacted:[\w-]+\]), so \1$/);
    assert.equal(await filter.text('mail jane@example.com in /home/jane'), 'mail jane@example.com in /home/jane');
  });

  it('replaces in one entry what another entry reveals, and keeps ids and types', async () => {
    const lines = session().user(`PASSWORD=${PASSWORD}`).assistant(`I use ${PASSWORD}`);
    const read = await readSession(await folder.write('a.jsonl', lines.text()));
    const filter = await SecretFilter.create();
    const entries = await readBodies(read, ['e0000002', 'e0000001']);
    const redacted = await filter.entries(entries);
    assert.ok(!JSON.stringify(redacted).includes(PASSWORD));
    assert.deepEqual(
      redacted.map(({ id, type, parentId }) => [id, type, parentId]),
      entries.map(({ id, type, parentId }) => [id, type, parentId]),
    );
    assert.ok(!(await filter.text(`also ${PASSWORD}`)).includes(PASSWORD));
  });

  it('learns a session, then only what was appended, the newest entries first', async () => {
    const lines = session().user(`PASSWORD=${PASSWORD}`).user('x'.repeat(2000)).user('new');
    const path = await folder.write('a.jsonl', lines.text());
    const filter = await SecretFilter.create();
    const before = await readSession(path);
    // The old entry is beyond the bytes that are read.
    assert.ok((await filter.learn(before, 1000)) < 1000);
    assert.ok((await filter.text(PASSWORD)).includes(PASSWORD));
    assert.equal(await filter.learn(before), 0);
    const text = lines.text();
    appendFileSync(path, lines.user(`API_KEY=${PASSWORD}`).text().slice(text.length));
    const bytes = await filter.learn(await readSession(path));
    assert.ok(bytes > 0 && bytes < 400, String(bytes));
    assert.ok(!(await filter.text(PASSWORD)).includes(PASSWORD));
    // A file that was rewritten is read again.
    const short = await readSession(await folder.write('a.jsonl', session().user('short').text()));
    assert.ok((await filter.learn(short)) > 0);
  });

  it('stops when it is aborted', async () => {
    const read = await readSession(await folder.write('a.jsonl', session().user('a').text()));
    const filter = await SecretFilter.create();
    await assert.rejects(filter.learn(read, undefined, AbortSignal.abort(new Error('stop'))), /stop/);
  });
});
