import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isClockPlausible } from '../../../src/core/files/storage/clockCheck';
import { session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';

const DAY = 24 * 60 * 60 * 1000;
const YEAR = 365 * DAY;
const START = Date.UTC(2026, 0, 2);

describe('A system clock', () => {
  const folder = testFolder();
  const looks = async (...times: number[]): Promise<boolean[]> => {
    const found: boolean[] = [];
    for (const time of times) found.push(await isClockPlausible(folder.path, time));
    return found;
  };

  it('is plausible while it advances normally, also over some weeks', async () => {
    assert.deepEqual(await looks(START, START + 5, START + DAY, START + 29 * DAY), [true, true, true, true]);
  });

  it('is implausible after a step of years ahead, until it has run for a day', async () => {
    const ahead = START + 5 * YEAR;
    assert.deepEqual(await looks(START, ahead, ahead + 60_000, ahead + DAY - 1, ahead + DAY), [true, false, false, false, true]);
  });

  it('is implausible after a step back, and loses nothing meanwhile', async () => {
    assert.deepEqual(await looks(START, START + 5 * YEAR, START + 60_000, START + DAY, START + DAY + 60_000), [
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it('is plausible if the record of the last check is invalid', async () => {
    for (const text of ['', '{', '[]', '{"at":"x"}', '{"at":null}', '{"at":1e999}']) {
      await writeFile(join(folder.path, 'clock.json'), text);
      assert.deepEqual(await looks(START), [true], text);
    }
  });

  it('empties no trash after a jump', async () => {
    const [storage, root] = [join(folder.path, 'storage'), join(folder.path, 'sessions')];
    await mkdir(join(folder.path, 'sessions', 'p'), { recursive: true });
    const path = await folder.write('sessions/p/a.jsonl', session().user('one').text());
    await age(path);
    const writes = await openWindow(storage, root);
    await writes.trash.delete(path);
    await writes.prune(30 * DAY);
    // The last check was five years ago, by today's clock.
    await writeFile(join(storage, 'clock.json'), JSON.stringify({ at: Date.now() - 5 * YEAR }));
    await writes.prune(-DAY);
    assert.equal((await writes.trash.list()).length, 1);
    await writeFile(join(storage, 'clock.json'), JSON.stringify({ at: Date.now() - DAY }));
    await writes.prune(-DAY);
    assert.equal((await writes.trash.list()).length, 0);
  });
});
