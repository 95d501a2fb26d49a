import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foundFile, hashOf, MAX_FILE_BYTES, readFound } from '../../../src/core/files/restore/foundFile';
import { testFolder } from '../../fixtures/folder';

describe('A file that may be restored', () => {
  const folder = testFolder();
  const at = (name: string): string => join(folder.path, name);

  it('is found with its text, its hash and its permissions', async () => {
    const text = '\uFEFFgröße\r\n🎉';
    await writeFile(at('a'), text);
    await chmod(at('a'), 0o640);
    assert.deepEqual(await foundFile(at('a')), { kind: 'text', text, state: { sha256: hashOf(text), mode: 0o640 } });
    await writeFile(at('empty'), '');
    assert.deepEqual(await foundFile(at('empty')), { kind: 'text', text: '', state: { sha256: hashOf(''), mode: 0o644 } });
    assert.deepEqual(await foundFile(at('none')), { kind: 'none' });
    assert.equal(await readFound(at('none/below')), undefined);
  });

  it('has no text if its bytes aren’t UTF-8, or have a null character', async () => {
    for (const bytes of [[0xff, 0xfe, 97], [97, 0], [0xc3]]) {
      const content = Uint8Array.from(bytes);
      await writeFile(at('a'), content);
      assert.deepEqual(await foundFile(at('a')), { kind: 'other', reason: 'notText', state: { sha256: hashOf(content), mode: 0o644 } });
    }
  });

  it('is nothing but a regular file that isn’t too large', async () => {
    await mkdir(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    await writeFile(at('a'), 'x');
    await symlink('a', at('link'));
    await writeFile(at('large'), Buffer.alloc(MAX_FILE_BYTES + 1));
    for (const name of ['folder', 'pipe', 'link', 'large'])
      assert.deepEqual(await foundFile(at(name)), { kind: 'other', reason: 'notRegular' }, name);
    await assert.rejects(readFound(at('large')), { code: 'invalid' });
  });

  it('can’t be read under a name that no file can have', async () => {
    assert.deepEqual(await foundFile(at('x'.repeat(5000))), { kind: 'other', reason: 'unreadable' });
  });
});
