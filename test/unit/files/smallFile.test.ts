import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openRegularFile, readRanges } from '../../../src/core/files/io/regularFile';
import { readSmallFileWithStats, readSmallText } from '../../../src/core/files/io/smallFile';

describe('readSmallFile', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pst-small-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const refuses = (path: string, sentence: RegExp, options = {}): Promise<void> =>
    assert.rejects(
      readSmallText(path, options),
      (error: Error & { code: string }) => error.code === 'invalid' && sentence.test(error.message),
    );

  it('reads a whole regular file, also through a link', async () => {
    await writeFile(join(folder, 'settings.json'), 'ä'.repeat(1000));
    await symlink('settings.json', join(folder, 'link'));
    assert.equal(await readSmallText(join(folder, 'settings.json')), 'ä'.repeat(1000));
    assert.equal(await readSmallText(join(folder, 'link')), 'ä'.repeat(1000));
    const { bytes, ino, mtimeNs } = await readSmallFileWithStats(join(folder, 'link'));
    assert.deepEqual([bytes.length, ino > 0n, mtimeNs > 0n], [2000, true, true]);
  });

  it('refuses a link on request', async () => {
    await writeFile(join(folder, 'note.json'), '{}');
    await symlink('note.json', join(folder, 'link'));
    await refuses(join(folder, 'link'), /regular file/, { followLink: false });
    assert.equal(await readSmallText(join(folder, 'note.json'), { followLink: false }), '{}');
  });

  it('reads a file of the largest size, and nothing of a larger one', async () => {
    await writeFile(join(folder, 'lock'), 'x'.repeat(101));
    assert.equal((await readSmallText(join(folder, 'lock'), { maxBytes: 101 })).length, 101);
    await refuses(join(folder, 'lock'), /too large to read \(limit: 100 bytes\)/, { maxBytes: 100 });
  });

  it("passes on the system's errors", async () => {
    await assert.rejects(readSmallText(join(folder, 'none')), { code: 'ENOENT' });
  });

  if (process.platform !== 'win32') {
    it('never waits for the writers of FIFOs, however many there are', async () => {
      const fifos = Array.from({ length: 12 }, (_, at) => join(folder, `${at}.lock`));
      execFileSync('mkfifo', fifos);
      await Promise.all(fifos.map((fifo) => refuses(fifo, /regular file/)));
      await writeFile(join(folder, 'after'), 'still answers');
      assert.equal(await readSmallText(join(folder, 'after')), 'still answers');
    });

    it('never waits for one that took the place of a file after that was seen, and reads nothing of it', async () => {
      const fifo = join(folder, 'session.jsonl');
      execFileSync('mkfifo', [fifo]);
      await assert.rejects(openRegularFile(fifo, { isKnownRegular: true }), { code: 'not-a-session' });
      await assert.rejects(readRanges(fifo, [[0, 9, Buffer.alloc(9)]]), { code: 'ESPIPE' });
      await symlink('/dev/zero', join(folder, 'zero.jsonl'));
      await assert.rejects(openRegularFile(join(folder, 'zero.jsonl'), { isKnownRegular: true }), { code: 'not-a-session' });
    });

    it('reads nothing of a device or a folder', async () => {
      await symlink('/dev/zero', join(folder, 'zero'));
      await refuses(join(folder, 'zero'), /regular file/);
      await refuses(folder, /regular file/);
    });
  }

  it('gives up at the deadline when the threads for files are occupied', async () => {
    await writeFile(join(folder, 'slow'), 'x');
    const occupied = Array.from({ length: 8 }, () => promisify(pbkdf2)('password', 'salt', 200_000, 64, 'sha512'));
    await refuses(join(folder, 'slow'), /didn’t respond in time/, { deadline: 20 });
    await Promise.all(occupied);
  });
});
