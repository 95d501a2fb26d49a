import assert from 'node:assert/strict';
import { fileError } from '../../../src/core/files/io/fileErrors';
import { retryWhileOpen } from '../../../src/core/files/storage/retryWhileOpen';

const refusal = (code: string): Error => Object.assign(new Error(code), { code });

describe('Moving a file that another program has open', () => {
  /** Moves a file that is refused with these codes, one after the other, and returns the number of tries and the pauses. */
  async function move(platform: NodeJS.Platform, refusals: readonly string[]): Promise<{ tries: number; pauses: number[]; code?: string }> {
    const pauses: number[] = [];
    let tries = 0;
    const host = { platform, pause: (milliseconds: number) => Promise.resolve(pauses.push(milliseconds)) };
    const attempt = (): Promise<string> => {
      const code = refusals[tries++];
      return code === undefined ? Promise.resolve('moved') : Promise.reject(refusal(code));
    };
    try {
      assert.equal(await retryWhileOpen(attempt, host), 'moved');
      return { tries, pauses };
    } catch (error) {
      return { tries, pauses, code: (error as NodeJS.ErrnoException).code! };
    }
  }

  it('is tried again on Windows until the file is closed', async () => {
    assert.deepEqual(await move('win32', []), { tries: 1, pauses: [] });
    assert.deepEqual(await move('win32', ['EPERM', 'EBUSY', 'EACCES']), { tries: 4, pauses: [10, 20, 50] });
  });

  it('fails with the last error if it stays open', async () => {
    const found = await move('win32', [...new Array<string>(7).fill('EBUSY'), 'EPERM']);
    assert.deepEqual(found, { tries: 8, pauses: [10, 20, 50, 100, 200, 400, 800], code: 'EPERM' });
  });

  it('isn’t tried again for other errors, or on other systems, where the refusal is meant', async () => {
    assert.deepEqual(await move('win32', ['ENOENT']), { tries: 1, pauses: [], code: 'ENOENT' });
    for (const platform of ['linux', 'darwin'] as const)
      assert.deepEqual(await move(platform, ['EPERM']), { tries: 1, pauses: [], code: 'EPERM' });
  });

  it('is reported with what to do', () => {
    assert.match(
      (fileError(refusal('EBUSY'), '/x.jsonl') as Error).message,
      /^Another program has this file open\. Try again: \/x\.jsonl$/,
    );
  });
});
