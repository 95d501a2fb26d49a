import assert from 'node:assert/strict';
import { appendFile, chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournal, type JournalEntry, type Journal, type StoredJournalEntry } from '../../../src/core/files/history/journal';
import { testFolder } from '../../fixtures/folder';

const entry = (n: number): JournalEntry => ({
  kind: 'label',
  path: '/s.jsonl',
  entryId: String(n),
  targetId: 't',
  from: '',
  to: 'x',
  sizeBefore: 1,
  sizeAfter: 2,
});
const all = async (journal: Journal): Promise<StoredJournalEntry[]> => {
  const found: StoredJournalEntry[] = [];
  for await (const record of journal.records()) found.push(record);
  return found;
};
const numbers = async (journal: Journal) => (await all(journal)).map((record) => ('entryId' in record ? record.entryId : ''));
const DAY = 24 * 3600 * 1000;

describe('The journal', () => {
  const folder = testFolder();
  const place = () => join(folder.path, 'journal');

  it('returns the records, newest first, across days', async () => {
    let now = Date.parse('2026-03-04T23:59:59Z');
    const journal = await openJournal(place(), () => now);
    await journal.add(entry(1));
    now += 1000;
    await Promise.all([journal.add(entry(2)), journal.add(entry(3))]);
    assert.deepEqual(await numbers(journal), ['3', '2', '1']);
    assert.deepEqual((await all(journal)).at(-1)?.at, '2026-03-04T23:59:59.000Z');
    assert.deepEqual((await readdir(place())).sort(), ['2026-03-04.writes', '2026-03-05.writes']);
  });

  it('accepts lines of several windows', async () => {
    const windows = await Promise.all([openJournal(place()), openJournal(place())]);
    await Promise.all(Array.from({ length: 100 }, (_, n) => windows[n % 2 === 0 ? 0 : 1].add(entry(n))));
    const found = (await numbers(windows[0])).map(Number).sort((a, b) => a - b);
    assert.deepEqual(
      found,
      Array.from({ length: 100 }, (_, n) => n),
    );
  });

  it('skips torn and invalid lines, and reads on after them', async () => {
    const journal = await openJournal(place());
    await journal.add(entry(1));
    const [day] = await readdir(place());
    await appendFile(
      join(place(), day!),
      '{"kind":"label"}\n[1]\n{"id":"x","at":"2026","machine":"m","path":"/p","kind":"constructor"}\n{"id":"torn',
    );
    await journal.add(entry(2));
    assert.deepEqual(await numbers(journal), ['2', '1']);
    assert.ok((await readFile(join(place(), day!), 'utf8')).includes('torn\n{'));
  });

  it('removes days that are entirely older, and nothing else', async () => {
    let now = Date.parse('2026-03-04T12:00:00Z');
    const journal = await openJournal(place(), () => now);
    await journal.add(entry(1));
    now += DAY;
    await journal.add(entry(2));
    await writeFile(join(place(), 'other'), '');
    await journal.prune(DAY);
    assert.deepEqual(await numbers(journal), ['2', '1']);
    now += DAY;
    await journal.prune(DAY);
    assert.deepEqual(await numbers(journal), ['2']);
    assert.deepEqual((await readdir(place())).sort(), ['2026-03-05.writes', 'other']);
  });

  it('is readable by this user only', async () => {
    const journal = await openJournal(place());
    await journal.add(entry(1));
    const [day] = await readdir(place());
    assert.deepEqual([(await stat(place())).mode & 0o777, (await stat(join(place(), day!))).mode & 0o777], [0o700, 0o600]);
    await chmod(place(), 0o755);
    await openJournal(place());
    assert.equal((await stat(place())).mode & 0o777, 0o700);
  });
});
