import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { AT_ONCE } from '../../../src/core/files/atOnce';
import { callsAtOnce } from '../../../src/core/files/localDisk';

const EXT4 = 0xef53;
const OVERLAY = 0x794c7630;

describe('File calls at once', () => {
  it('are few below a folder of a file system that isn’t known to be local', async () => {
    // The kernel answers for /proc, and its type is on no list.
    const elsewhere = existsSync('/proc/self') ? '/proc' : process.cwd();
    assert.equal(await callsAtOnce([elsewhere]), AT_ONCE);
    assert.equal(await callsAtOnce([process.cwd(), elsewhere]), AT_ONCE);
  });

  it('may be more on this computer’s own disks, and a folder that isn’t there doesn’t count', async () => {
    const isLocal = [EXT4, OVERLAY].includes((await statfs(process.cwd())).type) && process.platform === 'linux';
    const many = await callsAtOnce([process.cwd(), '/no/such/folder']);
    assert.ok(isLocal ? many > AT_ONCE : many >= AT_ONCE);
  });
});
