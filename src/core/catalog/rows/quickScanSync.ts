/** A first look without waiting, for a worker thread. */
import { closeSync } from 'node:fs';
import { readAtSync } from '../../files/io/readAtSync';
import { openRegularFileSync } from '../../files/io/regularFileSync';
import { headRange, tailRange, needsLongerHead, QUICK_SCAN_BYTES, QuickScanner } from './quickScan';
import type { StaleFile } from '../worker/workerProtocol';
import type { StoredRow } from './catalogRow';

/** As `quickScan`. Never throws. */
export function quickScanSync(file: StaleFile, room: Buffer): StoredRow {
  const look = new QuickScanner(file);
  const { size } = file.version;
  let fd: number | undefined;
  try {
    fd = openRegularFileSync(file.path).fd;
    let head = readAtSync(fd, ...headRange(size, room));
    const tail = size > QUICK_SCAN_BYTES ? readAtSync(fd, ...tailRange(size, room)) : undefined;
    for (let length = 2 * QUICK_SCAN_BYTES; needsLongerHead(head, size, length); length *= 2) head = readAtSync(fd, 0, Math.min(length, size));
    look.scan(head, tail);
  } catch {
    // As a file of which nothing is known.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
  return look.row();
}
