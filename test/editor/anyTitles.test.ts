// Titles of every alphabet and odd length, and files that couldn't be read, in the list and in the search.
import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { readFile, utimes } from 'node:fs/promises';
import { basename } from 'node:path';
import { session } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { open, rows, showClosed } from './treeRows';
import { eventually, untilEqual } from './waiting';

const TITLES: readonly string[] = [
  'Größe',
  'Längerer Rumpf',
  '船を長くする',
  'Сделать длиннее',
  'लंबा पतवार',
  'أطول بدن',
  '👨‍👩‍👧‍👦 🇩🇪 deck',
  '\u{f0093} HULL: Longer hull',
  'e\u0301\u0301\u0301',
  '\ud800 half',
  '\u0000\u001b[31m\u202e\u2028\ufeff',
  'x'.repeat(70_000),
  '長'.repeat(70_000),
];

describe('Titles of any alphabet', () => {
  editorSuite({ tall: true });

  const found = async (word: string): Promise<string[]> => {
    const hits = await run<{ path: string }[]>('search', { query: word, limit: 100 });
    return [...new Set(hits.map(({ path }) => basename(path)))].sort();
  };

  it('are listed, and their sessions are found', async () => {
    const names: string[] = [];
    for (const [index, title] of TITLES.entries()) {
      const slot = {
        type: 'title',
        v: 1,
        title: Array.from(title).slice(0, 20).join(''),
        source: 'auto',
        updatedAt: '2026-01-01T00:00:00.000Z',
        pad: '',
      };
      const lines = session({ cwd: own.cwd, id: `titled-${index}`, title })
        .user('zuckerhut eins')
        .assistant('zuckerhut zwei');
      await own.put(`titled${index}`, index % 2 === 0 ? lines.name(title) : `${JSON.stringify(slot)}\n${lines.text()}`);
      names.push(`titled${index}.jsonl`);
    }
    await untilEqual(() => found('zuckerhut'), names.sort());
    await showClosed();
    await open(basename(own.cwd));
    const listed = (await rows()).filter(({ level }) => level === 2).map(({ name }) => name);
    for (const start of ['Größe', '船を長くする', 'xxxxxxxx', '長長長長'])
      assert.ok(
        listed.some((name) => name.startsWith(start)),
        `${start} in ${listed.join()}`,
      );
  });

  it('of a file that couldn’t be read come with Retry, although the file looks the same', async () => {
    const text = session({ cwd: own.cwd, id: 'retried' }).user('Read me again').text();
    await own.put('other', session({ cwd: own.cwd }).user('Another one'));
    const path = await own.put('retried', 'x'.repeat(Buffer.byteLength(text)));
    // Whole seconds, because setting a time again may change its fractions.
    const written = 1_700_000_000;
    await utimes(path, written, written);
    await run('refresh');
    await showClosed();
    await open(basename(own.cwd));
    const spoken = async (): Promise<string> =>
      (await rows())
        .filter(({ level }) => level === 2)
        .map((row) => row.spoken)
        .join('\n');
    await eventually('the unreadable file', async () => /^unreadable file retried\.jsonl/m.test(await spoken()));
    // A search waits until the index has read what the view shows. It would see the new text otherwise.
    await found('Another');
    // At once: the extension runs in this process, and would notice the time in between.
    writeFileSync(path, text);
    utimesSync(path, written, written);
    await driver.find('.part.sidebar .monaco-list-row >> text=retried.jsonl').hover();
    await driver.click('.part.sidebar .monaco-list-row:has-text("retried.jsonl") .action-label[aria-label="Retry"]');
    await eventually('the session', async () => /^Read me again, session/m.test(await spoken()));
    assert.equal(await readFile(path, 'utf8'), text);
  });
});
