/** The synchronous `quickScan`, for worker threads. */
import { closeSync } from 'node:fs';
import { readAtSync } from '../../files/io/readAtSync';
import { openRegularFileSync } from '../../files/io/regularFileSync';
import { headRange, tailRange, needsLongerHead, QUICK_SCAN_BYTES, QuickScanner } from './quickScan';
import type { StaleFile } from '../worker/workerProtocol';
import type { StoredRow } from './catalogRow';

/** Never throws, like `quickScan`. */
export function quickScanSync(file: StaleFile, buffer: Buffer): StoredRow {
  const scanner = new QuickScanner(file);
  const { size } = file.version;
  let fd: number | undefined;
  try {
    fd = openRegularFileSync(file.path).fd;
    let head = readAtSync(fd, ...headRange(size, buffer));
    const tail = size > QUICK_SCAN_BYTES ? readAtSync(fd, ...tailRange(size, buffer)) : undefined;
    for (let length = 2 * QUICK_SCAN_BYTES; needsLongerHead(head, size, length); length *= 2)
      head = readAtSync(fd, 0, Math.min(length, size));
    scanner.scan(head, tail);
  } catch {
    // The row stays that of a file without content.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
  return scanner.row();
}
