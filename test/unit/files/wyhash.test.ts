import assert from 'node:assert/strict';
import { wyhash } from '../../../src/core/files/presence/wyhash';

describe('wyhash', () => {
  it('returns the values that its author’s test and Bun’s documentation give', () => {
    // https://github.com/wangyi-fudan/wyhash, test_vector.cpp of version 4, as in the tests of Zig's std.hash.Wyhash.
    const vectors: readonly [seed: bigint, text: string, hash: bigint][] = [
      [0n, '', 0x0409638ee2bde459n],
      [1n, 'a', 0xa8412d091b5fe0a9n],
      [2n, 'abc', 0x32dd92e4b2915153n],
      [3n, 'message digest', 0x8619124089a3a16bn],
      [4n, 'abcdefghijklmnopqrstuvwxyz', 0x7a43afb61d7f5f40n],
      [5n, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 0xff42329b90e50d58n],
      [6n, '1234567890'.repeat(8), 0xc39cab13b115aad3n],
      // https://bun.sh/docs/api/hashing and Bun's test of Bun.hash.
      [0n, 'some data here', 11562320457524636935n],
      [1234n, 'some data here', 15724820720172937558n],
      [0n, 'hello world', 0x668d5e431c3b2573n],
    ];
    for (const [seed, text, hash] of vectors) assert.equal(wyhash(text, seed), hash, text);
  });
});
