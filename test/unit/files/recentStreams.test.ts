import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { RecentStreams } from '../../../src/core/files/read/bytes/recentStreams';
import { UnpackedStream } from '../../../src/core/files/read/bytes/unpackedStream';

const MB = 1024 * 1024;
const ALL = { first: Infinity, later: Infinity };
const SECONDS = 1000;

describe('The archives that were read last', () => {
  let streams: RecentStreams;
  /** The archives that were unpacked. */
  let unpacked: string[];
  const piece = Buffer.alloc(MB);

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    streams = new RecentStreams();
    unpacked = [];
  });
  afterEach(() => mock.timers.reset());

  function open(name: string, megabytes = 1, packed = 0): UnpackedStream {
    const unpack = async function* (): AsyncGenerator<Buffer> {
      unpacked.push(name);
      // The pieces share their memory.
      for (let count = 0; count < megabytes; count++) yield await Promise.resolve(piece);
    };
    return streams.open(name, () => new UnpackedStream(unpack, ALL, packed * MB));
  }

  /** Reads archives, and returns those that had to be unpacked. */
  async function read(...archives: readonly (readonly [name: string, megabytes: number])[]): Promise<string> {
    unpacked = [];
    for (const [name, megabytes] of archives) {
      const stream = open(name, megabytes);
      assert.equal(await stream.read(Buffer.alloc(1), 0, 1, megabytes * MB - 1), 1);
      await streams.close(name, stream);
    }
    return unpacked.join(' ');
  }

  it('keep 128 MB, those of the archive that was closed last first', async () => {
    assert.equal(await read(['a', 60], ['b', 60], ['c', 8]), 'a b c');
    assert.equal(await read(['a', 60], ['b', 60], ['c', 8]), '');
    assert.equal(await read(['d', 1], ['b', 60], ['c', 8], ['a', 60]), 'd a');
  });

  it('keep the one that was closed last, however large it is', async () => {
    assert.equal(await read(['a', 1], ['large', 200], ['large', 200], ['a', 1]), 'a large a');
    assert.equal(await read(['a', 1], ['large', 200]), 'large');
  });

  it('are 32 at most', async () => {
    const archives = Array.from({ length: 33 }, (_, index) => [`${index}`, 1] as const);
    await read(...archives);
    assert.equal(await read(...archives.slice(1)), '');
    assert.equal(await read(...archives.slice(0, 1)), '0');
  });

  it('are dropped a minute after the last one was closed', async () => {
    await read(['a', 1]);
    mock.timers.tick(59 * SECONDS);
    await read(['b', 1]);
    mock.timers.tick(59 * SECONDS);
    assert.equal(await read(['a', 1], ['b', 1]), '');
    mock.timers.tick(60 * SECONDS);
    assert.equal(await read(['a', 1], ['b', 1]), 'a b');
  });

  it('aren’t given to a reader once they are dropped', async () => {
    const stream = open('a');
    await streams.close('a', stream);
    mock.timers.tick(60 * SECONDS);
    assert.notEqual(open('a'), stream);
  });

  it('keep the archive itself until all of it is unpacked, which counts, too', async () => {
    /** Reads the first megabyte of an archive, or all. */
    const readOne = async (name: string, megabytes: number, isWhole = false): Promise<UnpackedStream> => {
      const stream = open(name, megabytes, 70);
      if (isWhole) await stream.size();
      else await stream.read(Buffer.alloc(1), 0, 1, 0);
      await streams.close(name, stream);
      return stream;
    };
    const [first, second] = [await readOne('a', 2), await readOne('b', 2)];
    assert.deepEqual([first.keptBytes, second.keptBytes], [0, 71 * MB]);
    const [third, fourth] = [await readOne('c', 2, true), await readOne('d', 2, true)];
    assert.deepEqual(
      [second, third, fourth].map(({ keptBytes }) => keptBytes / MB),
      [71, 2, 2],
    );
  });

  it('have one reader at a time, and are closed if they were read twice', async () => {
    const [first, second] = [open('a'), open('a')];
    for (const stream of [first, second]) await stream.read(Buffer.alloc(1), 0, 1, 0);
    assert.equal(unpacked.join(' '), 'a a');
    await Promise.all([streams.close('a', first), streams.close('a', second)]);
    assert.deepEqual([first.keptBytes, second.keptBytes], [0, MB]);
    assert.equal(open('a'), second);
    mock.timers.tick(60 * SECONDS);
    assert.equal(second.keptBytes, MB, 'it’s being read');
  });
});
