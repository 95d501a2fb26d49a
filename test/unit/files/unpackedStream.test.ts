import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { readAt } from '../../../src/core/files/io/readAt';
import { openSessionLines } from '../../../src/core/files/read/bytes/sessionBytes';
import { UnpackedBytes } from '../../../src/core/files/read/bytes/unpackedBytes';
import { UnpackedStream } from '../../../src/core/files/read/bytes/unpackedStream';
import { SessionError } from '../../../src/core/format/entry/problem';
import { testFolder } from '../../fixtures/folder';

const MB = 1024 * 1024;
const PIECE = MB;
const LIMITS = { first: 16 * MB, later: 32 * MB };

/** Bytes that differ from place to place. */
function bytesOf(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(at, at);
  return bytes;
}

/** A source of pieces that notes those that were unpacked, and the streams that were ended. */
class Source {
  pieces: number[] = [];
  begun = 0;
  ended = 0;

  constructor(private readonly bytes: Buffer) {}

  async *unpack(): AsyncGenerator<Buffer> {
    this.begun++;
    try {
      for (let at = 0; at < this.bytes.length; at += PIECE) {
        this.pieces.push(at / PIECE);
        yield await Promise.resolve(this.bytes.subarray(at, at + PIECE));
      }
    } finally {
      this.ended++;
    }
  }
}

async function assertRead(stream: UnpackedStream, bytes: Buffer, position: number, length: number): Promise<void> {
  const read = Buffer.alloc(length);
  const count = await stream.read(read, 0, length, position);
  assert.ok(count > 0 && read.subarray(0, count).equals(bytes.subarray(position, position + count)), `${count} bytes at ${position}`);
}

