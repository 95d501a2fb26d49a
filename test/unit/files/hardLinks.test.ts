import assert from 'node:assert/strict';
import { link, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSession, SessionError } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age } from '../../fixtures/writes';

describe('A session with two hard links', function () {
  this.timeout(60_000);
  const folder = testFolder();

  it('is one file: the writes of two windows by both names are all there, each line whole', async () => {
    const storage = join(folder.path, 'storage');
    await mkdir(join(folder.path, 'sessions', 'p'), { recursive: true });
    const path = await folder.write('sessions/p/a.jsonl', session().user('one').assistant('first').text());
    await age(path);
    const other = join(folder.path, 'sessions', 'p', 'b.jsonl');
    await link(path, other);
    const windows = await Promise.all(
      [path, other].map(async (name) => ({ name, writes: await openWindow(storage, join(folder.path, 'sessions')) })),
    );
    const written: string[] = [];
    const refused: string[] = [];
    const writeAll = async ({ name, writes }: (typeof windows)[number], who: string): Promise<void> => {
      for (let n = 0; n < 10; n++) {
        const label = `${who}${n}`;
        try {
          await writes.writer.submit(name, { kind: 'label', entryId: entryId(1), label }, { force: true });
          written.push(label);
        } catch (error) {
          assert.ok(error instanceof SessionError && error.code !== 'damaged', String(error));
          refused.push(label);
        }
      }
    };
    await Promise.all([writeAll(windows[0]!, 'a'), writeAll(windows[1]!, 'b')]);
    const text = await readFile(other, 'utf8');
    const labels = text
      .split('\n')
      .slice(3, -1)
      .map((line) => (JSON.parse(line) as { label: string }).label);
    // A label that was overtaken by another line is written again at the newest entry, so that the session keeps its
    // leaf.
    assert.deepEqual([...new Set(labels)].sort(), [...written].sort());
    assert.ok(written.length > 0);
    assert.deepEqual((await readSession(path)).problems, []);
    assert.equal(await readFile(path, 'utf8'), text);
  });

  it('loses one name when that is deleted, and has both after the restore', async () => {
    await mkdir(join(folder.path, 'sessions', 'p'), { recursive: true });
    const path = await folder.write('sessions/p/a.jsonl', session().user('one').text());
    await age(path);
    const other = join(folder.path, 'sessions', 'p', 'b.jsonl');
    await link(path, other);
    const writes = await openWindow(join(folder.path, 'storage'), join(folder.path, 'sessions'));
    const text = await readFile(path, 'utf8');
    const { trashId } = await writes.trash.delete(path);
    assert.equal(await readFile(other, 'utf8'), text);
    await writes.trash.restore(trashId);
    assert.equal(await readFile(path, 'utf8'), text);
    assert.equal(await readFile(other, 'utf8'), text);
  });
});
