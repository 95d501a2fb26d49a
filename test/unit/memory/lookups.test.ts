import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLookups, recordLookup } from '../../../src/memory/lookups';
import { HOSTILE } from '../../fixtures/branchedStore';
import { testFolder } from '../../fixtures/folder';

describe('The record of look-ups', () => {
  const folder = testFolder();
  const logIn = (): string => join(folder.path, 'private', 'lookups.jsonl');
  const lookup = { client: 'test', tool: 'search_sessions', bytes: 1, isRefused: false };

  it('has each call of several processes in its order, for the person alone', async () => {
    const log = logIn();
    await Promise.all(Array.from({ length: 50 }, (_, at) => recordLookup(log, { ...lookup, input: { at } })));
    assert.equal(new Set((await readLookups(log)).map(({ input }) => input)).size, 50);
    assert.deepEqual([statSync(log).mode & 0o777, statSync(join(folder.path, 'private')).mode & 0o777], [0o600, 0o700]);
  });

  it('has short lines without characters that have an effect', async () => {
    const log = logIn();
    await recordLookup(log, { ...lookup, client: HOSTILE, tool: HOSTILE, input: { query: HOSTILE.repeat(10_000) } });
    const [found] = await readLookups(log);
    const texts = [found?.client, found?.tool, found?.input].map(String);
    for (const text of texts) assert.doesNotMatch(text, /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    assert.ok(texts.join('').length < 1200);
  });

  it('is bounded, and leaves out lines that aren’t its own', async () => {
    const log = logIn();
    await recordLookup(log, { ...lookup, input: [0] });
    writeFileSync(log, `no JSON\n[]\n{"time":1}\n${'x'.repeat(600_000)}\n`);
    await recordLookup(log, { ...lookup, input: [1] });
    assert.ok(statSync(log).size < 1000 && statSync(`${log}.1`).size > 600_000);
    assert.deepEqual(
      (await readLookups(log)).map(({ input }) => input),
      ['[1]'],
    );
  });
});
