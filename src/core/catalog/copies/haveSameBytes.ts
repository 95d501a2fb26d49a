/** Compares the bytes of two copies of a session. */
import type { FileHandle } from 'node:fs/promises';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import { TITLE_SLOT_BYTES } from '../../format/session/read/objectCollector';
import { isTitleSlotLine } from '../../format/write/sessionNames';
import { equalRange } from '../../files/io/equalRange';
import { readAt } from '../../files/io/readAt';
import { openRegularFile } from '../../files/io/regularFile';

/**
 * Returns true if two files have the same bytes from `from` up to `to`. A title at the start, which oh-my-pi rewrites in place,
 * isn't compared.
 *
 * @throws {NodeJS.ErrnoException} the system's errors; {SessionError} for anything but a regular file.
 */
export async function haveSameBytes(a: string, b: string, dialect: Dialect, from: number, to: number): Promise<boolean> {
  const first = await openRegularFile(a);
  try {
    const second = await openRegularFile(b);
    try {
      const start = Math.max(from, DIALECT_FACTS[dialect].hasTitleSlot ? await endOfSlots(first.file, second.file) : 0);
      return await equalRange(first.file, start, second.file, start, to - start);
    } finally {
      await second.file.close();
    }
  } finally {
    await first.file.close();
  }
}

/** Returns the end of the title slots if both files begin with one; otherwise 0. */
async function endOfSlots(...files: readonly FileHandle[]): Promise<number> {
  const starts = await Promise.all(files.map((file) => readAt(file, 0, TITLE_SLOT_BYTES)));
  return starts.every((start) => isTitleSlotLine(start.toString())) ? TITLE_SLOT_BYTES : 0;
}
