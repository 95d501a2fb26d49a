/**
 * Counts the intact frames of a WAL. SQLite verifies their checksums only when it opens a WAL that no connection has open;
 * what it reads or checkpoints later isn't verified.
 *
 * The format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { errorCode } from '../../../files/io/fileErrors';
import { PAGE_BYTES } from '../schema';

/** The sizes of the WAL's header and of a frame's header, in bytes. */
const [HEADER, FRAME] = [32, 24];
/** The number of frames read at a time: 1 MB. */
const CHUNK = 64;

/** @returns 0 if there is no WAL */
export function countValidFrames(path: string): number {
  let fd: number;
  try {
    // SQLite holds no locks on this file, so closing a descriptor drops none.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
  try {
    return framesIn(fd);
  } finally {
    closeSync(fd);
  }
}

function framesIn(fd: number): number {
  const header = Buffer.from(new ArrayBuffer(HEADER));
  if (readSync(fd, header, 0, HEADER, 0) < HEADER) return 0;
  const sums = new Uint32Array(2);
  add(sums, header, 0, 24);
  if (!matches(sums, header, 24)) return 0;
  const size = FRAME + PAGE_BYTES;
  const frames = Buffer.from(new ArrayBuffer(CHUNK * size));
  for (let count = 0; ;) {
    const whole = Math.floor(readSync(fd, frames, 0, frames.length, HEADER + count * size) / size);
    for (let at = 0; at < whole * size; at += size, count++) {
      // Checksums are cumulative from the header on, so frames from an earlier use of the file don't match.
      add(sums, frames, at, 8);
      add(sums, frames, at + FRAME, size - FRAME);
      if (!matches(sums, frames, at + 16)) return count;
    }
    if (whole < CHUNK) return count;
  }
}

/** SQLite adds 32-bit words in the byte order of the machine that wrote them. A WAL from a machine with the other order has no valid frames here. */
function add(sums: Uint32Array, bytes: Buffer, at: number, length: number): void {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + at, length / 4);
  let [first, second] = [sums[0]!, sums[1]!];
  for (let index = 0; index < words.length; index += 2) {
    first = (first + words[index]! + second) | 0;
    second = (second + words[index + 1]! + first) | 0;
  }
  sums.set([first, second]);
}

const matches = (sums: Uint32Array, bytes: Buffer, at: number): boolean =>
  sums[0] === bytes.readUInt32BE(at) && sums[1] === bytes.readUInt32BE(at + 4);
