/** A first look without waiting, for a worker thread. */
import { closeSync } from 'node:fs';
import { readNow } from '../files/readNow';
import { openRegularFileNow } from '../files/regularFileNow';
import { beginning, end, hasNoLine, LOOK, Look } from './firstLook';
import type { StaleFile } from './protocol';
import type { StoredRow } from './row';

/** As `firstLook`. Never throws. */
export function firstLookNow(file: StaleFile, room: Buffer): StoredRow {
  const look = new Look(file);
  const { size } = file.version;
  let fd: number | undefined;
  try {
    fd = openRegularFileNow(file.path).fd;
    let head = readNow(fd, ...beginning(size, room));
    const tail = size > LOOK ? readNow(fd, ...end(size, room)) : undefined;
    for (let length = 2 * LOOK; hasNoLine(head, size, length); length *= 2) head = readNow(fd, 0, Math.min(length, size));
    look.parts(head, tail);
  } catch {
    // As a file of which nothing is known.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
  return look.row();
}