describe('A stream of unpacked bytes', () => {
  const bytes = bytesOf(40 * MB + 12);

  it('keeps what is being read, however little is kept otherwise', async () => {
    const source = new Source(bytes);
    const stream = new UnpackedStream(() => source.unpack(), { first: 1, later: 1 });
    const read = Buffer.alloc(MB);
    // Across the border of two pieces, of which the first one ends before the last byte that is kept.
    assert.equal(await stream.read(read, 0, MB, 2 * MB - 100), MB);
    assert.ok(read.equals(bytes.subarray(2 * MB - 100, 3 * MB - 100)));
  });

  it('gives the bytes of any place, and keeps the last 16 MB', async () => {
    const source = new Source(bytes);
    const stream = new UnpackedStream(() => source.unpack(), LIMITS);
    assert.equal(await stream.size(), bytes.length);
    assert.equal(source.begun, 1);
    for (const position of [bytes.length - 10, 25 * MB, 30 * MB - 7]) await assertRead(stream, bytes, position, 100);
    assert.equal(source.begun, 1);
    await assertRead(stream, bytes, MB - 20, 20);
    assert.equal(source.begun, 1, 'the beginning is kept, too');
    await assertRead(stream, bytes, 20 * MB, 100);
    assert.equal(source.begun, 2);
    // The bytes before are kept, and those after it continue.
    for (const position of [6 * MB, 21 * MB + 3, 39 * MB]) await assertRead(stream, bytes, position, 100);
    assert.equal(source.begun, 2);
    assert.equal(await stream.read(Buffer.alloc(10), 0, 10, bytes.length), 0);
    assert.equal(await stream.read(Buffer.alloc(10), 0, 10, bytes.length + 1), 0);
    assert.equal(source.begun, 2);
  });

  it('keeps what is being read, however large the next piece is', async () => {
    const sizes = [MB, 30 * MB, 9 * MB + 12];
    const stream = new UnpackedStream(async function* () {
      let from = 0;
      for (const size of sizes) yield await Promise.resolve(bytes.subarray(from, (from += size)));
    }, LIMITS);
    for (const position of [MB - 50, 31 * MB - 50]) await assertRead(stream, bytes, position, 100);
  });

  it('keeps more once it was unpacked again for another place, up to a limit', async () => {
    const source = new Source(bytes);
    const stream = new UnpackedStream(() => source.unpack(), { first: 4 * MB, later: 20 * MB });
    await stream.size();
    await assertRead(stream, bytes, 30 * MB, 100);
    for (const position of [12 * MB, 28 * MB, 39 * MB, 21 * MB]) await assertRead(stream, bytes, position, 100);
    assert.equal(source.begun, 2);
    await assertRead(stream, bytes, 18 * MB, 100);
    assert.equal(source.begun, 3);
  });

  it('keeps no more if it’s only read from the first byte on after it was measured', async () => {
    const source = new Source(bytes);
    const stream = new UnpackedStream(() => source.unpack(), { first: 4 * MB, later: 20 * MB });
    await stream.size();
    for (let position = 0; position < bytes.length; position += MB) await assertRead(stream, bytes, position, MB);
    assert.deepEqual([source.begun, stream.keptBytes], [2, 4 * MB + 12]);
  });

  it('can be aborted before each piece, and goes on from there', async () => {
    const stop = new AbortController();
    const source = new Source(bytes);
    const stream = new UnpackedStream(async function* () {
      for await (const piece of source.unpack()) {
        if (source.pieces.length === 10) stop.abort(new Error('enough'));
        yield piece;
      }
    }, LIMITS);
    await assert.rejects(stream.read(Buffer.alloc(100), 0, 100, 30 * MB, stop.signal), /enough/);
    assert.equal(source.pieces.length, 10);
    await assertRead(stream, bytes, 30 * MB, 100);
    assert.deepEqual([source.begun, source.pieces.length], [1, 31]);
  });

  it('unpacks no more than what is read, and ends what it unpacked for nothing', async () => {
    const source = new Source(bytes);
    const stream = new UnpackedStream(() => source.unpack(), LIMITS);
    await assertRead(stream, bytes, 10, PIECE - 20);
    assert.deepEqual(source.pieces, [0]);
    await assertRead(stream, bytes, 25 * MB, 100);
    await assertRead(stream, bytes, 2 * MB, 100);
    assert.deepEqual([source.begun, source.ended], [2, 1]);
    await stream.close();
    assert.equal(source.ended, 2);
  });

  it('serves requests one after the other, and unpacks again after a failure', async () => {
    const source = new Source(bytes);
    let fails = true;
    const stream = new UnpackedStream(async function* () {
      for await (const piece of source.unpack()) {
        if (fails && source.pieces.length === 3) throw new Error('broken');
        yield piece;
      }
    }, LIMITS);
    const all = await Promise.allSettled([assertRead(stream, bytes, 0, 100), stream.size(), assertRead(stream, bytes, 5, 100)]);
    assert.deepEqual(
      all.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    fails = false;
    assert.equal(await stream.size(), bytes.length);
  });
});

describe('The bytes of an archive', () => {
  const folder = testFolder();
  const bytes = bytesOf(2 * MB + 12);

  it('are kept for the next reader, and each reader has its own', async () => {
    const source = new Source(bytes);
    const open = (key: string): UnpackedBytes => new UnpackedBytes(key, () => source.unpack(), { approximate: bytes.length, packed: 0 });
    const first = open('a');
    assert.deepEqual(await readAt(first, MB, 10), bytes.subarray(MB, MB + 10));
    await first.close();
    const [second, third] = [open('a'), open('a')];
    assert.deepEqual(await readAt(second, MB, 10), bytes.subarray(MB, MB + 10));
    assert.equal(source.begun, 1);
    assert.deepEqual(await readAt(third, 7, 10), bytes.subarray(7, 17));
    assert.equal(source.begun, 2);
    await Promise.all([second.close(), third.close()]);
    const other = open('b');
    assert.equal(await other.size(), bytes.length);
    await other.close();
    assert.equal(source.begun, 3);
    await open('a').size();
    assert.equal(source.begun, 3);
  });

  it('are kept up to 128 MB once it’s read at another place', async () => {
    let begun = 0;
    const archive = new UnpackedBytes(
      'large',
      async function* () {
        begun++;
        // The pieces share their memory.
        for (let count = 0; count < 160; count++) yield await Promise.resolve(bytes.subarray(0, MB));
      },
      { approximate: 160 * MB, packed: 0 },
    );
    await archive.size();
    for (const megabyte of [150, 145, 20, 100, 140, 20]) await readAt(archive, megabyte * MB, 10);
    assert.equal(begun, 2);
    for (const megabyte of [159, 35, 20]) await readAt(archive, megabyte * MB, 10);
    assert.equal(begun, 3);
    await archive.close();
  });

  it('are those of the only Zstandard frame, and of all parts of a gzip file; anything else is damaged', async () => {
    const read = async (name: string, packed: Buffer): Promise<Buffer> => {
      const path = join(folder.path, name);
      writeFileSync(path, packed);
      const { file } = await openSessionLines(path);
      try {
        return await readAt(file, 0, 10 * MB);
      } finally {
        await file.close();
      }
    };
    const [frame, part] = [zstdCompressSync(bytes), gzipSync(bytes)];
    assert.ok((await read('a.jsonl.zst', frame)).equals(bytes));
    assert.ok((await read('a.jsonl.gz', part)).equals(bytes));
    assert.ok((await read('b.jsonl.gz', Buffer.concat([part, part]))).equals(Buffer.concat([bytes, bytes])));
    const damaged: [string, Buffer][] = [
      ['b.jsonl.zst', Buffer.concat([frame, frame])],
      ['c.jsonl.zst', Buffer.concat([frame, Buffer.from('rest')])],
      ['d.jsonl.zst', frame.subarray(0, frame.length - 5)],
      ['e.jsonl.zst', Buffer.from(frame).fill(0xff, frame.length >> 1)],
      ['c.jsonl.gz', part.subarray(0, part.length - 5)],
      ['d.jsonl.gz', Buffer.from(part).fill(0xff, part.length >> 1)],
    ];
    for (const [name, packed] of damaged)
      await assert.rejects(
        read(name, packed),
        (error) => error instanceof SessionError && /the file is damaged or isn’t compressed/.test(error.message),
        name,
      );
  });
});
