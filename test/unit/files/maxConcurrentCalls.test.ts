import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { MAX_CONCURRENT } from '../../../src/core/files/concurrency/forEachConcurrent';
import { maxConcurrentCalls } from '../../../src/core/files/concurrency/maxConcurrentCalls';

const EXT4 = 0xef53;
const OVERLAY = 0x794c7630;

describe('Concurrent file calls', () => {
  it('are few below a folder of a file system that isn’t known to be local', async () => {
    // The kernel implements /proc, and its type is on no list.
    const elsewhere = existsSync('/proc/self') ? '/proc' : process.cwd();
    assert.equal(await maxConcurrentCalls([elsewhere]), MAX_CONCURRENT);
    assert.equal(await maxConcurrentCalls([process.cwd(), elsewhere]), MAX_CONCURRENT);
  });

  it('may be more on local disks, and missing folders don’t count', async () => {
    const isLocal = [EXT4, OVERLAY].includes((await statfs(process.cwd())).type) && process.platform === 'linux';
    const many = await maxConcurrentCalls([process.cwd(), '/no/such/folder']);
    assert.ok(isLocal ? many > MAX_CONCURRENT : many >= MAX_CONCURRENT);
  });
});
