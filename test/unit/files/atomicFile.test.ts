import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSessionName } from '../../../src/core/files/locate/listFiles';
import { realDisk, type Disk } from '../../../src/core/files/io/disk';
import { removeStaleTemporaryFiles, temporaryName } from '../../../src/core/files/storage/temporaryFiles';
import { createFile, replaceFile } from '../../../src/core/files/io/atomicFile';
import { testFolder } from '../../fixtures/folder';

describe('Creating a file', () => {
  const folder = testFolder();
  const at = (name: string) => join(folder.path, name);

  it('writes the whole file, creates its folders and leaves nothing else', async () => {
    await createFile(
      at('a/b/c.jsonl'),
      async (to) => {
        for (let n = 0; n < 3; n++) await to.line('x'.repeat(700_000));
        await to.line(Buffer.from('end'));
      },
      { mode: 0o666 },
    );
    const text = await readFile(at('a/b/c.jsonl'), 'utf8');
    assert.deepEqual([text.length, text.slice(-5)], [2_100_007, '\nend\n']);
    assert.deepEqual([await readdir(at('a/b')), (await stat(at('a/b/c.jsonl'))).mode & 0o777], [['c.jsonl'], 0o666]);
  });

  it('writes long texts in slices that cut no character', async () => {
    const written: number[] = [];
    const disk: Disk = {
      ...realDisk,
      open: async (...args) => {
        const file = await realDisk.open(...args);
        const write = file.write.bind(file) as (bytes: Uint8Array, ...rest: unknown[]) => Promise<unknown>;
        return Object.assign(file, {
          write: (bytes: Uint8Array, ...rest: unknown[]) => (written.push(bytes.length), write(bytes, ...rest)),
        });
      },
    };
    const text = `a${'😀'.repeat(2_000_000)}`;
    await createFile(
      at('c.jsonl'),
      async (to) => {
        await to.line(text);
        await to.text(text);
        await to.line(Buffer.from(text));
      },
      { disk },
    );
    assert.ok((await readFile(at('c.jsonl'), 'utf8')) === `${text}\n${text}${text}\n`);
    assert.ok(Math.max(...written) <= 5 * 1024 * 1024, String(written));
  });

  it('uses a name that no listing returns until the file is complete', async () => {
    await createFile(at('c.jsonl'), async (to) => {
      await to.line('x');
      const names = await readdir(folder.path);
      assert.equal(names.length, 1);
      assert.deepEqual(names.filter(isSessionName), []);
    });
  });

  it('never overwrites an existing file', async () => {
    await folder.write('c.jsonl', 'old');
    await assert.rejects(
      createFile(at('c.jsonl'), (to) => to.line('new')),
      { code: 'EEXIST' },
    );
    assert.deepEqual([await readdir(folder.path), await readFile(at('c.jsonl'), 'utf8')], [['c.jsonl'], 'old']);
  });

  it('writes the whole file without hard links, and never overwrites an existing one', async () => {
    const disk: Disk = { ...realDisk, link: () => Promise.reject(Object.assign(new Error('none'), { code: 'EPERM' })) };
    await createFile(at('c.jsonl'), (to) => to.line('x'), { disk });
    await assert.rejects(
      createFile(at('c.jsonl'), (to) => to.line('y'), { disk }),
      { code: 'EEXIST' },
    );
    assert.deepEqual([await readdir(folder.path), await readFile(at('c.jsonl'), 'utf8')], [['c.jsonl'], 'x\n']);
    const rename: Disk['rename'] = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await assert.rejects(
      createFile(at('d.jsonl'), (to) => to.line('x'), { disk: { ...disk, rename } }),
      { code: 'no-space' },
    );
    assert.deepEqual(await readdir(folder.path), ['c.jsonl']);
  });

  it('replaces an existing file on request', async () => {
    await folder.write('old.jsonl', 'old');
    assert.equal(
      (
        await replaceFile(
          at('old.jsonl'),
          (to) => to.line('new'),
          0o600,
          () => Promise.resolve(),
        )
      ).size,
      4,
    );
    assert.deepEqual([await readdir(folder.path), await readFile(at('old.jsonl'), 'utf8')], [['old.jsonl'], 'new\n']);
  });

  it('removes the hidden files of killed processes, and no others', async () => {
    const name = temporaryName('a.jsonl');
    const gone = name.replace(`-${process.pid}-`, `-${2 ** 30}-`);
    const elsewhere = gone.replace(/[0-9a-f]{6}-/, 'ffffff-');
    const theirs = '.a.jsonl.12345678.tmp';
    for (const one of [name, gone, elsewhere, theirs]) await folder.write(one, 'x');
    assert.deepEqual((await readdir(folder.path)).filter(isSessionName), []);
    assert.deepEqual(await removeStaleTemporaryFiles(folder.path), [at(gone)]);
    assert.deepEqual((await readdir(folder.path)).sort(), [name, elsewhere, theirs].sort());
    assert.deepEqual(await removeStaleTemporaryFiles(at('none')), []);
  });

  it('leaves nothing behind when it fails', async () => {
    await assert.rejects(
      createFile(at('c.jsonl'), () => Promise.reject(new Error('no'))),
      /no/,
    );
    await folder.write('old.jsonl', 'old');
    await assert.rejects(
      replaceFile(
        at('old.jsonl'),
        (to) => to.line('new'),
        0o644,
        () => Promise.reject(new Error('changed')),
      ),
      /changed/,
    );
    assert.deepEqual([await readdir(folder.path), await readFile(at('old.jsonl'), 'utf8')], [['old.jsonl'], 'old']);
  });
});
